"""The scale-out fabric of the Appendix E shape (E.4).

Adapters inside the nodes' power, switches outside the overhead.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from checks.endpoints.appendix_e_nodes import COMPONENT_SUM, NodeSet
from checks.endpoints.power_defaults import nic_default, switch_default
from checks.endpoints.power_fields import Fields
from checks.endpoints.sourced_value import Tally, read_watts

_KEYS: Final = ("cabling", "required_bandwidth_tbps", "nics", "switches")
_CABLING: Final = ("passive", "active_optical")
_GBPS_PER_TBPS: Final = 1000
_SLACK_TBPS: Final = 1e-6
"""Absorbs the rounding of products and sums of decimal fractions, nothing more."""


@dataclass(frozen=True, slots=True)
class ScaleOut:
    """Adapter watts of one node (0 where they are not counted), on published nodes too?, and all switches' watts."""

    nic_w_per_node: float = 0.0
    on_published_nodes: bool = False
    switches_w: float = 0.0

    def nic_watts(self, node_set: NodeSet) -> float:
        """Adapter watts that a set adds to its major components.

        A published node figure is taken to include its adapters, unless the file gives evidence that it leaves them
        out.
        """
        carries = node_set.method == COMPONENT_SUM or self.on_published_nodes
        return node_set.nodes * self.nic_w_per_node if carries else 0.0


@dataclass(frozen=True, slots=True)
class _Nics:
    w_per_node: float
    gbps_per_node: float
    on_published_nodes: bool


def read_scale_out(fields: Fields, sets: Sequence[NodeSet], tally: Tally) -> ScaleOut:
    """Reads `scale_out`; what is wrong is reported, what is absent without a default is noted as a gap.

    Without ``sets`` (some could not be read) nothing is compared with them.
    """
    fabric = fields.child("scale_out")
    if fabric is None:
        if not fields.has("scale_out"):
            text = "`scale_out` is missing; a single node states that it has none (E.4)."
            fields.problems.error(fields.pointer, text, 'Write "scale_out": {"present": false}.')
        return ScaleOut()
    fabric.report_unknown({"present", "notes", *_KEYS})
    present = fabric.flag("present")
    if present is None:
        return ScaleOut()
    _check_presence(fabric, sets, present=present)
    if not present:
        return ScaleOut()
    for key in _KEYS:
        if not fabric.has(key):
            fabric.problems.error(fabric.pointer, f"`scale_out` is present, but `{key}` is missing.")
    return _read_fabric(fabric, sets, tally)


def _check_presence(fabric: Fields, sets: Sequence[NodeSet], *, present: bool) -> None:
    """`present` follows from whether something else joins the nodes (E.4)."""
    nodes, place = sum(node_set.nodes for node_set in sets), fabric.at("present")
    if present and nodes == 1:
        fabric.problems.warning(
            place, "`scale_out.present` is true for a single node; its switches are counted in full."
        )
    if present or nodes <= 1:
        return
    text = f"`scale_out.present` is false for {nodes} nodes"
    if any(node_set.is_joined for node_set in sets):
        hint = (
            "This holds only where a fabric that is counted in `scale_up_network` or in a published figure joins them."
        )
        fabric.problems.warning(place, f"{text}.", hint)
    else:
        hint = "State the fabric that joins the nodes."
        fabric.problems.error(place, f"{text}, and no scale-up network joins them.", hint)


def _read_fabric(fabric: Fields, sets: Sequence[NodeSet], tally: Tally) -> ScaleOut:
    cabling = fabric.choice("cabling", _CABLING) if fabric.has("cabling") else None
    required = fabric.number("required_bandwidth_tbps")
    nics = _read_nics(fabric, sets, tally)
    switches_w, offered = _read_switches(fabric, cabling, tally)
    if nics is not None and required is not None and sets:
        nodes = sum(node_set.nodes for node_set in sets)
        _check_bandwidth(fabric, required, nodes * nics.gbps_per_node / _GBPS_PER_TBPS, offered)
    if nics is None:
        return ScaleOut(switches_w=switches_w)
    return ScaleOut(nics.w_per_node, nics.on_published_nodes, switches_w)


def _read_nics(fabric: Fields, sets: Sequence[NodeSet], tally: Tally) -> _Nics | None:
    nics = fabric.child("nics")
    if nics is None:
        return None
    for key in ("count_per_node", "bandwidth_per_nic_gbps"):
        if not nics.has(key):
            nics.problems.error(nics.pointer, f"`{key}` is missing.")
    count, bandwidth, counted = (
        nics.count("count_per_node"),
        nics.number("bandwidth_per_nic_gbps"),
        nics.flag("counted"),
    )
    evidence = nics.text("excluded_from_published_power")
    if count is None or bandwidth is None or counted is None:
        return None
    if sets:
        _check_counted(nics, sets, counted=counted, evidence=evidence)
    each = read_watts(nics, "tdp_per_nic", tally, nic_default(nics.table)) if counted else 0.0
    return _Nics(count * (each or 0.0), count * bandwidth, on_published_nodes=evidence is not None)


def _check_counted(nics: Fields, sets: Sequence[NodeSet], *, counted: bool, evidence: str | None) -> None:
    has_formula_sets = any(node_set.method == COMPONENT_SUM for node_set in sets)
    if counted and not has_formula_sets and evidence is None:
        text = "The adapters are counted, but every node's power is published, which is taken to include them."
        hint = "Set `counted` to false, or give the evidence in `excluded_from_published_power`."
        nics.problems.error(nics.at("counted"), text, hint)
    if not counted and has_formula_sets:
        text = (
            "The adapters are not counted, but node power is a sum of components, which does not include them (4.5.2)."
        )
        nics.problems.error(nics.at("counted"), text, "Set `counted` to true.")


def _read_switches(fabric: Fields, cabling: str | None, tally: Tally) -> tuple[float, float]:
    """Watts and Tb/s of all switches."""
    watts = offered = 0.0
    for switch in fabric.children("switches"):
        for key in ("model", "count", "bandwidth_tbps"):
            if not switch.has(key):
                switch.problems.error(switch.pointer, f"`{key}` is missing.")
        model, count, bandwidth = switch.text("model"), switch.count("count"), switch.number("bandwidth_tbps")
        if count == 0:
            switch.problems.error(switch.at("count"), "`count` is 0; leave out switches that there are none of.")
        each = read_watts(switch, "power_per_switch", tally, switch_default(model, cabling, switch.table))
        watts += (count or 0) * (each or 0.0)
        offered += (count or 0) * (bandwidth or 0.0)
    return watts, offered


def _check_bandwidth(fabric: Fields, required: float, of_nics: float, offered: float) -> None:
    """The requirement is the adapters' sum (E.4): a smaller one would let fewer switches through."""
    place = fabric.at("required_bandwidth_tbps")
    if required < of_nics - _SLACK_TBPS:
        text = f"`required_bandwidth_tbps` is {required:g}, below the {of_nics:g} Tb/s of the adapters."
        fabric.problems.error(place, text, f"State {of_nics:g}.")
    elif required > of_nics + _SLACK_TBPS:
        fabric.problems.warning(
            place, f"`required_bandwidth_tbps` is {required:g}; the adapters carry {of_nics:g} Tb/s."
        )
    needed = max(required, of_nics)
    if fabric.has("switches") and offered < needed - _SLACK_TBPS:
        fabric.problems.error(fabric.at("switches"), f"The switches offer {offered:g} Tb/s; {needed:g} are required.")
