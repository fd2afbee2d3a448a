"""How long a job waits for GitHub."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from bot.github import Limited, NotFound, Refused, RetryLater, Suspended, Unauthorized
from bot.jobs.context import GivenUpError, again, patience, pause
from bot.orders import LaterError
from bot.queue import Job


def job(age: float = 0, attempt: int = 1) -> Job:
    return Job("checks", "check:1", "p", {}, attempt, time.time() - age)


PASSING: list[Callable[[], Exception]] = [
    lambda: NotFound("Not Found"),
    lambda: Unauthorized("Bad credentials"),
    lambda: RetryLater(5, "GitHub answered 502"),
]


@pytest.mark.parametrize("error", PASSING)
def test_what_may_pass_is_waited_for_and_not_for_ever(error: Callable[[], Exception]) -> None:
    with pytest.raises(LaterError), patience(job(age=10)):
        raise error()
    with pytest.raises(GivenUpError, match="for 59 s"), patience(job(age=59)):
        raise error()


def test_a_limit_is_obeyed_however_long_it_lasts() -> None:
    with pytest.raises(LaterError) as raised, patience(job(age=5000)):
        raise Limited(3600, "API rate limit exceeded")
    assert (raised.value.seconds, raised.value.afresh) == (3600, True)


@pytest.mark.parametrize("error", [Suspended("suspended"), Refused(422, "Invalid request")])
def test_what_no_wait_mends_passes_through(error: Exception) -> None:
    with pytest.raises(type(error)), patience(job()):
        raise error


def test_pauses_grow() -> None:
    assert [pause(job(attempt=number)) for number in range(1, 8)] == [1, 2, 4, 8, 16, 16, 16]


def test_the_servers_own_delay_is_kept() -> None:
    error = again(job(), "a test", least=5)
    assert isinstance(error, LaterError)
    assert error.seconds == 5
