"""Rules 6.3.4, 6.3.4.4 and 6.3.4.5: the summary of a KV-cache run is there, whole, and a result at all."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from typing import Any

from checks import names
from checks.documents import shortened
from checks.edition import Edition
from checks.findings import Fact, Level
from checks.json_text import escaped
from checks.rules import Each, Outcome
from checks.storage.book import rule
from checks.storage.inputs import Summary
from checks.storage.kv_aggregates import complete
from checks.storage.kv_inputs import STATS, RankResult, clients_of, options_of, trials_of
from checks.storage.leaves import KVCacheRun
from checks.storage.runs import each_run
from checks.storage.workloads import KVCacheWorkload
from checks.units import counted, listed, near_miss

SUMMARY = "summary.json"

_STAMPED = re.compile(r"kvcache_run_summary_\d{8}_\d{6}\.json\Z")


@rule("6.3.4", "kvcacheResultAggregation")
def kvcache_summary_present(run: KVCacheRun, edition: Edition) -> Outcome:
    """The results of all clients are aggregated in one summary of the run.

    Why: The summary is what is published; a run without it has no result.

    Mend: Restore the file as the tool wrote it, or rename it.

    Contested: The document calls it `kvcache_run_summary.json`, published runs `summary.json`, an older tool wrote
    `kvcache_run_summary_<time>.json`. The first two are taken as they are; the third is read and should be renamed.
    """
    given = [name for name in edition["kv_cache"]["summary_names"] if name in run.files]
    if len(given) > 1:
        message = f"{listed(given)} are both there; {listed(given[:1])} was read."
        yield run.finding(message, "Leave in the one that the tool wrote.", given[1], Level.WARNING)
    if given:
        return
    stamped = [name for name in run.files if _STAMPED.match(name)]
    if stamped:
        message = f"The summary is called {listed(stamped[-1:])}, as an older tool named it; it was read."
        hint = f"Rename it to `{SUMMARY}`: publishing looks for that name only."
        yield run.finding(message, hint, stamped[-1], Level.WARNING)
        return
    message, hint = f"`{SUMMARY}` is missing: the run has no result.", "Add the file as the benchmark tool wrote it."
    if (near := near_miss(SUMMARY, run.files)) is not None:
        hint = f"{listed([near])} is there: rename it to `{SUMMARY}`."
    elif all(names.is_dot(name) for name in run.entries):
        hint = "The folder holds no run. Remove it, or add the files that the benchmark tool wrote."
    yield run.finding(message, hint)


@rule("6.3.4", "kvcacheResultAggregation")
def kvcache_failures(run: KVCacheRun, summary: Summary, edition: Edition) -> Outcome:
    """The summary is of a run in which no client and no trial failed.

    Why: Without the failed clients the aggregates are of another load than the one that is stated.

    Mend: Run again.

    Contested: The document doesn't say what becomes of a partial run. It is an error in CLOSED and a warning in OPEN,
    where one such run was published.
    """
    options = summary.mapping("/options")
    faults = {f"/options/{escaped(key)}": _lost(key, value) for key, value in options.items() if partial_option(value)}
    if failed := summary.get("/trial_failures"):
        of = f" of Option {listed(failed)}" if isinstance(failed, dict) else ""
        faults["/trial_failures"] = f"failed trials{of} are recorded"
    if summary.boolean("/partial_failure", False, text_ok=True):
        faults = {"/partial_failure": "`partial_failure` is true", **faults}
    if faults:
        level = Level(edition["kv_cache"]["partial_failure"]["closed" if run.closed else "open"])
        message = f"The run failed in part: {'; '.join(faults.values())}."
        yield summary.finding(next(iter(faults)), message, "Run again.", level)


def partial_option(option: Any) -> bool:
    """Whether an Option's record says that clients failed, or lists results that it lacks."""
    if not isinstance(option, dict):
        return False
    return str(option.get("partial_failure")).casefold() == "true" or bool(option.get("missing_files"))


def _lost(option: str, record: dict[str, Any]) -> str:
    files = record.get("missing_files")
    lost = counted(len(files), "rank result") if isinstance(files, list) and files else "some rank results"
    return f"Option {shortened(option)} lacks {lost}"


