"""What the vector-database rules (section 5) read besides the documents of every benchmark.

A published run comes in two flavours: the MPI launcher writes ``summary.json``, the single-node one leaves the
benchmark's native ``statistics.json`` and ``config.json`` only. The first is what 5.3.1 demands; figures are read from
the second where it is all there is, so that a missing summary does not hide what was measured.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self

from checks import names
from checks.documents import Document, JsonDocument, number_in
from checks.rules import Missing
from checks.session import Session
from checks.storage.inputs import LeafDocument
from checks.storage.leaves import Leaf

RECALL_KEYS = ("mean_recall", "recall_at_k", "recall")
"""Where a recall record keeps its value, the mean over all queries first."""


NATIVE = ("statistics.json", "vectordb/simple/statistics.json")
"""Where the launchers leave the benchmark's native figures, below the run's folder."""


class Statistics(LeafDocument, JsonDocument):
    """``statistics.json`` of a query run, wherever in its folder: the benchmark's native figures."""

    what = "statistics.json"

    @staticmethod
    def folder_of(path: str) -> str:
        """The run's folder, also where the file lies deeper."""
        return next(path.removesuffix(f"/{name}") for name in reversed(NATIVE) if path.endswith(f"/{name}"))

    @classmethod
    def of(cls, unit: Leaf, session: Session) -> Self | Missing:
        """See :class:`LeafDocument`."""
        return session.file(cls, native_figures(unit) or unit.inside(NATIVE[0]))


def native_figures(run: Leaf) -> str | None:
    """The path of a run's native figures; None where it has none."""
    return next((path for path in map(run.inside, NATIVE) if run.tree.is_file(path)), None)


class RunConfig(LeafDocument, JsonDocument):
    """``config.json`` of a query run: index type, metric, dimension, search limit."""

    what = "config.json"

    @classmethod
    def of(cls, unit: Leaf, session: Session) -> Self | Missing:
        """See :class:`LeafDocument`."""
        return session.file(cls, unit.inside("config.json"))


class RecallStats(LeafDocument, JsonDocument):
    """``recall_stats.json``: recall over the evaluated queries, computed after the timed loop."""

    what = "recall_stats.json"

    @classmethod
    def of(cls, unit: Leaf, session: Session) -> Self | Missing:
        """See :class:`LeafDocument`."""
        return session.file(cls, unit.inside("recall_stats.json"))


class Verdict(LeafDocument, JsonDocument):
    """``result_verdict.json``: whether the ground truth was built, and over how many vectors."""

    what = "result_verdict.json"

    @classmethod
    def of(cls, unit: Leaf, session: Session) -> Self | Missing:
        """See :class:`LeafDocument`."""
        return session.file(cls, unit.inside("result_verdict.json"))


def figures(*kinds: Iterable[Document]) -> list[Document]:
    """One document of each run: of the first of ``kinds`` that it has, such as its summary.json, or the native
    statistics.json where 5.3.1 misses the summary.
    """
    found: dict[str, Document] = {}
    for documents in kinds:
        for document in documents:
            found.setdefault(document.folder, document)
    return [found[folder] for folder in sorted(found, key=names.tree_order)]


def figure(document: Document, *pointers: str) -> tuple[str, float] | None:
    """The first of ``pointers`` that holds a number, also one written as text, with the number; None without one."""
    for pointer in pointers:
        value = document.get(pointer)
        if isinstance(value, str):
            value = number_in(value)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return pointer, value
    return None


def word(pointer: str, *documents: Document | None) -> tuple[Document, str] | None:
    """The text at ``pointer`` of the first document that holds one, with that document; None without one."""
    for document in documents:
        if document is not None and isinstance(found := document.get(pointer), str) and found.strip():
            return document, found
    return None
