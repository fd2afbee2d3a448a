"""What an amendment may change (rules 4.6, 8): the bound seed set stays, and so do points that are not measured again.

That the curve after the merge has at most 32 points is `point-cap`'s matter, since the head holds the merged result.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from checks import names
from checks.documents import described
from checks.endpoints.base_inputs import BaseSubmission
from checks.endpoints.book import rule
from checks.endpoints.inputs import AccuracyResults, PointConfig, ResultSummary
from checks.endpoints.metrics import figure
from checks.endpoints.seeds import bind
from checks.endpoints.tables import EditionTables
from checks.endpoints.units import Curve, Point, Submission
from checks.endpoints.values import text
from checks.findings import Finding, Level
from checks.rules import Each, Outcome, Present
from checks.units import counted, listed


@rule("seed-set-bound", "boundSeedSet", section="4.6")
def bound_seed_set(submission: Submission, configs: Each[PointConfig], before: BaseSubmission | None) -> Outcome:
    """The points of an amendment use the seed set that the original submission bound.

    Why: A set once bound stays valid for the submission's life; another set would make the points incomparable.
    Mend: Repeat the new runs with the bound set.
    Contested: The public checker sees no history; the set is read from the submission at the merge base. A submission
    that declared several sets there binds none.
    """
    if before is None or before.bound_seed_set is None:
        return
    found: dict[str, list[PointConfig]] = {}
    for config in configs:
        if (declared := text(config.get("/seed_set"))) is not None:
            found.setdefault(declared, []).append(config)
    for stranger in bind(found, before.seed_sets).strangers:
        first, *others = found[stranger]
        more = f" So do {counted(len(others), 'other point')}." if others else ""
        message = (
            f"`seed_set` is {described(stranger)}, but the submission is bound to {described(before.bound_seed_set)} "
            f"by its points that are merged already.{more}"
        )
        yield first.finding("/seed_set", message, "Run the point with the seed set that is bound.")


@rule("amendment-unchanged-points", "mergedPointsUnchanged", section="4.6, 8")
def merged_points_unchanged(
    curve: Curve,
    *,
    summaries: Each[ResultSummary],
    accuracy: Present[AccuracyResults],
    before: BaseSubmission | None,
    tables: EditionTables,
) -> Outcome:
    """An amendment adds points or replaces them whole: the files of a point that was not measured again stay as they
    were merged, and a point that was has an accuracy result of its own. A point that is taken out is warned of.

    Why: What was reviewed must not change without a new measurement.
    Mend: Restore the files from the base branch; a correction that is agreed with the reviewers can be waived.
    Contested: The public checker sees no history. The rules know new and replacement points, but no edits of others. A
    summary that was only written anew (the same time to the nanosecond, the same distributions) is no new measurement,
    neither in its own point, nor under another concurrency or another system's name.
    """
    if before is None:
        return
    runs = {item.folder: item.data for item in summaries if item.fault is None and isinstance(item.data, dict)}
    changed = {point: _changed_files(before.points[point.path], point) for point in _of_both(curve, before)}
    before.fetch(ResultSummary, (point.path for point, files in changed.items() if ResultSummary.file_name in files))
    again = {point for point, files in changed.items() if _is_measured_again(point, files, runs, before)}
    yield from _edited({point: files for point, files in changed.items() if point not in again})
    yield from _kept_accuracy(again, accuracy, before)
    yield from _taken_out(curve, before, runs, Level(tables.severity("amendment-unchanged-points", "withdrawn")))


def _kept_accuracy(
    again: Collection[Point], accuracy: Iterable[AccuracyResults], before: BaseSubmission
) -> Iterator[Finding]:
    """Points that were measured again and still have the merged accuracy result, be it written anew."""
    results = {item.folder: item.data for item in accuracy if item.fault is None}
    before.fetch(AccuracyResults, (point.path for point in again))
    for point in again:
        if point.path in results and before.holds_accuracy(point.path, results[point.path]):
            message = f"{point.shown} was measured again, but its accuracy result is that of the earlier run."
            hint = "Add the accuracy run that followed the new measurement."
            yield point.finding(message, hint, at=AccuracyResults.file_name)


def _is_measured_again(
    point: Point, files: Collection[str], runs: Mapping[str, Mapping[str, Any]], before: BaseSubmission
) -> bool:
    """Whether another run is in the summary; in doubt it is, since other rules judge a summary that can't be read."""
    if ResultSummary.file_name not in files:
        return False
    return point.path not in runs or not before.holds_run(point.path, runs[point.path])


def _taken_out(
    curve: Curve, before: BaseSubmission, runs: Mapping[str, Mapping[str, Any]], level: Level
) -> Iterator[Finding]:
    """Merged points that are gone: those whose run stands under another name now, and one finding for the others."""
    here = {point.path for point in curve.points}
    gone = [path for path in before.points if names.parent(path) == curve.path and path not in here]
    elsewhere = _of_lost_curves(curve, before)  # told of by mergedCurvesKept
    lost = before.by_duration([*gone, *elsewhere])
    for point in curve.points:
        run = runs.get(point.path) if point.path not in before.points else None
        alike = lost.get(figure(run, "duration_ns"), []) if run is not None else []
        moved = next((path for path in alike if run is not None and before.holds_run(path, run)), None)
        if moved is not None:
            alike.remove(moved)
            gone = [path for path in gone if path != moved]
            start = 0 if names.parent(moved) == curve.path else len(curve.submission.results.path) + 1
            was = listed([names.basename(moved) if not start else moved[start:]])
            message = f"{listed([point.name])} holds the measurement that is merged as {was}."
            yield point.finding(message, f"Restore {was}, or measure {point.shown}.", at=ResultSummary.file_name)
    if gone:
        message = f"{counted(len(gone), 'merged point')} would be taken out: {listed(map(names.basename, gone))}."
        yield curve.finding(message, "Tell the reviewers why, or restore the point.", level=level)


def _of_lost_curves(curve: Curve, before: BaseSubmission) -> list[str]:
    """Merged points of curves that are gone, whose runs a new curve, as of a renamed system, may hold."""
    if curve.path in before.curves:
        return []
    kept = {other.path for other in curve.submission.curves}
    return [path for path in before.points if names.parent(path) not in kept]


def _of_both(curve: Curve, before: BaseSubmission) -> list[Point]:
    return [point for point in curve.points if point.path in before.points]


def _edited(changed: dict[Point, list[str]]) -> Iterator[Finding]:
    """One finding for all points of which the same files were edited."""
    together: dict[tuple[str, ...], list[Point]] = {}
    for point, files in changed.items():
        if files:
            together.setdefault(tuple(files), []).append(point)
    for edited, points in together.items():
        message = f"{listed(edited)} of {listed(point.name for point in points)} changed, but the measurement did not."
        hint = "Restore what was merged, or replace the whole point by a new measurement."
        yield points[0].finding(message, hint, at=edited[0] if edited[0] in points[0].entries else "")


def _changed_files(before: Point, after: Point) -> list[str]:
    """Names in a point's folder whose entries (kind and git object) differ between the trees, in order."""
    known = sorted({**before.entries, **after.entries}, key=names.encode)
    return [name for name in known if before.entries.get(name) != after.entries.get(name)]
