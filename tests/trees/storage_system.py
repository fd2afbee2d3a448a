"""System descriptions: the YAML in both known shapes and a small real PDF (2.1.7, 4.7.3, 4.7.4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tests.trees.storage_bench import Api
from tests.trees.storage_files import Json
from tests.trees.storage_hosts import CPU, Hosts

Description = Literal["shared_capabilities", "system_under_test"]
"""The shape that 4.7.4 prints, or the one of the published v3.0 tree."""

Deployment = Literal["onprem", "cloud"]

STORAGE_NODES = 3
NODE_UNITS = 2
SWITCH_UNITS = 1


@dataclass(frozen=True)
class Product:
    """The storage solution under test.

    `remap_seconds` above 0 makes it a remapping solution: no simultaneous reads and writes (4.7.3).
    """

    name: str
    hosts: Hosts
    api: Api = "file"
    deployment: Deployment = "onprem"
    remap_seconds: int = 0

    def description(self, shape: Description) -> Json:
        """The content of `systems/<name>.yaml`."""
        return self._shared_capabilities() if shape == "shared_capabilities" else self._system_under_test()

    @property
    def _simultaneous(self) -> bool:
        return self.remap_seconds == 0

    @property
    def _client(self) -> str:
        """What the clients are; names the gateway through which KV cache reaches object storage (6.5.2)."""
        if self.api == "file":
            return "Client node"
        return "Client node; KV cache through s3fs 1.94 mounted with use_path_request_style"

    def _shared_capabilities(self) -> Json:
        capabilities: Json = {
            "multi_host_support": True,
            "simultaneous_write_support": self._simultaneous,
            "simultaneous_read__support": self._simultaneous,
        }
        if self.remap_seconds:
            capabilities["remap_time_in_seconds"] = self.remap_seconds
        return {
            "System": {
                "name": self.name,
                "description": f"{self.name}, a shared file system on {STORAGE_NODES} nodes",
                "access_protocol": "S3" if self.api == "object" else "NFS",
                "shared_capabilities": capabilities,
            }
        }

    def _system_under_test(self) -> Json:
        onprem = self.deployment == "onprem"
        block: Json = {
            "solution": self._solution(),
            "deployment": self.deployment,
            "product_nodes": [self._node("Storage node", STORAGE_NODES, 256, drives=True)],
            "clients": [self._node(self._client, self.hosts.count, self.hosts.memory_gib, drives=False)],
        }
        if onprem:
            block["product_switches"] = [self._switch()]
            block["total_rack_units"] = STORAGE_NODES * NODE_UNITS + SWITCH_UNITS
        return {"system_under_test": block}

    def _solution(self) -> Json:
        kind = "S3-compatible object" if self.api == "object" else "file"
        return {
            "submission_name": self.name,
            "friendly_description": f"{self.name}: {kind} storage on {STORAGE_NODES} nodes",
            "architecture": {
                "storage_location": "remote",
                "benchmark_API": self.api,
                "product_API": self.api,
                "client_footprint": "open_source",
                "client_installation": "in_box",
            },
            "capabilities": {
                "multi_host": True,
                "simultaneous_write": self._simultaneous,
                "simultaneous_read": self._simultaneous,
                "remap_time_in_seconds": self.remap_seconds,
            },
            "usable_capacity_tib": 168,
            "availability": "available",
        }

    def _node(self, title: str, quantity: int, memory_gib: int, drives: bool) -> Json:
        chassis: Json = {
            "model_name": "Example 2U",
            "cpu_model": CPU,
            "cpu_qty": 1,
            "cpu_cores": self.hosts.cores,
            "memory_capacity": memory_gib,
        }
        if self.deployment == "onprem":
            chassis |= {"rack_units": NODE_UNITS, "power": _power()}
        node: Json = {"friendly_description": title, "quantity": quantity, "chassis": chassis}
        node["networking"] = [_link()]
        if drives:
            node["drives"] = [_drive()]
        node["operating_system"] = {"name": "Ubuntu", "version": "24.04"}
        node["sysctl"] = [{"name": "vm.swappiness", "value": "10"}]
        return node

    def _switch(self) -> Json:
        return {
            "friendly_description": "Data switch",
            "quantity": 1,
            "chassis": {"model_name": "Example 1U switch", "rack_units": SWITCH_UNITS, "power": _power()},
        }


def _power() -> Json:
    supply = {"unit_count": 2, "inlet_voltage": 240, "nameplate_power_watts": 1400, "efficiency": "Platinum"}
    return {"min_psus_active": 1, "psus_configured": [supply]}


def _link() -> Json:
    return {"type": "ethernet", "state": "up", "speed": 200, "unit_count": 1, "traffic": ["data", "management"]}


def _drive() -> Json:
    return {
        "vendor_name": "Example",
        "model_name": "NVMe 4T",
        "interface": "nvme",
        "media_type": "TLC",
        "capacity_in_GB": 3840,
        "unit_count": 16,
    }


def pdf_bytes(text: str) -> bytes:
    """A one-page PDF that says `text` (no brackets, no backslash), with a true cross-reference table."""
    stream = f"BT /F1 24 Tf 72 720 Td ({text}) Tj ET".encode()
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources 6 0 R >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        b"<< /Font << /F1 5 0 R >> >>",
    ]
    body = b"%PDF-1.4\n"
    offsets = []
    for number, content in enumerate(objects, 1):
        offsets.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    count = len(objects) + 1
    trailer = b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (count, len(body))
    return body + b"xref\n0 %d\n0000000000 65535 f \n" % count + table + trailer
