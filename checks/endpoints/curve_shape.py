"""What the rules on a curve share: its points with their concurrencies, C_min, C_max, and the regions these span.

Anything malformed counts as not declared; the rules on the documents report it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Final, NamedTuple

from checks.documents import NotJudged
from checks.endpoints.inputs import PointConfig, SystemDesc
from checks.endpoints.regions import (
    MinimumConcurrency,
    Override,
    RegionError,
    Regions,
    agreed_override,
    compute_regions,
    minimum_concurrency,
)
from checks.endpoints.tables import EditionTables
from checks.endpoints.units import Curve, Point
from checks.endpoints.values import text, whole
from checks.findings import Finding, Level
from checks.rules import Missing
from checks.session import Session

DEDICATED: Final = "dedicated"
ELECTED: Final = "elected"
OVERRIDE: Final = "/c_min_override"
C_MAX: Final = "/max_supported_concurrency"


class CurvePoint(NamedTuple):
    """A point with its readable documents; ``concurrency`` is the declared one, else that of the folder's name."""

    unit: Point
    config: PointConfig | None
    description: SystemDesc | None
    concurrency: int
    offline: str | None

    @property
    def is_dedicated(self) -> bool:
        """Whether it is an Offline run of its own, which belongs to no region (5.7.2)."""
        return self.offline == DEDICATED

    def finding(
        self, pointer: str, message: str, hint: str | None = None, level: Level | None = None, cause: str | None = None
    ) -> Finding:
        """A finding in point.yaml, or on the folder where that can't be read."""
        if self.config is None:
            return self.unit.finding(message, hint, level=level, cause=cause)
        return self.config.finding(pointer, message, hint, level, cause)


class CurveShape:
    """One curve as its point.yaml and system_desc.json files declare it. An input of rules on curves."""

    what = "point.yaml and system_desc.json of every point"

    def __init__(self, curve: Curve, tables: EditionTables, session: Session) -> None:
        self.curve = curve
        self.tables = tables
        self._configs = [PointConfig.of(point, session) for point in curve.points]
        self._descriptions = [SystemDesc.of(point, session) for point in curve.points]

    @classmethod
    def of(cls, unit: Curve, session: Session) -> CurveShape:
        """The shape of the curve ``unit``; it is always there, at least by the names of folders."""
        make = lambda: cls(unit, EditionTables.of(unit, session), session)  # noqa: E731
        return session.derive((cls, unit.path), make)

    def paths(self) -> Iterator[str]:
        """The files it is read from."""
        for document in (*self._configs, *self._descriptions):
            if not isinstance(document, Missing):
                yield document.path

    @cached_property
    def points(self) -> list[CurvePoint]:
        """Every point of the curve, by the concurrency of its folder's name."""
        documents = zip(self.curve.points, self._configs, self._descriptions, strict=True)
        return [
            _point(unit, None if _unreadable(config) else config, None if _unreadable(copy) else copy)
            for unit, config, copy in documents
        ]

    @property
    def online(self) -> list[CurvePoint]:
        """The points that belong to regions: all but a dedicated Offline run."""
        return [point for point in self.points if not point.is_dedicated]

    @cached_property
    def concurrencies(self) -> list[int]:
        """The distinct concurrencies of the points that belong to regions, ascending."""
        return sorted({point.concurrency for point in self.online})

    @cached_property
    def c_max(self) -> int | None:
        """C_max as the first readable description that declares it says; None where none does."""
        declared = (whole(point.description.get(C_MAX)) for point in self.points if point.description)
        return next((value for value in declared if value is not None), None)

    @cached_property
    def override(self) -> Override:
        """The ``c_min_override`` that the points declare, if they do."""
        copies = [point.description for point in self.points if point.description]
        declared = [copy.get(OVERRIDE) for copy in copies if copy.has(OVERRIDE)]
        return agreed_override(declared, len(self.points), self.concurrencies, self.tables.limits)

    @cached_property
    def c_min(self) -> MinimumConcurrency | None:
        """C_min and where it comes from; None for a curve without points."""
        if not self.concurrencies:
            return None
        return minimum_concurrency(self.concurrencies, self.tables.limits, self.override.value)

    @cached_property
    def region_fault(self) -> str | None:
        """Why C_min and C_max span no regions; None where they do, or where one of them is not known."""
        try:
            self._computed()
        except RegionError as error:
            return str(error)
        return None

    @cached_property
    def regions_if_any(self) -> Regions | None:
        """The regions; None where they can't be computed."""
        return None if self.region_fault else self._computed()

    @property
    def regions(self) -> Regions:
        """The regions. Raises NotJudged where C_min and C_max do not span any, which other rules report."""
        if (found := self.regions_if_any) is None:
            raise NotJudged(self.curve.path, self._why_none())
        return found

    def _computed(self) -> Regions | None:
        if self.c_min is None or self.c_max is None:
            return None
        overridden = self.override.value is not None
        return compute_regions(self.c_min.value, self.c_max, self.tables.limits, overridden=overridden)

    def _why_none(self) -> str:
        if self.c_min is None:
            return "the curve has no point (see point-dirs)"
        if self.c_max is None:
            return "C_max is not known (see max-concurrency-declared and system-description-valid)"
        is_low = self.c_max <= self.tables.limits.ultra_low_maximum
        return f"the regions can't be computed (see {'max-concurrency-declared' if is_low else 'region-computation'})"

    @cached_property
    def is_agentic(self) -> bool:
        """Whether every point of a region has a load pattern of multi-turn benchmarks (6.1)."""
        configs = [point.config for point in self.online if point.config]
        patterns = {text(config.get("/runtime_settings/load_pattern")) for config in configs}
        return bool(patterns) and patterns <= self.tables.vocabulary["agentic_load_patterns"]


def _unreadable(document: PointConfig | SystemDesc | Missing) -> bool:
    return isinstance(document, Missing) or document.fault is not None


def _point(unit: Point, config: PointConfig | Missing | None, copy: SystemDesc | Missing | None) -> CurvePoint:
    assert not isinstance(config, Missing)
    assert not isinstance(copy, Missing)
    declared = whole(config.get("/concurrency")) if config else None
    offline = text(config.get("/offline")) if config else None
    return CurvePoint(unit, config, copy, unit.concurrency if declared is None else declared, offline)
