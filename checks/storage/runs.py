"""How rules go through the runs of a workload: each judged by itself, what holds for several told once."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TypeVar

from checks.documents import Document, Unusable
from checks.findings import Fact, Finding, Level
from checks.rules import Outcome
from checks.storage.inputs import Metadata
from checks.units import counted, listed

Doc = TypeVar("Doc", bound=Document)
Other = TypeVar("Other", bound=Document)


def each_run(documents: Iterable[Doc], judge: Callable[[Doc], Outcome]) -> Outcome:
    """What ``judge`` says of every run's document; a finding that several runs share is made on the first.

    A value that is absent in one run (Unusable) is that run's finding; the others are still judged.
    """
    seen: dict[tuple[str, Level | None], list[tuple[str, Finding]]] = {}
    for document in documents:
        for item in _said(document, judge):
            if isinstance(item, Fact):
                yield item
            else:
                seen.setdefault((item.message, item.level), []).append((document.leaf, item))
    for shared in seen.values():
        yield _told_once(shared)


def each_run_alone(documents: Iterable[Doc], judge: Callable[[Doc], Outcome]) -> Outcome:
    """As :func:`each_run` for findings about the run itself, such as what it measured: none is shared."""
    for document in documents:
        yield from _said(document, judge)


def _said(document: Doc, judge: Callable[[Doc], Outcome]) -> Outcome:
    try:
        yield from judge(document)
    except Unusable as error:
        yield error.finding


def _told_once(shared: list[tuple[str, Finding]]) -> Finding:
    (own, first), *_ = shared
    runs = [run for run in dict.fromkeys(run for run, _ in shared) if run != own]
    if not runs:
        return replace(first, count=len(shared))
    also = f"The same holds for {counted(len(runs), 'other run')}: {listed(runs)}."
    return replace(first, message=f"{first.message} {also}", count=len(shared), cause=first.message)


def beside(document: Document, others: Iterable[Other] | None) -> Other | None:
    """The one of ``others`` in the folder of ``document``, if it is there."""
    return next((other for other in others or () if other.folder == document.folder), None)


def accelerator_of(record: Metadata) -> str | None:
    """The kind of accelerator that a run simulated, in lower case; None when its record names none. Raises Unusable."""
    named: str | None = record.text("/accelerator", None) or record.text("/args/accelerator_type", None)
    return named.casefold() if named else None
