"""How rules go through the runs of a workload: each judged by itself, what holds for several told once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

from checks.documents import Document, NotJudged, Unusable
from checks.findings import Fact, Finding, Level
from checks.rules import Outcome
from checks.storage.inputs import Metadata
from checks.storage.leaves import Leaf
from checks.units import Folder, counted, listed

Doc = TypeVar("Doc", bound=Document)
Other = TypeVar("Other", bound=Document)


def each_run(documents: Iterable[Doc], judge: Callable[[Doc], Outcome]) -> Outcome:
    """What ``judge`` says of every run's document; a finding that several runs share is made on the first.

    A value that is absent in one run (Unusable) is that run's finding; the others are still judged. Raises NotJudged,
    after them, for the first run that ``judge`` could not judge.
    """
    unjudged: list[NotJudged] = []
    yield from _shared((document.leaf, _said(document, judge, unjudged)) for document in documents)
    if unjudged:
        raise unjudged[0]


def each_leaf(leaves: Iterable[Leaf], judge: Callable[[Leaf], Iterable[Finding]]) -> Outcome:
    """What ``judge`` says of the entries of every timestamp folder; what several share is told once, on the first."""
    yield from _shared((leaf.shown, judge(leaf)) for leaf in leaves)


def _shared(said: Iterable[tuple[str, Iterable[Finding | Fact]]]) -> Outcome:
    seen: dict[tuple[str, Level | None], list[tuple[str, Finding]]] = {}
    for run, items in said:
        for item in items:
            if isinstance(item, Fact):
                yield item
            else:
                seen.setdefault((item.message, item.level), []).append((run, item))
    for shared in seen.values():
        yield _told_once(shared)


def each_run_alone(documents: Iterable[Doc], judge: Callable[[Doc], Outcome]) -> Outcome:
    """As :func:`each_run` for findings about the run itself, such as what it measured: none is shared."""
    unjudged: list[NotJudged] = []
    for document in documents:
        yield from _said(document, judge, unjudged)
    if unjudged:
        raise unjudged[0]


def _said(document: Doc, judge: Callable[[Doc], Outcome], unjudged: list[NotJudged]) -> Outcome:
    try:
        yield from judge(document)
    except Unusable as error:
        yield error.finding
    except NotJudged as error:
        unjudged.append(error)


def _told_once(shared: list[tuple[str, Finding]]) -> Finding:
    (own, first), *_ = shared
    runs = [run for run in dict.fromkeys(run for run, _ in shared) if run != own]
    if not runs:
        return replace(first, count=len(shared))
    also = f"The same holds for {counted(len(runs), 'other run')}: {listed(runs)}."
    return replace(first, message=f"{first.message} {also}", count=len(shared), cause=first.message)


def named(system: Folder, documents: Sequence[Document], one: str = "run") -> str:
    """``the run `training/unet3d/run/…` `` or ``3 runs (`…` to `…`)``: the folders of ``documents`` by their paths
    below the system, since one moment may name folders of several workloads.
    """
    below = [document.folder.removeprefix(f"{system.path}/") for document in documents]
    if len(below) == 1:
        return f"the {one} {listed(below)}"
    return f"{counted(len(below), one)} ({listed(below[:1])} to {listed(below[-1:])})"


def beside(document: Document, others: Iterable[Other] | None) -> Other | None:
    """The one of ``others`` in the folder of ``document``, if it is there."""
    return next((other for other in others or () if other.folder == document.folder), None)


def accelerator_of(record: Metadata) -> str | None:
    """The kind of accelerator that a run simulated, in lower case; None when its record names none. Raises Unusable."""
    named: str | None = record.text("/accelerator", None) or record.text("/args/accelerator_type", None)
    return named.casefold() if named else None
