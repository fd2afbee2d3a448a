"""Cohorts and seed sets (rules 4.6): order, adoption window, what binds a submission, and the runtime seeds.

Cohorts come twice a month: ``2026-10-C0`` precedes ``2026-10-C1``, which precedes ``2026-11-C0``. Seeds are integers of
arbitrary size (the published ones exceed 2^63): nothing here turns one into a float.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from checks.endpoints.table_types import SeedSet

_COHORT: Final = re.compile(r"(?P<year>[0-9]{4})-(?P<month>[0-9]{2})-C(?P<half>[01])")
_MONTHS: Final = 12
_PER_MONTH: Final = 2

LEGACY_NAMES: Final[Mapping[str, str]] = {
    "scheduler_random_seed": "scheduler_rng_seed",
    "dataloader_random_seed": "sample_index_rng_seed",
}
"""Names of v0.7 and what they are called now."""

LEGACY_SEED: Final = 42
"""The value that v0.7 fixed for both of its seeds."""


@dataclass(frozen=True, slots=True, order=True)
class Cohort:
    """A publication cohort; orders and subtracts by its place in the calendar."""

    year: int
    month: int
    half: int

    @classmethod
    def parse(cls, text: object) -> Cohort:
        """Reads ``YYYY-MM-C0`` or ``-C1``. ValueError says what is wrong with ``text``."""
        match = _COHORT.fullmatch(text) if isinstance(text, str) else None
        if match is None:
            raise ValueError(f"{text!r} is not a cohort; write YYYY-MM-C0 or YYYY-MM-C1, for example 2026-10-C1")
        cohort = cls(int(match["year"]), int(match["month"]), int(match["half"]))
        if not 1 <= cohort.month <= _MONTHS:
            raise ValueError(f"{text!r} names month {match['month']}; months run from 01 to 12")
        return cohort

    @property
    def index(self) -> int:
        """Number of cohorts since year 0; consecutive cohorts differ by 1."""
        return (self.year * _MONTHS + self.month - 1) * _PER_MONTH + self.half

    def after(self, cohorts: int) -> Cohort:
        """The cohort that comes ``cohorts`` later (earlier where negative)."""
        months, half = divmod(self.index + cohorts, _PER_MONTH)
        year, month = divmod(months, _MONTHS)
        return Cohort(year, month + 1, half)

    def __str__(self) -> str:
        return f"{self.year:04}-{self.month:02}-C{self.half}"


def adoption_window(published_for: Cohort, cohorts: int) -> tuple[Cohort, ...]:
    """Target cohorts that may adopt a set published for ``published_for``.

    That one and those after it, ``cohorts`` in all.
    """
    return tuple(published_for.after(step) for step in range(cohorts))


def may_adopt(published_for: Cohort, target: Cohort, cohorts: int) -> bool:
    """Whether a submission to ``target`` may adopt a set published for ``published_for`` (``seed-set-adoption``)."""
    return 0 <= target.index - published_for.index < cohorts


def has_lead_time(approved: Cohort, target: Cohort, cohorts: int) -> bool:
    """Whether a drafter approved in ``approved`` may be used in ``target`` (2.9.4, ``drafter-approval-lead-time``)."""
    return target.index - approved.index >= cohorts


class SeedMismatch(NamedTuple):
    """A runtime seed that is not the set's: setting name, what was found (None: absent), what the set says."""

    name: str
    found: object
    expected: int


def runtime_mismatches(runtime: Mapping[str, object], seed_set: SeedSet) -> tuple[SeedMismatch, ...]:
    """Compares ``runtime_settings.runtime`` with the bound set (``seed-runtime-match``).

    Only a whole number can match: 1.0e19, true or "42" are mismatches even where Python would call them equal. Legacy
    names count for the settings they became.
    """
    return tuple(
        SeedMismatch(name, found, expected)
        for name, expected in seed_set.seeds.items()
        if type(found := _runtime_value(runtime, name)) is not int or found != expected
    )


def _runtime_value(runtime: Mapping[str, object], name: str) -> object:
    if name in runtime:
        return runtime[name]
    old = next((old for old, new in LEGACY_NAMES.items() if new == name), name)
    return runtime.get(old)


def legacy_names(runtime: Mapping[str, object]) -> tuple[str, ...]:
    """Settings of ``runtime`` that still have a name of v0.7."""
    return tuple(name for name in LEGACY_NAMES if name in runtime)


def has_legacy_seeds(runtime: Mapping[str, object]) -> bool:
    """Whether both seeds of v0.7 are given with the value that it fixed (``seed-config-legacy``)."""
    return all(type(runtime.get(name)) is int and runtime[name] == LEGACY_SEED for name in LEGACY_NAMES)


class Binding(NamedTuple):
    """The seed set that binds a submission.

    ``bound`` is the set, None where the declarations disagree and nothing was bound before; ``strangers`` are the
    declared ids that differ from it; ``is_amendment``: the set was bound by the base, so adoption is not tested
    again.
    """

    bound: str | None
    strangers: tuple[str, ...]
    is_amendment: bool


def bind(declared: Iterable[str], base: Iterable[str] = ()) -> Binding:
    """Binds the ids that a submission's points declare; ``base`` are those of the same submission at the merge base.

    One set per submission (``seed-set-consistency``); an amendment keeps the original's (``seed-set-bound``). A base
    that itself declares several sets binds nothing.
    """
    ids, before = sorted(set(declared)), sorted(set(base))
    if len(before) == 1:
        return Binding(before[0], tuple(found for found in ids if found != before[0]), is_amendment=True)
    if len(ids) == 1:
        return Binding(ids[0], (), is_amendment=False)
    return Binding(None, tuple(ids), is_amendment=False)
