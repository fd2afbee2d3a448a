"""Rule 4.7.1 (gap): the time between a write phase and the invocation that reads."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from checks.documents import Document
from checks.edition import Edition
from checks.findings import Fact, Finding, Level
from checks.rules import Each, Outcome
from checks.storage.book import rule
from checks.storage.checkpointing_phases import Invocation, Moment, failovers, invocations
from checks.storage.figures import grouped
from checks.storage.inputs import Metadata, Summary
from checks.storage.workloads import CheckpointingWorkload

INVOKED, RETURNED = "/invocation_start_time", "/invocation_end_time"


@dataclass(frozen=True)
class Gap:
    """The time between a write phase and its read phase by every recorded bookend, in seconds."""

    ends: list[Moment]
    start: Moment

    @classmethod
    def between(cls, written: Invocation, read: Invocation) -> Gap:
        """The write phase ends with its summary, and a little later with its process; the read phase starts with its
        process, without that with its summary. Raises Unusable.
        """
        ends = _recorded((written.summary, written.summary.end), (written.record, RETURNED))
        starts = _recorded((read.record, INVOKED), (read.summary, read.summary.start))
        if not ends:
            raise written.summary.unusable(written.summary.end, "the time at which the write phase ended")
        if not starts:
            raise read.record.unusable(INVOKED, "the time at which the read phase was started")
        return cls(ends, starts[0])

    @property
    def by_document(self) -> float:
        """As the document measures: from the end in the write phase's summary."""
        return (self.start.at - self.ends[0].at).total_seconds()

    @property
    def shortest(self) -> float:
        """From the latest recorded end."""
        return min((self.start.at - end.at).total_seconds() for end in self.ends)


@rule("4.7.1", "checkpointCacheFlushValidation")
def read_phase_follows_soon(
    workload: CheckpointingWorkload, records: Each[Metadata], summaries: Each[Summary], edition: Edition
) -> Outcome:
    """Where writing and reading are two invocations, the second was started within 30 s of the first one's end.

    Why: The callout between them must be a program's step, not a procedure by hand.

    Mend: Run both phases again with the callout in a script.

    Contested: The document measures from `end` in the write phase's summary to `invocation_start_time`; the tool's own
    collection of figures after the run then counts as a gap. It fails only if also the end of the write invocation is
    more than 30 s away; a gap that only the summary shows is a warning. A negative gap means clock skew: a warning.
    """
    limit = edition["checkpointing"]["largest_gap_seconds"]
    for written, read in failovers(invocations(records, summaries)):
        gap = Gap.between(written, read)
        yield Fact("", "failover_gap", round(gap.by_document, 3), "s", read.record.path)
        yield from _judged_gap(gap, limit)


def _judged_gap(gap: Gap, limit: float) -> Iterator[Finding]:
    times = f"Write end {', '.join(end.shown for end in gap.ends)}, read start {gap.start.shown}."
    if gap.shortest < 0:
        message = (
            f"The read phase started {grouped(-gap.shortest, 3)} s before the write phase ended: the clocks differ."
        )
        hint = "Set the clocks of all clients from one source; explain the skew to the reviewers."
        level: Level | None = Level.WARNING
    elif gap.by_document > limit:
        level, seconds = (None, gap.shortest) if gap.shortest > limit else (Level.WARNING, gap.by_document)
        message = (
            f"The read phase started {grouped(seconds, 3)} s after the write phase ended; at most {limit} s allowed."
        )
        hint = "Run both phases again with the callout between them in a script."
    else:
        return
    yield gap.start.document.finding(gap.start.pointer, f"{message} {times}", hint, level)


def _recorded(*places: tuple[Document, str]) -> list[Moment]:
    return [Moment.read(document, pointer) for document, pointer in places if document.get(pointer) is not None]
