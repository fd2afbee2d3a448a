"""Locks between threads and processes that share a folder: flock(2) on a file of their own, with a limit of time."""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from collections.abc import Iterator
from pathlib import Path

POLL_SECONDS = 0.05


class LockTimeoutError(Exception):
    """Others held the lock for too long."""


def shared(path: Path, seconds: float) -> contextlib.AbstractContextManager[None]:
    """Holds ``path`` together with other readers. Raises LockTimeoutError when that is not had within ``seconds``."""
    return _held(path, fcntl.LOCK_SH, seconds)


def exclusive(path: Path, seconds: float) -> contextlib.AbstractContextManager[None]:
    """Holds ``path`` alone. Raises LockTimeoutError when that is not had within ``seconds``."""
    return _held(path, fcntl.LOCK_EX, seconds)


@contextlib.contextmanager
def _held(path: Path, kind: int, seconds: float) -> Iterator[None]:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        _acquire(handle, kind, path, seconds)
        yield
    finally:
        os.close(handle)  # gives the lock back


def _acquire(handle: int, kind: int, path: Path, seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while True:
        try:
            return fcntl.flock(handle, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                raise LockTimeoutError(f"{path.name} was held by others for {seconds:.0f} s") from None
            time.sleep(POLL_SECONDS)
