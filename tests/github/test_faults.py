"""Injected faults reach the client as GitHub's real ones do."""

from collections import Counter

import pytest
import requests

from tests.github import GitHub, effects
from tests.github.conftest import Client
from tests.github.records import PullRequest, Repository

R = "/repos/octo-org/submissions"
RUNS = R + "/check-runs"


@pytest.fixture
def run(repository: Repository) -> dict[str, str]:
    return {"name": "Checks", "head_sha": repository.git.ref("refs/heads/main") or ""}


def test_fault_comes_as_often_as_planned_and_where(
    github: GitHub, as_installation: Client, run: dict[str, str]
) -> None:
    github.faults.add(method="POST", path=r"/check-runs$", times=2, skip=1, status=502)
    statuses = [as_installation("POST", RUNS, run).status_code for _ in range(4)]
    assert statuses == [201, 502, 502, 201]
    assert as_installation("GET", R).status_code == 200
    assert [one.fault for one in github.requests] == [False, True, True, False, False]
    assert github.requests[1].body == run


def test_lost_reply_takes_effect(
    github: GitHub, repository: Repository, as_installation: Client, run: dict[str, str]
) -> None:
    github.faults.add("POST", "/check-runs$", effects.lost_reply())
    github.faults.add("POST", "/check-runs$", effects.bad_gateway())
    assert [as_installation("POST", RUNS, run).status_code for _ in range(2)] == [502, 502]
    assert len(github.check_runs(repository, run["head_sha"])) == 1


@pytest.mark.parametrize("after", [False, True])
def test_dropped_connection(
    github: GitHub, repository: Repository, as_installation: Client, run: dict[str, str], after: bool
) -> None:
    github.faults.add("POST", "/check-runs$", effects.dropped(after))
    with pytest.raises(requests.ConnectionError):
        as_installation("POST", RUNS, run)
    assert len(github.check_runs(repository)) == after


def test_reply_cut_short(github: GitHub, as_installation: Client) -> None:
    github.faults.add("GET", R, effects.truncated(10))
    with pytest.raises((requests.ConnectionError, requests.exceptions.ChunkedEncodingError)):
        as_installation("GET", R)
    assert as_installation("GET", R).status_code == 200


@pytest.mark.parametrize("wording", range(3))
def test_secondary_limits_in_all_wordings(github: GitHub, as_installation: Client, wording: int) -> None:
    github.faults.add(None, R, effects.secondary_limit(wording))
    answer = as_installation("GET", R)
    assert answer.status_code == 403
    assert answer.json()["message"] == effects.SECONDARY_LIMIT_TEXTS[wording]
    assert "Retry-After" not in answer.headers


def test_limits_with_times(github: GitHub, as_installation: Client) -> None:
    github.faults.add(None, R, effects.too_many_requests(7))
    answer = as_installation("GET", R)
    assert (answer.status_code, answer.headers["Retry-After"], answer.content) == (429, "7", b"")
    github.faults.add(None, R, effects.rate_limit_exhausted(30))
    answer = as_installation("GET", R)
    assert (answer.status_code, answer.headers["X-RateLimit-Remaining"]) == (403, "0")
    assert int(answer.headers["X-RateLimit-Reset"]) > 0


def test_single_refusals(github: GitHub, as_installation: Client) -> None:
    github.faults.add(None, R, effects.bad_credentials())
    github.faults.add(None, R, effects.not_found(), times=2)
    assert [as_installation("GET", R).status_code for _ in range(4)] == [401, 404, 404, 200]


def test_reply_without_id_and_with_fewer_annotations(
    github: GitHub, repository: Repository, as_installation: Client, run: dict[str, str]
) -> None:
    one = {"path": "a", "start_line": 1, "end_line": 1, "annotation_level": "notice", "message": "m"}
    body = {**run, "output": {"title": "t", "summary": "s", "annotations": [one] * 3}}
    github.faults.add("POST", "/check-runs$", effects.without_id())
    github.faults.add("POST", "/check-runs$", effects.fewer_annotations(2))
    assert "id" not in as_installation("POST", RUNS, body).json()
    assert as_installation("POST", RUNS, body).json()["output"]["annotations_count"] == 1
    assert [len(made.annotations) for made in github.check_runs(repository)] == [3, 1]
    github.check()


def test_delay_and_plain_replacement(github: GitHub, as_installation: Client) -> None:
    github.faults.add(path=R, delay=0.3)
    assert 0.3 < as_installation("GET", R).elapsed.total_seconds() < 0.6
    github.faults.add(path=R, status=200, body={"message": "teapot"}, headers={"X-Odd": "1"})
    answer = as_installation("GET", R)
    assert (answer.json(), answer.headers["X-Odd"]) == ({"message": "teapot"}, "1")


def test_older_head_for_the_first_calls(
    github: GitHub, repository: Repository, pull: PullRequest, as_installation: Client
) -> None:
    old = pull.head_sha
    new = repository.git.commit({"more": b"1"}, base=old)
    github.synchronize(pull, new, stale=2, send=False)
    heads = [as_installation("GET", R + "/pulls/1").json()["head"]["sha"] for _ in range(3)]
    assert heads == [old, old, new]


def test_storms_repeat_and_end(github: GitHub, as_installation: Client) -> None:
    calm = [effects.bad_gateway(), effects.not_found()]

    def statuses() -> list[int]:
        github.faults.storm(seed=5, rate=0.5, api=calm)
        return [as_installation("GET", R).status_code for _ in range(20)]

    first = statuses()
    assert first == statuses()
    assert set(Counter(first)) == {200, 404, 502}
    github.faults.clear()
    assert as_installation("GET", R).status_code == 200
