"""Accuracy of multi-turn curves (4.3): scores of the runs themselves, the SWE-bench mean, output lengths."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from checks.endpoints.accuracy_file import AccuracyFile, Result, Score
from checks.endpoints.accuracy_inputs import CurveAccuracy
from checks.endpoints.book import rule
from checks.endpoints.inputs import AccuracyResults, ResultSummary
from checks.endpoints.metrics import figure
from checks.endpoints.metrics_rules import objects
from checks.endpoints.table_types import PERCENT
from checks.endpoints.tables import EditionTables
from checks.endpoints.units import Curve
from checks.findings import Fact, Finding, Level
from checks.rules import Each, Outcome
from checks.units import counted, listed

FULL_RUN: Final = "output_sequence_lengths_full_run"
_SWE_BENCH: Final = "swe_bench"


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
            yield from _unclear(document, result)
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
    """The score of a result that has one, a fraction; None where :func:`_unclear` or the file's rule tells why there is
    none.
    """
    scores = list(result.scores.values())
    return scores[0] if len(scores) == 1 and scores[0].value <= 1 else None


def _unclear(document: AccuracyResults, result: Result) -> Iterator[Finding]:
    """Why a result with scores has none that counts."""
    scores, restore = list(result.scores.values()), "Restore the accuracy file as the reference client wrote it."
    if len(scores) > 1:
        message = f"The result has {len(scores)} scores, {listed(result.scores)}; one is required."
        yield document.finding(f"{result.pointer}/score", message, restore)
    elif scores and scores[0].value > 1:
        message = f"The score is {scores[0].value:,.6g}; the scorer writes a fraction from 0 to 1."
        yield document.finding(scores[0].pointer, message, restore)


def percent(score: Score) -> float:
    """A score as a percentage; the scorers write fractions, and nothing else is read as one."""
    return score.value * PERCENT


@dataclass(frozen=True, slots=True)
class _RegionRun:
    """The accuracy run that stands for a region: the point's name, its file, and its SWE-bench results."""

    point: str
    document: AccuracyResults
    content: AccuracyFile
    results: Sequence[Result]


@rule("agentic-accuracy-swebench", "sweBenchMean", section="4.3")
def swe_bench_mean(curve: Curve, accuracy: CurveAccuracy, tables: EditionTables) -> Outcome:
    """The mean of the SWE-bench results, one of each region, reaches the model's floor.

    Why: Multi-turn results pass by their average.
    Mend: Add the missing results; below the floor, correct the deployment and repeat the runs.
    Contested: Of several SWE-bench results of one point the documents don't say which one counts: the lowest does, with
    a warning. A run over another data set stands for no region.
    """
    gates = accuracy.agentic_gates
    if gates is None:
        return
    runs = list(_runs_of_regions(accuracy))
    yield from _other_data_sets([run for run in runs if not run.results])
    for run in runs:
        yield from _of_one_point(run, Level(tables.severity("agentic-accuracy-swebench", "several")))
    wanted = tables.limits.agentic_accuracy_results
    if len(runs) < wanted:
        level = Level(tables.severity("agentic-accuracy-swebench", "short"))
        message = f"{counted(len(runs), 'region')} with an accuracy run, {wanted} make the mean."
        yield curve.finding(message, "Add one SWE-bench result of each region.", level=level)
    yield from _mean(curve, runs, gates.swe_bench_mean_floor)


def _runs_of_regions(accuracy: CurveAccuracy) -> Iterator[_RegionRun]:
    assigned = set(accuracy.coverage.assigned.values())
    for found, document, content in accuracy.files:
        if found.point.concurrency in assigned:
            named = [run for run in content.runs if run.dataset.casefold().replace("-", "_") == _SWE_BENCH]
            yield _RegionRun(found.point.unit.name, document, content, named)


def _other_data_sets(runs: Sequence[_RegionRun]) -> Iterator[Finding]:
    named = [run for run in runs if run.content.runs]
    if named:
        first = named[0].content.runs[0]
        same = f" The same in {listed(run.point for run in named[1:])}." if named[1:] else ""
        message = f"The accuracy run is one over {listed([first.dataset])}; `{_SWE_BENCH}` is required.{same}"
        yield named[0].document.finding(first.pointer, message, "Run SWE-bench at the point.")


def _of_one_point(run: _RegionRun, several: Level) -> Iterator[Finding]:
    for result in run.results:
        yield from _unclear(run.document, result)
    names = dict.fromkeys(result.dataset for result in run.results)
    if len(names) > 1:
        message = f"{run.point} has {len(run.results)} SWE-bench results, {listed(names)}; the lowest counts."
        yield run.document.finding(run.results[-1].pointer, message, "Keep the result that counts.", several)


def _mean(curve: Curve, runs: Sequence[_RegionRun], floor: float) -> Outcome:
    scored = [(run.document, min(found, key=percent)) for run in runs if (found := _scores(run))]
    if not scored:
        return
    scores = [percent(score) for _, score in scored]
    mean = sum(scores) / len(scores)
    yield Fact("", "accuracy_swe_bench", mean, "%", curve.path)
    if mean < floor:
        shown = ", ".join(f"{score:.6g}" for score in scores)
        message = (
            f"The mean of {counted(len(scores), 'SWE-bench result')} is {mean:.6g} %, at least {floor:g} % required "
            f"({shown})."
        )
        document, score = scored[0]
        yield document.finding(score.pointer, message, "There is no tolerance. Correct the deployment and repeat.")


def _scores(run: _RegionRun) -> list[Score]:
    return [score for result in run.results if (score := sole_score(result)) is not None]


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
        if mean is None and summary.get(f"/{FULL_RUN}/output_sequence_lengths/avg") is None:
            missing.append(summary)
        elif mean is not None and not lowest <= mean <= highest:
            message = f"The mean output length is {mean:,.6g} tokens; {lowest:g} to {highest:g} required."
            pointer = f"/{FULL_RUN}/output_sequence_lengths/avg"
            yield summary.finding(pointer, message, "Correct the sampling parameters and repeat the point.")
    yield from _without_lengths(missing, Level(tables.severity("agentic-osl-range", "missing")))


def _without_lengths(missing: list[ResultSummary], level: Level) -> Iterator[Finding]:
    if missing:
        where = listed(summary.leaf for summary in missing)
        message = f"`{FULL_RUN}` has no mean in {where}, so the output lengths were not judged."
        yield missing[0].finding("", message, "Restore the summary as the reference client wrote it.", level)
