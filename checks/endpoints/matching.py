"""Assigning accuracy results to the bands that need one (rules 4.3): a maximum bipartite matching.

A point at concurrency 32 or below can stand for Ultra Low or for its own region, never for both; a greedy choice can
therefore miss an assignment that exists, the matching can't.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple


class AccuracyCoverage(NamedTuple):
    """Which point stands for which band, the bands left without one, and the points that no band needs."""

    assigned: Mapping[str, int]
    missing: tuple[str, ...]
    surplus: tuple[int, ...]


def maximum_matching(candidates: Mapping[int, Sequence[str]]) -> dict[str, int]:
    """Band -> point, as many bands as possible, each point at most once.

    ``candidates`` gives each point the bands it can stand for. A point that comes earlier is preferred over a later
    one: once assigned to a band, it stays assigned to some band (augmenting paths only move it).
    """
    assigned: dict[str, int] = {}
    for point in candidates:
        _augment(point, candidates, assigned, set())
    return assigned


def _augment(point: int, candidates: Mapping[int, Sequence[str]], assigned: dict[str, int], seen: set[str]) -> bool:
    """Finds ``point`` a band, moving earlier points where needed; True where it got one."""
    for band in candidates[point]:
        if band in seen:
            continue
        seen.add(band)
        if band not in assigned or _augment(assigned[band], candidates, assigned, seen):
            assigned[band] = point
            return True
    return False


def accuracy_coverage(
    candidates: Mapping[int, Sequence[str]], bands: Sequence[str], exempt: Collection[int] = ()
) -> AccuracyCoverage:
    """Matches points that have an accuracy result (concurrency -> bands it can stand for) to the required ``bands``.

    ``exempt`` points (an elected Offline point, whose result is required anyway) are used last and are never surplus.
    """
    order = sorted(candidates, key=lambda point: (point in exempt, point))
    assigned = maximum_matching({point: candidates[point] for point in order})
    used = set(assigned.values())
    return AccuracyCoverage(
        assigned=assigned,
        missing=tuple(band for band in bands if band not in assigned),
        surplus=tuple(point for point in sorted(candidates) if point not in used and point not in exempt),
    )
