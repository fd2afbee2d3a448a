"""Rules 3.2.1 and 3.3.1: datasize, datagen and runs of a training workload speak of one dataset."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial

from checks.edition import Edition
from checks.findings import Finding, Level
from checks.rules import Each, Outcome
from checks.storage.book import rule
from checks.storage.figures import GIB, grouped, positive, positive_integer
from checks.storage.inputs import DatagenMetadata, DatasizeMetadata, Metadata, Summary
from checks.storage.runs import accelerator_of, beside, each_run
from checks.storage.training_size import DATA_DIR, FILES, FILES_USED, RECORD_BYTES, SAMPLES_PER_FILE, least_files
from checks.storage.workloads import TrainingWorkload
from checks.units import counted, listed

SUBFOLDERS = ("num_subfolders_train", "num_subfolders_eval")

_RUN_AGAIN = "Run the workload again on the dataset that `datasize` worked out and `datagen` generated."


def dataset_bytes(record: Metadata) -> Fraction:
    """The size of the dataset that a metadata file speaks of. Raises Unusable."""
    samples = positive_integer(record, FILES) * positive_integer(record, SAMPLES_PER_FILE, default=1)
    return samples * positive(record, RECORD_BYTES)


def matching(record: Metadata, planned: Sequence[Metadata]) -> Metadata | None:
    """The record of an earlier phase that speaks of the dataset of ``record``, by accelerator and `data_dir`.

    The latest of several. One that names no folder fits any run, and so does one folder alone; None when there are
    several and none fits.
    """
    own = record.text(DATA_DIR, None)
    kindred = [item for item in planned if accelerator_of(item) == accelerator_of(record)] or planned
    folders = {item: item.text(DATA_DIR, None) for item in kindred}
    same = [item for item, folder in folders.items() if own and folder == own]
    unnamed = [item for item, folder in folders.items() if not folder]
    single = list(folders) if not own or len(set(folders.values())) == 1 else []
    return max(same or unnamed or single, key=lambda item: item.leaf, default=None)


@rule("3.2.1", "trainingDatagenMinimumSize")
def enough_was_generated(
    workload: TrainingWorkload, generations: Each[DatagenMetadata], sizings: Each[DatasizeMetadata]
) -> Outcome:
    """The data generated is at least as much as `datasize` worked out, in bytes.

    Why: A run can't use data that was never generated.

    Mend: Generate the dataset again with the size that `datasize` printed, and run again.
    """
    yield from each_run(generations, partial(_generated, sizings))


def _generated(sizings: Sequence[Metadata], generation: Metadata) -> Outcome:
    sizing = matching(generation, sizings)
    if sizing is None:
        yield _of_no_record(generation, sizings)
    elif dataset_bytes(generation) < dataset_bytes(sizing):
        have, need = (_amount(item) for item in (generation, sizing))
        yield generation.finding(
            FILES,
            f"{have} were generated, at least {need} required by datasize {sizing.leaf}.",
            "Generate the dataset again with the size that `datasize` printed, and run the workload again.",
        )


def _amount(record: Metadata) -> str:
    return f"{grouped(dataset_bytes(record) / GIB, 3)} GiB in {counted(positive_integer(record, FILES), 'file')}"


@rule("3.3.1", "trainingRunDataMatchesDatasize")
def runs_use_what_datasize_said(
    workload: TrainingWorkload,
    summaries: Each[Summary],
    records: Each[Metadata],
    sizings: Each[DatasizeMetadata],
    edition: Edition,
) -> Outcome:
    """Every run uses as many files as `datasize` worked out for its folder.

    Why: Fewer fit into the clients' memory.

    Mend: Run the workload again on the dataset that `datasize` worked out.

    Contested: The document says exactly equal; published results use more, which no other rule forbids. Fewer is the
    error; more is a warning in edition 2.0 and allowed in 3.0, where the whole rule is a warning as it was in the
    round. A run is put together with its record by `data_dir`; a record that names none fits any run.
    """
    surplus = Level(edition["training"]["size"]["surplus"]["3.3.1"])
    yield from each_run(summaries, partial(_as_planned, records, sizings, surplus))


def _as_planned(records: Sequence[Metadata], sizings: Sequence[Metadata], surplus: Level, summary: Summary) -> Outcome:
    if summary.get("/num_files_eval") is None:
        hint = "Restore summary.json as the benchmark wrote it."
        yield summary.finding("", "`num_files_eval` is missing from the summary.", hint, Level.WARNING)
    if (record := beside(summary, records)) is None:  # the engine tells of it
        return
    if (sizing := matching(record, sizings)) is None:
        yield _of_no_record(record, sizings)
        return
    if sizing.get(FILES) is None:  # the rule on the record tells of it
        return
    planned = positive_integer(sizing, FILES)
    files, document, pointer = least_files(summary, record)
    message = f"The run used {counted(files, 'training file')}, datasize {sizing.leaf} worked out {planned:,}"
    explain = "Run `datasize` with the figures of the runs, or tell the reviewers why there is more."
    if files < planned:
        yield document.finding(pointer, message + ".", _RUN_AGAIN)
    elif files > planned:
        yield document.finding(pointer, f"{message}; the document says exactly.", explain, surplus)


def _of_no_record(record: Metadata, sizings: Sequence[Metadata]) -> Finding:
    folders = listed(item.text(DATA_DIR) for item in sizings)
    return record.finding(
        DATA_DIR,
        f"The `data_dir` {listed([record.text(DATA_DIR)])} is in no datasize record; they name {folders}.",
        "Add the datasize record of this dataset.",
    )


@rule("3.3.1", "trainingRunDataMatchesDatasize")
def runs_use_what_was_generated(
    workload: TrainingWorkload,
    summaries: Each[Summary],
    records: Each[Metadata],
    generations: Each[DatagenMetadata],
) -> Outcome:
    """No run uses more files than `datagen` generated, and each has its number of subfolders.

    Why: Files that were not generated can't be read; a wrong number of subfolders makes results invalid.

    Mend: Run the workload again with the figures of `datagen`.
    """
    yield from each_run(summaries, partial(_as_generated, records, generations))


def _as_generated(records: Sequence[Metadata], generations: Sequence[Metadata], summary: Summary) -> Outcome:
    record = beside(summary, records)
    generation = matching(record, generations) if record is not None else None
    if record is None or generation is None:
        return
    used, generated = positive_integer(summary, FILES_USED), positive_integer(generation, FILES)
    if used > generated:
        message = f"The run used {counted(used, 'training file')}, datagen {generation.leaf} generated {generated:,}."
        yield summary.finding(FILES_USED, message, _RUN_AGAIN)
    for name in SUBFOLDERS:
        pointer = f"/parameters/dataset/{name}"
        told, made = (item.integer(pointer, 0, text_ok=True) for item in (record, generation))
        if told != made:
            message = f"`{name}` is {told:,} in the run and {made:,} in datagen {generation.leaf}; both must be equal."
            yield record.finding(pointer, message, f"Run the workload again with `--params dataset.{name}={made}`.")
