"""One check's memory: the tree, the edition, and every document once.

Rules never see the session; the engine uses it to find their inputs. Documents are kept until :meth:`Session.forget`,
so that a document is read and parsed once for all rules of a scope and a large tree does not stay in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any, TypeVar

from checks.documents import Document
from checks.rules import Missing
from checks.tree import Tree

Made = TypeVar("Made")
Doc = TypeVar("Doc", bound=Document)


class Session:
    """What input types get to find themselves with: ``tree``, ``edition``, ``base`` (the tree before the change).

    ``scopes`` are the paths of the scopes that are checked, once the engine knows them (None: not known, so all).
    """

    def __init__(self, tree: Tree, edition: Any, base: Tree | None = None) -> None:
        self.tree = tree
        self.edition = edition
        self.base = base
        self.scopes: frozenset[str] | None = None
        self._documents: dict[tuple[type[Document], str], Document] = {}
        self._kept: dict[Any, Any] = {}
        self._derived: dict[Any, Any] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        """For another process: the same trees, nothing remembered."""
        return Session, (self.tree, self.edition, self.base)

    def document(self, kind: type[Doc], path: str) -> Doc:
        """The document of class ``kind`` at ``path``, the same object each time."""
        key = (kind, path)
        if key not in self._documents:
            self._documents[key] = kind(self.tree, path)
        found = self._documents[key]
        assert isinstance(found, kind)
        return found

    def loaded(self, kinds: Collection[type[Document]]) -> list[Document]:
        """The documents of ``kinds`` that were read, for :meth:`take` in another process."""
        return [found for (kind, _), found in self._documents.items() if kind in kinds and found.is_loaded]

    def take(self, documents: Iterable[Document]) -> None:
        """Takes over what another process has read, so that it is not read again here."""
        for found in documents:
            self.document(type(found), found.path).take(found)

    def keep(self, key: Any, make: Callable[[], Made]) -> Made:
        """What ``make`` gives, computed once a check: for what many scopes share, such as a code image's hash."""
        if key not in self._kept:
            self._kept[key] = make()
        found: Made = self._kept[key]
        return found

    def derive(self, key: Any, make: Callable[[], Made]) -> Made:
        """What ``make`` gives, computed once and kept as long as the documents: what a scope's rules share."""
        if key not in self._derived:
            self._derived[key] = make()
        found: Made = self._derived[key]
        return found

    def file(self, kind: type[Doc], path: str, see: str = "") -> Doc | Missing:
        """The document at ``path``, or Missing when no regular file stands there."""
        if self.tree.is_file(path):
            return self.document(kind, path)
        folder, _, name = path.rpartition("/")
        return Missing(f"{name} is missing", self.tree.nearest(folder), see)

    def checks(self, scope: str) -> bool:
        """Whether the scope of that path is among those that are checked."""
        return self.scopes is None or scope in self.scopes

    def forget(self) -> None:
        """Drops the documents and what was derived from them; what :meth:`keep` holds stays."""
        self._documents.clear()
        self._derived.clear()
