"""Rules 2.1.18 and 2.1.24: between two neighbouring runs there was no time for another one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta

from checks.edition import Edition
from checks.findings import Fact, Finding, Level
from checks.rules import Each, Outcome
from checks.storage.accelerators import AcceleratorTypes
from checks.storage.book import rule
from checks.storage.inputs import Summary
from checks.storage.leaf_files import in_order
from checks.storage.run_times import Gap, Invocations, Span, gaps, spans, spoken
from checks.storage.workloads import CheckpointingWorkload, TrainingWorkload

SHORTEST = "shortest"


@rule("2.1.18", "runTimestampGap")
def run_timestamp_gap(
    workload: TrainingWorkload,
    summaries: Each[Summary],
    invocations: Invocations,
    types: AcceleratorTypes,
    edition: Edition,
) -> Outcome:
    """Between two neighbouring runs less time passes than a run takes.

    Why: Then nobody can have run the benchmark in between and left out a bad result: the runs are consecutive.
    Mend: Submit six consecutive runs; from a longer series keep six in a row (2.1.18a).
    Contested: The document compares the distance of the folders' names with a run's duration and says that they name
    the end of the run. The tools name folders by the start, so that the distance of two names always holds one whole
    run and every honest series would fail. What is compared is the idle time: from the recorded end of a run to the
    recorded start of the next (the invocation's own times, else those of the summary), with the shortest run. Runs of
    each accelerator type are a series of their own.
    """
    for runs in types.groups().values():
        yield from _judged(spans(runs, summaries, invocations), edition["structure"]["idle_gap"]["training"])


@rule("2.1.24", "checkpointingTimestampGap")
def checkpointing_timestamp_gap(
    workload: CheckpointingWorkload, summaries: Each[Summary], invocations: Invocations, edition: Edition
) -> Outcome:
    """Between a write invocation and the read invocation after it less time passes than an invocation takes.

    Why: Then nobody can have run the benchmark in between and left out a bad result.
    Mend: Submit two invocations that followed each other.
    Contested: As for rule 2.1.18 the idle time is compared. With two invocations of different length the document does
    not say whose duration counts: edition 2.0 takes the shorter, edition 3.0 the longer one, as that round did. The 30
    seconds of rule 4.7.1 hold besides.
    """
    found = spans(in_order(workload.runs), summaries, invocations)
    yield from _judged(found, edition["structure"]["idle_gap"]["checkpointing"])


def _judged(found: Sequence[Span | None], bound: str) -> Outcome:
    sound = [span if span is not None and span.duration > timedelta(0) else None for span in found]
    for span in found:
        if span is not None and span not in sound:
            yield _reversed(span)
    durations = [span.duration for span in sound if span is not None]
    for gap in gaps(sound):
        pair = (gap.before.duration, gap.after.duration)
        allowed = min(durations) if bound == SHORTEST else max(pair)
        yield Fact("", "idle_gap", gap.idle.total_seconds(), "s", gap.after.leaf.path)
        yield from _gap(gap, allowed, bound)


def _reversed(span: Span) -> Finding:
    return span.end.document.finding(
        span.end.pointer,
        f"The run ends {span.end.shown}, not after its start {span.start.shown}; its duration can't be judged.",
        "Restore the file as the benchmark tool wrote it.",
    )


def _gap(gap: Gap, allowed: timedelta, bound: str) -> Iterator[Finding]:
    ends = f"The previous run ended {gap.before.end.shown}, this one started {gap.after.start.shown}."
    if gap.idle >= allowed:
        yield gap.after.leaf.finding(
            f"This run started {spoken(gap.idle)} after {gap.before.leaf.shown} had ended; less than {spoken(allowed)} "
            f"(the {bound} run) is allowed. {ends}",
            "Submit runs that followed each other, so that no other run can have been left out between them.",
        )
    elif gap.idle < timedelta(0):
        yield gap.after.leaf.finding(
            f"This run started {spoken(-gap.idle)} before {gap.before.leaf.shown} had ended. {ends}",
            "Check whether two runs overlapped or a clock was changed; say so to the reviewers.",
            level=Level.WARNING,
        )
