"""Approved speculative-decoding drafters (rules 2.9.4): which entry of the list a point's declaration names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from checks.endpoints.table_types import Drafter


def drafters_of(benchmark: str, drafters: Iterable[Drafter]) -> tuple[Drafter, ...]:
    """The approved drafters of a benchmark model; none means that speculative decoding is not allowed there."""
    return tuple(drafter for drafter in drafters if drafter.benchmark == benchmark)


def approved_drafter(declared: Mapping[str, object], approved: Iterable[Drafter]) -> Drafter | None:
    """The entry that `speculative_decoding` names.

    By weights: an equal ``weight_checksum``. By configuration: an equal ``target_checksum`` and an equal
    ``configuration``. The model's id alone identifies nothing.
    """
    return next((drafter for drafter in approved if _is(declared, drafter)), None)


def _is(declared: Mapping[str, object], drafter: Drafter) -> bool:
    if drafter.weight_checksum is not None:
        return declared.get("weight_checksum") == drafter.weight_checksum
    if drafter.target_checksum is None or drafter.configuration is None:
        return False
    same_target = declared.get("target_checksum") == drafter.target_checksum
    return same_target and declared.get("configuration") == drafter.configuration
