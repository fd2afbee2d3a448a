"""What every job works with, and how long it has patience with GitHub."""

from __future__ import annotations

import enum
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from bot.github import GitHub, Limited, NotFound, RetryLater, Unauthorized
from bot.intake import Intake
from bot.metrics import Metrics
from bot.orders import LaterError
from bot.queue import Job, Queue
from bot.settings import Pages, Settings
from bot.store import Store

PATIENCE_SECONDS = 60
"""So long a 404, a stale head or an error of GitHub's is taken for a passing one (contract, section Check run)."""

OUTAGE_SECONDS = 3600
"""So long a job stays that must take back a verdict and can't reach GitHub; then the sweep has to notice."""

LONGEST_PAUSE = 16.0


class Outcome(enum.StrEnum):
    """How an event's job ended. ``QUEUED`` leaves the delivery open until the check that it ordered has ended."""

    DONE = "done"
    QUEUED = "queued"
    KEPT = "kept"
    CLOSED = "closed"
    PARKED = "parked"
    DROPPED = "dropped"
    GIVEN_UP = "given up"
    FAILED = "failed"


class GivenUpError(Exception):
    """GitHub or git failed for longer than a job is patient; the text says at what."""


@dataclass(frozen=True, slots=True)
class Context:
    """The parts of the bot that jobs use."""

    settings: Settings
    store: Store
    queue: Queue
    intake: Intake
    github: GitHub
    metrics: Metrics

    def details_url(self, repository: str, head_sha: str) -> str | None:
        """The address of the report page; None when that is not shown."""
        if self.settings.pages is not Pages.OPEN:
            return None
        return f"{self.settings.base_url}/checks/{repository}/{head_sha}"


def pause(job: Job) -> float:
    """Seconds until the next attempt: 1, 2, 4, … up to LONGEST_PAUSE."""
    return min(2.0 ** (job.attempt - 1), LONGEST_PAUSE)


def again(job: Job, reason: str, patience_seconds: float | None = None, least: float = 0) -> Exception:
    """The error to raise for what may pass: LaterError, or GivenUpError for a job that has waited long enough, which is
    PATIENCE_SECONDS unless told otherwise.

    ``least`` is the shortest wait in seconds that makes sense.
    """
    seconds = max(least, pause(job))
    if job.age + seconds > (PATIENCE_SECONDS if patience_seconds is None else patience_seconds):
        return GivenUpError(f"{reason}, for {job.age:.0f} s")
    return LaterError(seconds, reason)


@contextmanager
def patience(job: Job, seconds: float | None = None) -> Iterator[None]:
    """Turns what GitHub refuses inside into a later attempt, or into GivenUpError when the job is too old for that
    (see :func:`again`).

    Suspended and Refused pass through: no wait mends them within a job.
    """
    try:
        yield
    except Limited as error:
        raise LaterError(error.delay_seconds, error.reason, afresh=True) from error
    except RetryLater as error:
        raise again(job, error.reason, seconds, error.delay_seconds) from error
    except (NotFound, Unauthorized) as error:
        raise again(job, f"GitHub answered: {error}", seconds) from error
