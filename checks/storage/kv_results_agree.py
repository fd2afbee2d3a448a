"""Rules 6.3.3.3 and 6.3.4: the results of a KV-cache run's clients are their own, and the summary counts them all."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from checks.documents import number_in, shortened
from checks.edition import Edition
from checks.findings import Level
from checks.json_text import escaped
from checks.rules import Outcome, Present
from checks.storage.book import rule
from checks.storage.inputs import Summary
from checks.storage.kv_aggregates import BANDWIDTHS, DEVICE_P95, THROUGHPUT
from checks.storage.kv_clients import Layout
from checks.storage.kv_inputs import RankResult, clients_of, trials_of
from checks.storage.kv_results import partial_option
from checks.storage.leaves import KVCacheRun
from checks.storage.runs import each_run
from checks.units import counted, listed

_MEASURED = (THROUGHPUT, *BANDWIDTHS, *DEVICE_P95)


@rule("6.3.3.3", "kvcachePerClientIsolation")
def kvcache_own_results(run: KVCacheRun, results: Present[RankResult]) -> Outcome:
    """No two clients or trials report the same throughput, bandwidths and latencies to the last digit.

    Why: Two clients that share an output leave one measurement under two names, and the aggregate counts it twice.

    Mend: Replace the copies by the files that the tool wrote; where there are none, run again.
    """
    alike: dict[tuple[float, ...], list[RankResult]] = {}
    for result in results:
        if (figures := _figures(result)) is not None:
            alike.setdefault(figures, []).append(result)
    copies = [same for same in alike.values() if len(same) > 1]
    if copies:
        first = copies[0]
        shown = listed([result.cell.path for result in first], 3)
        more = f" So do {counted(len(copies) - 1, 'other group')} of results." * (len(copies) > 1)
        message = f"{counted(len(first), 'rank result')} give the same figures to the last digit: {shown}.{more}"
        hint = "Replace the copies by the files that the tool wrote; where there are none, run again."
        yield first[1].finding("/summary", message, hint)


def _figures(result: RankResult) -> tuple[float, ...] | None:
    """What a client measured; None where it measured nothing, or a figure is no number (6.3.4.1 to 6.3.4.3 tell)."""
    if result.fault is not None:
        return None
    values = [result.get(figure.pointer) for figure in _MEASURED]
    numbers = [number_in(value) if isinstance(value, str) else value for value in values]
    if not all(isinstance(number, int | float) and number > 0 for number in numbers[:-2]):
        return None
    return tuple(number for number in numbers if isinstance(number, int | float))


@rule("6.3.4", "kvcacheResultAggregation")
def kvcache_counted_results(run: KVCacheRun, summary: Summary, edition: Edition) -> Outcome:
    """Every Option of the summary counts all clients and all trials of the run.

    Why: An aggregate over fewer clients is of another load than the one that is stated.

    Mend: Restore the summary as the tool wrote it; where a client failed, run again.
    """
    level = Level(edition["kv_cache"]["partial_failure"]["closed" if run.closed else "open"])
    trials = edition["kv_cache"]["locks"]["trials"] if run.closed else None
    yield from each_run([summary], partial(_miscounted, level, trials))


def _miscounted(level: Level, trials: int | None, summary: Summary) -> Outcome:
    wanted: dict[str, tuple[int, str]] = {}
    if Layout.of(summary).sound:  # else 6.3.3.1 tells
        wanted["rank_count"] = (clients_of(summary), "client")
    if trials in (None, trials_of(summary)):  # else 6.3.2.1 tells
        wanted["trial_count"] = (trials_of(summary), "trial")
    for name, option in summary.mapping("/options").items():
        if not isinstance(option, dict) or partial_option(option):
            continue  # 6.3.4.5 and the rule on failures tell of it
        yield from _of_option(summary, name, option, wanted, level)


def _of_option(
    summary: Summary, name: str, option: Mapping[str, Any], wanted: Mapping[str, tuple[int, str]], level: Level
) -> Outcome:
    for key, (number, what) in wanted.items():
        pointer = f"/options/{escaped(name)}/{key}"
        given = summary.integer(pointer, None, text_ok=True) if key in option else None
        if given is not None and given != number:
            message = f"Option {shortened(name)} counts {counted(given, what)}; the run is of {number:,}."
            hint = "Restore the summary as the tool wrote it; where a client failed, run again."
            yield summary.finding(pointer, message, hint, level)
