"""The power file in the shape of Appendix E: node sets, a scale-out fabric, and figures with sources.

Total = Major x (1 + overhead) + published node power + scale-out switches (E.5); a declared figure replaces it (E.6.2).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from checks.endpoints.appendix_e_nodes import NodeSet, read_node_sets
from checks.endpoints.appendix_e_scale_out import ScaleOut, read_scale_out
from checks.endpoints.power_fields import Fields
from checks.endpoints.power_result import POWER_ESTIMATED, Overhead, PowerPart, PowerResult
from checks.endpoints.sourced_value import Tally, read_watts
from checks.endpoints.system_facts import SystemFacts, cooling_overhead

TOP_LEVEL: Final = frozenset({"node_sets", "scale_out", "declared_provisioned_power"})
"""Members by which the shape is recognised."""

_OTHER_KEYS: Final = frozenset(
    {"system_desc_id", "cooling", "computed", "provisioned_power_kw", "mlc_estimated_power", "notes"}
)
_DECLARED: Final = "declared_provisioned_power"
_COMPUTED_W: Final = (
    "major_components_w",
    "other_components_w",
    "published_node_power_w",
    "scale_out_switch_power_w",
    "total_system_power_w",
)


@dataclass(frozen=True, slots=True)
class Terms:
    """The four terms of the total, in watts, and the overhead fraction behind the second."""

    major_components_w: float
    overhead_fraction: float
    published_node_power_w: float
    scale_out_switch_power_w: float

    @property
    def other_components_w(self) -> float:
        """Everything that the overhead fraction stands for."""
        return self.overhead_fraction * self.major_components_w

    @property
    def total_system_power_w(self) -> float:
        """The sum, unrounded."""
        return (
            self.major_components_w
            + self.other_components_w
            + self.published_node_power_w
            + self.scale_out_switch_power_w
        )


def judge_appendix_e(fields: Fields, system: SystemFacts) -> PowerResult:
    """Reads the whole file and derives the total. A file with any error yields none (E.7)."""
    fields.report_unknown(TOP_LEVEL | _OTHER_KEYS)
    _check_name(fields, system)
    overhead = _overhead(fields, system)
    tally = Tally(fields.problems)
    sets = read_node_sets(fields, system, tally)
    entries = fields.values.get("node_sets")
    is_whole = isinstance(entries, list) and len(sets) == len(entries)
    fabric = read_scale_out(fields, sets if is_whole else [], tally)
    terms = _terms(sets, fabric, overhead.fraction if overhead else 0.0)
    estimated = list(tally.estimated)
    declared_w = None
    if fields.has(_DECLARED):
        # Beside a declared figure the components are only a cross-check: their gaps and defaults don't reach the total.
        estimated.clear()
        declared_w = read_watts(fields, _DECLARED, Tally(fields.problems, estimated=estimated))
    else:
        for gap in tally.gaps:
            fields.problems.add(gap)
    component_w = None if tally.gaps or fields.problems.has_error else terms.total_system_power_w
    result = PowerResult(
        shape="appendix_e",
        total_w=component_w if declared_w is None else declared_w,
        derived="node_sets" if declared_w is None else "declared",
        overhead=overhead,
        parts=tuple(_part(node_set, fabric, terms.overhead_fraction) for node_set in sets),
        switches_w=fabric.switches_w,
        estimated=tuple(estimated),
        component_total_w=component_w,
    )
    if result.total_w is not None:
        _compare_computed(fields, terms, result)
    return _concluded(fields, result)


def _concluded(fields: Fields, result: PowerResult) -> PowerResult:
    """Names the estimates of a total; without one (any error) keeps only what was read."""
    if fields.problems.has_error:
        return PowerResult(shape=result.shape, overhead=result.overhead, parts=result.parts)
    if result.estimated:
        text = f"MLC Estimated Power: defaults of Appendix D reach the total at {', '.join(result.estimated)}."
        fields.problems.warning(
            "", text, "State the figures with a public source to be rid of the tag.", POWER_ESTIMATED
        )
    return result


def _check_name(fields: Fields, system: SystemFacts) -> None:
    name = fields.text("system_desc_id")
    if not fields.has("system_desc_id"):
        fields.problems.error(
            fields.pointer, "`system_desc_id` is missing: the file names the system it is about (E.2)."
        )
    elif name and system.names and name not in system.names:
        text = f"`system_desc_id` is {name!r}; the system goes by {', '.join(map(repr, system.names))}."
        fields.problems.notice(fields.at("system_desc_id"), text)


def _overhead(fields: Fields, system: SystemFacts) -> Overhead | None:
    """The fraction of the file's own cooling, which has to agree with what the system description says (E.2)."""
    classes = {kind.name: kind.overhead for kind in fields.table.cooling}
    cooling = fields.choice("cooling", tuple(classes))
    if cooling is None:
        return None
    described = cooling_overhead(system.cooling, fields.table)
    if described is not None and described.fraction != classes[cooling]:
        fields.problems.error(
            fields.at("cooling"),
            f"`cooling` is {cooling} (overhead {classes[cooling]:g}), but {described.source} stands for "
            f"{described.fraction:g}.",
            "The two files have to agree (E.2).",
        )
    return Overhead(classes[cooling], f'cooling "{cooling}" in system_power.json')


def _terms(sets: Sequence[NodeSet], fabric: ScaleOut, fraction: float) -> Terms:
    return Terms(
        major_components_w=sum(node_set.major_w + fabric.nic_watts(node_set) for node_set in sets),
        overhead_fraction=fraction,
        published_node_power_w=sum(node_set.published_w for node_set in sets),
        scale_out_switch_power_w=fabric.switches_w,
    )


def _part(node_set: NodeSet, fabric: ScaleOut, fraction: float) -> PowerPart:
    return PowerPart(
        name=f"node set {node_set.set_id}",
        watts=(node_set.major_w + fabric.nic_watts(node_set)) * (1 + fraction) + node_set.published_w,
        nodes=node_set.nodes,
        ensemble_id=node_set.ensemble_id,
        accelerators_per_node=node_set.accelerators_per_node,
    )


def _compare_computed(fields: Fields, terms: Terms, result: PowerResult) -> None:
    """Figures that the submitter worked out have to agree with the recomputed ones (E.7).

    Where components have gaps beside a declared total, figures of the components need only be numbers.
    """
    table, stated = fields.table, fields.child("computed")
    if stated:
        stated.report_unknown({*_COMPUTED_W, "overhead_fraction"})
        for name in _COMPUTED_W:
            known = result.component_total_w is not None
            _compare(stated, name, getattr(terms, name) if known else None, table.computed_tolerance_w)
        _compare(stated, "overhead_fraction", terms.overhead_fraction, 0.0)
    _compare(fields, "provisioned_power_kw", result.provisioned_power_kw, table.computed_tolerance_kw)


def _compare(stated: Fields, name: str, computed: float | None, tolerance: float) -> None:
    figure = stated.number(name)
    if figure is not None and computed is not None and abs(figure - computed) > tolerance:
        text = f"`{name}` is {figure:.10g}; recomputed it is {computed:.10g}."
        stated.problems.error(stated.at(name), text, "Leave it out or correct it.")
