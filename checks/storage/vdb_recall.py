"""Rules 5.3.2 and 5.3.5: the recall of the query runs and the ground truth that it is measured against."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from checks.documents import Document, described
from checks.edition import Edition
from checks.findings import Fact, Level
from checks.rules import Outcome, Present
from checks.storage.book import rule
from checks.storage.inputs import Summary
from checks.storage.runs import beside, each_run
from checks.storage.terms import RUN
from checks.storage.vdb_inputs import (
    RECALL_KEYS,
    RecallStats,
    RunConfig,
    Statistics,
    Verdict,
    figure,
    figures,
    word,
)
from checks.storage.workloads import VectorDatabaseWorkload
from checks.units import counted, listed

_RUN_AGAIN = "Run again with a larger search list or a better index; a measurement can't be mended by hand."
_BUILD_AGAIN = "Build the ground truth again, over the whole collection, and repeat the run."


@rule("5.3.2", "vdbRecallReported")
def vdb_recall_reported(
    workload: VectorDatabaseWorkload,
    *,
    summaries: Present[Summary],
    statistics: Present[Statistics],
    recalls: Present[RecallStats],
    configs: Present[RunConfig],
    edition: Edition,
) -> Outcome:
    """Each run reports a recall, in summary.json or recall_stats.json, that meets the minimum of its scale and metric.

    Why: Without recall a fast wrong answer counts as a good one.

    Mend: Search with a larger search list, or build a better index, and run again.

    Contested: No table of minimum recalls has been published. Until an edition holds one, any recall above 0 passes.
    """
    del workload
    judge = partial(_recall, recalls, configs, edition["vector_database"])
    yield from each_run(figures(summaries, statistics), judge)


def _recall(
    recalls: Present[RecallStats], configs: Present[RunConfig], limits: Mapping[str, Any], run: Document
) -> Outcome:
    if (found := _reported(run, beside(run, recalls))) is None:
        said = f"is {described(run.get('/recall'))}" if run.has("/recall") else "is missing"
        message = f"`recall` {said}, and recall_stats.json gives none; each run must report its recall as a number."
        yield run.finding("/recall", message, "Restore the file as the tool wrote it, or run again.")
        return
    place, pointer, value = found
    yield Fact("", "vdb_recall", value, "", place.path)
    if not 0 <= value <= 1:
        message = f"The recall is {value}; it is a share, from 0 to 1."
        yield place.finding(pointer, message, "Give the recall as the tool wrote it.")
    else:
        yield from _sufficient(place, pointer, value, _minimum(limits, run, beside(run, configs)))
    if isinstance(place.get(pointer), str):
        message = f"The recall is written as text ({described(place.get(pointer))}); it was read as a number."
        yield place.finding(pointer, message, "Give it as a number, as the tool writes it.", Level.NOTICE)


def _reported(run: Document, stats: RecallStats | None) -> tuple[Document, str, float] | None:
    """The recall of a run with its place: the summary's, else that of recall_stats.json."""
    for place, base in ((run, "/recall"), (stats, "")):
        pointers = [base] * bool(base) + [f"{base}/{key}" for key in RECALL_KEYS]
        if place is not None and (found := figure(place, *pointers)) is not None:
            return place, *found
    return None


def _sufficient(place: Document, pointer: str, value: float, minimum: float | None) -> Outcome:
    if minimum is None and value == 0:
        yield place.finding(pointer, "The recall is 0: no query found any of its nearest neighbours.", _RUN_AGAIN)
    elif minimum is not None and value < minimum:
        yield place.finding(pointer, f"The recall is {value}, at least {minimum} is required.", _RUN_AGAIN)


def _minimum(limits: Mapping[str, Any], run: Document, config: RunConfig | None) -> float | None:
    """The minimum recall of the first row of the table that fits the run's scale and metric; None: above 0."""
    metric = word("/metric_type", run, config)
    here = {
        "vectors": found[1] if (found := figure(run, "/num_vectors")) else None,
        "dimension": found[1] if (found := figure(run, "/dimension")) else None,
        "metric": metric[1] if metric else None,
    }
    for row in limits["recall_targets"]:
        if all(here[key] == value for key, value in row.items() if key in here):
            return float(row["minimum"])
    return None


