"""What refusals mean, by status, headers and text."""

import email.utils
import time

import pytest

from bot.retries import (
    LONGEST_WAIT,
    GitHubError,
    Limited,
    NotFound,
    Refused,
    RetryLater,
    Suspended,
    Unauthorized,
    error_of,
    limit_delay,
)
from tests.github.effects import SECONDARY_LIMIT_TEXTS


@pytest.mark.parametrize(
    ("status", "headers", "text", "kind"),
    [
        (401, {}, "Bad credentials", Unauthorized),
        (404, {}, "Not Found", NotFound),
        (403, {}, "Resource not accessible by integration", Refused),
        (403, {}, "This installation has been suspended", Suspended),
        (403, {}, "API rate limit exceeded for installation.", Limited),
        *((403, {}, text, Limited) for text in SECONDARY_LIMIT_TEXTS),
        (403, {"retry-after": "1"}, "", Limited),
        (403, {"x-ratelimit-remaining": "0"}, "", Limited),
        (429, {}, "", Limited),
        (422, {}, "Validation Failed", Refused),
        (422, {}, "No commit found for SHA: 0d1a26e67d8f5eaf1f6ba5c57fc3c7d91ac0fd1c", NotFound),
        (409, {}, "Git Repository is empty.", Refused),
        (500, {}, "", RetryLater),
        (503, {"retry-after": "1"}, "", RetryLater),
    ],
)
def test_meaning(status: int, headers: dict[str, str], text: str, kind: type[GitHubError]) -> None:
    assert type(error_of(status, headers, text)) is kind


def test_waits_without_a_word_grow_and_end() -> None:
    waits = [limit_delay({}, earlier) for earlier in range(20)]
    assert waits[:3] == [60, 120, 240]
    assert max(waits) <= LONGEST_WAIT


@pytest.mark.parametrize("value", ["0", "17", "86400000"])
def test_retry_after_in_seconds(value: str) -> None:
    assert limit_delay({"retry-after": value}) == min(float(value), LONGEST_WAIT)


def test_retry_after_as_a_date() -> None:
    date = email.utils.formatdate(time.time() + 30, usegmt=True)
    assert 25 <= limit_delay({"retry-after": date}) <= 31
    assert limit_delay({"retry-after": email.utils.formatdate(0, usegmt=True)}) == 1


@pytest.mark.parametrize("value", ["soon", "", "-5", "1.5"])
def test_senseless_headers_are_passed_over(value: str) -> None:
    assert limit_delay({"retry-after": value}) == 60
    assert limit_delay({"x-ratelimit-remaining": "0", "x-ratelimit-reset": value}) == 60


def test_reset_of_the_hourly_limit() -> None:
    headers = {"x-ratelimit-remaining": "0", "x-ratelimit-reset": str(int(time.time()) + 100)}
    assert 99 <= limit_delay(headers) <= 101
    assert limit_delay({**headers, "x-ratelimit-remaining": "12"}) == 60
