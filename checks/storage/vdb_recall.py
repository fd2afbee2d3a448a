"""Rules 5.3.2 and 5.3.5: the recall of the query runs and the ground truth that it is measured against."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from checks.documents import Document, described
from checks.edition import Edition
from checks.findings import Fact, Level
from checks.rules import Outcome, Present
from checks.storage.book import rule
from checks.storage.inputs import Summary
from checks.storage.units import RUN, VectorDatabaseWorkload
from checks.storage.vdb_inputs import (
    RECALL_KEYS,
    Problem,
    RecallStats,
    RunConfig,
    Statistics,
    Verdict,
    figure,
    figures,
    of_folder,
    told_once,
    word,
)
from checks.units import counted, listed

_RUN_AGAIN = "Run again; a measurement can't be mended by hand."


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
    limits = edition["vector_database"]
    problems: list[Problem] = []
    for run in figures(summaries, statistics):
        stats, config = of_folder(recalls, run.folder), of_folder(configs, run.folder)
        recall = _recall(run, stats)
        if recall is None:
            problems.append(_no_recall(run))
            continue
        place, pointer, value = recall
        yield Fact("", "vdb_recall", value, "", place.path)
        problems += _recall_faults(place, pointer, value, _minimum(limits, run, config))
    yield from told_once(problems)


def _recall(run: Document, stats: Document | None) -> tuple[Document, str, float] | None:
    """The recall of a run with its place: the summary's, else that of recall_stats.json."""
    for place, base in ((run, "/recall"), (stats, "")):
        pointers = [base] * bool(base) + [f"{base}/{key}" for key in RECALL_KEYS]
        if place is not None and (found := figure(place, *pointers)) is not None:
            return place, *found
    return None


def _no_recall(run: Document) -> Problem:
    said = f"is {described(run.get('/recall'))}" if run.has("/recall") else "is missing"
    message = f"`recall` {said}, and recall_stats.json gives none; each run must report its recall as a number."
    return Problem(run, "/recall", message, "Restore the file as the tool wrote it, or run again with recall computed.")


def _recall_faults(place: Document, pointer: str, value: float, minimum: float | None) -> Iterator[Problem]:
    if not 0 <= value <= 1:
        message = f"The recall is {value}; it is a share, from 0 to 1."
        yield Problem(place, pointer, message, "Give the recall as the tool wrote it.")
    elif minimum is None and value == 0:
        yield Problem(place, pointer, "The recall is 0: no query found any of its nearest neighbours.", _RUN_AGAIN)
    elif minimum is not None and value < minimum:
        yield Problem(place, pointer, f"The recall is {value}, at least {minimum} is required.", _RUN_AGAIN)
    if isinstance(place.get(pointer), str):
        message = f"The recall is written as text ({described(place.get(pointer))}); it was read as a number."
        yield Problem(place, pointer, message, "Give it as a number, as the tool writes it.", Level.NOTICE)


def _minimum(limits: Mapping[str, Any], run: Document, config: Document | None) -> float | None:
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
    workload: VectorDatabaseWorkload, verdicts: Present[Verdict], summaries: Present[Summary]
) -> Outcome:
    """The ground truth of each run was built without failure and covers every vector of the queried dataset.

    Why: Recall against a part of the vectors says nothing about the rest.
    Mend: Build the ground truth again, over the whole collection, and repeat the run.
    """
    del workload
    yield from told_once(
        problem for verdict in verdicts for problem in _truth_faults(verdict, of_folder(summaries, verdict.folder))
    )


def _truth_faults(verdict: Verdict, summary: Document | None) -> Iterator[Problem]:
    again = "Build the ground truth again, over the whole collection, and repeat the run."
    if not isinstance(verdict.get("/flat_setup"), dict):
        message = "`flat_setup` is no object; nothing shows how the ground truth was built."
        yield Problem(verdict, "/flat_setup", message, again, Level.WARNING)
    elif verdict.get("/flat_setup/ok") is not True:
        said = described(verdict.get("/flat_setup/reason"))
        message = f"The ground truth was not built: `flat_setup.ok` is {described(verdict.get('/flat_setup/ok'))}"
        yield Problem(verdict, "/flat_setup/ok", f"{message} (`reason` is {said}).", again)
    else:
        yield from _coverage_faults(verdict, summary, again)
    if verdict.get("/valid") is False:
        message = "The benchmark tool itself judged the run not valid."
        hint = "Look up its reason in the run's log; repeat the run if the reason holds."
        yield Problem(verdict, "/valid", message, hint, Level.WARNING)


def _coverage_faults(verdict: Verdict, summary: Document | None, hint: str) -> Iterator[Problem]:
    coverage = figure(verdict, "/flat_setup/coverage")
    total, copied = figure(verdict, "/flat_setup/total_vectors"), figure(verdict, "/flat_setup/copied_vectors")
    queried = figure(summary, "/num_vectors") if summary else None
    if coverage is None:
        message = "`flat_setup.coverage` is not given as a number; nothing shows how many vectors were covered."
        yield Problem(verdict, "/flat_setup/coverage", message, hint)
    elif coverage[1] < 1:
        message = f"The ground truth covers {coverage[1]:.6%} of the vectors; all are required."
        yield Problem(verdict, coverage[0], message, hint)
    elif total and copied and copied[1] < total[1]:
        message = f"The ground truth holds {copied[1]:,} of {total[1]:,} vectors; all are required."
        yield Problem(verdict, copied[0], message, hint)
    elif total and queried and total[1] < queried[1]:
        message = f"The ground truth is of {total[1]:,} vectors; the queried dataset has {queried[1]:,}."
        yield Problem(verdict, total[0], message, hint)
