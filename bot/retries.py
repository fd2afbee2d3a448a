"""What GitHub's refusals mean, and when a call may be repeated.

Waiting longer than a moment is the queue's business: a limit becomes :class:`RetryLater` with GitHub's own delay, and
the worker is free for other installations.
"""

from __future__ import annotations

import email.utils
import time
from collections.abc import Mapping

from urllib3 import Retry

FIRST_WAIT = 60.0
"""Seconds to wait for a secondary limit without ``Retry-After``, then doubling.

https://docs.github.com/rest/using-the-rest-api/best-practices-for-using-the-rest-api, "Handle rate limit errors".
"""
LONGEST_WAIT = 3660.0
"""No limit of GitHub's lasts longer than its hour; a minute for clocks that differ."""
SERVER_ERROR_WAIT = 5.0
"""Seconds after which a call that failed on GitHub's side is worth another job."""

HTTP_UNAUTHORIZED, HTTP_FORBIDDEN, HTTP_NOT_FOUND = 401, 403, 404
HTTP_UNPROCESSABLE, HTTP_TOO_MANY, HTTP_ERRORS, HTTP_SERVER_ERRORS = 422, 429, 400, 500

PRIMARY_LIMIT = "api rate limit exceeded"
SECONDARY_LIMITS = (
    "secondary rate limit",
    "abuse detection",
    "wait a few minutes before you try again",
    "temporarily blocked from content creation",
    "retry your request again later",
)
"""Parts of all texts with which GitHub states a secondary limit (PyGithub issues 2127 and 2422, hub4j issue 1805)."""
SUSPENDED = "installation has been suspended"
UNKNOWN_COMMIT = "no commit found"
"""Part of what GitHub says, with 422 instead of 404, to a check of a commit that it does not know, or not yet."""

REPEATED_STATUS = (500, 502, 503, 504)


class GitHubError(Exception):
    """GitHub could not be asked, or did not do what was asked."""


class RetryLater(GitHubError):
    """Try again after ``delay_seconds``: a limit, an outage, or an answer that is of no use."""

    def __init__(self, delay_seconds: float, reason: str) -> None:
        super().__init__(f"{reason} (again in {delay_seconds:.0f} s)")
        self.delay_seconds = delay_seconds
        self.reason = reason


class Limited(RetryLater):
    """A rate limit: nothing was done, and nothing else of this installation will be until the delay is over."""


class Suspended(GitHubError):
    """The account has suspended the App; nothing works until it lifts that."""


class Unauthorized(GitHubError):
    """The credentials don't hold, although they are fresh."""


class NotFound(GitHubError):
    """There is no such thing, or the App may not see it."""


class Refused(GitHubError):
    """GitHub understood and refused, with ``status`` and ``text``; the same call would be refused again."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(f"GitHub refused with {status}: {text}")
        self.status = status
        self.text = text


def repeating(attempts: int = 3, backoff: float = 0.3) -> Retry:
    """Policy for calls that may be sent again: short pauses on failed connections and 5xx, never on limits."""
    return Retry(
        total=attempts,
        status_forcelist=REPEATED_STATUS,
        allowed_methods=None,  # every method: the caller chooses the policy
        backoff_factor=backoff,
        respect_retry_after_header=False,
        raise_on_status=False,
        redirect=0,
    )


def sent_once(attempts: int = 3, backoff: float = 0.3) -> Retry:
    """Policy for calls that must not take effect twice: again only where the connection was never made."""
    return Retry(
        total=attempts,
        connect=attempts,
        read=False,
        status=0,
        other=0,
        redirect=0,
        allowed_methods=frozenset({"GET"}),  # an empty set would mean every method
        backoff_factor=backoff,
        respect_retry_after_header=False,
        raise_on_status=False,
    )


def error_of(status: int, headers: Mapping[str, str], text: str, earlier_limits: int = 0) -> GitHubError:
    """The error that a reply of ``status`` >= 400 stands for. ``headers`` have lower-case names.

    ``earlier_limits`` counts the limits met in a row before this one, for the growing wait.
    """
    lowered = text.lower()
    if status == HTTP_UNAUTHORIZED:
        return Unauthorized(text)
    if status == HTTP_NOT_FOUND or (status == HTTP_UNPROCESSABLE and UNKNOWN_COMMIT in lowered):
        return NotFound(text)
    if status >= HTTP_SERVER_ERRORS:
        return RetryLater(SERVER_ERROR_WAIT, f"GitHub answered {status}")
    if status == HTTP_FORBIDDEN and SUSPENDED in lowered:
        return Suspended(text)
    if status in (HTTP_FORBIDDEN, HTTP_TOO_MANY) and _is_limit(status, headers, lowered):
        return Limited(limit_delay(headers, earlier_limits), f"GitHub's limit: {text or status}")
    return Refused(status, text)


def limit_delay(headers: Mapping[str, str], earlier_limits: int = 0) -> float:
    """Seconds to wait as the reply says; without a word a minute, doubled for each limit met before."""
    if (asked := _retry_after(headers.get("retry-after", ""))) is not None:
        return min(asked, LONGEST_WAIT)
    reset = headers.get("x-ratelimit-reset", "")
    if headers.get("x-ratelimit-remaining") == "0" and reset.isdigit():
        return min(max(1.0, int(reset) + 1 - time.time()), LONGEST_WAIT)
    return float(min(FIRST_WAIT * 2 ** min(earlier_limits, 6), LONGEST_WAIT))


def _is_limit(status: int, headers: Mapping[str, str], lowered: str) -> bool:
    stated = PRIMARY_LIMIT in lowered or any(part in lowered for part in SECONDARY_LIMITS)
    spent = headers.get("x-ratelimit-remaining") == "0"
    return status == HTTP_TOO_MANY or stated or spent or "retry-after" in headers


def _retry_after(value: str) -> float | None:
    """The header in either of its forms (RFC 9110, section 10.2.3): seconds, or a date."""
    if value.strip().isdigit():
        return float(value)
    try:
        moment = email.utils.parsedate_to_datetime(value)
    except ValueError:
        return None
    return max(1.0, moment.timestamp() - time.time())
