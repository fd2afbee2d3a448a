"""The client machines of each run as its summary and metadata record them, for comparison (2.1.9)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Self

from checks.documents import Document, JsonDocument
from checks.findings import Finding
from checks.rules import Missing
from checks.session import Session
from checks.storage.inputs import Metadata, Summary
from checks.storage.units import System

GIB = 2**30
HOST_COUNTS = (("/num_hosts", Summary), ("/host_count", Summary), ("/system_info/num_hosts", Metadata))
"""Where a run says how many client machines took part, the surest place first (KV cache says ``host_count``)."""


@dataclass(frozen=True)
class Recorded:
    """A figure of one run and where it is written."""

    value: Any
    document: Document
    pointer: str

    def finding(self, message: str, hint: str) -> Finding:
        """A finding at the figure."""
        return self.document.finding(self.pointer, message, hint)


class ClientHosts:
    """What the measured runs of a system record about the machines that ran them. Files that are missing or unreadable
    are left out: other rules tell of them.
    """

    what = "summary.json, *_metadata.json"

    def __init__(self, system: System, session: Session) -> None:
        found = [(Summary.of(leaf, session), Metadata.of(leaf, session)) for leaf in system.runs]
        self._runs = [[item for item in pair if not isinstance(item, Missing)] for pair in found]

    @classmethod
    def of(cls, unit: System, session: Session) -> Self:
        """The client machines of ``unit``'s runs."""
        return cls(unit, session)

    def paths(self) -> Iterator[str]:
        """The summaries and metadata files."""
        yield from (document.path for run in self._runs for document in run)

    @property
    def runs(self) -> list[list[JsonDocument]]:
        """The readable documents of each run."""
        return [[document for document in run if document.fault is None] for run in self._runs]

    def counts(self) -> list[Recorded]:
        """The number of client machines of each run that tells it."""
        return [count for run in self.runs if (count := _count(run)) is not None]

    def memories(self) -> list[Recorded]:
        """The memory of one machine in GiB, averaged over a run's machines."""
        return [memory for run in self.runs if (memory := _memory(run)) is not None]

    def processors(self) -> list[Recorded]:
        """The model names of the processors of a run's machines."""
        return _of_hosts(self.runs, "cpu", "model")

    def cores(self) -> list[Recorded]:
        """The numbers of cores of a run's machines."""
        return _of_hosts(self.runs, "cpu", "num_cores")

    def systems(self) -> list[Recorded]:
        """The operating systems of a run's machines."""
        return _of_hosts(self.runs, "system", "os_release", "PRETTY_NAME")


def _count(run: list[JsonDocument]) -> Recorded | None:
    for pointer, kind in HOST_COUNTS:
        for document in run:
            value = document.get(pointer)
            if isinstance(document, kind) and isinstance(value, int) and not isinstance(value, bool) and value > 0:
                return Recorded(value, document, pointer)
    return None


def _memory(run: list[JsonDocument]) -> Recorded | None:
    """From the summary's list, of which only the sum is sound, else from the metadata's total."""
    for document in run:
        hosts, listed = document.get("/num_hosts"), document.get("/host_memory_GB")
        if _positive(hosts) and isinstance(listed, list) and listed and all(map(_positive_or_zero, listed)):
            return Recorded(sum(listed) / hosts, document, "/host_memory_GB")
        hosts, total = document.get("/system_info/num_hosts"), document.get("/system_info/total_memory_bytes")
        if _positive(hosts) and _positive(total):
            return Recorded(total / hosts / GIB, document, "/system_info/total_memory_bytes")
    return None


def _positive(value: Any) -> bool:
    return _positive_or_zero(value) and value > 0


def _positive_or_zero(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value >= 0


def _of_hosts(runs: Iterable[list[JsonDocument]], *keys: str) -> list[Recorded]:
    """One figure of all machines of a run, as the sorted distinct values."""
    found = []
    for run in runs:
        for document in run:
            hosts = document.get("/system_info/hosts")
            values = {_inner(host, keys) for host in hosts} - {None} if isinstance(hosts, list) else set()
            if values:
                found.append(Recorded(tuple(sorted(map(str, values))), document, "/system_info/hosts"))
    return found


def _inner(host: Any, keys: tuple[str, ...]) -> str | int | None:
    for key in keys:
        host = host.get(key) if isinstance(host, dict) else None
    return host if isinstance(host, str | int) else None
