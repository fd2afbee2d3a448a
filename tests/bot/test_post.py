"""What is left to send to a run that holds some annotations already."""

from __future__ import annotations

from typing import Any

from bot.jobs.post import unsent


def note(number: int) -> dict[str, Any]:
    place = {"path": "a.yaml", "start_line": 1, "end_line": 1, "annotation_level": "failure"}
    return {**place, "title": "2.1.7 x", "message": f"Finding {number}."}


def body(numbers: range, **more: str) -> dict[str, Any]:
    return {"output": {"title": "t", "summary": "s", "annotations": [note(number) for number in numbers]}, **more}


BODIES = [body(range(50)), body(range(50, 100)), body(range(100, 120), conclusion="failure")]


def held(*numbers: int) -> list[dict[str, Any]]:
    """As GitHub gives annotations back: more fields, and no title."""
    return [{**note(number), "title": "", "blob_href": "https://x"} for number in numbers]


def test_everything_is_sent_to_an_empty_run() -> None:
    assert list(unsent(BODIES, [])) == list(enumerate(BODIES))


def test_what_the_run_holds_is_not_sent_again() -> None:
    assert list(unsent(BODIES, held(*range(50)))) == list(enumerate(BODIES))[1:]
    assert list(unsent(BODIES, held(*range(100)))) == [(2, BODIES[2])]


def test_single_ones_that_github_lost_are_found() -> None:
    (first, last) = unsent(BODIES, held(*(number for number in range(100) if number != 49)))
    assert first == (0, {"output": {"title": "t", "summary": "s", "annotations": [note(49)]}})
    assert last == (2, BODIES[2])


def test_equal_annotations_are_counted() -> None:
    bodies = [{"output": {"title": "t", "summary": "s", "annotations": [note(1), note(1)]}, "conclusion": "failure"}]
    ((_, left),) = unsent(bodies, held(1))
    assert left["output"]["annotations"] == [note(1)]


def test_the_conclusion_is_sent_even_when_all_annotations_are_there() -> None:
    bare = {"output": {"title": "t", "summary": "s"}, "conclusion": "failure"}
    assert list(unsent(BODIES, held(*range(120)))) == [(2, bare)]


def test_a_result_without_annotations_is_sent() -> None:
    bodies = [{"output": {"title": "t", "summary": "s"}, "conclusion": "success"}]
    assert list(unsent(bodies, [])) == [(0, bodies[0])]
