"""What GitHub and the network are known to do wrong: each function gives one `Effect` for `github.faults.add`.

Wordings of limits are those that clients met (PyGithub#2422, hub4j/github-api#1805, palantir/policy-bot#136).
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.github.records import PullRequest

BLOCKED = (
    "You have exceeded a secondary rate limit and have been temporarily blocked from content creation."
    " Please retry your request again later."
)
SECONDARY_LIMIT_TEXTS = (
    "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.",
    BLOCKED,
    "You have triggered an abuse detection mechanism. Please wait a few minutes before you try again.",
)


@dataclass(frozen=True)
class Effect:
    """What happens instead of (or after) the proper answer.

    `status`, `body` (JSON), `data` (raw bytes) and `headers` replace the reply; `delay` seconds pass first; `drop` cuts
    the connection without a byte, `cut` after so many bytes of the reply's body; `after` lets the request take effect
    before its reply is lost; `edit_request` and `edit_reply` change the JSON that the server works on or answers with.
    """

    status: int | None = None
    body: Any = None
    data: bytes | None = None
    headers: tuple[tuple[str, str], ...] = ()
    delay: float = 0.0
    drop: bool = False
    cut: int | None = None
    after: bool = False
    edit_request: Callable[[Any], Any] | None = None
    edit_reply: Callable[[Any], Any] | None = None

    @property
    def replaces(self) -> bool:
        """Whether the proper answer never arrives."""
        return self.drop or self.status is not None or self.data is not None


def error(status: int, message: str, **headers: str) -> Effect:
    """An error with GitHub's JSON body; underscores in header names become dashes."""
    named = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return Effect(status=status, body={"message": message, "status": str(status)}, headers=named)


def bad_gateway() -> Effect:
    """502 with an HTML page, as GitHub's front end gives it; nothing has happened."""
    return Effect(status=502, data=b"<html><body>Unicorn!</body></html>", headers=(("Content-Type", "text/html"),))


def unavailable() -> Effect:
    """503 without a body."""
    return Effect(status=503, data=b"")


def lost_reply() -> Effect:
    """The request takes effect, yet the client gets a 502."""
    return Effect(status=502, data=b"", after=True)


def dropped(after: bool = False) -> Effect:
    """The connection is cut, before or after the request took effect."""
    return Effect(drop=True, after=after)


def truncated(size: int) -> Effect:
    """The connection is cut after so many bytes of the proper answer's body."""
    return Effect(cut=size)


def delayed(seconds: float) -> Effect:
    """A slow but proper answer."""
    return Effect(delay=seconds)


def bad_credentials() -> Effect:
    """401, as for a token that lapsed meanwhile."""
    return error(401, "Bad credentials")


def not_found() -> Effect:
    """404, as just after a webhook."""
    return error(404, "Not Found")


def secondary_limit(wording: int = 0, retry_after: int | None = None) -> Effect:
    """403 in one of the three wordings; `Retry-After` may be absent."""
    headers = {} if retry_after is None else {"Retry_After": str(retry_after)}
    return error(403, SECONDARY_LIMIT_TEXTS[wording], **headers)


def too_many_requests(retry_after: int | None = None) -> Effect:
    """429 without a body."""
    return Effect(status=429, data=b"", headers=() if retry_after is None else (("Retry-After", str(retry_after)),))


def rate_limit_exhausted(reset_in: float) -> Effect:
    """403 of the hourly limit, with the time of its reset."""
    reset = str(int(time.time() + reset_in))
    limits = {"X_RateLimit_Limit": "5000", "X_RateLimit_Remaining": "0", "X_RateLimit_Reset": reset}
    return error(403, "API rate limit exceeded for installation.", **limits)


def without_id() -> Effect:
    """The reply lacks its `id`; in a list, each item does."""

    def shorten(body: Any) -> Any:
        if isinstance(body, list):
            return [shorten(item) for item in body]
        return {key: value for key, value in body.items() if key != "id"}

    return Effect(edit_reply=shorten)


def outdated(pull: PullRequest) -> Effect:
    """GET of a pull request answers as it stood when this was called: its base, its state and the time of them."""
    base = {"ref": pull.base_ref, "sha": pull.base_sha}
    state, updated_at = pull.state, pull.updated_at

    def turn_back(body: Any) -> Any:
        return {**body, "base": {**body["base"], **base}, "state": state, "updated_at": updated_at}

    return Effect(edit_reply=turn_back)


def fewer_annotations(lost: int = 1) -> Effect:
    """The last annotations of the request are not stored, without a word."""

    def shorten(body: Any) -> Any:
        output = body.get("output") or {}
        return {**body, "output": {**output, "annotations": (output.get("annotations") or [])[:-lost]}}

    return Effect(edit_request=shorten)


def wrong_content() -> Effect:
    """A git reply that is no pack."""
    kind = ("Content-Type", "application/x-git-upload-pack-result")
    return Effect(status=200, data=b"0008NAK\nthis is not a pack", headers=(kind,))


API_STORM = (
    bad_gateway(),
    unavailable(),
    lost_reply(),
    dropped(),
    dropped(after=True),
    bad_credentials(),
    not_found(),
    *(secondary_limit(wording, retry_after=1) for wording in range(len(SECONDARY_LIMIT_TEXTS))),
    too_many_requests(retry_after=1),
    without_id(),
)
GIT_STORM = (unavailable(), dropped(), truncated(20), wrong_content(), error(401, "Bad credentials"), bad_gateway())
