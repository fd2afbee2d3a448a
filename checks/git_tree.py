"""The tree view over a git tree by object id: no checkout, no lazy fetch, nothing of the tree is ever run or followed.

With :mod:`checks.changes` the only module of this floor that needs pygit2. One :class:`GitTree` belongs to one thread.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import pygit2

from checks import names
from checks.tree import DEFAULT_LIMITS, Entry, Kind, Limits, ObjectMissing, Tree, TreeError

Fetch = Callable[[Sequence[str]], None]
"""Brings the objects of the given ids (40 hex digits) into the repository, in one batch; raises when it can't."""

_KINDS = {0o120000: Kind.SYMLINK, 0o160000: Kind.SUBMODULE, 0o040000: Kind.DIRECTORY}
_FILE_TYPE = 0o170000

EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
"""The id that git gives to a tree without entries; the object itself need not be there."""


class RevisionUnknown(TreeError):
    """A revision names no commit of the repository."""


def open_repository(folder: str | Path) -> pygit2.Repository:
    """The repository at ``folder`` (bare or not). Raises TreeError with the reason when it can't be opened."""
    try:
        return pygit2.Repository(str(folder), pygit2.enums.RepositoryOpenFlag.NO_SEARCH)
    except (pygit2.GitError, KeyError, ValueError) as error:
        try:
            return pygit2.Repository(str(folder))
        except (pygit2.GitError, KeyError, ValueError):
            raise TreeError(f"{names.shown(str(folder))} can't be opened as a git repository: {error}") from error


def resolve(repository: pygit2.Repository, revision: str) -> str:
    """The commit id (40 hex digits) of a revision in git's notation. Raises RevisionUnknown."""
    try:
        found = repository.revparse_single(revision)
        return str(found.peel(pygit2.Commit).id)
    except (KeyError, ValueError, pygit2.GitError) as error:
        raise RevisionUnknown(f"the revision {names.shown(revision)} names no commit of this repository") from error


def merge_base(folder: str | Path, one: str, other: str) -> str | None:
    """The merge base of two commits given as 40 hex digits; None when they share no history.

    Raises RevisionUnknown when one of them is not there.
    """
    try:
        found: pygit2.Oid | None = open_repository(folder).merge_base(one, other)
    except (pygit2.GitError, KeyError, ValueError) as error:  # which of them libgit2 raises depends on what is lacking
        raise RevisionUnknown(f"{one} and {other} can't be compared: {error}") from error
    return str(found) if found else None


