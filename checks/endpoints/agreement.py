"""Whether documents that must say the same do: the odd ones against what most say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from checks.documents import Document, shortened
from checks.endpoints.values import text
from checks.findings import Finding
from checks.json_text import escaped
from checks.units import counted, listed

Doc = TypeVar("Doc", bound=Document)


@dataclass(frozen=True, slots=True)
class Odd(Generic[Doc]):
    """A value that differs from what most documents say, the documents that have it, how many say what most say."""

    value: str
    documents: Sequence[Doc]
    usual: str
    usual_count: int


def odd_values(documents: Iterable[Doc], pointer: str) -> Iterator[Odd[Doc]]:
    """Each value at ``pointer`` but the most frequent one (of several, the first met). Absent values say nothing."""
    groups: dict[str, list[Doc]] = {}
    for document in documents:
        if (value := text(document.get(pointer))) is not None:
            groups.setdefault(value, []).append(document)
    if len(groups) > 1:
        usual = max(groups, key=lambda value: len(groups[value]))
        for value, found in groups.items():
            if value != usual:
                yield Odd(value, found, usual, len(groups[usual]))


def disagreements(documents: Iterable[Doc], pointer: str, hint: str) -> Iterator[Finding]:
    """One finding for each odd value at ``pointer``, at the first document that has it."""
    for odd in odd_values(documents, pointer):
        where = listed(document.leaf for document in odd.documents)
        message = (
            f"`{pointer.rpartition('/')[2]}` is {listed([shortened(odd.value)])} in {where}, "
            f"but {listed([shortened(odd.usual)])} in {counted(odd.usual_count, 'other point')}."
        )
        yield odd.documents[0].finding(pointer, message, hint)


def first_difference(here: object, there: object) -> str:
    """JSON pointer of the first value in which two parsed values differ."""
    pointer = ""
    while True:
        found = next(((key, one, other) for key, one, other in _pairs(here, there) if one != other), None)
        if found is None:
            return pointer
        key, here, there = found
        pointer += f"/{escaped(key)}"


def _pairs(here: object, there: object) -> Iterator[tuple[str, object, object]]:
    """The values inside two objects or two lists, side by side; nothing for other kinds."""
    if isinstance(here, dict) and isinstance(there, dict):
        yield from ((key, here.get(key, ...), there.get(key, ...)) for key in {**here, **there})
    elif isinstance(here, list) and isinstance(there, list):
        yield from ((str(index), *pair) for index, pair in enumerate(zip(here, there, strict=False)))
