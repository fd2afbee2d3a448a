"""Which check run a check reports in."""

from __future__ import annotations

from dataclasses import dataclass

from bot.jobs.runs import Choice, Use, choose, external_id, number_of

BASE, OTHER = "a" * 40, "b" * 40
KEY = external_id(7, BASE)
AGAIN = external_id(7, BASE, "delivery-2")


@dataclass(frozen=True)
class Run:
    id: int
    external_id: str
    status: str = "completed"
    conclusion: str | None = None
    annotations_count: int = 0


def test_no_run_yet() -> None:
    assert choose([], KEY, forced=False) == Choice(Use.CREATE)


def test_a_verdict_on_the_same_base_stays() -> None:
    for conclusion in ("success", "failure"):
        run = Run(1, KEY, conclusion=conclusion, annotations_count=9)
        assert choose([run], KEY, forced=False) == Choice(Use.KEEP, 1, conclusion)


def test_a_verdict_of_a_re_run_counts_too() -> None:
    runs = [Run(1, KEY, conclusion="failure"), Run(2, AGAIN, conclusion="success")]
    assert choose(runs, KEY, forced=False) == Choice(Use.KEEP, 2, "success")


def test_a_verdict_on_another_base_does_not_count() -> None:
    assert choose([Run(1, external_id(7, OTHER), conclusion="success")], KEY, forced=False) == Choice(Use.CREATE)


def test_a_run_without_verdict_is_gone_over_again() -> None:
    for conclusion in ("cancelled", "action_required"):
        assert choose([Run(1, KEY, conclusion=conclusion)], KEY, forced=False) == Choice(Use.TAKE, 1)


def test_annotations_of_a_run_without_verdict_are_not_doubled() -> None:
    run = Run(1, KEY, conclusion="action_required", annotations_count=3)
    assert choose([run], KEY, forced=False) == Choice(Use.CREATE)


def test_an_unfinished_run_goes_on_with_what_it_holds() -> None:
    run = Run(1, KEY, status="in_progress", annotations_count=50)
    assert choose([run], KEY, forced=False) == Choice(Use.TAKE, 1, held=50)


def test_an_unfinished_run_for_another_base_is_taken_over() -> None:
    assert choose([Run(1, external_id(7, OTHER), status="queued")], KEY, forced=False) == Choice(Use.TAKE, 1)


def test_a_run_of_another_pull_request_is_not_taken_over() -> None:
    assert choose([Run(1, external_id(8, BASE), status="queued")], KEY, forced=False) == Choice(Use.CREATE)


def test_a_re_run_gets_a_run_of_its_own_once() -> None:
    first = Run(1, KEY, conclusion="failure")
    assert choose([first], AGAIN, forced=True) == Choice(Use.CREATE)
    assert choose([first, Run(2, AGAIN, status="queued")], AGAIN, forced=True) == Choice(Use.TAKE, 2)
    assert choose([first, Run(2, AGAIN, conclusion="success")], AGAIN, forced=True) == Choice(Use.KEEP, 2, "success")


def test_the_key_names_the_pull_request() -> None:
    assert number_of(KEY) == number_of(AGAIN) == 7
    for foreign in (None, "", "12", "pull:", "pull:x:y", "pull:٣:y", "build:7:x"):
        assert number_of(foreign) is None
