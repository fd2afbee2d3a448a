"""Component groups of the checker shape: installed count x watts per unit, with a link to a public specification."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from checks.endpoints.power_fields import Fields
from checks.endpoints.power_result import ERROR, POWER_ESTIMATED
from checks.endpoints.system_facts import SystemFacts

GROUPS: Final[Mapping[str, tuple[str | None, str | None]]] = {
    "cpu": ("num_cpu", "tdp_per_cpu"),
    "accelerator": ("num_accelerator", "tdp_per_accelerator"),
    "compute": (None, None),
    "scale_up_network": ("num_switches", "tdp_per_switch"),
    "scale_out_network": ("num_switches", "tdp_per_switch"),
}
"""Component groups and their own spelling of count and watts per unit; every group also takes the generic one."""

SCALE_OUT: Final = "scale_out_network"
"""The group that the total leaves out."""

_COUNT: Final = "count"
_UNIT: Final = "tdp_per_unit"
LINKS: Final = ("link", "public_specification")


@dataclass(frozen=True, slots=True)
class Group:
    """A component group.

    ``watts`` is None where the group is absent, lacks a figure, or (``is_broken``) has a wrong one; ``count`` is the
    number of parts behind it.
    """

    name: str
    watts: float | None = None
    is_present: bool = False
    is_broken: bool = False
    count: float | None = None


def read_group(fields: Fields, name: str) -> Group:
    """Reads the group ``name``.

    Conflicts and wrong figures are errors, a group without a figure or a link is a warning.
    """
    group = fields.child(name)
    if name in fields.values and not fields.has(name):
        fields.problems.error(fields.at(name), f"`{name}` is null, not a group.", "Leave it out or fill it in.")
        return Group(name, is_broken=True)
    if group is None:
        return Group(name, is_broken=fields.has(name))
    own_count, own_unit = GROUPS[name]
    counts, units = [key for key in (own_count, _COUNT) if key], [key for key in (own_unit, _UNIT) if key]
    group.report_unknown({*counts, *units, *LINKS})
    _check_links(group, name)
    before = len(group.problems.found)
    count, unit = _agreed(group, counts, whole=True), _agreed(group, units, whole=False)
    if any(problem.level == ERROR for problem in group.problems.found[before:]):
        return Group(name, is_present=True, is_broken=True)
    if count is None or unit is None:
        _report_incomplete(group, name, counts, units)
        return Group(name, is_present=True)
    return Group(name, count * unit, is_present=True, count=count)


def compare_counts(fields: Fields, groups: Iterable[Group], system: SystemFacts) -> None:
    """A warning where CPUs or accelerators are not as many as the system description has in all its nodes."""
    described = {"cpu": system.cpus, "accelerator": system.accelerators}
    for group in groups:
        wanted = described.get(group.name)
        if group.count is None or wanted is None or group.count == wanted:
            continue
        given = fields.child(group.name)
        key = next((key for key in (GROUPS[group.name][0], _COUNT) if given and key and given.has(key)), None)
        text = f"`{group.name}` counts {group.count:g}; the nodes in system_desc.json hold {wanted}."
        hint = "Count what is installed, and state the same in both files."
        fields.problems.warning(f"{fields.at(group.name)}/{key}" if key else fields.at(group.name), text, hint)


def _agreed(group: Fields, keys: list[str], *, whole: bool) -> float | None:
    """The figure under any of its spellings.

    Two that differ are an error, since readers disagree on which one counts.
    """
    given = {key: group.count(key) if whole else group.number(key) for key in keys if group.has(key)}
    values = {value for value in given.values() if value is not None}
    if len(values) > 1:
        stated = " and ".join(f"`{key}` {value:g}" for key, value in given.items() if value is not None)
        group.problems.error(
            group.at(keys[-1]), f"One figure is given twice with different values: {stated}.", "Keep one."
        )
    return values.pop() if len(values) == 1 else None


def _report_incomplete(group: Fields, name: str, counts: list[str], units: list[str]) -> None:
    lacking = [keys[0] for keys in (counts, units) if not any(map(group.has, keys))]
    text = f"`{name}` has no {' and no '.join(f'`{key}`' for key in lacking)}"
    if name == SCALE_OUT:
        text += ": what newer rules would add to the total is not known."
        hint = "Complete the group; a system without a scale-out fabric leaves it out."
    else:
        text += ": it adds nothing to the total."
        hint = "Complete the group; a total without it is understated, and MLCommons may put an estimate in its place."
    group.problems.warning(group.pointer, text, hint, rule=POWER_ESTIMATED)


def _check_links(group: Fields, name: str) -> None:
    links = {key: text for key in LINKS if (text := group.text(key))}
    if not links and not any(map(group.has, LINKS)):
        group.problems.warning(
            group.pointer,
            f"`{name}` has no link to a public specification.",
            "Every figure needs a public source: add `link`.",
        )
    if len(set(links.values())) > 1:
        group.problems.error(
            group.at(LINKS[1]), f"`{name}` gives `link` and `public_specification`, and they differ.", "Keep one."
        )
    for key, text in links.items():
        if not text.startswith(("https://", "http://")):
            group.problems.warning(group.at(key), f"`{key}` of `{name}` is not an http(s) address: {text!r}.")
