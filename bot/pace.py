"""How fast one installation may be asked: writes one at a time and apart, and silence for as long as GitHub says.

https://docs.github.com/rest/using-the-rest-api/best-practices-for-using-the-rest-api
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from bot.retries import Limited, RetryLater

SECONDS_BETWEEN_WRITES = 1.0
"""GitHub's advice for POST, PATCH, PUT and DELETE."""

LONGEST_PAUSE = 5.0
"""Seconds that a worker waits for its turn; beyond, the job goes back to the queue."""


class Pace:
    """The pace of one installation, shared by all threads."""

    def __init__(self, seconds_between_writes: float = SECONDS_BETWEEN_WRITES) -> None:
        self._between = seconds_between_writes
        self._writing = threading.Lock()
        self._next_write = 0.0
        self._silent_until = 0.0
        self.limits_in_a_row = 0

    def check(self) -> None:
        """Raises Limited while GitHub has told this installation to wait."""
        left = self._silent_until - time.monotonic()
        if left > 0:
            raise Limited(left, "GitHub's limit for this installation")

    def limited(self, delay_seconds: float) -> None:
        """Remembers that GitHub asked for ``delay_seconds`` of silence."""
        self._silent_until = max(self._silent_until, time.monotonic() + delay_seconds)
        self.limits_in_a_row += 1

    @contextmanager
    def write(self) -> Iterator[None]:
        """Holds the installation's turn to write. Raises RetryLater when it does not come within LONGEST_PAUSE."""
        if not self._writing.acquire(timeout=LONGEST_PAUSE):
            raise RetryLater(LONGEST_PAUSE, "many writes are waiting for this installation")
        try:
            time.sleep(max(0.0, self._next_write - time.monotonic()))
            self.check()
            yield
            self.limits_in_a_row = 0
        finally:
            self._next_write = time.monotonic() + self._between
            self._writing.release()
