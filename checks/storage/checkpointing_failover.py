"""Rules 4.7.3 and 4.7.4: what a system's description says of failover, and whether its runs agree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from checks.edition import Edition
from checks.findings import Fact, Finding, Level
from checks.rules import Each, Outcome
from checks.storage.book import rule
from checks.storage.capabilities import FLAGS, SIMULTANEOUS, Capabilities
from checks.storage.checkpointing_phases import failovers, invocations
from checks.storage.figures import MOST, grouped, zero_or_more
from checks.storage.inputs import Metadata, Summary, SystemDescription, moment_in
from checks.storage.terms import CHECKPOINTING
from checks.storage.units import System
from checks.storage.workloads import CheckpointingWorkload
from checks.units import listed, near_miss


@rule("4.7.4", "checkpointSimultaneousRwSupport")
def capabilities_are_listed(system: System, description: SystemDescription, edition: Edition) -> Outcome:
    """The description of a system with checkpointing results says whether it supports several hosts, simultaneous
    writes and simultaneous reads.

    Why: A system without them has to hand the checkpoints over before another client can read them.

    Mend: Add the three keys with true or false.

    Contested: The document prints `System.shared_capabilities` with a doubled underscore in one key; published
    descriptions have `system_under_test.solution.capabilities`. Both are taken, the key also as it was meant.
    """
    capabilities = Capabilities.of(description, edition) if CHECKPOINTING in system.folders else None
    if capabilities is not None:
        yield from _listed(capabilities)


def _listed(capabilities: Capabilities) -> Iterator[Finding]:
    document, at = capabilities.description, capabilities.table["at"]
    absent = [capabilities.pointer(flag) for flag in FLAGS if document.get(capabilities.pointer(flag)) is None]
    if absent:
        there = document.get(at)
        names = [pointer.rpartition("/")[2] for pointer in absent]
        others = [key for key in there if key not in capabilities.keys] if isinstance(there, dict) else []
        meant = [f" Did you mean it by {listed([key])}?" for key in others if near_miss(key, names)]
        message = f"The capabilities don't say {listed(names)}.{''.join(meant)}"
        yield document.finding(at, message, f"Add under `{_dotted(at)}`, with true or false each.")
    for flag in FLAGS:
        pointer = capabilities.pointer(flag)
        if pointer not in absent and capabilities.flag(flag) is None:
            yield document.unusable(pointer, "true or false").finding


def _dotted(pointer: str) -> str:
    return pointer.strip("/").replace("/", ".")


@rule("4.7.4", "checkpointSimultaneousRwSupport", level=Level.WARNING)
def capabilities_fit_the_runs(
    workload: CheckpointingWorkload,
    records: Each[Metadata],
    summaries: Each[Summary],
    description: SystemDescription,
    edition: Edition,
) -> Outcome:
    """A system that wrote and read in one invocation supports simultaneous writes and reads.

    Why: Such a run hands checkpoints from client to client without a callout.

    Mend: Correct the description, or run the two phases as two invocations with the callout between them (4.7.1).
    """
    capabilities = Capabilities.of(description, edition)
    combined = [run for run in invocations(records, summaries) if run.writes and run.reads]
    lacking = [flag for flag in SIMULTANEOUS if capabilities and capabilities.flag(flag) is False]
    if capabilities is not None and combined and lacking:
        pointers = [capabilities.pointer(flag) for flag in lacking]
        keys, are = listed(pointer.rpartition("/")[2] for pointer in pointers), "is" if len(lacking) == 1 else "are"
        yield description.finding(
            pointers[0],
            f"{keys} {are} false, yet {workload.shown} was written and read in one invocation "
            f"({combined[0].record.leaf}).",
            "Correct the description, or run the two phases as two invocations.",
            cause=keys,
        )


@rule("4.7.3", "checkpointRemappingTimeReporting")
def remapping_time_is_reported(system: System, description: SystemDescription, edition: Edition) -> Outcome:
    """The description of a remapping solution gives the time from the end of a checkpoint to the moment when another
    client can read it; a solution with simultaneous reads and writes has none.

    Why: The time is part of what a failover costs.

    Mend: Write the time in seconds under `remap_time_in_seconds`, or 0 with both capabilities true.
    """
    capabilities = Capabilities.of(description, edition) if CHECKPOINTING in system.folders else None
    if capabilities is None or not isinstance(description.get(capabilities.table["at"]), dict):
        return  # 2.1.7 and 4.7.4 tell of it
    pointer = capabilities.remap_pointer
    if not description.has(pointer) and not (capabilities.remaps or capabilities.table["remap_time_always"]):
        return
    if isinstance(description.get(pointer), str):
        raise description.unusable(pointer, "a number of seconds")
    yield from _agreeing(capabilities, zero_or_more(description, pointer))


def _agreeing(capabilities: Capabilities, seconds: Fraction) -> Iterator[Finding]:
    both = all(capabilities.flag(flag) for flag in SIMULTANEOUS)
    if capabilities.remaps and not seconds:
        yield capabilities.description.finding(
            capabilities.remap_pointer,
            "The remapping time is 0 s, but simultaneous reads or writes are said not to be supported.",
            "Write the seconds from the end of a checkpoint until another client can read it.",
        )
    elif both and seconds:
        yield capabilities.description.finding(
            capabilities.remap_pointer,
            f"A remapping time of {grouped(seconds, 3)} s, but simultaneous reads and writes are both supported.",
            "Write 0, or correct the capabilities.",
            Level.WARNING,
        )


@rule("4.7.3", "checkpointRemappingTimeReporting")
def remapping_took_its_time(
    workload: CheckpointingWorkload,
    records: Each[Metadata],
    summaries: Each[Summary],
    description: SystemDescription,
    edition: Edition,
) -> Outcome:
    """Between the last write and the first read of a remapping solution about as much time passed as it declares.

    Why: A declared time that no run needed is not the system's.

    Mend: Correct the remapping time, or explain why the run was faster.

    Contested: The document asks for no such comparison; the public checker fails what is less than half. A warning in
    edition 2.0, an error in 3.0.
    """
    capabilities = Capabilities.of(description, edition)
    declared = description.get(capabilities.remap_pointer) if capabilities else None
    if not isinstance(declared, int | float) or isinstance(declared, bool) or not 0 < declared <= MOST:
        return  # what is no time is told of by the other functions of this rule
    yield from _took(declared, invocations_apart(records, summaries), edition["checkpointing"])


def invocations_apart(records: Sequence[Metadata], summaries: Sequence[Summary]) -> list[tuple[Summary, Summary]]:
    """The summaries of each write phase and its read phase. Raises Unusable."""
    return [(written.summary, read.summary) for written, read in failovers(invocations(records, summaries))]


def _took(declared: float, phases: Sequence[tuple[Summary, Summary]], limits: Any) -> Outcome:
    for written, read in phases:
        seconds = (moment_in(read, read.start) - moment_in(written, written.end)).total_seconds()
        yield Fact("", "observed_remap_time", round(seconds, 3), "s", read.path)
        if seconds < limits["remap_tolerance"] * declared:
            yield read.finding(
                read.start,
                f"The first read began {grouped(seconds, 3)} s after the last write; the description declares "
                f"{grouped(declared, 3)} s of remapping, of which at least "
                f"{grouped(limits['remap_tolerance'] * declared, 3)} s are expected.",
                "Correct the remapping time, or tell the reviewers why the run was faster.",
                Level(limits["remap_shortfall"]),
            )
