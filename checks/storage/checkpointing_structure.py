"""Rules 2.1.22, 2.1.23, 2.1.25 and 2.1.26: what a checkpointing workload holds."""

from __future__ import annotations

from checks.edition import Edition
from checks.rules import Outcome
from checks.storage.book import not_checkable, rule
from checks.storage.leaf_files import in_order, required_files, result_tables, timestamps_only
from checks.storage.terms import CODE
from checks.storage.training_structure import dlio_config
from checks.storage.workloads import CheckpointingWorkload
from checks.units import counted


def _judged(workload: CheckpointingWorkload, edition: Edition) -> bool:
    """Whether its structure is judged: a folder of a wrong name that holds no run is one finding (2.1.21)."""
    return workload.name in edition["structure"]["checkpointing_workloads"] or bool(in_order(workload.runs))


@rule("2.1.22", "checkpointingResultsJson")
def checkpointing_results_json(workload: CheckpointingWorkload, edition: Edition) -> Outcome:
    """A checkpointing workload holds one file `results.json`.

    Why: It sums up the invocations; published tables are made from it.
    Mend: Run the tool's report command over the results, and add the file that it writes.
    Contested: In the v3.0 round staff generated the tables and asked submitters not to send any; in edition 3.0 this is
    a notice.
    """
    if _judged(workload, edition):
        yield from result_tables(workload)


@rule("2.1.23", "checkpointingTimestamps")
def checkpointing_timestamps(workload: CheckpointingWorkload, edition: Edition) -> Outcome:
    """A checkpointing workload holds one folder named YYYYMMDD_HHmmss, or two: one invocation that writes and reads, or
    one that writes followed by one that reads (4.7.1).

    Why: One measurement is published; with more folders nobody could tell which.
    Mend: Keep the consecutive invocations that belong together and remove the others (2.1.24a).
    Contested: In OPEN a folder `code` may stand beside them (2.1.5.b).
    """
    if not _judged(workload, edition):
        return
    least, most = edition["structure"]["checkpointing_runs"]
    yield from timestamps_only(workload, workload.folders, () if workload.closed else (CODE,))
    runs = in_order(workload.runs)
    odd = len(workload.runs) - len(runs)
    if not least <= len(runs) <= most and not (odd and least <= len(workload.runs) <= most):
        found = f" Found {runs[0].shown} to {runs[-1].shown}." if len(runs) > 1 else ""
        yield workload.finding(
            f"{counted(len(runs), 'timestamp folder')} in `{workload.shown}`, {least} or {most} required (one "
            f"invocation, or a write and a read one).{found}",
            "Keep the invocations that belong together and remove the others."
            if len(runs) > most
            else "Add the invocation as the benchmark tool wrote it.",
        )


not_checkable(
    "2.1.24a",
    "checkpointingPickingSubsets",
    "a permission: which invocations were deleted before the submission can't be seen",
)


@rule("2.1.25", "checkpointingFiles")
def checkpointing_files(workload: CheckpointingWorkload, edition: Edition) -> Outcome:
    """A checkpointing invocation holds the two logs of the command, `*output.json`, `*per_epoch_stats.json`,
    `summary.json`, `dlio.log` and the folder `dlio_config`.

    Why: The rules on the figures read these files; what is missing can't be judged.
    Mend: Add the missing file as the benchmark tool wrote it. Files that staff replaced by the placeholder
    `PRUNED BY STAFF` count as present, with a notice.
    Contested: The document writes `*summary.json`; the tool writes `summary.json` and every later rule reads that one.
    """
    yield from required_files(workload.runs, edition["structure"]["leaf_files"]["checkpointing"])


@rule("2.1.26", "checkpointingDlioConfig")
def checkpointing_dlio_config(workload: CheckpointingWorkload, edition: Edition) -> Outcome:
    """`dlio_config` of an invocation holds `config.yaml`, `hydra.yaml` and `overrides.yaml`, and nothing else.

    Why: The three files are the settings that the invocation really had; 4.3.2 and 4.6.3 read them.
    Mend: Restore the folder as the benchmark tool wrote it; hidden files of a desktop count as well.
    """
    yield from dlio_config(workload.runs, edition)
