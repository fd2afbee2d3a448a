"""system_power.json in both shapes, for nodes of 2 x 350 W CPUs.

8 x 700 W accelerators and one 3500 W switch (9800 W).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

Json = dict[str, Any]
PowerShape = Literal["checker", "appendix_e"]

NODE_W = 2 * 350 + 8 * 700 + 3500
OVERHEAD = {"liquid": 0.30, "air": 0.50}
NIC_W = 4 * 75
SWITCH_W = 900


def system_power(shape: PowerShape, nodes: Mapping[int, int], cooling: str) -> Json:
    """The power descriptor of a system.

    `nodes` gives the number of nodes of every ensemble, `cooling` is liquid or air.
    """
    return checker_shape(sum(nodes.values())) if shape == "checker" else appendix_e(nodes, cooling)


def checker_shape(nodes: int) -> Json:
    """Component groups with the installed counts of the whole system."""
    return {
        "cpu": {"num_cpu": 2 * nodes, "tdp_per_cpu": 350, "link": "https://vendor.example/cpu"},
        "accelerator": {
            "num_accelerator": 8 * nodes,
            "tdp_per_accelerator": 700,
            "link": "https://vendor.example/accelerator",
        },
        "scale_up_network": {"num_switches": nodes, "tdp_per_switch": 3500, "link": "https://vendor.example/switch"},
    }


def appendix_e(nodes: Mapping[int, int], cooling: str) -> Json:
    """One node set for each ensemble; several nodes are joined by a fabric with four adapters in each node."""
    return {
        "system_desc_id": "sys",
        "cooling": cooling,
        "node_sets": [_node_set(ensemble, count) for ensemble, count in nodes.items()],
        "scale_out": _fabric(sum(nodes.values())),
    }


def total_kw(shape: PowerShape, nodes: Mapping[int, int], cooling: str, used: Mapping[int, int] | None = None) -> float:
    """Power of a point that uses `used` of the nodes (an ensemble left out is used in full), worked out by hand."""
    provisioned = sum(nodes.values())
    engaged = {ensemble: (used or {}).get(ensemble, count) for ensemble, count in nodes.items()}
    factor = 1 + OVERHEAD[cooling]
    if shape == "checker":
        share = max(engaged[ensemble] / count for ensemble, count in nodes.items())
        return NODE_W * provisioned * factor * share / 1000
    has_fabric = provisioned > 1
    node_w = (NODE_W + (NIC_W if has_fabric else 0)) * factor
    switch_w = SWITCH_W * sum(engaged.values()) / provisioned if has_fabric else 0
    return round((sum(engaged.values()) * node_w + switch_w) / 1000, 2)


def _node_set(ensemble: int, nodes: int) -> Json:
    return {
        "node_set_id": ensemble,
        "system_node_ensemble_id": ensemble,
        "nodes_provisioned": nodes,
        "power_method": "component_sum",
        "components": {
            "cpu": {"model": "AMD EPYC 9654", "count_per_node": 2, "tdp_per_unit": _sourced(350)},
            "accelerator": {"model": "NVIDIA H100 SXM5 80GB", "count_per_node": 8, "tdp_per_unit": _sourced(700)},
            "scale_up_network": {"method": "declared_tdp", "switch_count": 1, "tdp_per_switch": _sourced(3500)},
        },
    }


def _fabric(nodes: int) -> Json:
    if nodes == 1:
        return {"present": False}
    return {
        "present": True,
        "cabling": "passive",
        "required_bandwidth_tbps": nodes * 1.6,
        "nics": {"count_per_node": 4, "bandwidth_per_nic_gbps": 400, "counted": True, "tdp_per_nic": _sourced(75)},
        "switches": [{"model": "SN5610", "count": 1, "bandwidth_tbps": 51.2, "power_per_switch": _sourced(SWITCH_W)}],
    }


def _sourced(watts: float) -> Json:
    return {"value_w": watts, "source_type": "vendor_spec", "source": "https://vendor.example/spec"}
