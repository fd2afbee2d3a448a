"""Accuracy of multi-turn curves (4.3): scores of the runs themselves, the SWE-bench mean, output lengths."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from checks.endpoints.accuracy_file import AccuracyFile, Result, Score
from checks.endpoints.accuracy_inputs import CurveAccuracy
from checks.endpoints.book import rule
from checks.endpoints.inputs import AccuracyResults, ResultSummary
from checks.endpoints.metrics import figure
from checks.endpoints.metrics_rules import objects
from checks.endpoints.tables import EditionTables
from checks.endpoints.units import Curve
from checks.findings import Fact, Finding, Level
from checks.rules import Each, Outcome
from checks.units import counted, listed

FULL_RUN: Final = "output_sequence_lengths_full_run"
_SWE_BENCH: Final = "swe_bench"
_PERCENT: Final = 100


@rule("agentic-accuracy", "agenticTargetsKnown", section="3.2")
def targets_known(curve: Curve, accuracy: CurveAccuracy) -> Outcome:
    """The model of a multi-turn curve is one whose accuracy targets are published.

    Why: Without targets its accuracy can't be judged.
    Mend: Correct the model's name; for a new benchmark ask MLCommons for its targets.
    """
    if accuracy.is_agentic and (accuracy.model is None or accuracy.model.agentic is None):
        message = f"No accuracy targets are known for the multi-turn model `{curve.shown}`; its scores were not judged."
        yield curve.finding(message, "Correct the model's name, or ask MLCommons for the targets.")


@rule("agentic-accuracy-inline", "inlineAccuracy", section="4.3")
def inline_accuracy(curve: Curve, accuracy: CurveAccuracy) -> Outcome:
    """Every point of a multi-turn curve has the score of its performance run, and that reaches the model's floor.

    Why: Multi-turn answers are scored in the run that is measured; below the floor its throughput counts for nothing.
    Mend: Add the accuracy file that the reference client wrote for the run; below the floor, repeat the point.
    """
    gates = accuracy.agentic_gates
    if gates is None:
        return
    for _, document, content in accuracy.files:
        for result in content.inline:
            if (score := sole_score(result)) is not None and percent(score) < gates.inline_floor:
                message = f"The score of the run is {percent(score):.6g} %, at least {gates.inline_floor:g} % required."
                yield document.finding(score.pointer, message, "There is no tolerance. Repeat the point.")
    without = [found.point.unit.name for found in accuracy.points if found.content is None or not found.content.inline]
    readable = [name for name in without if name not in _unreadable(accuracy)]
    if readable:
        message = f"{counted(len(readable), 'point')} without a score of the performance run: {listed(readable)}."
        yield curve.finding(message, "Add the accuracy file with the entry of `dataset_type` performance.")


def _unreadable(accuracy: CurveAccuracy) -> set[str]:
    found = (item for item in accuracy.points if item.document is not None and item.document.fault is not None)
    return {item.point.unit.name for item in found}


def sole_score(result: Result) -> Score | None:
    """The score of a result that has one; None where it has several, or none that can be read."""
    scores = list(result.scores.values())
    return scores[0] if len(scores) == 1 else None


def percent(score: Score) -> float:
    """A score as a percentage; the scorers write fractions."""
    return score.value * _PERCENT if 0 <= score.value <= 1 else score.value


@rule("agentic-accuracy-swebench", "sweBenchMean", section="4.3")
def swe_bench_mean(curve: Curve, accuracy: CurveAccuracy, tables: EditionTables) -> Outcome:
    """The mean of the SWE-bench results, one of each region, reaches the model's floor.

    Why: Multi-turn results pass by their average.
    Mend: Add the missing results; below the floor, correct the deployment and repeat the runs.
    """
    gates = accuracy.agentic_gates
    if gates is None:
        return
    counted_runs = list(_swe_bench_runs(accuracy))
    scores = [percent(score) for _, score in counted_runs]
    wanted = tables.limits.agentic_accuracy_results
    if len(scores) < wanted:
        level = Level(tables.severity("agentic-accuracy-swebench", "short"))
        message = f"{counted(len(scores), 'SWE-bench result')} of a region, {wanted} make the mean."
        yield curve.finding(message, "Add one result of each region.", level=level)
    if not scores:
        return
    mean = sum(scores) / len(scores)
    yield Fact("", "accuracy_swe_bench", mean, "%", curve.path)
    if mean < gates.swe_bench_mean_floor:
        shown = ", ".join(f"{score:.6g}" for score in scores)
        message = (
            f"The mean of {counted(len(scores), 'SWE-bench result')} is {mean:.6g} %, at least "
            f"{gates.swe_bench_mean_floor:g} % required ({shown})."
        )
        document, score = counted_runs[0]
        yield document.finding(score.pointer, message, "There is no tolerance. Correct the deployment and repeat.")


def _swe_bench_runs(accuracy: CurveAccuracy) -> Iterator[tuple[AccuracyResults, Score]]:
    """The result that stands for each region, with its file."""
    assigned = set(accuracy.coverage.assigned.values())
    for found, document, content in accuracy.files:
        if found.point.concurrency in assigned and (score := _swe_bench(content)) is not None:
            yield document, score


def _swe_bench(content: AccuracyFile) -> Score | None:
    named = [result for result in content.runs if result.dataset.casefold().replace("-", "_") == _SWE_BENCH]
    return next((score for result in named if (score := sole_score(result)) is not None), None)


@rule("agentic-osl-range", "outputLengths", section="4.3")
def output_lengths(
    curve: Curve, accuracy: CurveAccuracy, summaries: Each[ResultSummary], tables: EditionTables
) -> Outcome:
    """The mean output length over the full run of a multi-turn point lies in the model's range.

    Why: Answers that are much shorter or longer than the reference's make another load.
    Mend: Correct the sampling parameters and repeat the point.
    """
    gates = accuracy.agentic_gates
    if gates is None:
        return
    lowest, highest = gates.osl_range
    missing: list[ResultSummary] = []
    for summary, data in objects(summaries):
        mean = figure(data, FULL_RUN, "output_sequence_lengths", "avg")
        if mean is None:
            missing.append(summary)
        elif not lowest <= mean <= highest:
            message = f"The mean output length is {mean:,.6g} tokens; {lowest:g} to {highest:g} required."
            pointer = f"/{FULL_RUN}/output_sequence_lengths/avg"
            yield summary.finding(pointer, message, "Correct the sampling parameters and repeat the point.")
    yield from _without_lengths(missing, Level(tables.severity("agentic-osl-range", "missing")))


def _without_lengths(missing: list[ResultSummary], level: Level) -> Iterator[Finding]:
    if missing:
        where = listed(summary.leaf for summary in missing)
        message = f"`{FULL_RUN}` has no mean in {where}, so the output lengths were not judged."
        yield missing[0].finding("", message, "Restore the summary as the reference client wrote it.", level)
