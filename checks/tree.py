"""A read-only view of a tree of files, the same for a folder on disk and for a git tree without a checkout.

Nothing here follows a link: a symlink or a submodule is an entry of its own kind, never what it points at. Names keep
their bytes (:mod:`checks.names`).
"""

from __future__ import annotations

import enum
import hashlib
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from checks import names
from checks.contents import Contents


class Kind(enum.StrEnum):
    """What an entry is; ``submodule`` is git's gitlink (mode 160000)."""

    FILE = "file"
    DIRECTORY = "directory"
    SYMLINK = "symlink"
    SUBMODULE = "submodule"


class Entry(NamedTuple):
    """One name in a folder. ``oid`` is git's object id in hex (None on disk)."""

    name: str
    kind: Kind
    oid: str | None = None


@dataclass(frozen=True, slots=True)
class Limits:
    """Caps that keep a hostile tree from taking the machine.

    ``entries`` and ``depth`` bound a walk, ``file_bytes`` bounds one file that a rule reads whole, ``log_bytes`` bounds
    what is read of a log. ``kept_bytes`` bounds the contents kept for a second reader.
    """

    entries: int = 1_000_000
    depth: int = 200
    file_bytes: int = 64 * 1024 * 1024
    log_bytes: int = 16 * 1024 * 1024
    kept_bytes: int = 64 * 1024 * 1024


DEFAULT_LIMITS = Limits()


class TreeError(Exception):
    """The tree can't be read as asked; the message names the place."""


class NotInTree(TreeError):
    """No file of that path in the tree."""


class TooLarge(TreeError):
    """A file or a tree is over a limit; ``found`` and ``limit`` in bytes, entries or levels."""

    def __init__(self, path: str, what: str, found: int | None, limit: int) -> None:
        self.path, self.what, self.found, self.limit = path, what, found, limit
        seen = f"{found:,}" if found is not None else f"more than {limit:,}"
        super().__init__(f"{names.shown_path(path)}: {seen} {what}, at most {limit:,} are read")


class ObjectMissing(TreeError):
    """Content that the tree names is not here (a partial clone) and could not be fetched."""


class Tree(ABC):
    """Read-only view: path -> entry, children, content. Paths are relative, ``/``-separated, ``""`` the root."""

    limits: Limits = DEFAULT_LIMITS

    def __init__(self) -> None:
        self._listings: dict[str, Mapping[str, Entry]] = {}
        self._contents = Contents()
        self.twice: dict[str, list[str]] = {}
        """Names that a folder holds more than once, by the folder's path, as far as folders were listed."""

    @abstractmethod
    def listing(self, path: str) -> Iterable[Entry]:
        """All entries directly in the folder ``path``, also such as share a name; none when it is not a folder."""

    @abstractmethod
    def _read(self, path: str, entry: Entry, cap: int) -> bytes:
        """At most ``cap`` + 1 bytes of a file."""

    @abstractmethod
    def size(self, path: str) -> int | None:
        """Bytes of the file ``path``; None when they can't be known without fetching it."""

    @property
    def may_lack(self) -> bool:
        """Whether contents that the tree names may have to be fetched first."""
        return False

    def ensure(self, paths: Iterable[str]) -> None:
        """Makes sure that the contents of ``paths`` can be read, fetching what is missing in one batch."""
        del paths  # what is on disk or in memory is all there

    @property
    def partial(self) -> bool:
        """Whether contents may have to be fetched before they can be read."""
        return False

    def along(self, other: Tree, paths: Iterable[str]) -> None:
        """When this tree next fetches, it also fetches what ``other``, of the same repository, lacks of ``paths``:
        two trees for the price of one request.
        """
        del other, paths

    def children(self, path: str) -> Mapping[str, Entry]:
        """The entries directly in ``path`` by name, in the order of their bytes; empty when it is not a folder."""
        known = self._listings.get(path)
        if known is None:
            ordered = sorted(self.listing(path), key=lambda entry: names.encode(entry.name))
            known = self._listings[path] = {entry.name: entry for entry in ordered}
            if len(known) != len(ordered):
                counts = Counter(entry.name for entry in ordered)
                self.twice[path] = [name for name, count in counts.items() if count > 1]
        return known

    def entry(self, path: str) -> Entry | None:
        """The entry at ``path``; None when there is none."""
        if not path:
            return self.root_entry()
        folder, _, name = path.rpartition("/")
        known = self._listings.get(folder)
        return (self.children(folder) if known is None else known).get(name)

    def root_entry(self) -> Entry:
        """The root as an entry."""
        return Entry("", Kind.DIRECTORY)

    def is_file(self, path: str) -> bool:
        """Whether a regular file stands at ``path``."""
        entry = self.entry(path)
        return entry is not None and entry.kind is Kind.FILE

    def is_dir(self, path: str) -> bool:
        """Whether a folder stands at ``path``."""
        entry = self.entry(path)
        return entry is not None and entry.kind is Kind.DIRECTORY

    def read(self, path: str, cap: int | None = None) -> bytes:
        """The whole file ``path``.

        Raises NotInTree when it is no file, TooLarge when it holds more than ``cap`` bytes (default
        ``limits.file_bytes``), ObjectMissing when a partial clone lacks it.
        """
        cap = self.limits.file_bytes if cap is None else cap
        data = self.head(path, cap + 1)
        if len(data) > cap:
            raise TooLarge(path, "bytes", self.size(path), cap)
        return data

    def head(self, path: str, cap: int) -> bytes:
        """The first ``cap`` bytes of the file ``path``; raises as :meth:`read` does, but never TooLarge."""
        entry = self.entry(path)
        if entry is None or entry.kind is not Kind.FILE:
            raise NotInTree(f"{names.shown_path(path)} is not a file of the tree")
        key = entry.oid or path
        data = self._contents.get(key, cap)
        if data is None:
            data = self._read(path, entry, cap)
            self._contents.keep(key, data, cap, self.limits.kept_bytes)
        return data[:cap]

    def walk(self, path: str = "") -> Iterator[tuple[str, Entry]]:
        """Every entry below ``path``, folders before what they hold, never into links or submodules.

        Raises TooLarge beyond ``limits.entries`` entries or ``limits.depth`` levels.
        """
        seen = 0
        pending: list[tuple[str, int]] = [(path, 0)]
        while pending:
            folder, depth = pending.pop()
            if depth > self.limits.depth:
                raise TooLarge(folder, "levels of folders", None, self.limits.depth)
            below = []
            for entry in self.children(folder).values():
                seen += 1
                if seen > self.limits.entries:
                    raise TooLarge(path, "entries", None, self.limits.entries)
                inner = names.join(folder, entry.name)
                yield inner, entry
                if entry.kind is Kind.DIRECTORY:
                    below.append((inner, depth + 1))
            pending.extend(reversed(below))

    def nearest(self, path: str) -> str:
        """``path`` when it exists, else the nearest folder above it that does."""
        while path and self.entry(path) is None:
            path = names.parent(path)
        return path


def blob_id(content: bytes) -> str:
    """The object id (40 hex digits) that git gives to a blob of this content."""
    return hashlib.sha1(b"blob %d\0%b" % (len(content), content), usedforsecurity=False).hexdigest()
