"""The view over a folder on disk. Nothing is followed, and nothing but regular files is opened."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from checks import names
from checks.tree import DEFAULT_LIMITS, Entry, Kind, Limits, Tree, TreeError

OF_GIT = ".git"
"""What git keeps at the top of a checkout, which is part of no tree; anywhere else such a name is an entry."""


class FolderTree(Tree):
    """The view over a folder on disk. Not-regular files (sockets, devices) count as symlinks: seen, never read."""

    def __init__(self, folder: str | os.PathLike[str], limits: Limits = DEFAULT_LIMITS) -> None:
        super().__init__()
        self.folder = Path(folder)
        self.limits = limits
        self._root = os.fsencode(self.folder)
        self._sizes: dict[str, int | None] = {}
        if not self.folder.is_dir():
            raise TreeError(f"{names.shown(str(self.folder))} is not a folder")

    def _disk(self, path: str) -> bytes:
        return self._root + (b"/" + names.encode(path) if path else b"")

    def listing(self, path: str) -> Iterable[Entry]:
        """See :meth:`Tree.listing`; raises TreeError when the folder can't be read."""
        if path and not self.is_dir(path):
            return []
        try:
            with os.scandir(self._disk(path)) as found:
                entries = [Entry(names.decode(item.name), _kind(item)) for item in found]
        except OSError as error:
            raise TreeError(f"{names.shown_path(path)} can't be listed: {error.strerror}") from error
        return entries if path else [entry for entry in entries if entry.name != OF_GIT]

    def size(self, path: str) -> int | None:
        """Bytes of the file, without following a link; several rules ask, the disk is asked once."""
        if path not in self._sizes:
            try:
                self._sizes[path] = os.lstat(self._disk(path)).st_size
            except OSError:
                self._sizes[path] = None
        return self._sizes[path]

    def _read(self, path: str, entry: Entry, cap: int) -> bytes:
        try:
            descriptor = os.open(self._disk(path), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
            try:
                data = _whole(descriptor, cap)
            finally:
                os.close(descriptor)
        except OSError as error:
            raise TreeError(f"{names.shown_path(path)} can't be read: {error.strerror}") from error
        if len(data) < cap:
            self._sizes[path] = len(data)
        return data


_FIRST, _PIECE = 1 << 15, 1 << 20
"""Bytes asked of the disk at first, which is all that most files have, and then at once."""


def _whole(descriptor: int, cap: int) -> bytes:
    """The first ``cap`` bytes; the disk may give fewer than were asked for."""
    pieces = [os.read(descriptor, min(cap, _FIRST))]
    while pieces[-1] and (left := cap - sum(map(len, pieces))) > 0:
        pieces.append(os.read(descriptor, min(left, _PIECE)))
    return b"".join(pieces)


def _kind(item: os.DirEntry[bytes]) -> Kind:
    if item.is_dir(follow_symlinks=False):
        return Kind.DIRECTORY
    return Kind.FILE if item.is_file(follow_symlinks=False) else Kind.SYMLINK
