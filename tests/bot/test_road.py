"""The whole road over real sockets: webhook in, git fetched, check run out; and what must not go wrong on it."""

from __future__ import annotations

import itertools
import time
from collections import Counter

import pytest

from tests.bot.conftest import add_repository, commit, open_pull
from tests.bot.service import until
from tests.bot.told import NEW_SYSTEM, Told, completed, settled
from tests.github import GitHub
from tests.github.state import Repository

NUMBERS = itertools.count(1)


@pytest.fixture
def service(told: Told) -> Told:
    """The service that all tests of this file share."""
    return told


@pytest.fixture
def github(told: Told) -> GitHub:
    """The stand-in that the service works with."""
    return told.github


@pytest.fixture
def repository(github: GitHub) -> Repository:
    """A repository of this test alone."""
    return add_repository(github, f"octo-org/submissions-{next(NUMBERS)}")


def test_a_pull_request_gets_its_annotations(github: GitHub, repository: Repository, service: Told) -> None:
    first = open_pull(github, repository, NEW_SYSTEM)  # makes the mirror
    completed(github, repository, first.head_sha)
    service.tell(findings=120)
    github.clear_requests()
    pull = open_pull(github, repository, {**NEW_SYSTEM, "closed/Acme/systems/C.yaml": b"name: C\n"})
    run = completed(github, repository, pull.head_sha)
    assert (run.name, run.conclusion) == ("Submission checks", "failure")
    assert (run.statuses[0], set(run.statuses[1:-1]), run.statuses[-1]) == ("queued", {"in_progress"}, "completed")
    assert len(run.annotations) == 120
    assert run.annotations[0]["path"] == "closed/Acme/systems/B.yaml"
    assert pull.head_sha in run.summary
    assert pull.base_sha in run.summary
    assert len(github.git_requests) <= 4
    assert service.log.count("It's a Secret") == 0


def test_up_to_50_annotations_cost_6_api_calls(github: GitHub, repository: Repository, service: Told) -> None:
    service.tell(findings=50)
    github.clear_requests()
    pull = open_pull(github, repository, NEW_SYSTEM)
    run = completed(github, repository, pull.head_sha)
    assert len(run.annotations) == 50
    calls = Counter((one.method, one.path) for one in github.requests)
    assert calls.total() <= 5, calls  # and one for the token, which the sweep at the start has asked for


def test_a_job_survives_the_kill_after_202(github: GitHub, repository: Repository, service: Told) -> None:
    pull = open_pull(github, repository, NEW_SYSTEM)
    service.kill()
    assert github.deliveries[-1].status_code == 202
    service.start()
    assert completed(github, repository, pull.head_sha).conclusion == "success"
    settled(service)
    assert len(github.check_runs(repository)) == 1


def test_a_job_survives_the_kill_in_its_middle(github: GitHub, repository: Repository, service: Told) -> None:
    service.tell(waits=True, findings=70)
    pull = open_pull(github, repository, NEW_SYSTEM)
    until(lambda: [run.status for run in github.check_runs(repository)] == ["in_progress"], "the check runs")
    service.kill()
    service.tell(findings=70)
    service.start()
    run = completed(github, repository, pull.head_sha)
    assert (run.conclusion, len(run.annotations)) == ("failure", 70)


def test_two_deliveries_of_one_event_make_one_run(github: GitHub, repository: Repository, service: Told) -> None:
    pull = open_pull(github, repository, NEW_SYSTEM)
    first, duplicates = github.deliveries[-1], service.webhooks("duplicate")
    github.deliver(first.event, first.payload, delivery=first.guid)
    run = completed(github, repository, pull.head_sha)
    github.deliver(first.event, first.payload, delivery=first.guid)
    github.deliver(first.event, first.payload)
    settled(service)
    assert {one.status_code for one in github.deliveries} == {202}
    assert service.webhooks("duplicate") == duplicates + 2
    assert [one.id for one in github.check_runs(repository)] == [run.id]
    assert run.statuses.count("completed") == 1


