"""Rule 3.1.2: how much data a training workload must have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import ceil, floor
from typing import Any

from checks.documents import Document
from checks.edition import Edition
from checks.findings import Fact, Level
from checks.rules import Each, Outcome
from checks.storage.book import rule
from checks.storage.figures import GIB, grouped, positive, positive_integer
from checks.storage.inputs import Metadata, Summary
from checks.storage.runs import beside, each_run
from checks.storage.summaries import ACCELERATORS, host_memory
from checks.storage.workloads import TrainingWorkload
from checks.units import counted

DATA_DIR = "/args/data_dir"
FILES = "/parameters/dataset/num_files_train"
SAMPLES_PER_FILE = "/parameters/dataset/num_samples_per_file"
RECORD_BYTES = "/parameters/dataset/record_length_bytes"
BATCH = "/parameters/reader/batch_size"
FILES_USED = "/num_files_train"


@dataclass(frozen=True)
class Requirement:
    """The least dataset of one run by 3.1.2, in samples by each of its two reasons; exact."""

    steps: int
    batch: int
    accelerators: int
    multiplier: int
    memory: Fraction
    record_bytes: Fraction
    samples_per_file: int

    @classmethod
    def of(cls, summary: Summary, record: Metadata, limits: Any) -> Requirement:
        """From what the run recorded; ``limits`` are the edition's. Raises Unusable."""
        return cls(
            limits["minimum_steps"],
            positive_integer(record, BATCH),
            positive_integer(summary, ACCELERATORS),
            limits["memory_multiplier"],
            host_memory(summary),
            positive(record, RECORD_BYTES),
            positive_integer(record, SAMPLES_PER_FILE, default=1),
        )

    @property
    def samples_by_steps(self) -> Fraction:
        """Enough for the least number of steps an epoch."""
        return Fraction(self.steps * self.batch * self.accelerators)

    @property
    def samples_by_memory(self) -> Fraction:
        """Enough that the memory of all hosts together can't hold them."""
        return self.memory * self.multiplier * GIB / self.record_bytes

    @property
    def samples(self) -> Fraction:
        """What both reasons ask for."""
        return max(self.samples_by_steps, self.samples_by_memory)

    @property
    def files(self) -> Fraction:
        """The samples in files, not rounded."""
        return self.samples / self.samples_per_file

    @property
    def why(self) -> str:
        """The reason that decides, as a sentence part."""
        if self.samples_by_steps >= self.samples_by_memory:
            accelerators = counted(self.accelerators, "accelerator")
            return f"{self.steps} steps × batch {self.batch} × {accelerators} = {grouped(self.samples)} samples"
        return (
            f"{self.multiplier} × {grouped(self.memory)} GiB of client memory ÷ {grouped(self.record_bytes, 2)} bytes "
            f"a sample = {grouped(self.samples)} samples"
        )


def least_files(summary: Summary, record: Metadata) -> tuple[int, Document, str]:
    """The lower of the numbers of files that a run used and was told to use, and where it stands. Raises Unusable."""
    used, told = positive_integer(summary, FILES_USED), positive_integer(record, FILES)
    return (told, record, FILES) if told < used else (used, summary, FILES_USED)


@rule("3.1.2", "trainingRecalculateDatasetSize")
def dataset_is_large_enough(
    workload: TrainingWorkload, summaries: Each[Summary], records: Each[Metadata], edition: Edition
) -> Outcome:
    """The dataset of every run is at least as large as the number of accelerators and the memory of all hosts ask for,
    recalculated from the recorded figures.

    Why: A dataset that the clients' memory can hold measures memory, not storage; one of too few steps measures the
    start.

    Mend: Generate the larger dataset and run the workload again.

    Contested: The document says that the recorded size must match exactly; equality fails valid published results, so
    that a shortfall is the error and a surplus is told (edition 2.0) or allowed (3.0). A dataset one file short
    because an older tool rounded down is a warning. Memory is the sum over the hosts that the summary lists.
    """
    limits = edition["training"]["size"]
    yield from each_run(summaries, partial(_large_enough, records, limits))


def _large_enough(records: Sequence[Metadata], limits: Any, summary: Summary) -> Outcome:
    record = beside(summary, records)
    if record is None:  # the engine tells of it
        return
    need = Requirement.of(summary, record, limits)
    yield Fact("", "required_samples", ceil(need.samples), "samples", summary.path)
    yield Fact("", "required_files", ceil(need.files), "files", summary.path)
    files, document, pointer = least_files(summary, record)
    level, remark, hint = _judged(files, need.files, Level(limits["surplus"]["3.1.2"]))
    message = f"{counted(files, 'training file')}, at least {ceil(need.files):,} required ({need.why}){remark}."
    yield document.finding(pointer, message, hint, level)


def _judged(files: int, required: Fraction, surplus: Level) -> tuple[Level | None, str, str | None]:
    """Level (None: the rule's own), remark and hint for ``files`` where ``required`` is the exact figure."""
    if files > ceil(required):
        return surplus, "; the document says exactly, a surplus is accepted", None
    if files >= required:
        return Level.OFF, "", None
    if files == floor(required):
        return Level.WARNING, "; one short, as tools older than 3.0.43 rounded down", None
    return None, "", "Generate the dataset that `mlpstorage training datasize` asks for and run the workload again."
