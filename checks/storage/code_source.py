"""The source files of a code image as an input of rules: read once, hashed in every reading, compared with a record."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

from checks.session import Session
from checks.storage.code_causes import Facts, likely_causes
from checks.storage.code_inputs import CodeHash
from checks.storage.tree_hash import Exclusion, Hashed, SourceFile, TreeHasher, hash_order
from checks.storage.units import CodeImage
from checks.tree import Kind, TooLarge, Tree

REMEMBERED_BYTES = 32 * 1024 * 1024
"""Content of an image that is kept while it is hashed, to test what may have gone wrong. Real images hold less."""


@dataclass(frozen=True)
class Comparison:
    """A recorded hash beside what the image gives: the reading that agrees (None: none does), else likely causes."""

    matched: Exclusion | None
    tried: tuple[tuple[Exclusion, Hashed], ...]
    causes: tuple[str, ...] = ()


class Source:
    """All files of an image that any reading hashes. The hashes are computed once a check and kept; contents are not.

    Raises TooLarge when a file, or the whole image, is over the tree's limits.
    """

    what = "the files of the code image"

    def __init__(self, tree: Tree, image: CodeImage, record: CodeHash, code: dict[str, Any]) -> None:
        self.tree, self.image, self.record, self.code = tree, image, record, code
        readings = code["exclusions"].items()
        self.exclusions = tuple(Exclusion.from_edition(name, data) for name, data in readings)

    @classmethod
    def of(cls, unit: CodeImage, session: Session) -> Self:
        """The source of the image ``unit``."""
        record = CodeHash.at(session, unit)
        return session.keep((cls, unit.path), lambda: cls(session.tree, unit, record, session.edition["code"]))

    @cached_property
    def files(self) -> list[str]:
        """Paths, relative to the image, of the regular files that some reading hashes, in the order of the hash."""
        start = len(self.image.path) + 1
        found = (path[start:] for path, entry in self.tree.walk(self.image.path) if entry.kind is Kind.FILE)
        return sorted((path for path in found if any(item.includes(path) for item in self.exclusions)), key=hash_order)

    def paths(self) -> Iterator[str]:
        """The files to fetch and read; none when there are too many of them, of which reading them tells."""
        try:
            yield from (self.image.inside(path) for path in self.files)
        except TooLarge:
            return

    @cached_property
    def comparison(self) -> Comparison:
        """What the record says against what the readings of its algorithm give. The record must be readable."""
        recorded, algorithm = self.record.recorded, self.record.get("/algorithm")
        hashes, remembered = self._read()
        order = self.code["algorithms"].get(algorithm, ()) if isinstance(algorithm, str) else ()
        by_name = {item.name: item for item in self.exclusions}
        tried = tuple((by_name[name], hashes[name]) for name in order)
        matched = next((item for item, hashed in tried if hashed.hash == recorded), None)
        if matched is not None or recorded is None:
            return Comparison(matched, tried)
        facts = Facts(self.image.hash8, recorded, tried, frozenset(self.files), remembered)
        return Comparison(None, tried, tuple(likely_causes(facts, self.code)))

    def _read(self) -> tuple[dict[str, Hashed], list[SourceFile] | None]:
        """The hash of each reading, and the files themselves unless they are too large to remember."""
        hasher, remembered, size = TreeHasher(self.exclusions), list[SourceFile](), 0
        for path in self.files:
            content = self.tree.read(self.image.inside(path))
            hasher.add(path, content)
            size += len(content)
            if size <= REMEMBERED_BYTES:
                remembered.append((path, content))
        return hasher.hashes, remembered if size <= REMEMBERED_BYTES else None
