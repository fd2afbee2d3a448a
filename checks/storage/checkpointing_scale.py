"""Rules 4.6.1, 4.6.2 and 4.6.4 with Table 3: how many processes a checkpointing run has, and where."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from checks.documents import Document
from checks.edition import Edition
from checks.rules import Each, Outcome
from checks.storage.book import in_closed, in_open, rule
from checks.storage.figures import grouped, positive_integer
from checks.storage.hosts import placements
from checks.storage.inputs import Metadata, Summary
from checks.storage.runs import beside, each_run
from checks.storage.summaries import ACCELERATORS, HOSTS
from checks.storage.workloads import CheckpointingWorkload
from checks.units import counted, listed

PROCESSES = "/args/num_processes"


def told_processes(record: Metadata) -> tuple[int, str]:
    """The number of processes that a run was started with, and where it stands. Raises Unusable."""
    pointer = PROCESSES if record.get(PROCESSES) is not None else "/num_processes"
    return positive_integer(record, pointer), pointer


@rule("4.6.1", "checkpointClosedMpiProcesses", applies=in_closed)
def closed_runs_have_the_models_processes(
    workload: CheckpointingWorkload, summaries: Each[Summary], records: Each[Metadata], edition: Edition
) -> Outcome:
    """A CLOSED run has as many processes as Table 2 gives for its model: 8, 64, 512 or 1024.

    Why: The checkpoint is cut into one share a process; another number is another workload.

    Mend: Run again with that number, or submit to OPEN, which may scale (4.6.4).
    """
    table = edition["checkpointing"]["models"].get(workload.name)
    if table:  # an unknown model is told of by 2.1.21 and 4.3.3
        yield from each_run(records, partial(_as_table_2, workload, table["processes"], summaries))


def _as_table_2(
    workload: CheckpointingWorkload, required: int, summaries: Sequence[Summary], record: Metadata
) -> Outcome:
    summary = beside(record, summaries)
    told, pointer = told_processes(record)
    recorded: list[tuple[int, Document, str]] = [(told, record, pointer)]
    if summary is not None:
        recorded.append((positive_integer(summary, ACCELERATORS), summary, ACCELERATORS))
    wrong = next((item for item in recorded if item[0] != required), None)
    if wrong is not None:
        count, document, place = wrong
        yield document.finding(
            place,
            f"{counted(count, 'process', 'processes')}; a CLOSED run of {workload.shown} has exactly {required:,}.",
            f"Run again with `--num-processes {required}`, or submit the result to OPEN.",
        )


@rule("4.6.2", "checkpointClosedAcceleratorsPerHost", applies=in_closed)
def closed_hosts_are_loaded(
    workload: CheckpointingWorkload, summaries: Each[Summary], records: Each[Metadata], edition: Edition
) -> Outcome:
    """In a CLOSED run each host simulates more than 4 accelerators.

    Why: Fewer spread the work over more clients than a real node of accelerators would be.

    Mend: Run again on fewer hosts.

    Contested: The rule says more than 4, Table 3 "minimal 4". The rule's text is taken: exactly 4 is an error.
    """
    more_than = edition["checkpointing"]["per_host"]["closed_more_than"]
    wanted = f"more than {more_than} are required in CLOSED (the rule; Table 3 says minimal {more_than})"
    yield from each_run(records, partial(_loaded, summaries, more_than + 1, wanted))


def _loaded(summaries: Sequence[Summary], least: int, wanted: str, record: Metadata) -> Outcome:
    """Each host has at least ``least`` processes: by slots where recorded, else on average."""
    summary = beside(record, summaries)
    if summary is None:  # the engine tells of it
        return
    total, hosts = positive_integer(summary, ACCELERATORS), positive_integer(summary, HOSTS)
    hint = "Run again on fewer hosts, or with the processes spread evenly."
    spread = [(place, low) for place, by_host in placements(record, total).items() if (low := _below(by_host, least))]
    if spread:
        place, low = spread[0]
        yield record.finding(place, f"{_shares(low)}; {wanted}.", hint)
    elif total < least * hosts:
        share = grouped(total / hosts)
        message = f"{total:,} simulated accelerators on {counted(hosts, 'host')}, {share} on each; {wanted}."
        yield summary.finding(ACCELERATORS, message, hint)


def _below(by_host: dict[str, int], least: int) -> dict[str, int]:
    return {host: count for host, count in by_host.items() if count < least}


def _shares(by_host: dict[str, int]) -> str:
    return " and ".join(_per_count(by_host))


def _per_count(by_host: dict[str, int]) -> Iterator[str]:
    for count in sorted(set(by_host.values())):
        hosts = listed(host for host, own in by_host.items() if own == count)
        yield f"{counted(count, 'simulated accelerator')} on {hosts}"


@rule("4.6.4", "checkpointOpenSubmissionScaling", applies=in_open)
def open_runs_scale_in_whole_replicas(
    workload: CheckpointingWorkload, records: Each[Metadata], edition: Edition
) -> Outcome:
    """The number of processes of an OPEN run is a multiple of the model's tensor times pipeline parallelism.

    Why: Less than a whole replica of the model can't be checkpointed.

    Mend: Run again with a multiple.

    Contested: For llama3-8b the product is 1, so that any number passes, though the tool's help speaks of multiples
    of 8.
    """
    table = edition["checkpointing"]["models"].get(workload.name)
    if table:
        yield from each_run(records, partial(_whole_replicas, workload, table))


def _whole_replicas(workload: CheckpointingWorkload, table: Any, record: Metadata) -> Outcome:
    replica = table["tensor"] * table["pipeline"]
    count, pointer = told_processes(record)
    if count % replica:
        yield record.finding(
            pointer,
            f"{counted(count, 'process', 'processes')}; an OPEN run of {workload.shown} has a multiple of {replica:,} "
            f"(tensor {table['tensor']} × pipeline {table['pipeline']}).",
            f"Run again with {max(1, count // replica) * replica:,} processes or with a further multiple.",
        )


@rule("4.6.4", "checkpointOpenSubmissionScaling", applies=in_open)
def open_hosts_are_loaded(
    workload: CheckpointingWorkload, summaries: Each[Summary], records: Each[Metadata], edition: Edition
) -> Outcome:
    """In an OPEN run each host has at least 4 processes (Table 3).

    Why: Fewer spread the work over more clients than a real node of accelerators would be.

    Mend: Run again on fewer hosts.
    """
    least = edition["checkpointing"]["per_host"]["open_at_least"]
    yield from each_run(records, partial(_loaded, summaries, least, f"at least {least} are required (Table 3)"))
