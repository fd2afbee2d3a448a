"""Rules on result_summary.json (8.3, 9.1): its shape, and figures that must follow from each other (4.1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any, Final

from checks.endpoints import metrics
from checks.endpoints.book import rule
from checks.endpoints.curve_shape import CurveShape
from checks.endpoints.inputs import ResultSummary
from checks.endpoints.numbers import is_number
from checks.endpoints.tables import EditionTables
from checks.endpoints.units import Curve
from checks.endpoints.values import figure, number, whole
from checks.findings import Fact, Finding, Level
from checks.json_schema import compiled, faults, quick
from checks.rules import Each, Outcome

SCHEMA: Final = ("checks.endpoints", "result_summary")
DISTRIBUTIONS: Final = ("ttft", "tpot", "latency", "output_sequence_lengths")
"""Blocks of a summary that hold a total and percentiles."""

_RESTORE: Final = "Restore the file as the reference client wrote it."
_STORED: Final = "Leave the stored figure out, or correct it; if the measured ones are wrong, repeat the run."

Summaries = Iterator[tuple[ResultSummary, Mapping[str, Any]]]


def objects(summaries: Iterable[ResultSummary]) -> Summaries:
    """Each summary that holds an object, with it; ``result-file-valid`` reports the others."""
    for summary in summaries:
        if isinstance(summary.data, dict):
            yield summary, summary.data


@rule("result-file-valid", "resultShape", section="8.3")
def result_shape(curve: Curve, summaries: Each[ResultSummary]) -> Outcome:
    """result_summary.json has the completed samples and the duration, every figure is a number, and every percentile
    has one value, not below that of a lower percentile.

    Why: All figures that are published are computed from this file.
    Mend: Restore the file as the reference client wrote it.
    Contested: The public checker reads "1000" as a number and fails on a stored metric that is none; here both are
    findings. "90" and "90.0" are one percentile.
    """
    for summary in summaries:
        if not quick(*SCHEMA)(summary.data):
            for fault in faults(compiled(*SCHEMA), summary.data, one_top_key=False):
                yield summary.finding(fault.pointer, fault.message, fault.hint)
        if isinstance(summary.data, dict):
            yield from _percentiles(summary, summary.data)


def _percentiles(summary: ResultSummary, data: Mapping[str, Any]) -> Iterator[Finding]:
    for name in DISTRIBUTIONS:
        block = data.get(name)
        found = block.get("percentiles") if isinstance(block, dict) else None
        if not isinstance(found, dict) or not found:
            continue
        try:
            percentiles = metrics.normalized_percentiles(found)
        except metrics.PercentileError as error:
            yield summary.finding(f"/{name}/percentiles", f"`{name}.percentiles`: {error}.", _RESTORE)
            continue
        figures = sorted((key, value) for key, value in percentiles.items() if is_number(value))
        for (lower, low), (higher, high) in pairwise(figures):
            if high < low:
                message = f"`{name}.percentiles`: {higher:g} % is {high:,.10g}, below the {low:,.10g} of {lower:g} %."
                yield summary.finding(f"/{name}/percentiles", message, _RESTORE)
                break


@rule("metric-consistency-duration", "positiveDuration", section="9.1")
def positive_duration(curve: Curve, summaries: Each[ResultSummary]) -> Outcome:
    """The duration of a run is at least a nanosecond.

    Why: Throughput divides by it.
    Mend: Restore result_summary.json as the reference client wrote it, or repeat the run.
    """
    for summary, data in objects(summaries):
        duration = number(data.get("duration_ns"))
        if duration is not None and duration >= 1:
            yield Fact("", "duration_s", duration / metrics.NS_PER_S, "s", summary.path)
        elif duration is not None:
            yield summary.finding("/duration_ns", f"`duration_ns` is {duration}; at least 1 required.", _RESTORE)


@rule("metric-consistency-accounting", "allSamplesAccounted", section="9.1")
def all_samples_accounted(curve: Curve, summaries: Each[ResultSummary]) -> Outcome:
    """Completed and failed samples together are the issued ones; 0 issued means that they were not counted.

    Why: Samples that are neither have got lost, and with them what they would have cost.
    Mend: Restore result_summary.json as the reference client wrote it, or repeat the run.
    """
    for summary, data in objects(summaries):
        issued, completed = whole(data.get("n_samples_issued")), whole(data.get("n_samples_completed"))
        failed = whole(data.get("n_samples_failed")) or 0
        if issued and completed is not None and not metrics.accounts_for_all(issued, completed, failed):
            message = (
                f"{figure(issued)} samples issued, but {figure(completed)} completed and {figure(failed)} failed, "
                f"{figure(completed + failed)} together."
            )
            yield summary.finding("/n_samples_issued", message, _RESTORE)


@rule("metric-consistency-output-tokens", "outputTokens", section="9.1")
def output_tokens(curve: Curve, summaries: Each[ResultSummary]) -> Outcome:
    """The total of output tokens is stated, and not negative.

    Why: Throughput is this total over time.
    Mend: Restore result_summary.json as the reference client wrote it.
    Contested: The public checker takes a total that is missing for 0; here it is an error.
    """
    for summary, data in objects(summaries):
        block = data.get("output_sequence_lengths")
        total = block.get("total") if isinstance(block, dict) else None
        if (block is None or isinstance(block, dict)) and total is None:
            message = "`output_sequence_lengths.total` is missing: the throughput of the run is not known."
            yield summary.finding("/output_sequence_lengths", message, _RESTORE)
        elif (figure := number(total)) is not None and int(figure) < 0:
            message = f"`output_sequence_lengths.total` is {figure}; a number of tokens can't be negative."
            yield summary.finding("/output_sequence_lengths/total", message, _RESTORE)
        elif figure is not None and _is_beyond(data):
            message = f"`output_sequence_lengths.total` is {figure:,.6g}: no throughput can be computed with it."
            yield summary.finding("/output_sequence_lengths/total", message, _RESTORE)


def _is_beyond(data: Mapping[str, Any]) -> bool:
    """Whether the duration is one, and still no throughput follows."""
    duration = number(data.get("duration_ns"))
    return duration is not None and duration >= 1 and metrics.summary_system_tps(data) is None


@rule("metric-consistency-system-tps", "systemThroughput", section="4.1")
def system_throughput(curve: Curve, summaries: Each[ResultSummary], tables: EditionTables) -> Outcome:
    """A stored `system_tps` is the total of output tokens divided by the duration in seconds, within 1 %.

    Why: It is the figure that is published.
    Mend: Leave the stored figure out, or correct it.
    """
    for summary, data in objects(summaries):
        computed = metrics.summary_system_tps(data)
        if computed is not None:
            yield Fact("", "system_tps", computed, "tokens/s", summary.path)
            yield from _stored(
                summary, "system_tps", computed, "output tokens over seconds", tables.limits.metric_tolerance
            )


@rule("metric-consistency-tpot-p90", "timePerOutputToken", section="9.1")
def time_per_output_token(curve: Curve, shape: CurveShape, summaries: Each[ResultSummary]) -> Outcome:
    """The 90th percentile of the time per output token is there and above zero, but for a dedicated Offline run.

    Why: The throughput that a user sees is computed from it.
    Mend: Restore result_summary.json as the reference client wrote it.
    """
    dedicated = {point.unit.path for point in shape.points if point.is_dedicated}
    for summary, data in objects(summaries):
        if summary.folder in dedicated or not _is_readable(data):
            continue
        tpot = metrics.percentile(data, "tpot", 90)
        if tpot is None or metrics.tps_per_user(tpot) is None:
            found = "is missing or no number" if tpot is None else f"is {tpot:g} ns"
            message = f"The 90th percentile of `tpot` {found}; more than 0 ns required."
            yield summary.finding("/tpot/percentiles", message, _RESTORE)


@rule("metric-consistency-tps-per-user", "throughputPerUser", section="4.1")
def throughput_per_user(curve: Curve, summaries: Each[ResultSummary], tables: EditionTables) -> Outcome:
    """A stored `tps_per_user` is 1000 divided by the 90th percentile of the time per output token in milliseconds,
    within 1 %.

    Why: It is the figure that is published.
    Mend: Leave the stored figure out, or correct it.
    """
    for summary, data in objects(summaries):
        computed = metrics.summary_tps_per_user(data) if _is_readable(data) else None
        if computed is not None:
            yield Fact("", "tps_per_user", computed, "tokens/s", summary.path)
            yield from _stored(
                summary, "tps_per_user", computed, "1000 / TPOT P90 in ms", tables.limits.metric_tolerance
            )


@rule("agentic-metric-consistency", "interactivity", section="4.1")
def interactivity(curve: Curve, shape: CurveShape, summaries: Each[ResultSummary], tables: EditionTables) -> Outcome:
    """A stored `e2e_avg_interactivity` of a multi-turn point is its output tokens over the time of its turns, within
    1 %; without totals of the turns, those of all requests stand in, if none failed.

    Why: It is the figure that is published of multi-turn benchmarks.
    Mend: Leave the stored figure out, or correct it.
    """
    for summary, data in objects(summaries) if shape.is_agentic else ():
        computed = metrics.interactivity(data)
        if computed is not None:
            yield Fact("", "e2e_avg_interactivity", computed, "tokens/s", summary.path)
            yield from _stored(
                summary, "e2e_avg_interactivity", computed, "tokens over seconds", tables.limits.metric_tolerance
            )
        elif data.get("e2e_avg_interactivity") is not None:
            message = "`e2e_avg_interactivity` can't be recomputed: the totals of turns and of requests are incomplete."
            level = Level(tables.severity("agentic-metric-consistency", "no-basis"))
            yield summary.finding("/e2e_avg_interactivity", message, _RESTORE, level)


def _is_readable(data: Mapping[str, Any]) -> bool:
    """Whether the percentiles of `tpot` have one value each; ``result-file-valid`` reports where not."""
    try:
        metrics.percentile(data, "tpot", 90)
    except metrics.PercentileError:
        return False
    return True


def _stored(summary: ResultSummary, name: str, computed: float, formula: str, tolerance: float) -> Iterator[Finding]:
    """A finding where the stored figure ``name`` is not within the tolerance of the computed one."""
    stored = number(summary.data.get(name))
    if stored is not None and not metrics.agrees(stored, computed, tolerance):
        message = f"`{name}` is {stored:,.6g}, but {formula} is {computed:,.6g}; within {tolerance:.0%} allowed."
        yield summary.finding(f"/{name}", message, _STORED)
