"""The client machines as the benchmark tool records them in metadata and summaries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from tests.trees.storage_files import Json

GIB = 2**30
CPU = "AMD EPYC 9654 96-Core Processor"
BULKY_BYTES = 150_000
DISK_COUNTERS = (
    "reads_completed",
    "reads_merged",
    "sectors_read",
    "time_reading_ms",
    "writes_completed",
    "writes_merged",
    "sectors_written",
    "time_writing_ms",
    "ios_in_progress",
    "time_doing_ios_ms",
    "weighted_time_doing_ios_ms",
    "discards_completed",
    "discards_merged",
    "sectors_discarded",
    "time_discarding_ms",
    "flush_requests_completed",
    "time_flushing_ms",
)
DISK_RECORD_BYTES = 800
"""About one disk record in indented JSON."""


@dataclass(frozen=True)
class Hosts:
    """A set of equal client machines.

    `memory_gib` is a whole number so that every recorded form (bytes, GiB, nameplate) says the same.
    `bulky` pads the disk counters until one metadata file has about 150 KB, as real ones have.
    """

    count: int = 1
    memory_gib: int = 32
    cores: int = 32
    bulky: bool = False

    @property
    def names(self) -> list[str]:
        return [f"client{index:03d}" for index in range(self.count)]

    @property
    def addresses(self) -> list[str]:
        return [f"10.0.{index // 250}.{index % 250 + 1}" for index in range(self.count)]

    def slots(self, processes: int) -> list[str]:
        """`address:processes` for every host that runs a part of `processes`, spread evenly."""
        return [f"{address}:{processes // self.count}" for address in self.addresses]

    def inventory(self, at: datetime) -> Json:
        """The `system_info` block of a metadata file."""
        stamp = at.replace(microsecond=0, tzinfo=UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        memory = self.memory_gib * GIB
        return {
            "total_memory_bytes": memory * self.count,
            "total_cores": self.cores * self.count,
            "num_hosts": self.count,
            "min_memory_bytes": memory,
            "max_memory_bytes": memory,
            "collection_method": "mpi",
            "collection_timestamp": stamp,
            "hosts": [self._host(name, stamp) for name in self.names],
        }

    def summary_fields(self) -> Json:
        """The host part of a DLIO `summary.json`."""
        return {
            "host_cpu_count": [2 * self.cores] * self.count,
            "host_processor_name": "x86_64",
            "potential_caching": [0] * self.count,
            "host_cpuinfo": {"vendor_id": "AuthenticAMD", "model name": CPU, "cpu cores": str(self.cores)},
            "host_meminfo": {"MemTotal": f"{self.memory_gib * GIB // 1024} kB", "SwapTotal": "0 kB"},
            "host_memory_GB": [float(self.memory_gib)] * self.count,
        }

    def _host(self, name: str, stamp: str) -> Json:
        memory = self.memory_gib * GIB
        return {
            "hostname": name,
            "memory": {"total": memory, "available": memory - GIB, "used": GIB // 2, "free": memory - GIB},
            "collection_timestamp": stamp,
            "cpu": {
                "num_cores": self.cores,
                "num_logical_cores": 2 * self.cores,
                "model": CPU,
                "architecture": "x86_64",
            },
            "disks": self._disks(),
            "network": [],
            "system": {"hostname": name, "kernel_version": "Linux version 6.8.0"},
        }

    def _disks(self) -> Sequence[Any]:
        if not self.bulky:
            return []
        snapshots = 3
        disks = max(1, BULKY_BYTES // (self.count * snapshots * DISK_RECORD_BYTES))
        counters = {name: 1_000_003 * (place + 1) for place, name in enumerate(DISK_COUNTERS)}
        return [{"device_name": f"nvme{index}n1", **counters} for index in range(disks)]