class GitTree(Tree):
    """The view over one git tree. ``reads`` counts the blobs whose content was read (exact; tests assert it)."""

    def __init__(
        self, repository: pygit2.Repository, tree: str, fetch: Fetch | None = None, limits: Limits = DEFAULT_LIMITS
    ) -> None:
        super().__init__()
        self.repository = repository
        self.tree = tree
        self.fetch = fetch
        self.limits = limits
        self.reads = 0
        self._along: list[tuple[GitTree, frozenset[str]]] = []
        self._oids: dict[str, str] = {"": tree}

    @classmethod
    def at(
        cls,
        folder: str | Path,
        revision: str,
        fetch: Fetch | None = None,
        root: str = "",
        limits: Limits = DEFAULT_LIMITS,
    ) -> GitTree:
        """The tree of a commit, or of the folder ``root`` in it (an empty tree when that is absent).

        Raises RevisionUnknown, TreeError.
        """
        repository = open_repository(folder)
        commit = repository[resolve(repository, revision)]
        whole = cls(repository, str(commit.peel(pygit2.Tree).id), fetch, limits)
        if not root:
            return whole
        entry = whole.entry(root)
        if entry is None or entry.kind is not Kind.DIRECTORY or entry.oid is None:
            return cls(repository, EMPTY_TREE, fetch, limits)
        return cls(repository, entry.oid, fetch, limits)

    def __reduce__(self) -> tuple[Any, ...]:
        """For another process: opened anew there, without a fetcher."""
        return _reopened, (self.repository.path, self.tree, self.limits)

    def root_entry(self) -> Entry:
        """The root as an entry, with the tree's id."""
        return Entry("", Kind.DIRECTORY, self.tree)

    def _folder_oid(self, path: str) -> str | None:
        if path not in self._oids:
            entry = self.entry(path)
            if entry is None or entry.kind is not Kind.DIRECTORY or entry.oid is None:
                return None
            self._oids[path] = entry.oid
        return self._oids[path]

    def listing(self, path: str) -> Iterable[Entry]:
        """See :meth:`Tree.listing`; raises ObjectMissing when the repository lacks the tree object."""
        oid = self._folder_oid(path)
        return [] if oid is None else entries(self.repository, oid, path)

    def size(self, path: str) -> int | None:
        """Bytes of the file, read from the object's header; None when the blob is not here."""
        entry = self.entry(path)
        if entry is None or entry.kind is not Kind.FILE or entry.oid is None:
            return None
        try:
            return int(self.repository.odb.read_header(entry.oid)[1])
        except (KeyError, pygit2.GitError):
            return None

    def has(self, oid: str) -> bool:
        """Whether the object is in the repository (not inflated)."""
        return bool(self.repository.odb.exists(oid))

    @property
    def partial(self) -> bool:
        """Whether there is a fetcher."""
        return self.fetch is not None

    def along(self, other: Tree, paths: Iterable[str]) -> None:
        """See :meth:`checks.tree.Tree.along`."""
        if isinstance(other, GitTree):
            self._along.append((other, frozenset(paths)))

    @property
    def may_lack(self) -> bool:
        """Whether there is a fetcher, as there is for a partial clone."""
        return self.fetch is not None

    def ensure(self, paths: Iterable[str]) -> None:
        """Fetches, in one batch, the blobs of ``paths`` that the repository lacks; without a fetcher does nothing."""
        if self.fetch is None:
            return
        missing = self._lacking(paths)
        for other, others in self._along:
            missing |= other._lacking(others)
        if missing:
            self.fetch(sorted(missing))

    def _lacking(self, paths: Iterable[str]) -> set[str]:
        """The blobs of those of ``paths`` that are files here, as far as the repository lacks them."""
        found = (self.entry(path) for path in paths)
        oids = {entry.oid for entry in found if entry is not None and entry.kind is Kind.FILE and entry.oid}
        return {oid for oid in oids if not self.has(oid)}

    def _read(self, path: str, entry: Entry, cap: int) -> bytes:
        assert entry.oid is not None, "entries of a git tree carry their object id"
        size = self.size(path)
        if size is None:
            raise ObjectMissing(f"{names.shown_path(path)}: the object {entry.oid} is not in the repository")
        if size > cap and cap <= self.limits.file_bytes:
            return self._stream(entry.oid, cap)
        return self._whole(path, entry.oid)[:cap]

    def _whole(self, path: str, oid: str) -> bytes:
        self.reads += 1
        try:
            return bytes(self.repository.read(oid)[1])
        except (KeyError, pygit2.GitError) as error:
            raise TreeError(f"{names.shown_path(path)}: the object {oid} can't be read: {error}") from error

    def _stream(self, oid: str, cap: int) -> bytes:
        """The first ``cap`` bytes of a large blob, without holding all of it."""
        self.reads += 1
        blob = self.repository[oid]
        assert isinstance(blob, pygit2.Blob)
        with pygit2.BlobIO(blob) as stream:
            return bytes(stream.read(cap))


def _reopened(folder: str, tree: str, limits: Limits) -> GitTree:
    return GitTree(open_repository(folder), tree, None, limits)


def entries(repository: pygit2.Repository, oid: str, path: str = "") -> list[Entry]:
    """The entries of the git tree ``oid``, raw names and all. Raises ObjectMissing, TreeError (``path`` is for its
    text).
    """
    if oid == EMPTY_TREE:
        return []
    try:
        tree = repository[oid]
    except (KeyError, pygit2.GitError) as error:
        raise ObjectMissing(f"{names.shown_path(path)}: the tree {oid} is not in the repository") from error
    if not isinstance(tree, pygit2.Tree):
        raise TreeError(f"{names.shown_path(path)}: the object {oid} is not a tree")
    return [
        Entry(names.decode(item.raw_name or b""), _KINDS.get(item.filemode & _FILE_TYPE, Kind.FILE), str(item.id))
        for item in tree
    ]
