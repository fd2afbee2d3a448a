"""Node sets of the Appendix E shape (E.3): sets of identical nodes, each with its power method and figures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from checks.endpoints.appendix_e_components import node_watts
from checks.endpoints.power_fields import Fields
from checks.endpoints.sourced_value import Tally, check_sourced, read_watts
from checks.endpoints.system_facts import NodeType, SystemFacts

COMPONENT_SUM: Final = "component_sum"
_PUBLISHED_SYSTEM: Final = "published_system"
_NODE_SCALING: Final = "node_scaling"
_METHODS: Final = (COMPONENT_SUM, _PUBLISHED_SYSTEM, _NODE_SCALING)

_SET_KEYS: Final = frozenset(
    {
        "node_set_id",
        "system_node_ensemble_id",
        "nodes_provisioned",
        "power_method",
        "published_power",
        "nodes_in_published_rack",
        "components",
        "notes",
    }
)
_COMBINED: Final = "combined_cpu_accelerator"
_COMPONENT_KEYS: Final = frozenset({"cpu", "accelerator", _COMBINED, "scale_up_network"})


class NodeSet(NamedTuple):
    """A readable set of nodes.

    ``major_w`` and ``published_w`` are for the whole set, 0 where its method has no such term.

    ``is_joined`` is False where its components say that no scale-up network joins the nodes.
    """

    set_id: int
    ensemble_id: int
    nodes: int
    method: str
    major_w: float
    published_w: float
    accelerators_per_node: int | None
    is_joined: bool


def read_node_sets(fields: Fields, system: SystemFacts, tally: Tally) -> list[NodeSet]:
    """The sets that can be counted; what is wrong with the others is reported, or noted as a gap."""
    if fields.values.get("node_sets") in (None, []):
        fields.problems.error(
            fields.pointer, "`node_sets` is missing or empty; one entry per set of identical nodes (E.3)."
        )
    kinds = {kind.ensemble_id: kind for kind in reversed(system.node_types)}
    sets: dict[int, NodeSet] = {}
    for entry in fields.children("node_sets"):
        node_set = _node_set(entry, kinds, tally)
        if node_set is None:
            continue
        if node_set.set_id in sets:
            text = f"`node_set_id` {node_set.set_id} is used twice in this file."
            fields.problems.error(entry.at("node_set_id"), text)
        sets[node_set.set_id] = node_set
    return list(sets.values())


def _node_set(entry: Fields, kinds: Mapping[int | None, NodeType], tally: Tally) -> NodeSet | None:
    entry.report_unknown(_SET_KEYS)
    set_id, ensemble_id = entry.identifier("node_set_id"), entry.identifier("system_node_ensemble_id")
    nodes, method = _nodes(entry), entry.choice("power_method", _METHODS)
    kind = None if ensemble_id is None else kinds.get(ensemble_id)
    components = entry.child("components")
    if components is not None:
        components.report_unknown(_COMPONENT_KEYS)
    if set_id is None or ensemble_id is None or nodes is None or method is None:
        return None
    _compare_with_description(entry, ensemble_id, nodes, kind, is_described=bool(kinds))
    major_w = published_w = 0.0
    if method == COMPONENT_SUM:
        major_w = nodes * (node_watts(entry, components, kind, tally) or 0.0)
        _compare_parts(components, kind)
    else:
        published_w = _published_watts(entry, nodes, method, tally) or 0.0
    _check_unused(entry, components)
    return NodeSet(
        set_id=set_id,
        ensemble_id=ensemble_id,
        nodes=nodes,
        method=method,
        major_w=major_w,
        published_w=published_w,
        accelerators_per_node=_accelerators(components, kind),
        is_joined=not (method == COMPONENT_SUM and _has_no_scale_up(components)),
    )


def _check_unused(entry: Fields, components: Fields | None) -> None:
    """Figures have to be sound also where the power method makes nothing of them."""
    check_sourced(entry, "published_power")
    entry.count("nodes_in_published_rack")
    for name in sorted(_COMPONENT_KEYS):
        part = components.child(name) if components else None
        if part is not None and name != _COMBINED:
            part.count("count_per_node")
            for key in ("tdp_per_unit", "tdp_per_switch", "energy_per_bit_pj"):
                check_sourced(part, key)
    if components:
        check_sourced(components, _COMBINED)


def _nodes(entry: Fields) -> int | None:
    nodes = entry.count("nodes_provisioned")
    if not entry.has("nodes_provisioned"):
        entry.problems.error(entry.pointer, "`nodes_provisioned` is missing.")
    if nodes == 0:
        entry.problems.error(entry.at("nodes_provisioned"), "`nodes_provisioned` is 0; a set has at least one node.")
    return nodes or None


def _compare_with_description(
    entry: Fields, ensemble_id: int, nodes: int, kind: NodeType | None, *, is_described: bool
) -> None:
    if kind is None and is_described:
        text = f"system_desc.json describes no node type with `system_node_ensemble_id` {ensemble_id}."
        entry.problems.warning(entry.at("system_node_ensemble_id"), text)
    if kind is not None and kind.nodes not in (None, nodes):
        text = (
            f"`nodes_provisioned` is {nodes}; `number_of_nodes` of this ensemble in system_desc.json is {kind.nodes}."
        )
        entry.problems.warning(entry.at("nodes_provisioned"), text, "State the same number in both files.")


def _compare_parts(components: Fields | None, kind: NodeType | None) -> None:
    """A warning where a node's CPUs or accelerators are not as many as the system description has."""
    described = {"cpu": kind.cpus_per_node, "accelerator": kind.accelerators_per_node} if kind is not None else {}
    for name, wanted in described.items():
        part = components.values.get(name) if components else None
        stated = part.get("count_per_node") if isinstance(part, dict) else None
        if components is not None and wanted is not None and type(stated) is int and stated != wanted:
            text = f"`{name}` counts {stated} in a node; a node of this ensemble in system_desc.json holds {wanted}."
            place = f"{components.at(name)}/count_per_node"
            components.problems.warning(place, text, "Count what is installed, and state the same in both files.")


def _accelerators(components: Fields | None, kind: NodeType | None) -> int | None:
    """Accelerators in one node: from the file, else from the system description."""
    accelerator = components.values.get("accelerator") if components else None
    stated = accelerator.get("count_per_node") if isinstance(accelerator, dict) else None
    if type(stated) is int and stated >= 0:
        return stated
    return kind.accelerators_per_node if kind else None


def _has_no_scale_up(components: Fields | None) -> bool:
    network = components.values.get("scale_up_network") if components else None
    return isinstance(network, dict) and network.get("method") == "none"


def _published_watts(entry: Fields, nodes: int, method: str, tally: Tally) -> float | None:
    """A published node figure times the nodes, or a published rack's scaled to them (4.5.2.1)."""
    if not entry.has("published_power"):
        entry.problems.error(entry.pointer, f"`published_power` is missing; {method} is made from it.")
        return None
    published = read_watts(entry, "published_power", tally)
    if method == _PUBLISHED_SYSTEM:
        return None if published is None else nodes * published
    rack = entry.count("nodes_in_published_rack")
    if rack is None and entry.has("nodes_in_published_rack"):
        return None
    if rack is None or rack <= nodes:
        found = f"is {rack}" if entry.has("nodes_in_published_rack") else "is missing"
        entry.problems.error(
            entry.pointer,
            f"`nodes_in_published_rack` {found}; node_scaling needs a rack of more than the {nodes} provisioned nodes.",
            "A whole rack is `published_system`.",
        )
        return None
    return None if published is None else published * nodes / rack