def test_a_newer_push_cancels_the_older_check(github: GitHub, repository: Repository, service: Told) -> None:
    service.tell(waits=True)
    pull = open_pull(github, repository, NEW_SYSTEM)
    old = pull.head_sha
    until(lambda: [run.status for run in github.check_runs(repository, old)] == ["in_progress"], "the check runs")
    new = commit(repository, {"closed/Acme/systems/C.yaml": b"name: C\n"}, base=old)
    github.synchronize(pull, new)
    cancelled = completed(github, repository, old)
    assert cancelled.conclusion == "cancelled"
    assert new in cancelled.summary
    service.tell()
    assert completed(github, repository, new).conclusion == "success"
    github.synchronize(pull, old)
    until(lambda: github.check_runs(repository, old)[-1].conclusion == "success", "the old head is judged after all")
    settled(service)
    assert len(github.check_runs(repository, old)) == 1


def test_a_rule_that_raises_is_the_bots_fault(github: GitHub, repository: Repository, service: Told) -> None:
    service.tell(raises=True, findings=2)
    pull = open_pull(github, repository, NEW_SYSTEM)
    run = completed(github, repository, pull.head_sha)
    assert (run.conclusion, run.title) == ("action_required", "Checker fault, not your submission")
    assert {one["title"] for one in run.annotations} == {"9.3 finds"}
    assert "KeyError" not in run.summary


def test_a_stale_api_is_waited_for(github: GitHub, repository: Repository, service: Told) -> None:
    pull = open_pull(github, repository, NEW_SYSTEM)
    old = pull.head_sha
    completed(github, repository, old)
    new = commit(repository, {"closed/Acme/systems/C.yaml": b"name: C\n"}, base=old)
    github.synchronize(pull, new, stale=2)
    assert completed(github, repository, new).conclusion == "success"


def test_a_pull_request_that_github_does_not_show_yet(github: GitHub, repository: Repository, service: Told) -> None:
    github.faults.add("GET", r"/pulls/\d+$", status=404, body={"message": "Not Found"}, times=2)
    pull = open_pull(github, repository, NEW_SYSTEM)
    assert completed(github, repository, pull.head_sha).conclusion == "success"


def test_a_changed_base_is_checked_again_and_a_changed_title_is_not(
    github: GitHub, repository: Repository, service: Told
) -> None:
    pull = open_pull(github, repository, NEW_SYSTEM)
    completed(github, repository, pull.head_sha)
    ignored = service.webhooks("ignored")
    github.edit_title(pull, "Another title")
    assert service.webhooks("ignored") == ignored + 1
    base = commit(repository, {"closed/Acme/systems/B.yaml": b"name: B\n"})
    github.push(repository, base, "release", send=False)
    github.edit_base(pull, "release")
    until(lambda: any(base in run.summary for run in github.check_runs(repository, pull.head_sha)), "the new base")


def test_a_lost_delivery_is_found_by_the_sweep(github: GitHub, repository: Repository, service: Told) -> None:
    pull = open_pull(github, repository, NEW_SYSTEM, send=False)
    service.kill()
    service.start(RECONCILE_SECONDS="60")
    assert completed(github, repository, pull.head_sha).conclusion == "success"


def test_a_fork_is_checked_by_its_pull_request(github: GitHub, repository: Repository, service: Told) -> None:
    pull = open_pull(github, repository, NEW_SYSTEM, fork=True, fork_deleted=True)
    assert completed(github, repository, pull.head_sha).conclusion == "success"


def test_no_common_history_fails_with_the_reason(github: GitHub, repository: Repository, service: Told) -> None:
    pull = github.open_pull_request(repository, repository.git.commit({"a.txt": b"a"}))
    run = completed(github, repository, pull.head_sha)
    assert (run.conclusion, run.title) == ("failure", "No common history with the base branch")


