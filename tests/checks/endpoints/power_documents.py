"""Power documents that the tests share: the base groups of the worked examples (9800 W) in both shapes."""

from collections.abc import Iterable
from typing import Any

from checks.endpoints.power import judge_power
from checks.endpoints.power_result import PowerProblem, PowerResult
from checks.endpoints.system_facts import SystemFacts, read_system
from checks.endpoints.tables import load_tables

TABLE = load_tables("2026-10").power
BASE_W = 9800

Document = dict[str, Any]


def groups(**more: Any) -> Document:
    """2 CPUs of 350 W, 8 accelerators of 700 W and a switch of 3500 W in the checker shape.

    None takes a member away.
    """
    document: Document = {
        "cpu": {"num_cpu": 2, "tdp_per_cpu": 350, "link": "https://vendor.example/cpu"},
        "accelerator": {"num_accelerator": 8, "tdp_per_accelerator": 700, "link": "https://vendor.example/acc"},
        "scale_up_network": {"num_switches": 1, "tdp_per_switch": 3500, "link": "https://vendor.example/switch"},
        **more,
    }
    return {key: value for key, value in document.items() if value is not None}


def rack(power: Any = 120000, nodes: Any = 8, submitted: Any = 5) -> Document:
    return {"rack_power_w": power, "rack_nodes": nodes, "submitted_nodes": submitted}


def sourced(value: float, unit: str = "value_w") -> Document:
    return {unit: value, "source_type": "vendor_spec", "source": "https://vendor.example/spec"}


def components() -> Document:
    return {
        "cpu": {"model": "AMD EPYC 9654", "count_per_node": 2, "tdp_per_unit": sourced(350)},
        "accelerator": {"model": "NVIDIA H100", "count_per_node": 8, "tdp_per_unit": sourced(700)},
        "scale_up_network": {"method": "declared_tdp", "switch_count": 1, "tdp_per_switch": sourced(3500)},
    }


def node_set(set_id: int = 0, nodes: int = 1, **more: Any) -> Document:
    """A set that sums its components, unless ``more`` gives another method."""
    document: Document = {
        "node_set_id": set_id,
        "system_node_ensemble_id": set_id,
        "nodes_provisioned": nodes,
        "power_method": "component_sum",
        **more,
    }
    if document["power_method"] == "component_sum":
        document.setdefault("components", components())
    return document


def fabric(nodes: int = 4, **nics: Any) -> Document:
    """Four counted adapters of 75 W and 400 Gb/s in each node, joined by one switch of 900 W."""
    adapters = {"count_per_node": 4, "bandwidth_per_nic_gbps": 400, "counted": True, "tdp_per_nic": sourced(75), **nics}
    switch = {"model": "SN5610", "count": 1, "bandwidth_tbps": 51.2, "power_per_switch": sourced(900)}
    return {
        "present": True,
        "cabling": "passive",
        "required_bandwidth_tbps": nodes * 1.6,
        "nics": adapters,
        "switches": [switch],
    }


def appendix_e(*sets: Document, cooling: str = "air", **more: Any) -> Document:
    document: Document = {
        "system_desc_id": "sys",
        "cooling": cooling,
        "node_sets": list(sets) or [node_set()],
        "scale_out": {"present": False},
        **more,
    }
    return {key: value for key, value in document.items() if value is not None}


def described(*cooling: str | None, nodes: Iterable[int] = (), top: str | None = None) -> SystemFacts:
    """A description with one node type for each cooling text, ensembles numbered from 0."""
    counts: list[int | None] = [*nodes] or [None] * len(cooling)
    texts: list[str | None] = [*cooling] or [None] * len(counts)
    kinds = [
        {"system_node_ensemble_id": index, "number_of_nodes": count, "cooling": text}
        for index, (text, count) in enumerate(zip(texts, counts, strict=True))
    ]
    return read_system([{"cooling": top, "node_types": kinds}])


def judged(document: object, *cooling: str | None) -> PowerResult:
    return judge_power(document, described(*cooling), TABLE)


def problems_of(result: PowerResult, level: str) -> dict[str, str]:
    """Messages of one level by pointer."""
    return {problem.pointer: problem.message for problem in result.problems if problem.level == level}


def errors(result: PowerResult) -> dict[str, str]:
    return problems_of(result, "error")


def rules_of(problems: Iterable[PowerProblem]) -> set[str]:
    return {problem.rule for problem in problems}


def with_value(document: Document, pointer: str, value: Any) -> Document:
    """``document`` with one value set by JSON pointer, in place."""
    *parents, last = pointer.strip("/").split("/")
    place: Any = document
    for part in parents:
        place = place[int(part)] if isinstance(place, list) else place[part]
    place[int(last) if isinstance(place, list) else last] = value
    return document
