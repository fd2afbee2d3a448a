"""Folders and files of the bot's own, which hold what submitters have not published yet: for its user alone."""

from __future__ import annotations

import os
from pathlib import Path


def private_folder(path: Path) -> None:
    """Makes ``path`` and the folders above it that are missing; those that are there stay as they are. Raises OSError.

    :meth:`Path.mkdir` gives its ``mode`` to the last folder only.
    """
    for folder in (*reversed(path.parents), path):
        folder.mkdir(mode=0o700, exist_ok=True)


def private_file(path: Path) -> None:
    """Makes an empty file at ``path``, and its folder; one that is there stays as it is. Raises OSError."""
    private_folder(path.parent)
    os.close(os.open(path, os.O_CREAT | os.O_CLOEXEC, 0o600))
