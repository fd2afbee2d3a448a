"""Rules 3.4.1, 3.4.2, 4.4.1 and 4.4.2: data and results have folders of their own, on different filesystems."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import NamedTuple

from checks.edition import Edition
from checks.findings import Level
from checks.rules import Each, Outcome, Present
from checks.storage.book import rule
from checks.storage.filesystems import Evidence, Places, through_objects
from checks.storage.inputs import Metadata, SystemDescription
from checks.storage.runs import beside, each_run
from checks.storage.workloads import CheckpointingWorkload, TrainingWorkload, Workload


class Stored(NamedTuple):
    """What a benchmark keeps on the storage under test, and the tool's arguments that say where."""

    called: str
    arguments: tuple[str, ...]


DATASET = Stored("the dataset", ("data_dir",))
CHECKPOINTS = Stored("the checkpoints", ("checkpoint_folder",))


def _paths(stored: Stored, record: Metadata) -> Outcome:
    yield from Places.of(record, *stored).path_findings()


def _apart(
    stored: Stored, workload: Workload, evidence: Present[Evidence], no_evidence: str, record: Metadata
) -> Outcome:
    leaf = next(leaf for leaf in workload.runs if leaf.path == record.folder)
    places = Places.of(record, *stored)
    yield from places.separation_findings(leaf, beside(record, evidence), Level(no_evidence))


def _by_files(records: Iterable[Metadata], description: SystemDescription | None) -> list[Metadata]:
    return [record for record in records if not through_objects(record, description)]


@rule("3.4.1", "trainingMlpstoragePathArgs")
def training_path_arguments(
    workload: TrainingWorkload, records: Each[Metadata], description: SystemDescription | None
) -> Outcome:
    """The tool's arguments for the folder of the dataset and for the folder of results and logs are both set, and set
    to different folders.

    Why: Logs written into the folder under test would add their own reads and writes to what is measured.

    Mend: Run again with `--data-dir` and `--results-dir` on different storage.

    Contested: The section speaks of access by the POSIX API; runs by the object API, whose data has no folder, are not
    judged. The public checker of the v3.0 round judged them, too.
    """
    yield from each_run(_by_files(records, description), partial(_paths, DATASET))


@rule("3.4.2", "trainingMlpstorageFilesystemCheck")
def training_filesystems(
    workload: TrainingWorkload,
    records: Each[Metadata],
    evidence: Present[Evidence],
    description: SystemDescription | None,
    edition: Edition,
) -> Outcome:
    """The run recorded that the dataset and the results lie on different filesystems.

    Why: Logs that land on the storage under test by accident skew the results.

    Mend: Run again with `--results-dir` on another filesystem than `--data-dir`. If the evidence is only missing,
    restore `fs_separation.json` as the tool wrote it.

    Contested: The document asks for the output of `df` in the log; the tool writes `fs_separation.json` instead. Either
    is taken, the file first. No evidence at all is an error in edition 2.0 and a warning in 3.0, where older tool
    versions were admitted that wrote neither.
    """
    judge = partial(_apart, DATASET, workload, evidence, edition["filesystems"]["no_evidence"])
    yield from each_run(_by_files(records, description), judge)


@rule("4.4.1", "checkpointPathArgs")
def checkpointing_path_arguments(
    workload: CheckpointingWorkload, records: Each[Metadata], description: SystemDescription | None
) -> Outcome:
    """The tool's arguments for the folder of the checkpoints and for the folder of results and logs are both set, and
    set to different folders.

    Why: Logs written into the folder under test would add their own reads and writes to what is measured.

    Mend: Run again with `--checkpoint-folder` and `--results-dir` on different storage.

    Contested: The section speaks of access by the POSIX API; runs by the object API, whose data has no folder, are not
    judged. The public checker of the v3.0 round judged them, too.
    """
    yield from each_run(_by_files(records, description), partial(_paths, CHECKPOINTS))


@rule("4.4.2", "checkpointFilesystemCheck")
def checkpointing_filesystems(
    workload: CheckpointingWorkload,
    records: Each[Metadata],
    evidence: Present[Evidence],
    description: SystemDescription | None,
    edition: Edition,
) -> Outcome:
    """The run recorded that the checkpoints and the results lie on different filesystems.

    Why: Logs that land on the storage under test by accident skew the results.

    Mend: Run again with `--results-dir` on another filesystem than `--checkpoint-folder`. If the evidence is only
    missing, restore `fs_separation.json` as the tool wrote it.

    Contested: The document asks for the output of `df` in the log; the tool writes `fs_separation.json` instead. Either
    is taken, the file first. No evidence at all is an error in edition 2.0 and a warning in 3.0, where older tool
    versions were admitted that wrote neither.
    """
    judge = partial(_apart, CHECKPOINTS, workload, evidence, edition["filesystems"]["no_evidence"])
    yield from each_run(_by_files(records, description), judge)
