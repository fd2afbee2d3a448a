"""What the benchmark's summaries of training and checkpointing runs say of hosts and accelerators."""

from __future__ import annotations

from fractions import Fraction

from checks.documents import Unusable
from checks.storage.figures import LEAST, positive_integer, zero_or_more
from checks.storage.inputs import Summary
from checks.units import counted

ACCELERATORS, HOSTS = "/num_accelerators", "/num_hosts"
"""The number of simulated accelerators over all hosts, and of hosts."""

MEMORY = "/host_memory_GB"


def host_memory(summary: Summary) -> Fraction:
    """The memory of all hosts of a run in GiB: the sum of the list, whose places mean nothing in real files.

    Raises Unusable, also for a list that leaves out hosts.
    """
    count, hosts = len(summary.array(MEMORY)), positive_integer(summary, HOSTS)
    if count < hosts:
        message = f"`host_memory_GB` lists {counted(count, 'host')}, `num_hosts` says {hosts:,}; each must be listed."
        raise Unusable(summary.finding(MEMORY, message, "Restore summary.json as the benchmark wrote it."))
    total = sum((zero_or_more(summary, f"{MEMORY}/{place}") for place in range(count)), Fraction(0))
    if total < LEAST:
        raise summary.unusable(MEMORY, "the memory of every host, above 0 in all,")
    return total
