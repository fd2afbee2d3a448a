"""What the benchmark's summaries of training and checkpointing runs say of hosts and accelerators."""

from __future__ import annotations

from fractions import Fraction

from checks.storage.figures import LEAST, zero_or_more
from checks.storage.inputs import Summary

ACCELERATORS, HOSTS = "/num_accelerators", "/num_hosts"
"""The number of simulated accelerators over all hosts, and of hosts."""


def host_memory(summary: Summary) -> Fraction:
    """The memory of all hosts of a run in GiB: the sum of the list, whose places mean nothing in real files."""
    count = len(summary.array("/host_memory_GB"))
    total = sum((zero_or_more(summary, f"/host_memory_GB/{place}") for place in range(count)), Fraction(0))
    if total < LEAST:
        raise summary.unusable("/host_memory_GB", "the memory of every host, above 0 in all,")
    return total
