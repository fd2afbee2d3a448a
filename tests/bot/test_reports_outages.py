"""GitHub fails for longer than a job is patient (here 2 s): no verdict may stand for what it was not made for."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator

import pytest

from tests.bot.conftest import add_repository, commit, open_pull
from tests.bot.service import until
from tests.bot.told import NEW_SYSTEM, Told, completed, settled
from tests.github import GitHub, effects
from tests.github.effects import Effect
from tests.github.state import CheckRun, Repository

NUMBERS = itertools.count(1)
OWN_FAULT = ("action_required", "Checker fault, not your submission")
AGAIN = "job goes back to the queue"


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Told]:
    """One started service for all tests of this file, with little patience and no sweep unless a test wants one."""
    folder = tmp_path_factory.mktemp("outages")
    with GitHub(folder / "github") as github:
        service = Told(github, folder / "bot", more={"TEST_PATIENCE_SECONDS": "2"})
        service.tell()
        service.start()
        settled(service)
        yield service
        service.stop()


@pytest.fixture
def github(told: Told) -> GitHub:
    """The stand-in that the service works with."""
    return told.github


@pytest.fixture
def repository(github: GitHub) -> Repository:
    """A repository of this test alone, with a second base branch."""
    made = add_repository(github, f"octo-org/outages-{next(NUMBERS)}")
    github.push(made, commit(made, {"closed/Acme/systems/Z.yaml": b"name: Z\n"}), "release", send=False)
    return made


def fail(github: GitHub, repository: Repository, path: str = "") -> None:
    """From now on GitHub answers such requests about the repository with 502."""
    github.faults.add(None, rf"^/repos/{repository.full_name}/{path}", effects.bad_gateway(), times=100_000)


def anew(told: Told, sweep_seconds: int = 3600) -> None:
    """GitHub works again, and the service starts anew."""
    told.github.faults.clear()
    told.kill()
    told.start(RECONCILE_SECONDS=str(sweep_seconds))


def outcome(run: CheckRun) -> tuple[str | None, str | None]:
    return run.conclusion, run.title


def test_a_verdict_is_taken_back_when_the_new_base_can_not_be_looked_up(
    github: GitHub, repository: Repository, told: Told
) -> None:
    pull = open_pull(github, repository, NEW_SYSTEM)
    run = completed(github, repository, pull.head_sha)
    assert run.conclusion == "success"
    fail(github, repository, rf"pulls/{pull.number}$")
    github.edit_base(pull, "release")
    until(lambda: outcome(run) == OWN_FAULT, "the verdict is taken back")
    anew(told, sweep_seconds=2)
    until(lambda: run.conclusion == "success", "the run passes for the new base")
    assert (repository.git.ref("refs/heads/release") or "?") in (run.summary or "")
    anew(told)


def test_a_verdict_is_taken_back_when_github_goes_on_to_show_the_old_base(
    github: GitHub, repository: Repository, told: Told
) -> None:
    pull = open_pull(github, repository, NEW_SYSTEM)
    run = completed(github, repository, pull.head_sha)
    github.faults.add("GET", rf"pulls/{pull.number}$", effects.outdated(pull), times=100_000)
    time.sleep(1.1)  # GitHub's times have seconds
    github.edit_base(pull, "release")
    until(lambda: outcome(run) == OWN_FAULT, "the verdict is taken back")
    assert "as it was at" in (run.summary or "")
    anew(told)


def test_an_event_is_followed_as_soon_as_an_outage_is_over(github: GitHub, repository: Repository, told: Told) -> None:
    pull = open_pull(github, repository, NEW_SYSTEM)
    run = completed(github, repository, pull.head_sha)
    told.tell(findings=1)
    before = told.log.count(AGAIN)
    fail(github, repository)
    github.edit_base(pull, "release")
    until(lambda: told.log.count(AGAIN) > before, "the job has nothing to do but wait")
    assert run.conclusion == "success"
    github.faults.clear()
    until(lambda: run.conclusion == "failure", "the run fails for the new base, without a sweep")
    settled(told)


def test_a_check_under_way_does_not_speak_for_a_pull_request_that_came_to_its_head(
    github: GitHub, repository: Repository, told: Told
) -> None:
    told.tell(waits=True)
    first = open_pull(github, repository, NEW_SYSTEM)
    until(lambda: [run.status for run in github.check_runs(repository)] == ["in_progress"], "the check runs")
    (run,) = github.check_runs(repository, first.head_sha)
    fail(github, repository, rf"pulls/{first.number + 1}$")
    github.open_pull_request(repository, first.head_sha, base="release")
    until(lambda: outcome(run) == OWN_FAULT, "the run is completed")
    told.tell()
    settled(told)
    assert outcome(run) == OWN_FAULT
    anew(told, sweep_seconds=2)
    until(lambda: run.conclusion == "success", "the run passes for both")
    assert "release" in (run.summary or "")
    anew(told)


def test_a_head_that_git_does_not_get_is_told_as_no_fault_of_the_submission(
    github: GitHub, repository: Repository, told: Told
) -> None:
    pull = open_pull(github, repository, NEW_SYSTEM, send=False)
    opened = github.payload_for("pull_request.opened", pull)
    refusal = f"ERR upload-pack: not our ref {pull.head_sha}"
    gone = Effect(
        status=200,
        data=f"{len(refusal) + 4:04x}{refusal}".encode(),
        headers=(("Content-Type", "application/x-git-upload-pack-result"),),
    )
    github.faults.add("POST", rf"/{repository.name}\.git", gone, times=1000)
    github.deliver("pull_request", opened)
    run = completed(github, repository, pull.head_sha)
    assert outcome(run) == OWN_FAULT
    assert f"GitHub does not have the object {pull.head_sha}" in (run.summary or "")
    github.faults.clear()


def test_m10_a_comment_that_can_not_be_written_changes_no_verdict(github: GitHub, told: Told) -> None:
    repository = add_repository(github, f"octo-org/outages-{next(NUMBERS)}", more="comment: true")
    fail(github, repository, "issues/")
    told.tell(findings=1)
    pull = open_pull(github, repository, NEW_SYSTEM)
    until(lambda: github.check_runs(repository, pull.head_sha), "a run is there")
    settled(told)
    run = completed(github, repository, pull.head_sha)
    assert outcome(run) == ("failure", "1 submitter's folder changed: it has 1 error")
    assert len(run.annotations) == 1


def test_of_two_pushes_within_a_second_the_event_of_the_first_may_come_last(
    github: GitHub, repository: Repository, told: Told
) -> None:
    pull = open_pull(github, repository, NEW_SYSTEM)
    completed(github, repository, pull.head_sha)
    first = commit(repository, {"closed/Acme/systems/C.yaml": b"name: C\n"}, base=pull.head_sha)
    github.synchronize(pull, first, send=False)
    late = github.payload_for("pull_request.synchronize", pull)
    second = commit(repository, {"closed/Acme/systems/D.yaml": b"name: D\n"}, base=first)
    github.synchronize(pull, second, send=False)
    pull.updated_at = late["pull_request"]["updated_at"]
    github.deliver("pull_request", github.payload_for("pull_request.synchronize", pull))
    assert completed(github, repository, second).conclusion == "success"
    github.deliver("pull_request", late)
    assert completed(github, repository, first).conclusion == "cancelled"
    settled(told)
    assert completed(github, repository, second).conclusion == "success"
