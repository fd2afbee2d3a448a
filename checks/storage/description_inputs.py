"""What the rules on system descriptions read beside the description of a system with results."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from checks import names
from checks.rules import Missing
from checks.session import Session
from checks.storage.inputs import SystemDescription
from checks.storage.units import Submitter, System
from checks.tree import Tree

PDF_HEAD_BYTES = 1024
"""Where a PDF's first mark must stand (ISO 32000-1, annex H.3, note 13)."""


class SpareDescription(SystemDescription):
    """``systems/<name>.yaml`` of a system that has no results."""

    @classmethod
    def all(cls, unit: Submitter, session: Session) -> list[Self | Missing]:
        """Those of a submitter."""
        named = {system.description for system in unit.systems}
        paths = [unit.descriptions.inside(name) for name in unit.descriptions.files if _is_description(name)]
        return [session.document(cls, path) for path in paths if path not in named]


class SystemPdf:
    """``systems/<name>.pdf``, of which only the beginning is read."""

    what = "systems/<name>.pdf"

    def __init__(self, tree: Tree, path: str) -> None:
        self.tree, self.path = tree, path

    @classmethod
    def of(cls, unit: System, session: Session) -> Self | Missing:
        """The PDF of the system ``unit``; rule 2.1.7 demands it."""
        if not session.tree.is_file(unit.document):
            return Missing(f"{unit.name}.pdf is missing", session.tree.nearest(unit.document), see="2.1.7")
        return cls(session.tree, unit.document)

    def paths(self) -> Iterator[str]:
        """The file."""
        yield self.path

    @property
    def head(self) -> bytes:
        """Its first bytes."""
        return self.tree.head(self.path, PDF_HEAD_BYTES)


def _is_description(name: str) -> bool:
    """Dot-prefixed entries of ``systems`` are ignored (2.1.7)."""
    return name.endswith(".yaml") and not names.is_dot(name)
