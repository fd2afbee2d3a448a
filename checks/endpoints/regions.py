"""Regions of a Pareto curve (rules 5.4, Appendix B): pure arithmetic over concurrencies.

The reference computes in binary floating point: ``ceil(1.10 * 100)`` is 111. Its results are followed bit for bit,
since the declared bounds of every published table come from it.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from checks.endpoints.table_types import Limits

ULTRA_LOW: Final = "ultra_low"
"""The band that coverage and accuracy ask for at concurrency 1-32; it overlaps the regions above C_min."""
LOW_LATENCY: Final = "low_latency"
LOW: Final = "low_concurrency"
MEDIUM: Final = "med_concurrency"
HIGH: Final = "high_concurrency"
MARGIN: Final = "margin"

LARGEST_CONCURRENCY: Final = 2**53
"""The largest C_max whose regions the reference's floats can express exactly."""


class RegionError(ValueError):
    """C_min and C_max span no regions (``region-computation``); the text says which bound is broken."""


@dataclass(frozen=True, slots=True)
class Band:
    """A closed range of concurrencies; ``end`` = ``start`` - 1 means that rounding left it empty."""

    name: str
    start: int
    end: int

    @property
    def is_empty(self) -> bool:
        """Whether no concurrency lies in it."""
        return self.start > self.end

    @property
    def boundary(self) -> int:
        """The concurrency that stands for an empty band: the end of the band before (rules 5.4, "boundary value")."""
        return self.start - 1

    def __contains__(self, concurrency: int) -> bool:
        return self.start <= concurrency <= self.end

    def covered_by(self, concurrency: int) -> bool:
        """Whether a point at ``concurrency`` covers the band: inside it, or at the boundary value of an empty one."""
        return concurrency == self.boundary if self.is_empty else concurrency in self

    def __str__(self) -> str:
        return f"empty, stands for {self.boundary}" if self.is_empty else f"{self.start}–{self.end}"


@dataclass(frozen=True, slots=True)
class Regions:
    """The regions of one curve. ``interval`` is a third of log2(C_max - C_min)."""

    c_min: int
    c_max: int
    interval: float
    ultra_low: Band
    low_latency: Band
    low: Band
    medium: Band
    high: Band
    margin: Band

    @property
    def required(self) -> tuple[Band, ...]:
        """The four bands that every curve must cover (5.3) and hold an accuracy result of (4.3)."""
        return (self.ultra_low, self.low, self.medium, self.high)

    def region_of(self, concurrency: int) -> str | None:
        """The region that holds ``concurrency``; None where it is out of range."""
        bands = (self.low_latency, self.low, self.medium, self.high, self.margin)
        return next((band.name for band in bands if concurrency in band), None)

    def is_in_range(self, concurrency: int) -> bool:
        """Whether ``concurrency`` lies in 1..ceil(1.10 * C_max) (``concurrency-in-range``)."""
        return 1 <= concurrency <= self.margin.end

    def bands_of(self, concurrency: int) -> tuple[str, ...]:
        """Names of the required bands that a point at ``concurrency`` can cover; more than one where they overlap."""
        return tuple(band.name for band in self.required if band.covered_by(concurrency))

    def uncovered(self, concurrencies: Collection[int]) -> tuple[Band, ...]:
        """Required bands without a point. Leave dedicated Offline runs out of ``concurrencies`` (5.7.2)."""
        return tuple(band for band in self.required if not any(map(band.covered_by, concurrencies)))


class MinimumConcurrency(NamedTuple):
    """C_min and where it comes from: ``lowest`` point, ``clamped`` to 32, or ``declared`` by ``c_min_override``."""

    value: int
    source: str


def minimum_concurrency(
    concurrencies: Iterable[int], limits: Limits, override: int | None = None
) -> MinimumConcurrency:
    """C_min of a curve (5.4). ValueError: the curve has no point."""
    if override is not None:
        return MinimumConcurrency(override, "declared")
    lowest = min(concurrencies)
    if lowest > limits.ultra_low_maximum:
        return MinimumConcurrency(limits.ultra_low_maximum, "clamped")
    return MinimumConcurrency(lowest, "lowest")


def compute_regions(c_min: int, c_max: int, limits: Limits, *, overridden: bool = False) -> Regions:
    """Regions between ``c_min`` and ``c_max``. With a declared C_min (``overridden``) Ultra Low ends there, else at 32.

    RegionError: 1 <= C_min <= 32 < C_max does not hold, or C_max is beyond what the reference's arithmetic can express.
    """
    floor = limits.ultra_low_maximum
    if not 1 <= c_min <= floor:
        raise RegionError(f"C_min is {c_min}; it must lie in 1 to {floor}")
    if not floor < c_max <= LARGEST_CONCURRENCY:
        raise RegionError(f"C_max is {c_max}; it must lie above {floor} and not above 2^53")
    interval = math.log2(c_max - c_min) / 3
    low_end = round(c_min + 2**interval)
    medium_end = round(c_min + 2 ** (2 * interval))
    return Regions(
        c_min=c_min,
        c_max=c_max,
        interval=interval,
        ultra_low=Band(ULTRA_LOW, 1, c_min if overridden else floor),
        low_latency=Band(LOW_LATENCY, 1, c_min),
        low=Band(LOW, c_min + 1, low_end),
        medium=Band(MEDIUM, low_end + 1, medium_end),
        high=Band(HIGH, medium_end + 1, c_max),
        margin=Band(MARGIN, c_max + 1, math.ceil(limits.margin_factor * c_max)),
    )


class Override(NamedTuple):
    """The outcome of a curve's ``c_min_override`` declarations: a value, nothing declared, or a ``fault``."""

    value: int | None = None
    fault: str | None = None


def agreed_override(
    declared: Sequence[object], points: int, concurrencies: Collection[int], limits: Limits
) -> Override:
    """The C_min that a curve declares (5.4, ``c-min-override``).

    ``declared`` holds the values of those copies of system_desc.json that have the key, of ``points`` points in all;
    ``concurrencies`` those of the points that are not a dedicated Offline run.
    """
    if not declared:
        return Override()
    highest = limits.ultra_low_maximum
    values = [value for value in declared if type(value) is int and 1 <= value <= highest]
    if len(values) != len(declared):
        wrong = next(value for value in declared if type(value) is not int or not 1 <= value <= highest)
        return Override(fault=f"`c_min_override` is {wrong!r}; it must be a whole number from 1 to {highest}")
    if len(set(values)) > 1:
        return Override(fault=f"the points declare different `c_min_override`: {sorted(set(values))}")
    if len(declared) != points:
        return Override(fault=f"{len(declared)} of {points} points declare `c_min_override`; all or none must")
    if values[0] not in concurrencies:
        return Override(fault=f"`c_min_override` is {values[0]}, but no point of the curve has this concurrency")
    return Override(values[0])
