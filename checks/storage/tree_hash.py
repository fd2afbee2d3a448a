"""The hash of a captured source tree (2.1.6), bit for bit; pure: names and contents in, digests out.

One MD5 over, for each file in the order of the bytes of its path, the path and then the content: no separators, no
lengths, no line-end handling, no modes. Folders and links contribute nothing. Which names are left out is told by an
:class:`Exclusion`; the readings of the document differ, so several are computed in one pass.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any, Self

from checks import names

SourceFile = tuple[str, bytes]
"""A file of a captured tree: its path relative to the tree (inside form) and its content."""


@dataclass(frozen=True, slots=True)
class Exclusion:
    """One reading of what the hash leaves out.

    ``folders`` are names of folders left out with all they hold, at any depth or, with ``top_level``, only directly in
    the tree; ``suffixes`` are ends of such names, at any depth; ``files`` are shell patterns of file names;
    ``dotted`` leaves out every name that begins with a dot.
    """

    name: str
    title: str
    folders: frozenset[str]
    suffixes: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    top_level: bool = False
    dotted: bool = False

    @classmethod
    def from_edition(cls, name: str, data: Mapping[str, Any]) -> Self:
        """The reading ``name`` as an edition's ``code.exclusions`` holds it."""
        return cls(
            name,
            data["title"],
            frozenset(data["folders"]),
            suffixes=tuple(data["suffixes"]),
            files=tuple(data["files"]),
            top_level=data.get("top_level", False),
            dotted=data.get("dotted", False),
        )

    def includes(self, path: str) -> bool:
        """Whether the file at ``path`` (relative to the tree) is hashed."""
        *folders, name = path.split("/")
        if self.dotted and any(names.is_dot(part) for part in (*folders, name)):
            return False
        judged = folders[:1] if self.top_level else folders
        if not self.folders.isdisjoint(judged) or any(part.endswith(self.suffixes) for part in folders):
            return False
        return not any(fnmatchcase(name, pattern) for pattern in self.files)


@dataclass(frozen=True, slots=True)
class Hashed:
    """A digest (32 lower-case hex digits) and the number of files that went into it."""

    hash: str
    files: int


@dataclass
class TreeHasher:
    """Computes the hashes of several readings in one pass. Files must come in the order of :func:`hash_order`."""

    exclusions: Sequence[Exclusion]
    _digests: list[Any] = field(init=False, repr=False)
    _counts: list[int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._digests = [_md5() for _ in self.exclusions]
        self._counts = [0 for _ in self.exclusions]

    def add(self, path: str, content: bytes) -> None:
        """Takes the next file into every reading that includes it."""
        for place, exclusion in enumerate(self.exclusions):
            if exclusion.includes(path):
                self._digests[place].update(names.encode(path))
                self._digests[place].update(content)
                self._counts[place] += 1

    @property
    def hashes(self) -> dict[str, Hashed]:
        """The digest of each reading, by its name."""
        found = zip(self.exclusions, self._digests, self._counts, strict=True)
        return {exclusion.name: Hashed(digest.hexdigest(), count) for exclusion, digest, count in found}


def hash_order(path: str) -> bytes:
    """Sort key of the hash: the bytes of the whole path, not folder by folder."""
    return names.encode(path)


def tree_hash(files: Iterable[SourceFile], exclusion: Exclusion) -> Hashed:
    """The hash of ``files``, in whatever order they come, under one reading."""
    hasher = TreeHasher([exclusion])
    for path, content in sorted(files, key=lambda file: hash_order(file[0])):
        hasher.add(path, content)
    return hasher.hashes[exclusion.name]


def without_one(files: Sequence[SourceFile], wanted: str) -> str | None:
    """The path of the one file without which ``files`` (in hash order, all hashed) give ``wanted``; None if no one."""
    before = _md5()
    for place, (path, content) in enumerate(files):
        rest = before.copy()
        for later, data in files[place + 1 :]:
            rest.update(names.encode(later))
            rest.update(data)
        if rest.hexdigest() == wanted:
            return path
        before.update(names.encode(path))
        before.update(content)
    return None


def _md5() -> Any:
    return hashlib.md5(usedforsecurity=False)
