"""Rules 6.3.4.1 to 6.3.4.3: the aggregates of a KV-cache run, computed again from every client's results."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import fmean

from checks.edition import Edition
from checks.findings import Fact, Level
from checks.rules import Each, Outcome
from checks.storage.book import rule
from checks.storage.inputs import Summary
from checks.storage.kv_inputs import STATS, RankResult, clients_of, options_of, trials_of
from checks.storage.leaves import KVCacheRun
from checks.storage.runs import each_run
from checks.units import listed

_AS_WRITTEN = "Restore summary.json and the rank results of one and the same run, as the tool wrote them."


def mean_of_sums(results: Sequence[RankResult], pointer: str) -> float:
    """The sum over the clients of each trial, averaged over the trials (6.3.4.1). Raises Unusable."""
    trials: dict[int, list[float]] = {}
    for result in results:
        trials.setdefault(result.cell.trial, []).append(_measured(result, pointer))
    return fmean(math.fsum(values) for values in trials.values())


def greatest(results: Sequence[RankResult], pointer: str) -> float:
    """The maximum over all clients and trials (6.3.4.3). A client that never touched storage has none, and counts 0.

    Raises Unusable for a client that did touch storage and lacks the figure.
    """
    return max(_latency(result, pointer) for result in results)


def _latency(result: RankResult, pointer: str) -> float:
    if not result.has(pointer) and result.number(f"{STATS}/storage_entries", text_ok=True) == 0:
        return 0.0
    return _measured(result, pointer)


def _measured(result: RankResult, pointer: str) -> float:
    """A figure of a client. Raises Unusable, also for one below 0, which a maximum would hide."""
    if (number := result.number(pointer, text_ok=True)) < 0:
        raise result.unusable(pointer, "a number of at least 0")
    return float(number)


@dataclass(frozen=True)
class Figure:
    """An aggregate of an Option: its name in the summary, each client's figure, how they are put together, its unit."""

    name: str
    pointer: str
    aggregate: Callable[[Sequence[RankResult], str], float]
    unit: str

    def of(self, results: Sequence[RankResult]) -> float:
        """The aggregate over ``results``. Raises Unusable, also where the figures are too great to be added up."""
        try:
            return self.aggregate(results, self.pointer)
        except OverflowError:
            raise results[0].unusable(self.pointer, "a number that a benchmark can measure") from None


BANDWIDTHS = tuple(
    Figure(f"aggregated_{way}_bandwidth_gbps", f"{STATS}/tier_storage_{way}_bandwidth_gbps", mean_of_sums, "GB/s")
    for way in ("read", "write")
)
THROUGHPUT = Figure(
    "aggregated_storage_throughput_tokens_per_sec",
    "/summary/storage_throughput_tokens_per_sec",
    mean_of_sums,
    "tokens/s",
)
DEVICE_P95 = tuple(
    Figure(f"aggregated_device_{way}_p95_ms", f"{STATS}/storage_{way}_device_p95_ms", greatest, "ms")
    for way in ("read", "write")
)


def complete(summary: Summary, results: Sequence[RankResult], option: int) -> list[RankResult]:
    """The results of an Option when every client of every trial has one, else none. Raises Unusable, NotJudged."""
    trials, ranks = trials_of(summary), clients_of(summary)
    own = [result for result in results if result.cell.option == option]
    own = [result for result in own if result.cell.trial < trials and result.cell.rank < ranks]
    return own if len(own) == trials * ranks else []


def _recomputed(
    results: Sequence[RankResult], option: int, figure: Figure, tolerance: float, summary: Summary
) -> Outcome:
    """A figure of an Option: its fact, and a finding when the summary says otherwise or nothing. Raises Unusable."""
    pointer = f"/options/{option}/{figure.name}"
    recorded = summary.number(pointer, None, text_ok=True)
    own = complete(summary, results, option)
    computed = figure.of(own) if own else None
    if computed is not None:
        yield Fact("", f"kv_option_{option}_{figure.name}", computed, figure.unit, summary.path)
    if recorded is None:
        given = f"; the rank results give {computed:.9g} {figure.unit}" if computed is not None else ""
        yield summary.finding(pointer, f"Option {option} has no `{figure.name}`{given}.", _AS_WRITTEN)
    elif computed is not None and not math.isclose(recorded, computed, rel_tol=tolerance, abs_tol=0.0):
        yield summary.finding(
            pointer,
            f"`{figure.name}` of Option {option} is {recorded:.9g} {figure.unit}; "
            f"{len(own):,} rank results give {computed:.9g} {figure.unit}.",
            _AS_WRITTEN,
        )


