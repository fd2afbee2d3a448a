"""The power file in the document's own shape (system_power.json page, "Fields" and "How the total is computed").

The total is the declared figure; else the rack's, scaled by nodes; else (CPU + accelerators + scale-up) x (1 +
overhead).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from checks.endpoints.checker_groups import GROUPS, LINKS, Group, compare_counts, read_group
from checks.endpoints.power_fields import Fields
from checks.endpoints.power_result import POWER_ESTIMATED, Derivation, Overhead, PowerPart, PowerResult
from checks.endpoints.system_facts import SystemFacts, cooling_overhead
from checks.units import counted

_RACK: Final = ("rack_power_w", "rack_nodes", "submitted_nodes")

TOP_LEVEL: Final = frozenset({"provisioned_power_w", *_RACK, *GROUPS, "overhead_fraction"})
"""Members by which the shape is recognised."""


def judge_checker_shape(fields: Fields, system: SystemFacts) -> PowerResult:
    """Reads the whole file, whichever figure counts, and derives the total; problems go where ``fields`` puts them."""
    fields.report_unknown(TOP_LEVEL | set(LINKS))
    groups = {name: read_group(fields, name) for name in GROUPS}
    overhead = _overhead(fields, system)
    rack_w = _rack_total(fields, system)
    declared_w = fields.number("provisioned_power_w")
    major = _major(groups)
    component_w = _component_total(major, overhead)
    derived = _derivation(fields)
    total = {"declared": declared_w, "rack": rack_w}.get(derived, component_w)
    if derived == "components":
        _explain_components(fields, major, overhead, system)
        compare_counts(fields, major, system)
    _report_rack(fields, has_total=total is not None and derived != "rack")
    scale_out_w = _scale_out_total(fields, groups["scale_out_network"], total, derived)
    return PowerResult(
        shape="checker",
        total_w=total,
        derived=derived if total is not None else None,
        overhead=overhead if derived == "components" else None,
        parts=tuple(PowerPart(group.name, group.watts) for group in major if group.watts is not None),
        component_total_w=component_w,
        scale_out_total_w=scale_out_w,
    )


def _derivation(fields: Fields) -> Derivation:
    """Which figure counts: presence decides, so that a broken figure is never silently replaced by the next one."""
    if fields.has("provisioned_power_w"):
        return "declared"
    return "rack" if all(map(fields.has, _RACK)) else "components"


def _rack_total(fields: Fields, system: SystemFacts) -> float | None:
    power, rack, submitted = fields.number(_RACK[0]), fields.count(_RACK[1]), fields.count(_RACK[2])
    if rack == 0:
        fields.problems.error(fields.at("rack_nodes"), "`rack_nodes` is 0; a published rack has at least one node.")
        return None
    if power is None or rack is None or submitted is None:
        return None
    if submitted > rack:
        fields.problems.error(
            fields.at("submitted_nodes"),
            f"`submitted_nodes` is {submitted}, more than the {rack} nodes of the published rack.",
            "State the published power of as many racks as the nodes need, with their nodes in `rack_nodes`.",
        )
        return None
    described = [kind.nodes for kind in system.node_types if kind.nodes is not None]
    if described and sum(described) != submitted:
        text = f"`submitted_nodes` is {submitted}; system_desc.json describes {counted(sum(described), 'node')}."
        fields.problems.warning(fields.at("submitted_nodes"), text, "State the same number in both files.")
    return power * submitted / rack


def _report_rack(fields: Fields, *, has_total: bool) -> None:
    given = [key for key in _RACK if fields.has(key)]
    if given and len(given) < len(_RACK):
        lacking = " and ".join(f"`{key}`" for key in _RACK if key not in given)
        text = f"The rack figures are incomplete: {lacking} is missing, so they are not used."
        report = fields.problems.warning if has_total else fields.problems.error
        report(fields.at(given[0]), text, "Give all three of them, or none.")


def _overhead(fields: Fields, system: SystemFacts) -> Overhead | None:
    """The stated fraction, else the one that the cooling texts stand for.

    None where neither gives one or it is broken.
    """
    cooled = cooling_overhead(system.cooling, fields.table)
    if not fields.has("overhead_fraction"):
        return cooled
    fraction, place = fields.number("overhead_fraction"), fields.at("overhead_fraction")
    if fraction is None:
        return None
    if fraction > 1:
        fields.problems.warning(place, f"`overhead_fraction` is {fraction:g}; 30 % is written 0.30.")
    if cooled and fraction != cooled.fraction:
        text = f"`overhead_fraction` is {fraction:g}, but {cooled.source} stands for {cooled.fraction:g}."
        fields.problems.warning(
            place, text, "Leave it out, unless the cooling text can't say how the system is cooled."
        )
    return Overhead(fraction, "overhead_fraction")


def _major(groups: Mapping[str, Group]) -> tuple[Group, ...]:
    """The groups that make up the major components: a complete ``compute`` stands for CPU and accelerators."""
    compute, scale_up = groups["compute"], groups["scale_up_network"]
    if compute.watts is not None or compute.is_broken:
        return (compute, scale_up)
    return (groups["cpu"], groups["accelerator"], scale_up)


def _component_total(major: tuple[Group, ...], overhead: Overhead | None) -> float | None:
    complete = [group.watts for group in major if group.watts is not None]
    if not complete or overhead is None or any(group.is_broken for group in major):
        return None
    return sum(complete) * (1 + overhead.fraction)


def _explain_components(
    fields: Fields, major: tuple[Group, ...], overhead: Overhead | None, system: SystemFacts
) -> None:
    """Says which groups are absent, and why no total came about (unless a broken figure has said so already)."""
    absent = ", ".join(group.name for group in major if not group.is_present and not group.is_broken)
    if not any(group.watts is not None or group.is_broken for group in major):
        fields.problems.error(
            fields.pointer,
            "No total can be derived: the file has no `provisioned_power_w`, no rack figure and no complete group.",
            "State `cpu`, `accelerator` and `scale_up_network`, each with count, power per unit and link.",
        )
    elif absent:
        text = f"The total is without {absent}: the file does not have them."
        hint = "Add them, a system without switches with 0 switches; else the result is tagged MLC Estimated Power."
        fields.problems.warning(fields.pointer, text, hint, rule=POWER_ESTIMATED)
    if overhead is None and not fields.has("overhead_fraction"):
        said = ", ".join(f'"{text}"' for text in system.cooling) or "nothing"
        fields.problems.error(
            fields.pointer,
            f"No total can be derived: `overhead_fraction` is absent and `cooling` in system_desc.json says {said}.",
            "Name liquid, water, immersion or air in `cooling`, or state `overhead_fraction` here.",
        )


def _scale_out_total(fields: Fields, group: Group, total: float | None, derived: Derivation) -> float | None:
    """The total with scale-out switches outside the overhead, as the newer rules count them; for information."""
    if total is None or derived != "components" or not group.watts:
        return None
    with_switches = total + group.watts
    fields.problems.notice(
        fields.at(group.name),
        f"Scale-out switches are not in the total of {total:,.10g} W. With them, as newer rules count, it is "
        f"{with_switches:,.10g} W; adapters, which this shape can't state, would add to it.",
    )
    return with_switches
