"""Sourced values of Appendix E (E.1): a figure with the public source behind it, or an MLCommons default."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, NamedTuple

from checks.endpoints.power_defaults import Default
from checks.endpoints.power_fields import Fields
from checks.endpoints.power_result import POWER_ESTIMATED, PowerProblem, Problems

_UNITS: Final = ("value_w", "value_kw", "value_pj")
_SOURCE_TYPES: Final = ("vendor_spec", "publication", "public_statement", "mlc_default")
_DEFAULT: Final = "mlc_default"
_W_PER_KW: Final = 1000


@dataclass(slots=True)
class Tally:
    """What reading the figures leaves behind besides problems.

    ``gaps`` are absent figures without a default (errors only where the sum counts), ``estimated`` the places that an
    Appendix D default fills.
    """

    problems: Problems
    gaps: list[PowerProblem] = field(default_factory=list)
    estimated: list[str] = field(default_factory=list)

    def gap(self, pointer: str, message: str, hint: str | None = None) -> None:
        """An absent figure that nothing can fill."""
        self.gaps.append(PowerProblem(pointer, "error", message, hint))


class _Figure(NamedTuple):
    value: float
    is_energy: bool
    is_default: bool


def read_watts(owner: Fields, key: str, tally: Tally, default: Default | None = None) -> float | None:
    """The watts of a sourced value; absent: the Appendix D default, noted as an estimate. None: broken, or a gap."""
    if not owner.has(key):
        if default is None:
            tally.gap(owner.pointer, f"`{key}` is missing and Appendix D has no default for it.", f"State `{key}`.")
            return None
        tally.estimated.append(f"{owner.at(key)} ({default.watts:g} W, {default.section})")
        return default.watts
    figure = _read(owner, key)
    if figure is None:
        return None
    if figure.is_energy:
        owner.problems.error(owner.at(key), f"`{key}` is an energy per bit; give `value_w` or `value_kw`.")
        return None
    if figure.is_default:
        tally.estimated.append(f"{owner.at(key)} ({figure.value:g} W, stated as an MLCommons default)")
        _compare_with_default(owner, key, figure.value, default)
    return figure.value


def read_picojoules(owner: Fields, key: str, tally: Tally) -> float | None:
    """The picojoules per bit of a sourced value. None: broken, or a gap (the references of D.1 depend on the link)."""
    if not owner.has(key):
        tally.gap(owner.pointer, f"`{key}` is missing; Appendix D has no default for it.", f"State `{key}`.")
        return None
    figure = _read(owner, key)
    if figure is None:
        return None
    if not figure.is_energy:
        owner.problems.error(owner.at(key), f"`{key}` is an energy per bit; give `value_pj`.")
        return None
    if figure.is_default:
        tally.estimated.append(f"{owner.at(key)} ({figure.value:g} pJ, stated as an MLCommons default)")
    return figure.value


def check_sourced(owner: Fields, key: str) -> None:
    """Reports what is wrong with a sourced value that nothing is computed from."""
    if owner.has(key):
        _read(owner, key)


def _read(owner: Fields, key: str) -> _Figure | None:
    entry = owner.child(key)
    if entry is None:
        return None
    before = len(entry.problems.found)
    for name in entry.values:
        if name not in {*_UNITS, "source_type", "source"}:
            entry.problems.error(entry.at(name), f"`{name}` is not a field of a sourced value (E.1).")
    given = [unit for unit in _UNITS if entry.has(unit)]
    if len(given) != 1:
        found = " and ".join(given) or "none"
        entry.problems.error(entry.pointer, f"Give exactly one of value_w, value_kw and value_pj; found: {found}.")
    values = {unit: entry.number(unit) for unit in given}
    source_type = entry.choice("source_type", _SOURCE_TYPES)
    _check_source(entry, source_type)
    value = next(iter(values.values()), None)
    if value is None or any(problem.level == "error" for problem in entry.problems.found[before:]):
        return None
    in_unit = value * _W_PER_KW if given[0] == "value_kw" else value
    return _Figure(in_unit, is_energy=given[0] == "value_pj", is_default=source_type == _DEFAULT)


def _check_source(entry: Fields, source_type: str | None) -> None:
    source, sections = entry.text("source"), entry.table.default_sections
    if source is None:
        if not entry.has("source"):
            entry.problems.error(entry.pointer, "`source` is missing: every figure needs a public source (E.1).")
    elif source_type == _DEFAULT and source not in sections:
        text = f"An MLCommons default names its subsection of Appendix D as `source`, not {source!r}."
        entry.problems.error(entry.at("source"), text, f"Write one of: {', '.join(sections)}.")
    elif source_type not in (None, _DEFAULT) and not source.startswith(("https://", "http://")):
        entry.problems.error(entry.at("source"), f"`source` is not an http(s) address: {source!r}.")


def _compare_with_default(owner: Fields, key: str, stated: float, default: Default | None) -> None:
    if default is not None and stated != default.watts:
        text = (
            f"`{key}` is given as the MLCommons default with {stated:g} W; {default.section} says {default.watts:g} W."
        )
        owner.problems.warning(
            owner.at(key), text, "Use the default's figure, or name the source of yours.", POWER_ESTIMATED
        )