def _judged(
    summary: Summary, results: Sequence[RankResult], edition: Edition, options: list[int], figures: Sequence[Figure]
) -> Outcome:
    """Every figure of every Option that the summary holds; 6.3.4.5 tells of an Option that it lacks."""
    tolerance = edition["kv_cache"]["relative_tolerance"]
    for option in options:
        for figure in figures if isinstance(summary.get(f"/options/{option}"), dict) else ():
            yield from each_run([summary], partial(_recomputed, results, option, figure, tolerance))


@rule("6.3.4.1", "kvcacheAggregateBandwidth")
def kvcache_aggregate_bandwidth(
    run: KVCacheRun, summary: Summary, results: Each[RankResult], edition: Edition
) -> Outcome:
    """The aggregate read and write bandwidth of an Option are the sums of the clients' storage-tier bandwidths in a
    trial, averaged over the trials.

    Why: The read bandwidth is the headline result.

    Mend: Restore summary.json and the rank results of one run; never edit an aggregate.
    """
    yield from _judged(summary, results, edition, options_of(run, summary, edition), BANDWIDTHS)


@rule("6.3.4.2", "kvcacheAggregateThroughput")
def kvcache_aggregate_throughput(
    run: KVCacheRun, summary: Summary, results: Each[RankResult], edition: Edition
) -> Outcome:
    """The aggregate storage throughput of an Option is the sum of the clients' storage throughputs in a trial,
    averaged over the trials.

    Why: It is part of the headline result.

    Mend: Restore summary.json and the rank results of one run; never edit an aggregate.
    """
    yield from _judged(summary, results, edition, options_of(run, summary, edition), [THROUGHPUT])


@rule("6.3.4.3", "kvcacheAggregateDeviceLatency")
def kvcache_aggregate_device_latency(
    run: KVCacheRun, summary: Summary, results: Each[RankResult], edition: Edition
) -> Outcome:
    """The aggregate device read and write latencies of an Option are the greatest 95th percentiles of all clients and
    trials. The greatest of percentiles bounds the worst client; it is no percentile of all requests together.

    Why: They are part of the headline result.

    Mend: Restore summary.json and the rank results of one run; never edit an aggregate.

    Contested: The tool of the v3.0 round did not write the two figures (it wrote `aggregated_p95_latency_ms`, which is
    something else). Absent, they are a warning, and what the rank results give is reported instead.
    """
    options = options_of(run, summary, edition)
    there = [option for option in options if isinstance(summary.get(f"/options/{option}"), dict)]
    absent = [
        (option, figure)
        for option in there
        for figure in DEVICE_P95
        if summary.get(f"/options/{option}/{figure.name}") is None
    ]
    if absent:
        yield from each_run([summary], partial(_absent, results, absent))
    for figure in DEVICE_P95:
        given = [option for option in there if (option, figure) not in absent]
        yield from _judged(summary, results, edition, given, [figure])


def _absent(results: Sequence[RankResult], absent: Sequence[tuple[int, Figure]], summary: Summary) -> Outcome:
    """One finding for all absent figures, with what the rank results give, and the facts. Raises Unusable."""
    given: list[str] = []
    for option, figure in absent:
        if own := complete(summary, results, option):
            computed = figure.of(own)
            yield Fact("", f"kv_option_{option}_{figure.name}", computed, figure.unit, summary.path)
            given.append(f"`{figure.name}` {computed:.6g} {figure.unit} (Option {option})")
    lacking = list(dict.fromkeys(figure.name for _, figure in absent))
    options = list(dict.fromkeys(str(option) for option, _ in absent))
    yield summary.finding(
        f"/options/{options[0]}",
        f"{listed(lacking)} {'is' if len(lacking) == 1 else 'are'} not given for "
        f"Option{'s' * (len(options) > 1)} {', '.join(options)}."
        + (f" The rank results give {', '.join(given)}." if given else ""),
        "Nothing to do if the tool of the run doesn't write it: the reviewers take it from here.",
        Level.WARNING,
    )
