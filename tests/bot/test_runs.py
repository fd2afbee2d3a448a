"""Which check run a check reports in."""

from __future__ import annotations

from dataclasses import dataclass

from bot.jobs.runs import Choice, Target, Use, choose, external_id, numbers_of

BASE, OTHER = "a" * 40, "b" * 40
MAIN = Target(7, BASE, "main")
KEY = external_id([MAIN])
MOVED = external_id([Target(7, OTHER, "main")])
AGAIN = external_id([MAIN], "delivery-2")
BOTH = external_id([MAIN, Target(9, OTHER, "release")])
GROUP = external_id([Target(None, BASE, "main")])


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


def test_only_the_newest_run_counts_since_it_is_the_one_that_is_shown() -> None:
    runs = [Run(1, KEY, conclusion="success"), Run(2, MOVED, conclusion="failure", annotations_count=1)]
    assert choose(runs, KEY, forced=False) == Choice(Use.CREATE)


def test_a_verdict_on_another_base_is_taken_back_in_the_same_run() -> None:
    assert choose([Run(1, MOVED, conclusion="success")], KEY, forced=False) == Choice(Use.TAKE, 1, "success")
    assert choose([Run(1, KEY, conclusion="success")], BOTH, forced=False) == Choice(Use.TAKE, 1, "success")


def test_annotations_of_another_result_ask_for_a_new_run() -> None:
    for found in (Run(1, MOVED, conclusion="failure", annotations_count=1), Run(1, KEY, conclusion="action_required")):
        held = Run(1, found.external_id, conclusion=found.conclusion, annotations_count=3)
        assert choose([held], KEY, forced=False) == Choice(Use.CREATE)


def test_a_run_without_verdict_is_gone_over_again() -> None:
    for conclusion in ("cancelled", "action_required"):
        assert choose([Run(1, KEY, conclusion=conclusion)], KEY, forced=False) == Choice(Use.TAKE, 1, conclusion)


def test_an_unfinished_run_goes_on_with_what_it_holds() -> None:
    run = Run(1, KEY, status="in_progress", annotations_count=50)
    assert choose([run], KEY, forced=False) == Choice(Use.TAKE, 1, held=50)


def test_an_unfinished_run_for_something_else_is_taken_over_or_replaced() -> None:
    assert choose([Run(1, MOVED, status="queued")], KEY, forced=False) == Choice(Use.TAKE, 1)
    assert choose([Run(1, KEY, status="queued")], AGAIN, forced=True) == Choice(Use.TAKE, 1)
    begun = Run(1, MOVED, status="in_progress", annotations_count=50)
    assert choose([begun], KEY, forced=False) == Choice(Use.CREATE, 1)


def test_a_merge_group_and_pull_requests_have_runs_of_their_own() -> None:
    assert choose([Run(1, KEY, status="queued")], GROUP, forced=False) == Choice(Use.CREATE)
    assert choose([Run(1, GROUP, status="queued")], KEY, forced=False) == Choice(Use.CREATE)


def test_a_re_run_gets_a_run_of_its_own_once() -> None:
    first = Run(1, KEY, conclusion="failure")
    assert choose([first], AGAIN, forced=True) == Choice(Use.CREATE)
    assert choose([first, Run(2, AGAIN, status="queued")], AGAIN, forced=True) == Choice(Use.TAKE, 2)
    assert choose([first, Run(2, AGAIN, conclusion="success")], AGAIN, forced=True) == Choice(Use.KEEP, 2, "success")


def test_the_key_names_the_pull_requests() -> None:
    assert numbers_of(KEY) == numbers_of(AGAIN) == (7,)
    assert numbers_of(BOTH) == (7, 9)
    for foreign in (None, "", "12", "pull:", "pull:x:y", "pull:٣:y", "build:7:x", "unjudged", GROUP):
        assert numbers_of(foreign) == ()


def test_the_key_tells_bases_apart_and_stays_short() -> None:
    assert external_id([MAIN, Target(9, BASE, "release")]) != BOTH
    many = [Target(10**6 + number, BASE, f"release-{number}") for number in range(100)]
    assert len(external_id(many)) < 150
