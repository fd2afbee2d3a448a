"""Rules 3.3.3 to 3.3.7: the hosts and accelerators of training runs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from checks.documents import NotJudged
from checks.edition import Edition
from checks.findings import Level
from checks.rules import Each, Outcome
from checks.storage.book import not_checkable, rule
from checks.storage.figures import GIB, grouped, positive_integer
from checks.storage.hosts import host_names, placements
from checks.storage.inputs import Metadata, Summary
from checks.storage.runs import beside, each_run
from checks.storage.summaries import ACCELERATORS, HOSTS, host_memory
from checks.storage.workloads import TrainingWorkload
from checks.units import counted, listed


@rule("3.3.3", "trainingSingleHostSimulatedAccelerators", level=Level.NOTICE)
def accelerators_of_a_single_host(workload: TrainingWorkload, summaries: Each[Summary], edition: Edition) -> Outcome:
    """A run on one host simulates enough accelerators to load the storage, and has about half a GiB of memory for each.

    Why: The document advises to raise `--num-accelerators` on one host; few accelerators say little about storage.

    Mend: Raise `--num-accelerators` as far as utilization allows and run the workload again.

    Contested: This is advice, not a condition: a notice in edition 2.0; the round gave it as a warning.
    """
    training = edition["training"]
    limits = training["advised_accelerators"], training["memory_per_accelerator_gib"]
    yield from each_run(summaries, partial(_well_loaded, *limits))


def _well_loaded(advised: int, memory_each: float, summary: Summary) -> Outcome:
    if positive_integer(summary, HOSTS) > 1:
        return
    accelerators = positive_integer(summary, ACCELERATORS)
    if accelerators < advised:
        yield summary.finding(
            ACCELERATORS,
            f"{counted(accelerators, 'simulated accelerator')} on the single host; {advised} or more are advised.",
            "Raise `--num-accelerators` as far as utilization allows, if the storage can carry more.",
        )
    elif (memory := host_memory(summary)) < accelerators * memory_each:
        yield summary.finding(
            ACCELERATORS,
            f"{counted(accelerators, 'simulated accelerator')} need about {grouped(accelerators * memory_each)} GiB of "
            f"memory, the single host has {grouped(memory)} GiB.",
            "Check that both figures are those of the run.",
        )


@rule("3.3.4", "trainingSingleHostClientLimit")
def single_host_means_one_client(
    workload: TrainingWorkload, summaries: Each[Summary], records: Each[Metadata]
) -> Outcome:
    """A run that reports one host used one client.

    Why: A second client doubles what the storage is asked for; the result would be of another class.

    Mend: Run again with one client, or restore summary.json as the benchmark wrote it.
    """
    yield from each_run(records, partial(_one_client, summaries))


def _one_client(summaries: Sequence[Summary], record: Metadata) -> Outcome:
    summary = beside(record, summaries)
    if summary is None or positive_integer(summary, HOSTS) > 1:
        return
    place, used = host_names(record)
    if len(used) > 1:
        yield record.finding(
            place,
            f"The summary reports one host, but {len(used)} clients were used: {listed(used)}.",
            "Run again with one client; if summary.json was changed, restore it as the benchmark wrote it.",
        )


not_checkable(
    "3.3.5",
    "trainingDistributedDataAccessibility",
    "every process reads its share of one dataset, so that a run whose hosts can't reach it doesn't complete; no file "
    "records more (the document itself asks how to check it)",
)


@rule("3.3.6", "trainingIdenticalAcceleratorsPerNode")
def accelerators_are_spread_evenly(
    workload: TrainingWorkload, summaries: Each[Summary], records: Each[Metadata]
) -> Outcome:
    """In a run on several hosts each simulates the same number of accelerators.

    Why: The busiest host would hold up all the others.

    Mend: Run again with a number of accelerators that the hosts share evenly.
    """
    yield from each_run(records, partial(_evenly, summaries))


def _evenly(summaries: Sequence[Summary], record: Metadata) -> Outcome:
    summary = beside(record, summaries)
    if summary is None or (hosts := positive_integer(summary, HOSTS)) == 1:
        return
    accelerators = positive_integer(summary, ACCELERATORS)
    hint = "Run again with a number of accelerators that the hosts share evenly."
    uneven = ((place, by_host) for place, by_host in placements(record, accelerators).items() if _uneven(by_host))
    place, by_host = next(uneven, ("", {}))
    if by_host:
        yield record.finding(place, f"The hosts simulate different numbers of accelerators: {_shares(by_host)}.", hint)
    elif accelerators % hosts:
        message = f"{counted(accelerators, 'accelerator')} can't be spread evenly over {hosts} hosts."
        yield summary.finding(ACCELERATORS, message, hint)


def _uneven(by_host: dict[str, int]) -> bool:
    return len(set(by_host.values())) > 1


def _shares(by_host: dict[str, int]) -> str:
    shares = sorted(set(by_host.values()), reverse=True)
    return ", ".join(f"{share} on {listed(host for host, own in by_host.items() if own == share)}" for share in shares)


@rule("3.3.7", "trainingNodeCapabilityConsistency", level=Level.WARNING)
def hosts_are_alike(workload: TrainingWorkload, records: Each[Metadata], edition: Edition) -> Outcome:
    """The hosts of a run are about equally capable: memory and cores of the largest are within a factor of the
    smallest's.

    Why: The weakest host sets the pace; results of a mixed set say little about storage.

    Mend: Nothing, if the hosts are what was meant to be used; tell the reviewers.

    Contested: The document itself is unsure of this rule and gives no measure; the factor is the public checker's.
    """
    yield from each_run(records, partial(_alike, edition["training"]["node_divergence"]))


def _alike(limit: float, record: Metadata) -> Outcome:
    count = len(record.array("/system_info/hosts", []))
    if count == 0:
        raise NotJudged(record.path, f"{record.leaf}: no inventory of the hosts (system_info.hosts) is recorded")
    if count == 1:
        return
    hosts = [f"/system_info/hosts/{place}" for place in range(count)]
    memory = [positive_integer(record, f"{host}/memory/total") / GIB for host in hosts]
    cores = [positive_integer(record, f"{host}/cpu/num_cores") for host in hosts]
    for called, unit, figures in (("memory", " GiB", memory), ("CPU cores", "", cores)):
        if max(figures, default=0) > limit * min(figures, default=0):
            yield record.finding(
                "/system_info/hosts",
                f"The hosts differ in {called}: {_range(figures)}{unit}, more than a factor of {grouped(limit)}.",
                "Tell the reviewers why, or run again on hosts that are alike.",
            )


def _range(figures: Iterable[float]) -> str:
    ordered = sorted(figures)
    return f"{grouped(ordered[0])} to {grouped(ordered[-1])}"
