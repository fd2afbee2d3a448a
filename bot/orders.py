"""Jobs before they run: the queues, an order for one, and the wish to come again later. Plain data."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

EVENTS = "events"
"""Queue of what webhooks ask for: short jobs, one at a time per repository."""

CHECKS = "checks"
"""Queue of the checks themselves: one at a time per pull request."""


class LaterError(Exception):
    """Raised by a handler: the job gives up its place and comes again after ``seconds``.

    With ``afresh`` its age then counts from that moment: the wait was asked for and uses up no patience.
    """

    def __init__(self, seconds: float, reason: str, afresh: bool = False) -> None:
        super().__init__(f"again in {seconds:.0f} s: {reason}")
        self.seconds = seconds
        self.reason = reason
        self.afresh = afresh


@dataclass(frozen=True, slots=True)
class Order:
    """A job to be put into ``queue``. An ``id`` is used once for ever; jobs of one ``partition`` run in turn."""

    queue: str
    id: str
    partition: str
    payload: Mapping[str, Any]
    first_id: str = ""
    attempt: int = 1
    since: float = field(default_factory=time.time)
