"""Faults of several documents of a curve that are the same fault: told once, at the first that has it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeVar

from checks.documents import Document
from checks.findings import Finding, Level
from checks.units import counted, listed

Doc = TypeVar("Doc", bound=Document)


class DocumentFault(NamedTuple):
    """One fault: JSON pointer, text, what to do, and the level where it is not the rule's own."""

    pointer: str
    message: str
    hint: str
    level: Level | None = None


def told_once(found: Iterable[tuple[Doc, DocumentFault]]) -> Iterator[Finding]:
    """One finding for each distinct fault; it names the other points that have the same."""
    places: dict[DocumentFault, list[Doc]] = {}
    for document, fault in found:
        places.setdefault(fault, []).append(document)
    for fault, documents in places.items():
        first, *others = documents
        where = listed(document.leaf for document in others)
        same = f" The same in {counted(len(others), 'other point')} of this curve: {where}." if others else ""
        yield first.finding(fault.pointer, fault.message + same, fault.hint, fault.level)