def test_a_faulty_configuration_is_not_the_submitters_fault(
    github: GitHub, repository: Repository, service: Told
) -> None:
    broken = commit(repository, {".github/submission-checks.yml": b"rules: storage\nunknown: 1\n"})
    github.push(repository, broken, send=False)
    pull = open_pull(github, repository, NEW_SYSTEM)
    run = completed(github, repository, pull.head_sha)
    assert run.conclusion == "action_required"
    assert "Line 2" in run.summary


def test_a_final_update_that_is_refused_is_followed_by_a_plain_one(
    github: GitHub, repository: Repository, service: Told
) -> None:
    github.faults.add("PATCH", r"/check-runs/\d+$", status=422, body={"message": "Invalid request."}, skip=1)
    pull = open_pull(github, repository, NEW_SYSTEM)
    run = completed(github, repository, pull.head_sha)
    assert (run.conclusion, run.title) == ("action_required", "Checker fault, not your submission")


def test_an_explicit_re_run_makes_a_new_run(github: GitHub, repository: Repository, service: Told) -> None:
    pull = open_pull(github, repository, NEW_SYSTEM)
    run = completed(github, repository, pull.head_sha)
    github.rerequest_run(run)
    until(lambda: len(github.check_runs(repository, pull.head_sha)) == 2, "a second run")
    until(lambda: github.check_runs(repository, pull.head_sha)[-1].status == "completed", "the second run is completed")


def test_a_rate_limit_sends_the_job_back(github: GitHub, repository: Repository, service: Told) -> None:
    settled(service)
    body = {"message": "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."}
    github.faults.add("PATCH", r"/check-runs/\d+$", status=403, body=body, headers={"Retry-After": "2"})
    pull = open_pull(github, repository, NEW_SYSTEM)
    assert completed(github, repository, pull.head_sha).conclusion == "success"
    assert "job goes back to the queue" in service.log


def test_a_service_that_is_stopped_leaves_the_check_to_the_next(
    github: GitHub, repository: Repository, service: Told
) -> None:
    service.tell(waits=True)
    pull = open_pull(github, repository, NEW_SYSTEM)
    until(lambda: [run.status for run in github.check_runs(repository)] == ["in_progress"], "the check runs")
    begun = time.monotonic()
    service.stop()
    assert time.monotonic() - begun < 15
    service.tell()
    service.start()
    run = completed(github, repository, pull.head_sha)
    assert (run.conclusion, run.statuses.count("completed")) == ("success", 1)


def test_a_merge_group_is_checked_on_its_own_commit(github: GitHub, repository: Repository, service: Told) -> None:
    service.tell(findings=3)
    pull = open_pull(github, repository, NEW_SYSTEM)
    completed(github, repository, pull.head_sha)
    head = github.queue([pull])
    run = completed(github, repository, head)
    assert (run.conclusion, len(run.annotations)) == ("failure", 3)


def test_an_installation_that_is_not_suspended_any_more_is_caught_up_with(
    github: GitHub, repository: Repository, service: Told
) -> None:
    installation = github.installation_on("octo-org")
    github.suspend(installation)
    pull = open_pull(github, repository, NEW_SYSTEM)
    settled(service)
    assert github.check_runs(repository) == []
    github.unsuspend(installation)
    assert completed(github, repository, pull.head_sha).conclusion == "success"


def test_what_failed_is_tried_again_by_the_sweep(github: GitHub, repository: Repository, service: Told) -> None:
    service.tell(raises=True)
    pull = open_pull(github, repository, NEW_SYSTEM)
    assert completed(github, repository, pull.head_sha).conclusion == "action_required"
    service.kill()
    sent = service.github.ping()
    assert sent is not None
    assert sent.status_code == 502
    service.tell()
    service.start(RECONCILE_SECONDS="1")
    until(lambda: github.check_runs(repository)[0].conclusion == "success", "the same run gets its verdict")
    assert len(github.check_runs(repository)) == 1
    again = [one for one in github.deliveries if one.guid == sent.guid and one.redelivery]
    assert [one.status_code for one in again] == [202]
