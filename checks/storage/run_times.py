"""When each run of a workload began and ended, and how long nothing ran between two of them (2.1.18, 2.1.24)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Self

from checks.documents import Document
from checks.rules import Missing
from checks.session import Session
from checks.storage.inputs import Metadata, Summary, moment_in
from checks.storage.leaves import Leaf
from checks.storage.workloads import Workload

INVOCATION = ("/invocation_start_time", "/invocation_end_time")


@dataclass(frozen=True)
class Moment:
    """A recorded time and the file and key that record it."""

    at: datetime
    document: Document
    pointer: str

    @property
    def shown(self) -> str:
        """``08:40:12.6 (summary.json, end)``."""
        tenths = self.at.microsecond // 100_000
        return f"{self.at:%Y-%m-%d %H:%M:%S}.{tenths} ({self.document.what}, {self.pointer[1:]})"


@dataclass(frozen=True)
class Span:
    """One run from its start to its end."""

    leaf: Leaf
    start: Moment
    end: Moment

    @property
    def duration(self) -> timedelta:
        """How long it ran; negative when the records contradict each other."""
        return self.end.at - self.start.at


@dataclass(frozen=True)
class Gap:
    """Two neighbouring runs."""

    before: Span
    after: Span

    @property
    def idle(self) -> timedelta:
        """From the end of the first to the start of the second; negative when they overlap."""
        return self.after.start.at - self.before.end.at


class Invocations:
    """The invocation times that the metadata files of a workload's runs record; none of them is demanded here."""

    what = "*_metadata.json"

    def __init__(self, workload: Workload, session: Session) -> None:
        found = ((leaf, Metadata.of(leaf, session)) for leaf in workload.runs)
        self._metadata = {leaf.path: item for leaf, item in found if not isinstance(item, Missing)}

    @classmethod
    def of(cls, unit: Workload, session: Session) -> Self:
        """The invocation times of the runs of ``unit``."""
        return cls(unit, session)

    def paths(self) -> Iterator[str]:
        """The metadata files."""
        yield from (document.path for document in self._metadata.values())

    def of_run(self, leaf: Leaf) -> Metadata | None:
        """The readable metadata file of a run, if there is one."""
        document = self._metadata.get(leaf.path)
        return document if document is not None and document.fault is None else None


def spans(runs: Iterable[Leaf], summaries: Iterable[Summary], invocations: Invocations) -> list[Span | None]:
    """The span of each run, None where nothing tells it. The invocation's own times go before the summary's, which
    leave out start-up and tear-down. Raises Unusable for a time that is none.
    """
    by_leaf = {summary.folder: summary for summary in summaries}
    return [_span(leaf, invocations.of_run(leaf), by_leaf.get(leaf.path)) for leaf in runs]


def _span(leaf: Leaf, metadata: Metadata | None, summary: Summary | None) -> Span | None:
    start, end = (_moment(metadata, summary, place) for place in (0, 1))
    return Span(leaf, start, end) if start and end else None


def _moment(metadata: Metadata | None, summary: Summary | None, place: int) -> Moment | None:
    """The invocation's own time, else the summary's. Raises Unusable, also for nonsense in the other."""
    places: list[tuple[Document, str]] = [(metadata, INVOCATION[place])] if metadata is not None else []
    if summary is not None:
        places.append((summary, (summary.start, summary.end)[place]))
    told = [(document, pointer) for document, pointer in places if document.get(pointer) is not None] or places[1:]
    found = [Moment(moment_in(document, pointer), document, pointer) for document, pointer in told]
    return found[0] if found else None


def gaps(found: Sequence[Span | None]) -> Iterator[Gap]:
    """Each two neighbours of which both are known."""
    for before, after in pairwise(found):
        if before is not None and after is not None:
            yield Gap(before, after)


def spoken(span: timedelta) -> str:
    """``1 h 52 min``, ``34 min 45 s``, ``4.8 s``."""
    seconds = span.total_seconds()
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min {rest} s" if hours else f"{minutes} min {rest} s"