@rule("5.3.5", "vdbGroundTruthIntegrity")
def vdb_verdict_present(workload: VectorDatabaseWorkload, edition: Edition) -> Outcome:
    """Each run carries result_verdict.json, which records how its ground truth was built.

    Why: Without it nothing shows that recall was measured against all vectors.

    Mend: Add the file that the tool wrote; run again with a tool that writes it.

    Contested: The document does not name the file; tools before its introduction wrote none. Its absence was a warning
    in the v3.0 round and is an error of the document's own edition, which fails any run without a sound ground truth.
    """
    lacking = [run.name for run in workload.runs if "result_verdict.json" not in run.files]
    if lacking:
        yield workload.finding(
            f"{counted(len(lacking), 'run')} without result_verdict.json: {listed(lacking)}; "
            "nothing shows that recall was measured against every vector.",
            "Add the files that the tool wrote, or run again with a tool that writes them.",
            f"{RUN}/{lacking[0]}",
            Level(edition["vector_database"]["absent_verdict"]),
        )


@rule("5.3.5", "vdbGroundTruthIntegrity")
def vdb_ground_truth_integrity(
    workload: VectorDatabaseWorkload, verdicts: Present[Verdict], summaries: Present[Summary], edition: Edition
) -> Outcome:
    """The ground truth of each run was built without failure and covers every vector of the queried dataset.

    Why: Recall against a part of the vectors says nothing about the rest.

    Mend: Build the ground truth again, over the whole collection, and repeat the run.

    Contested: A verdict that says nothing of how the ground truth was built counts as an absent one does.
    """
    del workload
    untold = Level(edition["vector_database"]["absent_verdict"])
    yield from each_run(verdicts, partial(_truth, summaries, untold))


def _truth(summaries: Present[Summary], untold: Level, verdict: Verdict) -> Outcome:
    if not isinstance(verdict.get("/flat_setup"), dict):
        message = "`flat_setup` is no object; nothing shows how the ground truth was built."
        yield verdict.finding("/flat_setup", message, _BUILD_AGAIN, untold)
    elif verdict.get("/flat_setup/ok") is not True:
        ok, reason = described(verdict.get("/flat_setup/ok")), described(verdict.get("/flat_setup/reason"))
        message = f"The ground truth was not built: `flat_setup.ok` is {ok} (`reason` is {reason})."
        yield verdict.finding("/flat_setup/ok", message, _BUILD_AGAIN)
    else:
        yield from _coverage(verdict, beside(verdict, summaries))
    if (asked := figure(verdict, "/num_queries_evaluated")) is not None and asked[1] <= 0:
        message = f"Recall was measured on {asked[1]:,} queries; nothing was measured."
        yield verdict.finding(asked[0], message, _BUILD_AGAIN)
    if (pointer := _refused(verdict)) is not None:
        message = "The benchmark tool itself judged the run not valid."
        hint = "Look up its reason in the run's log; repeat the run if the reason holds."
        yield verdict.finding(pointer, message, hint, Level.WARNING)


def _refused(verdict: Verdict) -> str | None:
    """Where the tool says that the run is not valid."""
    said = {pointer: str(verdict.get(pointer)).casefold() for pointer in ("/valid", "/result")}
    return next((pointer for pointer, judged in said.items() if judged in ("false", "invalid")), None)


def _coverage(verdict: Verdict, summary: Summary | None) -> Outcome:
    pointer = "/flat_setup/coverage"
    coverage = verdict.number(pointer, text_ok=True)
    total, copied = figure(verdict, "/flat_setup/total_vectors"), figure(verdict, "/flat_setup/copied_vectors")
    queried = figure(summary, "/num_vectors") if summary else None
    message = ""
    if coverage < 1:
        message = f"The ground truth covers {coverage:.6%} of the vectors; all are required."
    elif coverage > 1:
        message = f"`flat_setup.coverage` is {coverage}; it is a share, at most 1."
    elif total and copied and copied[1] < total[1]:
        pointer, message = copied[0], f"The ground truth holds {copied[1]:,} of {total[1]:,} vectors; all are required."
    elif total and queried and total[1] < queried[1]:
        pointer = total[0]
        message = f"The ground truth is of {total[1]:,} vectors; the queried dataset has {queried[1]:,}."
    if message:
        yield verdict.finding(pointer, message, _BUILD_AGAIN)
