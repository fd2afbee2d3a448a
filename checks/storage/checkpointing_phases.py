"""Rules 4.7.1 (phases) and 4.7.2: ten checkpoints are written, then ten read, by one invocation or by two."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

from checks.documents import Document
from checks.edition import Edition
from checks.findings import Fact, Finding
from checks.rules import Each, Outcome, Present
from checks.storage.book import rule
from checks.storage.dlio_inputs import EpochStats
from checks.storage.figures import zero_or_more
from checks.storage.inputs import Metadata, Summary, moment_in
from checks.storage.runs import beside
from checks.storage.workloads import CheckpointingWorkload
from checks.units import counted


@dataclass(frozen=True)
class Invocation:
    """One timestamp folder: how many checkpoints it was told to write and to read, and its documents."""

    record: Metadata
    summary: Summary
    writes: int
    reads: int

    @classmethod
    def of(cls, record: Metadata, summary: Summary) -> Invocation:
        """From the recorded arguments, without these from the parameters. Raises Unusable."""
        return cls(record, summary, _count(record, "num_checkpoints_write"), _count(record, "num_checkpoints_read"))

    @property
    def counts(self) -> tuple[int, int]:
        """Writes and reads."""
        return self.writes, self.reads


def _count(record: Metadata, name: str) -> int:
    argument = f"/args/{name}"
    pointer = argument if record.get(argument) is not None else f"/parameters/checkpoint/{name}"
    found = zero_or_more(record, pointer)
    if found.denominator != 1:
        raise record.unusable(pointer, "a whole number")
    return int(found)


def invocations(records: Sequence[Metadata], summaries: Sequence[Summary]) -> list[Invocation]:
    """Those of a workload that have both documents, in the order of their folders' names. Raises Unusable."""
    both = [(record, summary) for record in records if (summary := beside(record, summaries)) is not None]
    return [Invocation.of(*pair) for pair in sorted(both, key=lambda pair: pair[0].leaf)]


def failovers(runs: Sequence[Invocation]) -> list[tuple[Invocation, Invocation]]:
    """Each invocation that only writes with the next one, when that only reads."""
    return [
        (first, second) for first, second in pairwise(runs) if first.writes and not first.reads and not second.writes
    ]


@dataclass(frozen=True)
class Moment:
    """A time that a document records, and where."""

    at: datetime
    document: Document
    pointer: str

    @classmethod
    def read(cls, document: Document, pointer: str) -> Moment:
        """The time that stands at ``pointer``. Raises Unusable."""
        return cls(moment_in(document, pointer), document, pointer)

    @property
    def shown(self) -> str:
        """``06:50:57.1 (end)``."""
        return f"{self.at:%H:%M:%S}.{self.at.microsecond // 100_000} ({self.pointer.strip('/')})"


@rule("4.7.1", "checkpointCacheFlushValidation")
def phases_are_complete(
    workload: CheckpointingWorkload, records: Each[Metadata], summaries: Each[Summary], edition: Edition
) -> Outcome:
    """A CLOSED workload writes ten checkpoints and then reads ten: in one invocation, or the first writes and the
    second reads. In both divisions writing comes first and reading follows.

    Why: The reader stands for a client that picks up what a failed one wrote.

    Mend: Run the workload again with the default numbers of checkpoints.
    """
    runs = invocations(records, summaries)
    if not runs or len(runs) != len(workload.runs):  # an invocation without its documents is told of by the engine
        return
    number = edition["checkpointing"]["checkpoints"]
    wanted = [[(number, number)], [(number, 0), (0, number)]]
    found = [run.counts for run in runs]
    if workload.closed and len(runs) <= len(wanted) and found not in wanted:  # more are told of by 2.1.23
        yield runs[0].record.finding(
            "/args/num_checkpoints_write",
            f"This workload {_in_turn(found)}; a CLOSED workload {_in_turn(wanted[0])} in one invocation, or "
            f"{_in_turn(wanted[1])} in two.",
            "Run the workload again with the default numbers of checkpoints.",
        )
    elif not workload.closed:
        yield from _in_order(runs)


def _in_order(runs: Sequence[Invocation]) -> Iterator[Finding]:
    """What holds in OPEN, too: checkpoints are written, then read."""
    first, last = runs[0], runs[-1]
    if not first.writes:
        message = f"The first invocation {_counts(first.counts)}; writing comes first."
        yield first.record.finding("/args/num_checkpoints_write", message, "Run the workload again.")
    elif not any(run.reads for run in runs):
        message = f"This workload {_in_turn([run.counts for run in runs])}; what was written must be read, too."
        hint = "Add the invocation that reads, or run the workload again with the default numbers of checkpoints."
        yield last.record.finding("/args/num_checkpoints_read", message, hint)


def _in_turn(phases: Sequence[tuple[int, int]]) -> str:
    return " then ".join(map(_counts, phases))


def _counts(phase: tuple[int, int]) -> str:
    writes, reads = phase
    return f"writes {counted(writes, 'checkpoint')} and reads {reads}"


WRITES, READS = "save_ckpt", "load_ckpt"
"""How the names begin that the benchmark gives to its steps."""


@rule("4.7.2", "checkpointTotalTestDuration")
def total_duration(
    workload: CheckpointingWorkload, records: Each[Metadata], summaries: Each[Summary], epochs: Present[EpochStats]
) -> Outcome:
    """The test lasts from the start of the first checkpoint write to the end of the last checkpoint read, the time
    between two invocations included.

    Why: A remapping solution pays for its remapping in this time.

    Mend: Restore the files as the benchmark wrote them.

    Contested: No file records the total; it is worked out and reported as a figure, from the steps that the benchmark
    recorded, without these from the summaries.
    """
    runs = invocations(records, summaries)
    writing, reading = [run for run in runs if run.writes], [run for run in runs if run.reads]
    if not writing or not reading:  # 4.7.1 tells of it
        return
    first, last = writing[0].summary, reading[-1].summary
    starts = _steps(beside(first, epochs), WRITES, "/start") or [Moment.read(first, first.start)]
    ends = _steps(beside(last, epochs), READS, "/end") or [Moment.read(last, last.end)]
    start, end = min(starts, key=_at), max(ends, key=_at)
    seconds = (end.at - start.at).total_seconds()
    yield Fact("", "total_test_duration", round(seconds, 3), "s", workload.path)
    if seconds <= 0:
        message = f"The last read ended before the first write began: write start {start.shown}, read end {end.shown}."
        yield end.document.finding(end.pointer, message, "Restore the files as the benchmark wrote them.")


def _at(moment: Moment) -> datetime:
    return moment.at


def _steps(stats: EpochStats | None, prefix: str, bound: str) -> list[Moment]:
    """The moments at which the steps of that name began or ended; none without their record. Raises Unusable."""
    epochs = stats.mapping("") if stats is not None else {}
    pointers = [
        f"/{epoch}/{step}{bound}"
        for epoch, steps in epochs.items()
        for step in (steps if isinstance(steps, dict) else ())
        if step.startswith(prefix)
    ]
    return [Moment.read(stats, pointer) for pointer in pointers if stats is not None and stats.has(pointer)]
