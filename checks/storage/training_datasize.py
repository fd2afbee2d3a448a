"""Rules 3.1.1 and 3.3.1 (record): `datasize` was used and left what the runs are judged by."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from checks.edition import Edition
from checks.findings import Level
from checks.rules import Each, Outcome
from checks.storage.book import rule
from checks.storage.inputs import DatasizeMetadata, Metadata
from checks.storage.leaves import TrainingDatasize
from checks.storage.runs import accelerator_of, each_run
from checks.storage.terms import DATASIZE
from checks.storage.training_size import DATA_DIR
from checks.storage.workloads import TrainingWorkload
from checks.units import listed


@rule("3.1.1", "trainingVerifyDatasizeUsage")
def datasize_was_used(workload: TrainingWorkload, sizings: Each[DatasizeMetadata]) -> Outcome:
    """The size of the dataset was worked out with the tool's `datasize` command: a record of it is in the submission.

    Why: Only `datasize` knows how much data the clients' memory and the accelerators ask for.

    Mend: Run `mlpstorage training datasize` with the options of the run and add its folder.

    Contested: The document looks for log entries; the command writes no log, only its metadata file, which is read
    here.
    """
    yield from each_run(sizings, _is_datasize)


@rule("3.1.1", "trainingVerifyDatasizeUsage")
def datasize_left_a_folder(workload: TrainingWorkload, edition: Edition) -> Outcome:
    """The phase `datasize` holds a timestamp folder.

    Why: An empty phase shows nothing.

    Mend: Run `mlpstorage training datasize` with the options of the run and add its folder.

    Contested: As a phase that is missing altogether (2.1.12), an empty one is a warning in edition 3.0.
    """
    if DATASIZE in workload.folders and not workload.of_phase(DATASIZE):
        levels = edition["structure"]["phase_levels"]
        yield workload.phase(DATASIZE).finding(
            f"`{DATASIZE}` holds no timestamp folder: nothing shows that the size of the dataset was worked out.",
            "Run `mlpstorage training datasize` with the options of the run and add its folder.",
            level=Level(levels[DATASIZE]) if DATASIZE in levels else None,
        )


def _is_datasize(sizing: Metadata) -> Outcome:
    command = sizing.text("/command")
    if command != DATASIZE:
        yield sizing.finding(
            "/command",
            f"This record in the phase `{DATASIZE}` is of the command `{command}`.",
            "Put the record of `mlpstorage training datasize` here.",
        )
    sizing.mapping("/parameters/dataset")


@rule("3.3.1", "trainingRunDataMatchesDatasize")
def datasize_left_its_record(sizing: TrainingDatasize) -> Outcome:
    """The timestamp folder of `datasize` holds the tool's `*_metadata.json`.

    Why: It is what the runs are cross-checked against.

    Mend: Add the file as the tool wrote it, or run `mlpstorage training datasize` again.
    """
    if not any("metadata" in name and name.endswith(".json") for name in sizing.files):
        yield sizing.finding(
            f"training_{sizing.shown}_metadata.json is missing: the size that the runs must have is not recorded.",
            "Add the file as `mlpstorage training datasize` wrote it.",
        )


@rule("3.3.1", "trainingRunDataMatchesDatasize")
def datasize_record_is_complete(
    workload: TrainingWorkload, sizings: Each[DatasizeMetadata], edition: Edition
) -> Outcome:
    """The record of `datasize` holds what it worked out (files, subfolders, bytes) and from what (model, accelerators,
    memory, folder), and only one record speaks of a folder and kind of accelerator.

    Why: Runs are judged by these values; two records for one folder leave open which one counts.

    Mend: Run `mlpstorage training datasize` again; keep one record for a folder.
    """
    yield from each_run(sizings, partial(_complete, edition["training"]["datasize_record"]))
    by_dataset: dict[tuple[str | None, str | None], list[Metadata]] = {}
    for sizing in sizings:
        by_dataset.setdefault((sizing.text(DATA_DIR, None), accelerator_of(sizing)), []).append(sizing)
    for (folder, _), alike in by_dataset.items():
        if folder and len(alike) > 1:
            others = listed(item.leaf for item in alike[:-1])
            yield alike[-1].finding(
                DATA_DIR,
                f"This datasize record and {others} speak of one folder, {listed([folder])}.",
                "Keep the record that the runs followed.",
            )


def _complete(wanted: Mapping[str, bool], sizing: Metadata) -> Outcome:
    """``wanted``: dotted name -> whether null will do."""
    pointers = {name: "/" + name.replace(".", "/") for name in wanted}
    absent = [
        name
        for name, null_will_do in wanted.items()
        if sizing.get(pointers[name]) is None and not (null_will_do and sizing.has(pointers[name]))
    ]
    if absent:
        yield sizing.finding(
            "/parameters/dataset" if any(name.startswith("parameters") for name in absent) else "/args",
            f"The datasize record lacks {listed(absent)}.",
            "Restore the file as `mlpstorage training datasize` wrote it, or run the command again.",
        )
