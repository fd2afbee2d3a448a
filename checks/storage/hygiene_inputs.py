"""What the storage tree's own hygiene rules read: PDFs by content, and every pointer of the tree."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Self

from checks import names
from checks.rules import Missing
from checks.session import Session
from checks.storage.code_inputs import POINTER, CodePointer, Images
from checks.storage.units import CodeImage, Root, Submitter


class SystemPdfs:
    """The PDFs of a submitter's systems, told apart by content."""

    what = "systems/*.pdf"

    def __init__(self, submitter: Submitter) -> None:
        self.folder = submitter.descriptions
        self.tree = submitter.tree

    @classmethod
    def of(cls, unit: Submitter, session: Session) -> Self:
        """Those of ``unit``; there may be none."""
        return cls(unit)

    @property
    def same(self) -> list[list[str]]:
        """Names of the files that have one content, group by group."""
        found: dict[str, list[str]] = {}
        for name in self.folder.files:
            if name.endswith(".pdf") and not names.is_dot(name):
                found.setdefault(self._content(name), []).append(name)
        return [group for group in found.values() if len(group) > 1]

    def _content(self, name: str) -> str:
        """Git's object id, which no content has to be read for; else a hash of the content."""
        path = self.folder.inside(name)
        return self.folder.entries[name].oid or hashlib.sha256(self.tree.read(path)).hexdigest()


class PointedImages:
    """Every pointer of the tree, of both divisions, and the images that they name."""

    what = f"every {POINTER}"

    def __init__(self, session: Session) -> None:
        self.session = session
        self._images: frozenset[str] | None = None

    @classmethod
    def of(cls, unit: CodeImage, session: Session) -> Self | Missing:
        """The pointers, for an image of a pool; code that stands in a submission has none."""
        if unit.path not in Images.of(Root(session.tree, ""), session).folders:
            return Missing("code outside a pool is named by no pointer", unit.path)
        return session.keep(cls, lambda: cls(session))

    def paths(self) -> Iterator[str]:
        """The pointer files."""
        return (path for _, path in self._pointers())

    def _pointers(self) -> Iterator[tuple[str, str]]:
        for division in Root(self.session.tree, "").divisions:
            for submitter in division.submitters:
                leaves = (leaf for system in submitter.systems for leaf in system.leaves)
                yield from ((submitter.name, leaf.inside(POINTER)) for leaf in leaves if POINTER in leaf.files)

    @property
    def images(self) -> frozenset[str]:
        """Paths of the images that some pointer names."""
        if self._images is None:
            self._images = frozenset(path for path in self._resolved() if path)
        return self._images

    def _resolved(self) -> Iterator[str | None]:
        images = Images.of(Root(self.session.tree, ""), self.session)
        for organisation, path in self._pointers():
            pointer = CodePointer.at(self.session, path)
            if isinstance(pointer, CodePointer) and (pointed := pointer.pointed) is not None:
                yield images.resolve(organisation, pointed.image)
