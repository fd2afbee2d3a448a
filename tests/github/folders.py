"""Folders on disk as input for commits."""

import stat
from collections.abc import Iterator
from pathlib import Path

from tests.github.gitrepo import EXECUTABLE, FILE, SYMLINK, Content, Entry


def read_folder(folder: Path) -> dict[str | bytes, Content]:
    """The files of a folder on disk as input for `commit`; links stay links, `.git` is left out."""
    return {bytes(path.relative_to(folder)): _read(path) for path in _walk(folder)}


def _walk(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if path.is_dir() and not path.is_symlink():
            if path.name != ".git":
                yield from _walk(path)
        else:
            yield path


def _read(path: Path) -> Entry:
    if path.is_symlink():
        return Entry(bytes(path.readlink()), SYMLINK)
    return Entry(path.read_bytes(), EXECUTABLE if path.stat().st_mode & stat.S_IXUSR else FILE)