@rule("6.3.4", "kvcacheResultAggregation", level=Level.WARNING)
def kvcache_one_run(workload: KVCacheWorkload) -> Outcome:
    """A workload holds one measured run.

    Why: One result is published for a workload, the latest without errors; another run would vanish unseen. The
    document doesn't say it in so many words, hence a warning.

    Mend: Leave in the run that is to be published.
    """
    runs = [run.name for run in workload.runs]
    if len(runs) > 1:
        yield workload.finding(
            f"{len(runs):,} runs ({listed(runs)}); one is published, the latest without errors.",
            "Leave in the run that is to be published.",
            names.parent(workload.runs[-1].path).removeprefix(workload.path).lstrip("/"),
        )


@rule("6.3.4.4", "kvcacheLatencyValidity")
def kvcache_latency_validity(run: KVCacheRun, summary: Summary, results: Each[RankResult], edition: Edition) -> Outcome:
    """In no Option all clients served their working set from memory; those that did are listed in `cpu_tier_ranks`.

    Why: Where storage was never read, its latency says nothing.

    Mend: Run again with memory tiers small enough that storage is used; CLOSED Options 1 and 3 have none.

    Contested: The document says "must fail (or flag OPEN-only)": an error in CLOSED, a warning in OPEN.
    """
    level = Level.ERROR if run.closed else Level.WARNING
    for option in options_of(run, summary, edition):
        yield from each_run([summary], partial(_served, complete(summary, results, option), option, level))


def _served(own: Sequence[RankResult], option: int, level: Level, summary: Summary) -> Outcome:
    """Whether some client read storage: by the results, or where they are not all here, by the summary's own list."""
    pointer = f"/options/{option}/cpu_tier_ranks"
    recorded = summary.array(pointer, None)
    idle = [result for result in own if result.number(f"{STATS}/storage_entries", text_ok=True) == 0]
    results = clients_of(summary) * trials_of(summary)
    if len(idle if own else recorded or ()) >= results > 0:
        message = f"Every client of Option {option} served its working set from memory: storage was never read."
        yield summary.finding(pointer, message, "Run again with smaller memory tiers.", level)
    elif own and len(idle) != len(recorded or ()):
        message = (
            f"`cpu_tier_ranks` of Option {option} lists {counted(len(recorded or ()), 'rank result')}; "
            f"{len(idle):,} of {len(own):,} have no storage entries."
        )
        hint = "Restore summary.json and the rank results of one and the same run."
        yield summary.finding(pointer, message, hint, Level.WARNING)


@rule("6.3.4.5", "kvcacheHeadlineResult")
def kvcache_headline_result(run: KVCacheRun, summary: Summary, edition: Edition) -> Outcome:
    """The headline result is given for every Option, with the number of clients (`total_ranks`) that it was reached
    with.

    Why: A bandwidth without the number of clients can't be compared.

    Mend: Restore the summary as the tool wrote it; run again where an Option was not run.
    """
    clients = summary.integer("/total_ranks", text_ok=True)
    yield Fact("", "kv_total_ranks", clients, "clients", summary.path)
    summary.mapping("/options")
    wanted = options_of(run, summary, edition)
    absent = [option for option in wanted if not isinstance(summary.get(f"/options/{option}"), dict)]
    if absent or not wanted:
        numbers = ", ".join(map(str, absent))
        lacking = f"Option{'s' * (len(absent) > 1)} {numbers}" if absent else "any Option"
        message = f"The summary has no result of {lacking}."
        yield summary.finding("/options", message, "Run again: one call runs all Options.")
    nothing = [option for option in wanted if option not in absent and _unmeasured(summary, option, edition)]
    if nothing:
        message = f"Option{'s' * (len(nothing) > 1)} {', '.join(map(str, nothing))}: none of the headline figures "
        pointer = f"/options/{nothing[0]}"
        yield summary.finding(pointer, message + "was measured, all are null or 0.", "Run again.")


def _unmeasured(summary: Summary, option: int, edition: Edition) -> bool:
    figures = (summary.get(f"/options/{option}/{name}") for name in edition["kv_cache"]["headline"])
    return not any(figures)
