"""Regions and points of a Pareto curve (rules 5.3 to 5.6): C_min, C_max, coverage, number of points."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from checks.documents import described, shortened
from checks.endpoints.book import rule
from checks.endpoints.curve_shape import OVERRIDE, CurveShape
from checks.endpoints.regions import HIGH, LOW, LOW_LATENCY, MEDIUM, Band, Regions
from checks.endpoints.tables import EditionTables
from checks.endpoints.units import Curve
from checks.endpoints.values import figure, text
from checks.findings import Fact, Finding, Level
from checks.rules import Outcome
from checks.units import counted, did_you_mean, listed

LONGEST_FAULT: Final = 200
"""Characters of a text about a value that may be of any length."""

_TITLES = {LOW: "Low Concurrency", MEDIUM: "Medium Concurrency", HIGH: "High Concurrency"}


@rule("region-basis", "regionBasis", section="5.4")
def region_basis(curve: Curve, shape: CurveShape, tables: EditionTables) -> Outcome:
    """The regions of a curve follow from C_min, its lowest concurrency but at most 32, and C_max, the declared one.

    Why: Every other rule on regions rests on these bounds, which are listed as computed figures.
    Mend: Nothing; a region that rounding leaves empty is covered by a point at its boundary value.
    Contested: The public checker can't have an empty region covered; the rules speak of a single valid level at the
    boundary, which is what counts here.
    """
    for point in shape.points:
        yield Fact("", "concurrency", point.concurrency, "concurrent requests", point.unit.path)
    regions = shape.regions
    for point in shape.online:
        yield Fact("", "region", regions.region_of(point.concurrency) or "out of range", "", point.unit.path)
    yield Fact("", "c_min", regions.c_min, "concurrent requests", curve.path)
    yield Fact("", "c_max", regions.c_max, "concurrent requests", curve.path)
    for band in (regions.low_latency, regions.low, regions.medium, regions.high, regions.margin):
        yield Fact("", f"region_{band.name}", str(band), "concurrent requests", curve.path)
    level = Level(tables.severity("region-basis", "empty-region"))
    for band in (band for band in (regions.low, regions.medium, regions.high) if band.is_empty):
        message = (
            f"{_TITLES[band.name]} is empty between {_bounds(regions)}; concurrency {band.boundary} stands for it."
        )
        yield curve.finding(message, level=level)


def _bounds(regions: Regions) -> str:
    return f"C_min {regions.c_min} and C_max {regions.c_max:,}"


@rule("c-min-override", "declaredMinimum", section="5.4")
def declared_minimum(curve: Curve, shape: CurveShape) -> Outcome:
    """Where a curve declares `c_min_override`, every point declares the same whole number from 1 to 32, and a point of
    the curve has that concurrency.

    Why: The declared C_min moves every region.
    Mend: Declare the same value in every copy of system_desc.json, or in none.
    Contested: Only the newer rules know this declaration; a curve that does not use it is judged by its lowest point.
    """
    if shape.override.fault:
        copies = [point.description for point in shape.points if point.description]
        first = next(copy for copy in copies if copy.has(OVERRIDE))
        fault = shortened(shape.override.fault[:1].upper() + shape.override.fault[1:], LONGEST_FAULT)
        yield first.finding(OVERRIDE, f"{fault}.", "Declare one value in all copies, or take it out of all.")


@rule("region-computation", "regionsComputable", section="5.5")
def regions_computable(curve: Curve, shape: CurveShape, tables: EditionTables) -> Outcome:
    """C_min lies in 1 to 32, and C_max lies above 32.

    Why: Without these there are no regions, and no rule on them can be judged; such a submission is rejected (9.1).
    Mend: Correct the concurrency or the declared C_max that the text names.
    """
    known_elsewhere = shape.c_max is not None and shape.c_max <= tables.limits.ultra_low_maximum
    if shape.region_fault and not known_elsewhere:
        yield curve.finding(f"The regions can't be computed: {shape.region_fault}.", "Correct the figure named here.")


@rule("concurrency-in-range", "concurrencyInRange", section="9.1")
def concurrency_in_range(curve: Curve, shape: CurveShape) -> Outcome:
    """Every concurrency lies in a region: from 1 to 1.10 times C_max, rounded up as the reference computes it.

    Why: A point beyond the declared maximum shows a system that is not the one declared.
    Mend: Declare the C_max that the system supports in every point, or take the point out.
    """
    regions = shape.regions
    for point in shape.online:
        if point.concurrency > regions.margin.end:
            message = (
                f"Concurrency {figure(point.concurrency)} is out of range: at most {regions.margin.end:,}, "
                f"which is 1.10 x C_max {regions.c_max:,} rounded up."
            )
            yield point.finding("/concurrency", message, "Take the point out, or declare the true C_max in all points.")


@rule("region-declared", "regionVocabulary", section="8.3")
def region_vocabulary(curve: Curve, shape: CurveShape, tables: EditionTables) -> Outcome:
    """A `region` that point.yaml declares is one of the rules' words.

    Why: Any other word says nothing to readers and tools.
    Mend: Write one of the words, or leave `region` out: it is computed.
    """
    words = sorted(tables.vocabulary["regions"])
    for point in shape.points:
        declared = point.config.get("/region") if point.config else None
        if declared is not None and declared not in words:
            meant = did_you_mean(declared, words) if isinstance(declared, str) else ""
            message = f"`region` is {described(declared)}; allowed are {listed(words)}."
            yield point.finding("/region", message, f"Use one of the words, or leave it out.{meant}")


@rule("region-placement", "regionPlacement", section="8.3")
def region_placement(curve: Curve, shape: CurveShape, tables: EditionTables) -> Outcome:
    """A declared `region` is the one that the point's concurrency lies in.

    Why: A wrong word misleads readers; the computed region is what counts.
    Mend: Correct the word, or leave it out.
    Contested: A point at concurrency 32 or below that lies above C_min belongs to Low and to Ultra Low alike; both
    `low_concurrency` and `low_latency` are accepted there.
    """
    regions = shape.regions
    for point in shape.online:
        declared = text(point.config.get("/region")) if point.config else None
        computed = regions.region_of(point.concurrency)
        accepted = {computed, "submitters_choice"}
        if point.concurrency in regions.ultra_low:
            accepted.add(LOW_LATENCY)
        if computed and declared in tables.vocabulary["regions"] and declared not in accepted:
            message = f"`region` is `{declared}`, but concurrency {point.concurrency:,} lies in `{computed}`"
            yield point.finding("/region", f"{message} ({_bounds(regions)}).", f"Write `{computed}`, or leave it out.")


@rule("ultra-low-concurrency-coverage", "ultraLowCoverage", section="5.4")
def ultra_low_coverage(curve: Curve, shape: CurveShape, tables: EditionTables) -> Outcome:
    """At least one point has a concurrency from 1 to 32 (up to C_min where that is declared).

    Why: Each curve shows the system at low load; without such a point the submission is rejected (9.1).
    Mend: Measure and add a point at a concurrency from 1 to 32.
    """
    highest = shape.override.value or tables.limits.ultra_low_maximum
    if shape.concurrencies and not any(1 <= concurrency <= highest for concurrency in shape.concurrencies):
        message = f"No point at concurrency 1–{highest} (Ultra Low); the lowest is {shape.concurrencies[0]:,}."
        yield curve.finding(message, f"Add a point at a concurrency from 1 to {highest}.")


@rule("low-concurrency-coverage", "lowCoverage", section="5.3")
def low_coverage(curve: Curve, shape: CurveShape) -> Outcome:
    """At least one point lies in the Low Concurrency region.

    Why: The curve must show each region; without it the submission is rejected (9.1).
    Mend: Add a point in the range that the finding names.
    """
    yield from _coverage(curve, shape, shape.regions.low)


@rule("med-concurrency-coverage", "mediumCoverage", section="5.3")
def medium_coverage(curve: Curve, shape: CurveShape) -> Outcome:
    """At least one point lies in the Medium Concurrency region.

    Why: The curve must show each region; without it the submission is rejected (9.1).
    Mend: Add a point in the range that the finding names.
    """
    yield from _coverage(curve, shape, shape.regions.medium)


@rule("high-concurrency-coverage", "highCoverage", section="5.3")
def high_coverage(curve: Curve, shape: CurveShape) -> Outcome:
    """At least one point lies in the High Concurrency region, up to C_max; the margin above does not count, nor does a
    dedicated Offline run.

    Why: The curve must show each region; without it the submission is rejected (9.1).
    Mend: Add a point in the range that the finding names.
    Contested: The public checker counts a dedicated Offline run at or below C_max here, against 5.7.2.
    """
    yield from _coverage(curve, shape, shape.regions.high)


def _coverage(curve: Curve, shape: CurveShape, band: Band) -> Iterator[Finding]:
    if not any(map(band.covered_by, shape.concurrencies)):
        below = [value for value in shape.concurrencies if value < band.start]
        above = [value for value in shape.concurrencies if value > band.end]
        nearest = " and ".join(f"{value:,}" for value in (*below[-1:], *above[:1]))
        where = f"concurrency {band.boundary}" if band.is_empty else f"a concurrency of {band}"
        message = (
            f"No point in {_TITLES[band.name]}, {where} between {_bounds(shape.regions)}; the nearest are at {nearest}."
        )
        yield curve.finding(message, f"Add a point at {where}.")


@rule("point-count", "enoughPoints", section="5.3")
def enough_points(curve: Curve, shape: CurveShape, tables: EditionTables) -> Outcome:
    """A curve has at least 7 points of distinct concurrencies, 8 where one of them is a dedicated Offline run.

    Why: Fewer points show no curve; such a submission is rejected (9.1).
    Mend: Measure and add the points that are missing.
    Contested: The public checker counts folders, so that a copy of a point counts as one more; here a concurrency
    counts once.
    """
    concurrencies = sorted({point.concurrency for point in shape.points})
    has_dedicated = any(point.is_dedicated for point in shape.points) and not shape.is_agentic
    limits = tables.limits
    required = limits.minimum_points_dedicated_offline if has_dedicated else limits.minimum_points
    if 0 < len(concurrencies) < required:
        because = ", one of them the dedicated Offline run" if has_dedicated else ""
        message = (
            f"{counted(len(concurrencies), 'point')} of distinct concurrencies, at least {required} required{because}: "
            f"{', '.join(map(figure, concurrencies))}."
        )
        yield curve.finding(message, f"Add {counted(required - len(concurrencies), 'point')}.")


@rule("point-cap", "notTooManyPoints", section="5.6")
def not_too_many_points(curve: Curve, shape: CurveShape, tables: EditionTables) -> Outcome:
    """A curve has at most 32 points of distinct concurrencies, those added by later amendments and Offline included.

    Why: The cap keeps curves comparable and reviews possible; what counts is the curve after the merge.
    Mend: Take points out, or replace points rather than add to them.
    """
    found, most = len({point.concurrency for point in shape.points}), tables.limits.maximum_points
    if found > most:
        message = f"{counted(found, 'point')} of distinct concurrencies, at most {most} allowed."
        yield curve.finding(message, f"Take {counted(found - most, 'point')} out.")
