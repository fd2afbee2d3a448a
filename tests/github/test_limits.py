"""Limits of check runs: those of GitHub's description and those that are only prose."""

from typing import Any

import pytest

from tests.github import GitHub
from tests.github.conftest import Client
from tests.github.records import Repository

RUNS = "/repos/octo-org/submissions/check-runs"


def annotation(**changes: Any) -> dict[str, Any]:
    good = {"path": "a", "start_line": 1, "end_line": 1, "annotation_level": "failure", "message": "m"}
    return {key: value for key, value in (good | changes).items() if value is not None}


def output(*annotations: dict[str, Any], **changes: Any) -> dict[str, Any]:
    given = {"title": "t", "summary": "s", "annotations": list(annotations)} | changes
    return {"output": {key: value for key, value in given.items() if value is not None}}


ACTION = {"label": "Run again", "description": "Checks again", "identifier": "recheck"}
# What GitHub's OpenAPI description refuses.
DESCRIBED = {
    "51 annotations": output(*[annotation()] * 51),
    "unknown level": output(annotation(annotation_level="error")),
    "no line": output(annotation(start_line=None)),
    "line as text": output(annotation(start_line="1")),
    "summary too long": output(summary="x" * 65_536),
    "no title": output(title=None),
    "unknown conclusion": {"conclusion": "passed"},
    "4 actions": {"actions": [ACTION] * 4},
    "long label": {"actions": [ACTION | {"label": "x" * 21}]},
    "bad time": {"started_at": "yesterday"},
    "misspelt key": {"outputs": {}},
    "misspelt key inside": output(annotation=[]),
}
# What it lets pass and GitHub refuses all the same.
PROSE = {
    "completed without conclusion": ({"status": "completed"}, '"conclusion" wasn\'t supplied'),
    "stale": ({"conclusion": "stale"}, "stale"),
    "line 0": (output(annotation(start_line=0)), "start_line"),
    "lines backwards": (output(annotation(start_line=3, end_line=2)), "start_line"),
    "columns over several lines": (output(annotation(end_line=2, start_column=1, end_column=2)), "start_column"),
    "columns backwards": (output(annotation(start_column=4, end_column=3)), "start_column"),
    "annotation title of 256": (output(annotation(title="x" * 256)), "title"),
    "message over 64 KB": (output(annotation(message="x" * 65_537)), "message"),
    "details over 64 KB": (output(annotation(raw_details="é" * 33_000)), "raw_details"),
    "no path": (output(annotation(path="")), "path"),
    "empty message": (output(annotation(message="")), "message"),
    "bytes of the summary": (output(summary="é" * 40_000), "bytesize"),
    "bytes of the text": (output(text="é" * 32_768), "bytesize"),
    "empty name": ({"name": " "}, "name"),
    "unknown commit": ({"head_sha": "a" * 40}, "No commit found"),
    "no commit id": ({"head_sha": "zz"}, "No commit found"),
}


@pytest.fixture
def good(repository: Repository) -> dict[str, Any]:
    return {"name": "Checks", "head_sha": repository.git.ref("refs/heads/main")}


@pytest.mark.parametrize("case", DESCRIBED)
def test_description_refuses(github: GitHub, as_installation: Client, good: dict[str, Any], case: str) -> None:
    answer = as_installation("POST", RUNS, good | DESCRIBED[case])
    assert answer.status_code == 422
    assert answer.json()["message"].startswith("Invalid request.")
    assert len(github.violations) == 1


@pytest.mark.parametrize("case", PROSE)
def test_prose_refuses(github: GitHub, as_installation: Client, good: dict[str, Any], case: str) -> None:
    change, reason = PROSE[case]
    answer = as_installation("POST", RUNS, good | change)
    assert answer.status_code == 422
    assert reason in answer.json()["message"]
    with pytest.raises(AssertionError, match="against GitHub's description"):
        github.check()


def test_limits_themselves_are_allowed(github: GitHub, as_installation: Client, good: dict[str, Any]) -> None:
    full = annotation(title="x" * 255, message="x" * 65_536, start_column=1, end_column=1)
    body = good | output(*[annotation()] * 49, full, summary="é" * 32_767, text="x" * 65_535)
    body |= {"actions": [ACTION] * 3, "conclusion": "action_required"}
    answer = as_installation("POST", RUNS, body)
    assert (answer.status_code, answer.json()["status"]) == (201, "completed")
    github.check()


def test_update_needs_summary_and_conclusion(github: GitHub, as_installation: Client, good: dict[str, Any]) -> None:
    run = as_installation("POST", RUNS, good).json()["id"]
    for body in ({"output": {"title": "t"}}, {"status": "completed"}, {"conclusion": "stale"}):
        assert as_installation("PATCH", f"{RUNS}/{run}", body).status_code == 422
    assert len(github.violations) == 3


def test_updates_append_annotations(github: GitHub, repository: Repository, as_installation: Client, good: Any) -> None:
    run = as_installation("POST", RUNS, good | output(*[annotation()] * 50)).json()["id"]
    for size in (50, 20):
        answer = as_installation("PATCH", f"{RUNS}/{run}", output(*[annotation()] * size))
    assert answer.json()["output"]["annotations_count"] == 120
    pages = [as_installation("GET", f"{RUNS}/{run}/annotations?per_page=100&page={page}").json() for page in (1, 2)]
    assert [len(page) for page in pages] == [100, 20]
    github.check()


def test_nan_is_not_json(github: GitHub, as_installation: Client) -> None:
    credentials = {"Authorization": as_installation.authorization}
    answer = as_installation.session.post(github.api_url + RUNS, data='{"name": NaN}', headers=credentials, timeout=10)
    assert (answer.status_code, answer.json()["message"]) == (400, "Problems parsing JSON")


def test_comments_have_a_length(github: GitHub, pull: Any, as_installation: Client) -> None:
    comments = f"/repos/octo-org/submissions/issues/{pull.number}/comments"
    assert as_installation("POST", comments, {"body": "x" * 65_537}).status_code == 422
    assert as_installation("POST", comments, {"body": " "}).status_code == 422
    assert as_installation("POST", comments, {"body": "x" * 65_536}).status_code == 201
