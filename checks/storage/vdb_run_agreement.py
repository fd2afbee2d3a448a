"""Rules 5.3.1, 5.3.3 and 5.3.4: what a vector-database run published agrees with the other records of the same run.

The document names the records and not that they agree, hence warnings; only a run that is another one once more is an
error, since 5.3.1 counts runs.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from checks.documents import Document
from checks.edition import Edition
from checks.findings import Level
from checks.rules import Outcome, Present
from checks.storage.book import rule
from checks.storage.inputs import Summary
from checks.storage.runs import beside, each_run
from checks.storage.terms import RUN
from checks.storage.vdb_inputs import RECALL_KEYS, Statistics, figure, figures
from checks.storage.workloads import VectorDatabaseWorkload
from checks.units import counted, listed

_COUNTS = ("/query_count", "/total_queries")
_RECALLS = ("/recall", *(f"/recall/{key}" for key in RECALL_KEYS))


@rule("5.3.1", "vdbRunCount")
def vdb_distinct_runs(
    workload: VectorDatabaseWorkload, summaries: Present[Summary], statistics: Present[Statistics], edition: Edition
) -> Outcome:
    """The five runs are five measurements: no two report the same throughput, time and latencies to the last digit.

    Why: A run that is copied into a second folder is counted twice and measured once.

    Mend: Replace the copy by a run of its own.
    """
    wanted = (*edition["vector_database"]["metrics"], "total_time_seconds")
    alike: dict[tuple[float, ...], list[str]] = {}
    for run in figures(summaries, statistics):
        values = [found[1] for name in wanted if (found := figure(run, f"/{name}")) is not None]
        if len(values) == len(wanted):
            alike.setdefault(tuple(values), []).append(run.leaf)
    for same in alike.values():
        if len(same) > 1:
            message = f"{counted(len(same), 'run')} report the same figures to the last digit: {listed(same)}."
            yield workload.finding(message, "Put a run of its own in place of each copy.", f"{RUN}/{same[1]}")


@rule("5.3.3", "vdbQueryCountMinimum", level=Level.WARNING)
def vdb_count_follows(
    workload: VectorDatabaseWorkload, summaries: Present[Summary], statistics: Present[Statistics], edition: Edition
) -> Outcome:
    """The recorded number of queries is what throughput and time give.

    Why: Of three figures that follow from each other, a difference means that one was changed or belongs to another
    run.

    Mend: Restore the file as the benchmark tool wrote it.
    """
    del workload
    tolerance = edition["vector_database"]["rate_tolerance"]
    yield from each_run(figures(summaries, statistics), partial(_follows, tolerance))


def _follows(tolerance: float, run: Document) -> Outcome:
    rate, seconds = figure(run, "/throughput_qps"), figure(run, "/total_time_seconds")
    count = figure(run, *_COUNTS)
    if not rate or not seconds or not count or min(rate[1], seconds[1], count[1]) <= 0:
        return  # 5.3.3 and 5.3.4 tell of what is missing
    issued = float(rate[1]) * float(seconds[1])
    if not math.isclose(issued, float(count[1]), rel_tol=tolerance):
        given = f"{rate[1]:,.6g} a second for {seconds[1]:,.6g} s are {issued:,.6g}"
        message = f"{count[1]:,} queries are recorded; {given}."
        yield run.finding(count[0], message, "Restore the file as the benchmark tool wrote it.")


@rule("5.3.4", "vdbMetricsReported", level=Level.WARNING)
def vdb_as_measured(
    workload: VectorDatabaseWorkload, summaries: Present[Summary], statistics: Present[Statistics], edition: Edition
) -> Outcome:
    """The figures of summary.json, recall included, are those of the benchmark's own statistics.json, where that is
    there too.

    Why: summary.json is made from statistics.json; a difference means that it was edited, or is of another run.

    Mend: Restore both files of one and the same run as the tool wrote them; never edit a figure.
    """
    del workload
    yield from each_run(summaries, partial(_as_measured, statistics, edition["vector_database"]))


def _as_measured(statistics: Present[Statistics], limits: Mapping[str, Any], summary: Summary) -> Outcome:
    if (native := beside(summary, statistics)) is None:
        return
    # 5.3.2 to 5.3.4 tell of what is missing or 0
    pairs: Sequence[tuple[str, ...]] = [*((f"/{name}",) for name in limits["metrics"]), _COUNTS, _RECALLS]
    apart: list[tuple[str, str]] = []
    for pointers in pairs:
        told, measured = figure(summary, *pointers), figure(native, *pointers)
        if not told or not measured or told[1] <= 0:
            continue
        if not math.isclose(told[1], measured[1], rel_tol=limits["relative_tolerance"]):
            name = told[0].split("/")[1]
            apart.append((told[0], f"`{name}` is {told[1]:.9g}, measured was {measured[1]:.9g}"))
    if apart:
        message = f"The summary differs from the run's own statistics.json: {'; '.join(said for _, said in apart)}."
        hint = "Restore both files of one and the same run as the tool wrote them; never edit a figure."
        yield summary.finding(apart[0][0], message, hint)
