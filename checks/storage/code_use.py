"""Which code a system's timestamp folders say they ran: their pointers, and the images that these name (2.1.6)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from checks import names
from checks.session import Session
from checks.storage.code_inputs import HASH_FILE, CodeHash, CodePointer, Images, Pointed
from checks.storage.leaves import Leaf
from checks.storage.terms import CODE, TRAINING, VECTOR_DATABASE
from checks.storage.units import CodeImage, System
from checks.storage.workloads import Workload
from checks.units import Folder


class CodeUse:
    """The pointers of all timestamp folders of a system or workload, and the hashes that images record.

    Found by names; pointers and hash files are tiny, so those of all images are read where one is needed.
    """

    what = ".mlps-code-image, .code-hash.json"

    def __init__(self, unit: System | Workload, session: Session) -> None:
        self.system = unit if isinstance(unit, System) else unit.system
        self.leaves: list[Leaf] = [leaf for leaf in unit.leaves if leaf.timestamp is not None]
        self.images = Images.of(Folder(session.tree, ""), session)
        self._session = session

    @classmethod
    def of(cls, unit: System | Workload, session: Session) -> Self:
        """The code use of ``unit``."""
        return cls(unit, session)

    def paths(self) -> Iterator[str]:
        """The pointers, and the hash file of every image that one of them may name."""
        for leaf in self.leaves:
            if (pointer := self.pointer(leaf)) is not None:
                yield pointer.path
        if any(self.pointer(leaf) for leaf in self.leaves):
            places = [*self.images.folders, *(place for leaf in self.leaves for place in self._folders(leaf))]
            yield from dict.fromkeys(path for place in places if self._has(path := names.join(place, HASH_FILE)))

    @property
    def submitter_code(self) -> str:
        """Where the document puts a CLOSED submission's code."""
        return self.system.submitter.inside(CODE)

    @property
    def has_folders(self) -> bool:
        """Whether code lies in folders as the document draws it, so that runs need no pointer."""
        folders = [self.submitter_code] if self.system.closed else self.system.code_places
        return any(self._session.tree.is_dir(path) for path in folders)

    def pointer(self, leaf: Leaf) -> CodePointer | None:
        """The pointer of ``leaf``; None when it has none."""
        found = CodePointer.of(leaf, self._session)
        return found if isinstance(found, CodePointer) else None

    def recorded(self, image: str) -> str | None:
        """The hash that the image at ``image`` records; None when it records none that can be read."""
        if not self._has(names.join(image, HASH_FILE)):
            return None
        return CodeHash.at(self._session, CodeImage(self._session.tree, image)).recorded

    def image(self, leaf: Leaf, pointed: Pointed) -> str | None:
        """The path of the image that ``leaf`` says it ran: in a pool by its name, else a code folder by its hash."""
        pooled = self.images.resolve(self.system.submitter.name, pointed.image)
        if pooled is not None:
            return pooled
        return next((path for path in self._folders(leaf) if self.recorded(path) == pointed.hash), None)

    def _folders(self, leaf: Leaf) -> list[str]:
        return [self.submitter_code, leaf.workload.code]

    def _has(self, path: str) -> bool:
        return self._session.tree.is_file(path)


JUDGED_BENCHMARKS = frozenset({TRAINING, VECTOR_DATABASE})
"""Whose CLOSED code must be the upstream code (3.6.1, 5.6.1)."""


class UpstreamDigests:
    """The pinned digests of upstream source (3.6.1 b), and whether ``unit`` is a CLOSED system that needs them."""

    def __init__(self, digests: frozenset[str], needed: bool) -> None:
        self.digests = digests
        self.needed = needed

    @classmethod
    def of(cls, unit: System | Workload, session: Session) -> Self:
        """The digests of the check's edition."""
        needed = isinstance(unit, System) and unit.closed and not JUDGED_BENCHMARKS.isdisjoint(unit.folders)
        return cls(frozenset(session.edition["code"]["reference_checksums"]), needed)
