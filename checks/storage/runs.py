"""How rules go through the runs of a workload: each judged by itself, what holds for several told once."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TypeVar

from checks import names
from checks.documents import Document, Unusable
from checks.findings import Fact, Finding, Level
from checks.rules import Outcome
from checks.units import counted, listed

Doc = TypeVar("Doc", bound=Document)
Other = TypeVar("Other", bound=Document)


def each_run(documents: Iterable[Doc], judge: Callable[[Doc], Outcome]) -> Outcome:
    """What ``judge`` says of every run's document; a finding that several runs share is made on the first.

    A value that is absent in one run (Unusable) is that run's finding; the others are still judged.
    """
    seen: dict[tuple[str, Level | None], list[Finding]] = {}
    for document in documents:
        for item in _said(document, judge):
            if isinstance(item, Fact):
                yield item
            else:
                seen.setdefault((item.message, item.level), []).append(item)
    for shared in seen.values():
        yield _told_once(shared)


def _said(document: Doc, judge: Callable[[Doc], Outcome]) -> Outcome:
    try:
        yield from judge(document)
    except Unusable as error:
        yield error.finding


def _told_once(shared: list[Finding]) -> Finding:
    first, *others = shared
    runs = list(dict.fromkeys(names.basename(names.parent(item.path)) for item in others if item.path != first.path))
    if not runs:
        return replace(first, count=len(shared))
    also = f"The same holds for {counted(len(runs), 'other run')}: {listed(runs)}."
    return replace(first, message=f"{first.message} {also}", count=len(shared), cause=first.message)


def beside(document: Document, others: Iterable[Other] | None) -> Other | None:
    """The one of ``others`` in the folder of ``document``, if it is there."""
    return next((other for other in others or () if other.folder == document.folder), None)


def pairs(documents: Iterable[Doc], others: Iterable[Other]) -> list[tuple[Doc, Other]]:
    """Documents of one run put together; a run that lacks either is left to the engine, which tells of it."""
    by_folder = {other.folder: other for other in others}
    return [(item, by_folder[item.folder]) for item in documents if item.folder in by_folder]
