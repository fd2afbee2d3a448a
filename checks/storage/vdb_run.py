"""Rules 5.3.1, 5.3.3 and 5.3.4: the query runs of a vector-database workload, their number and their figures."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

from checks.documents import Document, described, number_in
from checks.edition import Edition
from checks.findings import Fact, Level
from checks.rules import Outcome, Present
from checks.storage.book import rule
from checks.storage.inputs import Summary
from checks.storage.leaves import Leaf
from checks.storage.runs import each_run
from checks.storage.terms import RUN
from checks.storage.vdb_inputs import Statistics, figure, figures, native_figures
from checks.storage.workloads import VectorDatabaseWorkload
from checks.units import counted, listed, near_miss


@rule("5.3.1", "vdbRunCount")
def vdb_run_count(workload: VectorDatabaseWorkload, edition: Edition) -> Outcome:
    """There are exactly five runs: five timestamp folders in `run`. The count is for runs only, not for the load.

    Why: The published figure is made of all five; fewer or chosen ones can't be compared.

    Mend: Add the missing runs, or leave in exactly the five of one session.
    """
    wanted = edition["vector_database"]["runs"]
    stamped = [run.name for run in workload.runs if run.timestamp]
    others = [run.name for run in workload.runs if not run.timestamp]
    if len(stamped) != wanted:
        names = f" Found {listed(stamped)}." if stamped else ""
        yield workload.finding(
            f"{counted(len(stamped), 'run folder')}, {wanted} required.{names}",
            "Add the missing runs." if len(stamped) < wanted else f"Leave in the {wanted} runs of one session.",
            RUN,
        )
    if others:
        yield workload.finding(
            f"{listed(others)} in `run` {'is' if len(others) == 1 else 'are'} not named by a time (YYYYMMDD_HHmmss).",
            "Give each run folder the name that the benchmark tool gave it; move anything else out of `run`.",
            f"{RUN}/{others[0]}",
        )


@rule("5.3.1", "vdbRunCount")
def vdb_run_summaries(workload: VectorDatabaseWorkload, edition: Edition) -> Outcome:
    """Each run holds a summary.json.

    Why: It is what the other rules, and the published table, are read from.

    Mend: Restore the file as the tool wrote it, or write it with the tool from `statistics.json`.

    Contested: The single-node launcher of the v3.0 tool writes `statistics.json` only. The document still demands
    summary.json; in the v3.0 round its absence was a warning where it can be recovered from `statistics.json`.
    """
    lacking = [run for run in workload.runs if "summary.json" not in run.files]
    native = [run for run in lacking if native_figures(run)]
    if native:
        yield workload.finding(
            f"{counted(len(native), 'run')} without summary.json: {listed(run.name for run in native)}.",
            "It can be recovered: statistics.json of the same run holds the figures. Write it with the benchmark tool.",
            f"{RUN}/{native[0].name}",
            Level(edition["vector_database"]["recoverable_summary"]),
        )
    gone = [run for run in lacking if run not in native]
    if gone:
        message = f"{counted(len(gone), 'run')} without summary.json: {listed(run.name for run in gone)}."
        yield workload.finding(message, _near_summary(gone), f"{RUN}/{gone[0].name}")


def _near_summary(runs: Iterable[Leaf]) -> str:
    for run in runs:
        if (near := near_miss("summary.json", run.files)) is not None:
            return f"{listed([near])} is there: rename it to `summary.json`."
    return "Add the file as the benchmark tool wrote it."


@rule("5.3.3", "vdbQueryCountMinimum")
def vdb_query_count_minimum(
    workload: VectorDatabaseWorkload, summaries: Present[Summary], statistics: Present[Statistics], edition: Edition
) -> Outcome:
    """Each run issues at least the minimum number of queries, recorded as `query_count` or told by
    `throughput_qps` times `total_time_seconds`.

    Why: A few queries measure a warm cache, not a storage system.

    Mend: Run longer (timed mode) or with more queries.

    Contested: No minimum has been published; until an edition gives one, a run must have issued a query at all.
    """
    del workload
    minimum = edition["vector_database"]["minimum_queries"]
    yield from each_run(figures(summaries, statistics), partial(_queries, minimum))


def _queries(minimum: int, run: Document) -> Outcome:
    if (issued := _issued(run)) is None:
        message = "Neither `query_count` nor `throughput_qps` with `total_time_seconds` is given as a number."
        yield run.finding("/query_count", message, "Restore the file as the benchmark tool wrote it.")
        return
    pointer, queries = issued
    yield Fact("", "vdb_queries_issued", queries, "queries", run.path)
    if queries < minimum:
        message = f"The run issued {counted(queries, 'query', 'queries')}, at least {minimum:,} required."
        yield run.finding(pointer, message, "Run longer, or with more queries.")


def _issued(run: Document) -> tuple[str, int] | None:
    if (given := figure(run, "/query_count", "/total_queries")) is not None:
        return given[0], round(given[1])
    rate, seconds = figure(run, "/throughput_qps"), figure(run, "/total_time_seconds")
    queries = float(rate[1]) * float(seconds[1]) if rate and seconds else math.inf
    return ("/throughput_qps", round(queries)) if math.isfinite(queries) else None


@rule("5.3.4", "vdbMetricsReported")
def vdb_metrics_reported(
    workload: VectorDatabaseWorkload, summaries: Present[Summary], statistics: Present[Statistics], edition: Edition
) -> Outcome:
    """Each run reports its throughput and its mean, 95th, 99th and 99.9th percentile latency, each above 0.

    Why: These are the figures that are published and compared.

    Mend: Restore summary.json as the tool wrote it; run again where the tool wrote none of them.
    """
    del workload
    wanted = edition["vector_database"]["metrics"]
    yield from each_run(figures(summaries, statistics), partial(_metrics, wanted))


def _metrics(wanted: Sequence[str], run: Document) -> Outcome:
    lacking = [name for name in wanted if not _populated(run.get(f"/{name}"))]
    if lacking:
        said = ", ".join(f"`{name}` is {_said(run, f'/{name}')}" for name in lacking)
        message = f"{said}; a number above 0 is required."
        yield run.finding(f"/{lacking[0]}", message, "Restore the file as the benchmark tool wrote it, or run again.")


def _said(run: Document, pointer: str) -> str:
    return described(run.get(pointer)) if run.has(pointer) else "missing"


def _populated(value: Any) -> bool:
    number = number_in(value) if isinstance(value, str) else value
    return isinstance(number, int | float) and not isinstance(number, bool) and number > 0
