"""Rules on how long and how much a point was measured (rules 6.2, 6.4), and on results of runs that broke off."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from checks.documents import described, shortened
from checks.endpoints.book import rule
from checks.endpoints.curve_shape import CurveShape
from checks.endpoints.document_faults import DocumentFault, told_once
from checks.endpoints.inputs import PointConfig, ResultSummary
from checks.endpoints.metrics import NS_PER_S
from checks.endpoints.passes import Pass, pass_of
from checks.endpoints.tables import EditionTables
from checks.endpoints.units import Curve
from checks.endpoints.values import figure, number, whole
from checks.findings import Finding, Level
from checks.rules import Each, Outcome
from checks.units import listed

WINDOW: Final = "/steady_state/window"


@rule("point-duration", "steadyDuration", section="6.2")
def steady_duration(curve: Curve, shape: CurveShape, summaries: Each[ResultSummary], tables: EditionTables) -> Outcome:
    """The steady state of a point lasts at least 600 s at concurrency 1 to 32, 1,200 s above, and 2,400 s above for
    multi-turn models.

    Why: Shorter runs catch a system before caches, clocks and queues have settled.
    Mend: Repeat the run; `min_duration_ms` is in milliseconds, `window.duration_s` in seconds.
    Contested: Peers warn, the rules flag, the requirements page lists it as pending ratification; the default is a
    warning. A point at 32 or below counts as Ultra Low also where it lies above C_min. The 2,400 s stand in the newer
    rules only.
    """
    of_folder = {summary.folder: summary for summary in summaries}
    for point in shape.online:
        if point.config is None:
            continue
        required = tables.limits.steady_state_seconds(point.concurrency, agentic=shape.is_agentic)
        summary = of_folder.get(point.unit.path)
        measured = _window_s(point.config)
        if measured is not None and measured < required:
            message = f"The steady state lasts {measured:,.1f} s; at least {required:,} s required"
            where = f"at concurrency {point.concurrency:,}."
            yield point.finding(f"{WINDOW}/duration_s", f"{message} {where}", "Repeat the run for longer.")
        elif measured is None and summary is not None and (run := _run_s(summary)) is not None and run < required:
            message = f"The run lasts {run:,.1f} s; a steady state of at least {required:,} s is required"
            where = f"at concurrency {point.concurrency:,} (point.yaml states no window)."
            yield summary.finding("/duration_ns", f"{message} {where}", "Repeat the run for longer.")


def _window_s(config: PointConfig) -> int | float | None:
    return number(config.get(f"{WINDOW}/duration_s"))


def _run_s(summary: ResultSummary) -> float | None:
    duration_ns = number(summary.get("/duration_ns"))
    return None if duration_ns is None else duration_ns / NS_PER_S


@rule("steady-state-consistency", "windowWithinRun", section="4.4")
def window_within_run(
    curve: Curve, configs: Each[PointConfig], summaries: Each[ResultSummary], tables: EditionTables
) -> Outcome:
    """The declared window of the steady state is not longer than the run that it lies in.

    Why: The window decides on the duration, and it can't be computed again from the package.
    Mend: Copy the window from the client's report of this run.
    """
    level = Level(tables.severity("steady-state-consistency", "window"))
    tolerated = 1 + tables.limits.metric_tolerance
    of_folder = {summary.folder: summary for summary in summaries}
    for config in configs:
        window = _window_s(config)
        run = _run_s(of_folder[config.folder]) if config.folder in of_folder else None
        if window is not None and run is not None and 0 < run * tolerated < window:
            message = f"The window of {window:,.1f} s is longer than the run of {run:,.1f} s (result_summary.json)."
            hint = "Copy the window from the client's report of this run."
            yield config.finding(f"{WINDOW}/duration_s", message, hint, level)


@rule("min-query-count", "onePassCompleted", section="6.4")
def one_pass_completed(
    curve: Curve, configs: Each[PointConfig], summaries: Each[ResultSummary], tables: EditionTables
) -> Outcome:
    """A point completes at least one pass over its data set.

    Why: A part of the data set can be easier than the whole.
    Mend: Repeat the run with at least the number of samples that the finding names.
    Contested: For a data set that the table of sizes does not list nothing can be said but a notice. A subset
    (`n_samples_from_dataset`) is taken into account at concurrency 1 to 32 only, where the rules allow it.
    """
    of_folder = {summary.folder: summary for summary in summaries}
    passes = [(config, pass_of(config, tables)) for config in configs]
    for config, (_, _, _, size) in passes:
        summary = of_folder.get(config.folder)
        completed = whole(summary.get("/n_samples_completed")) if summary else None
        if summary is not None and size is not None and completed is not None and completed < size:
            message = f"{figure(completed)} samples completed; one pass over the data set has {size:,}."
            yield summary.finding("/n_samples_completed", message, "Repeat the run with at least one whole pass.")
    yield from told_once((config, fault) for config, one in passes for fault in _doubtful_size(config, one, tables))


def _doubtful_size(config: PointConfig, one_pass: Pass, tables: EditionTables) -> Iterator[DocumentFault]:
    """What leaves it open how many samples a whole pass has."""
    if not isinstance(config.data, dict):
        return
    name, samples, subset, size = one_pass
    if name is None:
        level = Level(tables.severity("min-query-count", "undeclared-dataset"))
        judged = f"`dataset_name` was taken for it, {size:,} samples" if size else "no pass over it could be judged"
        yield DocumentFault("/dataset", f"`dataset` is not declared; {judged}.", "Declare the data set's key.", level)
    elif samples is None:
        level = Level(tables.severity("min-query-count", "unknown-dataset"))
        message = (
            f"The size of the data set {listed([shortened(name)])} is not known: whether a whole pass was completed, "
            "and whole passes were issued, was not judged"
            + (f" but by the {size:,} samples that the point declares." if size else ".")
        )
        yield DocumentFault("/dataset", message, f"Known are {listed(sorted(tables.datasets), 12)}.", level)
    if subset is not None and samples is not None and 0 < subset.size < samples:
        level = Level(tables.severity("min-query-count", "subset"))
        message = f"A pass is declared as {subset.size:,} samples; the data set has {samples:,}."
        if subset.size != size:
            message += f" A subset counts at concurrency 1 to {tables.limits.ultra_low_maximum} only, so not here."
        yield DocumentFault(subset.pointer, message, "Tell the reviewers who approved the subset, and when.", level)


@rule("samples-issued", "wholePassesIssued", section="6.4")
def whole_passes_issued(
    curve: Curve, configs: Each[PointConfig], summaries: Each[ResultSummary], tables: EditionTables
) -> Outcome:
    """The number of samples issued is a whole multiple of the data set's size.

    Why: A broken pass weighs some samples more than others.
    Mend: Repeat the run with a whole number of passes.
    Contested: No public checker looks at it, the requirements page demands it. 0 means that the client did not count,
    which is a notice.
    """
    uncounted: list[tuple[ResultSummary, DocumentFault]] = []
    of_folder = {summary.folder: summary for summary in summaries}
    for config in configs:
        summary = of_folder.get(config.folder)
        size = pass_of(config, tables).size
        issued = whole(summary.get("/n_samples_issued")) if summary else None
        if summary is None or size is None or (issued is not None and issued < 0):
            continue
        if not issued:
            uncounted += [(summary, fault) for fault in _uncounted(summary, tables)]
        elif issued % size:
            times = "time" if issued // size == 1 else "times"
            message = (
                f"{figure(issued)} samples issued: {figure(issued // size)} {times} the data set of {size:,} and "
                f"{issued % size:,} more."
            )
            yield summary.finding("/n_samples_issued", message, "Repeat the run with whole passes.")
    yield from told_once(uncounted)


def _uncounted(summary: ResultSummary, tables: EditionTables) -> Iterator[DocumentFault]:
    if isinstance(summary.data, dict) and summary.get("/n_samples_issued") in (None, 0):
        message = "The samples that were issued are not counted: whether they are whole passes was not judged."
        level = Level(tables.severity("samples-issued", "not-counted"))
        yield DocumentFault("/n_samples_issued", message, "State `n_samples_issued` where the client has it.", level)


@rule("result-complete", "resultComplete", section="result_summary.json of the reference client")
def result_complete(curve: Curve, summaries: Each[ResultSummary], tables: EditionTables) -> Outcome:
    """A result comes from a run that ended by itself: `complete` is not false, and the state is none of an
    interrupted run.

    Why: Figures of a run that broke off are not those of the benchmark.
    Mend: Repeat the run.
    Contested: The client's documents call such results unusable, the public checker does not read the fields.
    """
    for summary in summaries:
        yield from _incomplete(summary, tables)


def _incomplete(summary: ResultSummary, tables: EditionTables) -> Iterator[Finding]:
    complete, state = summary.get("/complete"), summary.get("/state")
    if complete is not None and complete is not True:
        message = f"`complete` is {described(complete)}: the run did not end by itself."
        yield summary.finding("/complete", message, "Repeat the run.")
    elif isinstance(state, str) and state.strip().upper() in tables.vocabulary["interrupted_states"]:
        yield summary.finding("/state", f"The run's state is {described(state)}.", "Repeat the run.")
    dropped = whole(summary.get("/n_samples_dropped"))
    if dropped:
        message = f"The client dropped {dropped:,} samples; they are in no other figure."
        level = Level(tables.severity("result-complete", "dropped"))
        yield summary.finding("/n_samples_dropped", message, "Repeat the run, or tell the reviewers why.", level)
