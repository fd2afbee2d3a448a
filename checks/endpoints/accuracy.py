"""Rules on accuracy results (4.3, 6.6): where they have to be, and what they hold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from checks.documents import NotJudged
from checks.endpoints.accuracy_inputs import CurveAccuracy
from checks.endpoints.book import rule
from checks.endpoints.curve_shape import DEDICATED, ELECTED
from checks.endpoints.inputs import AccuracyResults
from checks.endpoints.regions import HIGH, LOW, MEDIUM, ULTRA_LOW, Band
from checks.endpoints.tables import EditionTables
from checks.endpoints.units import Curve
from checks.findings import Finding, Level
from checks.rules import Each, Outcome
from checks.units import counted, listed

_TITLES: Final = {
    ULTRA_LOW: "Ultra Low",
    LOW: "Low Concurrency",
    MEDIUM: "Medium Concurrency",
    HIGH: "High Concurrency",
}
_RUN: Final = "Run the accuracy test at that concurrency, right after the performance run, on the same instance."


@rule("accuracy-present", "accuracyPresent", section="6.6")
def accuracy_present(curve: Curve, accuracy: CurveAccuracy) -> Outcome:
    """A curve has accuracy results.

    Why: Throughput counts only where the answers are right.
    Mend: Run the accuracy test at the points that need it, and add accuracy_results.json beside their point.yaml.
    """
    if accuracy.points and all(found.document is None for found in accuracy.points):
        message = f"None of the {counted(len(accuracy.points), 'point')} has an accuracy_results.json."
        yield curve.finding(message, "Add the results of one point in each region, and of the Offline point.")


@rule("accuracy-valid", "accuracyShape", section="4.3")
def accuracy_shape(curve: Curve, files: Each[AccuracyResults], accuracy: CurveAccuracy) -> Outcome:
    """An accuracy file holds one complete result for each data set, with a score that is a number and whole numbers of
    samples and repeats.

    Why: A score that is missing or no number shows nothing, and must not pass for one that does.
    Mend: Restore the file as the reference client wrote it, or repeat the accuracy run.
    """
    for _, document, content in accuracy.files:
        for fault in content.faults:
            yield document.finding(fault.pointer, fault.message, fault.hint)


@rule("accuracy-coverage", "accuracyCoverage", section="4.3, 5.3")
def coverage(curve: Curve, accuracy: CurveAccuracy, tables: EditionTables) -> Outcome:
    """One accuracy result in each of Ultra Low, Low, Medium and High, each of another point, and one of the Offline
    point if there is one.

    Why: Accuracy has to hold at every load; a point at 32 or below can stand for Ultra Low or for its own region, never
    for both.
    Mend: Run the accuracy test at a point of the region that has none.
    Contested: The public checker takes results beyond these for an error, the documents don't forbid them; a warning.
    """
    if all(found.document is None for found in accuracy.points):
        raise NotJudged(curve.path, "the curve has no accuracy results (see accuracy-present)")
    if not accuracy.is_agentic:
        yield from _offline_results(accuracy)
    matched = accuracy.coverage
    for band in accuracy.shape.regions.required:
        if band.name in matched.missing:
            yield curve.finding(f"No accuracy result for {_TITLES[band.name]} {_there(accuracy, band)}.", _RUN)
    level = Level(tables.severity("accuracy-coverage", "surplus"))
    surplus = [found for found in accuracy.points if found.point.concurrency in matched.surplus and found.has_run]
    if surplus and (document := surplus[0].document) is not None:
        where = listed(found.point.unit.name for found in surplus)
        message = f"The accuracy results of {where} are not needed: every region has another one, or lies elsewhere."
        yield document.finding("", message, "Take them out, so that it is plain which results count.", level)


def _offline_results(accuracy: CurveAccuracy) -> Iterator[Finding]:
    for found in accuracy.points:
        if found.point.offline in (DEDICATED, ELECTED) and not found.has_run:
            message = f"The Offline point ({found.point.offline}) has no accuracy result."
            yield found.point.unit.finding(message, _RUN)


def _there(accuracy: CurveAccuracy, band: Band) -> str:
    """The concurrencies of a band and the points that could give its result, or why their results count elsewhere."""
    points = [point for point in accuracy.shape.online if band.covered_by(point.concurrency)]
    there = listed(point.unit.name for point in points) or "none"
    matched = accuracy.coverage.assigned
    taken = [_TITLES[name] for point in points for name, value in matched.items() if value == point.concurrency]
    because = f", whose result stands for {' and '.join(taken)}" if taken else ""
    return f"(concurrency {band}); points there: {there}{because}"


@rule("accuracy-sample-count", "accuracySamples", section="6.6")
def sample_count(curve: Curve, accuracy: CurveAccuracy, tables: EditionTables) -> Outcome:
    """An accuracy result is that of the whole accuracy data set: samples times repeats, over all its parts, reach the
    model's number.

    Why: A score over chosen samples says nothing about the model.
    Mend: Run the accuracy test over the whole data set, with the repeats that the benchmark prescribes.
    Contested: The public checker passes over a file without counts; here that is a warning.
    """
    required = accuracy.model.minimum_samples if accuracy.model else None
    for _, document, content in accuracy.files if required is not None else ():
        counts = [result.samples for result in content.runs if result.samples is not None]
        silent = [result for result in content.runs if result.samples is None]
        if silent:
            level = Level(tables.severity("accuracy-sample-count", "not-stated"))
            of = f" over {listed(result.dataset for result in silent)}" if counts else ""
            message = f"The samples of the accuracy run{of} are not stated; {required:,} required."
            yield document.finding(silent[0].pointer, message, "State num_samples and n_repeats.", level)
        if counts and required is not None and sum(counts) < required:
            message = f"{sum(counts):,} samples (times repeats) were scored, at least {required:,} required."
            yield document.finding(content.runs[0].pointer, message, "Run the test over the whole data set.")
