"""Webhook payloads of check runs and check suites -> what to do. Every App hears of those of all Apps.

Fields of the events: https://docs.github.com/webhooks/webhook-events-and-payloads. Each function raises UnusableError
when a field that it needs is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bot.check_run import RECHECK
from bot.payload import Payload, field, login_of, optional, place_of, sha_of
from bot.work import CheckHead, Ignored, Place, Pressed, Work


def rerequested(subject: str) -> Callable[[Payload, str], Work | Ignored]:
    """The reader of a wish to check a commit again, by GitHub's own buttons; ``subject``: check_run or check_suite."""

    def read(payload: Payload, app_id: str) -> Work | Ignored:
        work = _check_head(payload, subject, f"{subject}.rerequested", forced=True)
        return work if _of_app(payload, subject, app_id) else Ignored("a check of another App")

    return read


def suite_requested(payload: Payload, app_id: str) -> Work | Ignored:
    """A new commit with open pull requests, which a fork's commit does not name."""
    if not _of_app(payload, "check_suite", app_id):
        return Ignored("a suite of another App")
    work = _check_head(payload, "check_suite", "check_suite.requested", forced=False)
    return work if work.numbers else Ignored("no pull request is named; the event pull_request tells of those")


def _of_app(payload: Payload, subject: str, app_id: str) -> bool:
    return str(field(payload, int, subject, "app", "id")) == app_id


def _check_head(payload: Payload, subject: str, cause: str, *, forced: bool) -> CheckHead:
    place = place_of(payload)
    pulls = optional(payload, list, subject, "pull_requests") or []
    numbers = tuple(number for pull in pulls if (number := _number_of(pull, place)) is not None)
    return CheckHead(place, sha_of(field(payload, str, subject, "head_sha")), numbers, cause, forced)


def _number_of(pull: object, place: Place) -> int | None:
    """The number of a pull request in a check's list, unless its base is another repository's."""
    if not isinstance(pull, Mapping):
        return None
    base = optional(pull, int, "base", "repo", "id")
    return optional(pull, int, "number") if base in (None, place.repository_id) else None


def button(payload: Payload, app_id: str) -> Pressed | Ignored:
    """A press of the Re-check button that the check runs of this App have, and by whom."""
    pressed = optional(payload, str, "requested_action", "identifier")
    if not _of_app(payload, "check_run", app_id) or pressed != RECHECK:
        return Ignored("a button of another App, or none that is known")
    cause = "check_run.requested_action"
    head = _check_head(payload, "check_run", cause, forced=True)
    author = login_of(field(payload, str, "sender", "login"))
    return Pressed(head.place, head.head_sha, head.numbers, author, cause)
