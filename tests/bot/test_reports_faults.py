"""What others' Apps got wrong when GitHub or they failed (docs/public-reports.md): each test names its row."""

from __future__ import annotations

import itertools
import os

import pytest

from bot.queue import MAX_RECOVERIES
from tests.bot.conftest import add_repository, commit, open_pull
from tests.bot.service import until
from tests.bot.told import NEW_SYSTEM, Told, completed, settled
from tests.github import GitHub, effects
from tests.github.effects import Effect
from tests.github.state import CheckRun, Repository

NUMBERS = itertools.count(1)
MOST_BYTES = 65_535  # of a summary and of a text
PATCH_RUN = r"/check-runs/\d+$"
POST_RUN = r"/check-runs$"


def of(repository: Repository, path: str) -> str:
    """Requests about this repository alone: a sweep may be busy with those of earlier tests."""
    return rf"^/repos/{repository.full_name}/.*{path.removeprefix('/')}"


@pytest.fixture
def github(told: Told) -> GitHub:
    """The stand-in that the service works with."""
    return told.github


@pytest.fixture
def repository(github: GitHub) -> Repository:
    """A repository of this test alone."""
    return add_repository(github, f"octo-org/faults-{next(NUMBERS)}")


def messages(run: CheckRun) -> list[str]:
    return sorted(one["message"] for one in run.annotations)


def swept(told: Told) -> None:
    """Starts the service anew, which sweeps every other second."""
    told.kill()
    told.start(RECONCILE_SECONDS="2")


@pytest.mark.parametrize("findings", [0, 1, 50, 51, 143, 10_000])
def test_a01_a02_all_annotations_in_batches_of_50(
    github: GitHub, repository: Repository, told: Told, findings: int
) -> None:
    told.tell(findings=findings)
    pull = open_pull(github, repository, NEW_SYSTEM)
    run = completed(github, repository, pull.head_sha)
    assert run.conclusion == ("failure" if findings else "success")
    assert len(run.annotations) == len(set(messages(run))) == min(findings, 250)
    if findings > 250:
        assert "9750 beyond the limit of 250 annotations" in (run.summary or "")
        assert len((run.text or "").encode()) <= MOST_BYTES
        assert "all of the 10000" in (run.text or "")


def test_a02_a_429_is_waited_for(github: GitHub, repository: Repository, told: Told) -> None:
    told.tell(findings=70)
    github.faults.add("PATCH", of(repository, PATCH_RUN), effects.too_many_requests(retry_after=1), skip=1)
    pull = open_pull(github, repository, NEW_SYSTEM)
    assert len(completed(github, repository, pull.head_sha).annotations) == 70


def test_a04_a_refused_final_update_leaves_no_success_and_no_endless_run(
    github: GitHub, repository: Repository, told: Told
) -> None:
    github.faults.add("PATCH", of(repository, PATCH_RUN), effects.error(422, "Invalid request."), skip=1)
    pull = open_pull(github, repository, NEW_SYSTEM)
    run = completed(github, repository, pull.head_sha)
    assert (run.conclusion, run.title) == ("action_required", "Checker fault, not your submission")
    assert run.statuses.count("completed") == 1


def test_a04_a_refused_pass_is_tried_again_by_the_sweep(github: GitHub, repository: Repository, told: Told) -> None:
    github.faults.add("PATCH", of(repository, PATCH_RUN), effects.error(422, "Invalid request."), skip=1)
    pull = open_pull(github, repository, NEW_SYSTEM)
    run = completed(github, repository, pull.head_sha)
    assert run.conclusion == "action_required"
    swept(told)
    until(lambda: run.conclusion == "success", "the same run passes")


def test_a_fault_in_the_check_of_a_merge_group_is_tried_again_by_the_sweep(
    github: GitHub, repository: Repository, told: Told
) -> None:
    pull = open_pull(github, repository, NEW_SYSTEM)
    completed(github, repository, pull.head_sha)
    github.faults.add("PATCH", of(repository, PATCH_RUN), effects.error(422, "Invalid request"))
    head = github.queue([pull])
    run = completed(github, repository, head)
    assert run.conclusion == "action_required"
    swept(told)
    until(lambda: run.conclusion == "success", "the sweep has tried again")
    settled(told)
    assert github.check_runs(repository, head) == [run]


def test_a06_a_refused_summary_of_a_failure_still_fails(github: GitHub, repository: Repository, told: Told) -> None:
    told.tell(findings=3)
    github.faults.add("PATCH", of(repository, PATCH_RUN), effects.error(422, "summary is too long"), skip=1)
    pull = open_pull(github, repository, NEW_SYSTEM)
    run = completed(github, repository, pull.head_sha)
    assert (run.conclusion, run.title) == ("failure", "1 submitter's folder changed: it has 3 errors")


def test_a16_a_fault_before_the_comparison_is_no_success(github: GitHub, repository: Repository, told: Told) -> None:
    told.tell(raises=True)
    pull = open_pull(github, repository, NEW_SYSTEM)
    assert completed(github, repository, pull.head_sha).conclusion == "action_required"


def test_a21_a_pull_request_that_the_api_does_not_know_yet(github: GitHub, repository: Repository, told: Told) -> None:
    github.faults.add("GET", of(repository, r"/pulls/\d+$"), effects.not_found(), times=2)
    pull = open_pull(github, repository, NEW_SYSTEM)
    assert completed(github, repository, pull.head_sha).conclusion == "success"


def test_a21_a_commit_that_the_checks_do_not_know_yet(github: GitHub, repository: Repository, told: Told) -> None:
    unknown = effects.error(422, "No commit found for SHA")
    github.faults.add("POST", of(repository, POST_RUN), unknown)
    pull = open_pull(github, repository, NEW_SYSTEM)
    assert completed(github, repository, pull.head_sha).conclusion == "success"
    assert github.faults.pending == 0


def test_a31_a_lost_delivery_is_redelivered_or_found_and_done_once(
    github: GitHub, repository: Repository, told: Told
) -> None:
    told.kill()
    failed = open_pull(github, repository, NEW_SYSTEM)
    lost = open_pull(github, repository, {"closed/Acme/systems/C.yaml": b"name: C\n"}, send=False)
    told.start(RECONCILE_SECONDS="2")
    for pull in (failed, lost):
        run = completed(github, repository, pull.head_sha)
        assert (run.conclusion, run.statuses.count("in_progress")) == ("success", 1)
    settled(told)
    assert len(github.check_runs(repository)) == 2


def test_a31_the_sweep_leaves_alone_what_is_in_work(github: GitHub, repository: Repository, told: Told) -> None:
    told.tell(waits=True)
    pull = open_pull(github, repository, NEW_SYSTEM)
    until(lambda: [run.status for run in github.check_runs(repository)] == ["in_progress"], "the check runs")
    swept(told)
    until(lambda: told.log.count("job=sweep:") > 3 or told.log.count('"sweep:') > 3, "some sweeps")
    told.tell()
    completed(github, repository, pull.head_sha)
    settled(told)
    assert f"sweep-{repository.id}" not in told.log
    assert github.check_runs(repository)[0].statuses.count("completed") == 1


def test_a31_a_moved_base_is_noticed_without_its_push(github: GitHub, repository: Repository, told: Told) -> None:
    pull = open_pull(github, repository, NEW_SYSTEM)
    run = completed(github, repository, pull.head_sha)
    sha = commit(repository, {"closed/Acme/systems/Z.yaml": b"name: Z\n"})
    github.push(repository, sha, send=False)
    swept(told)
    until(lambda: sha in (run.summary or "") and run.conclusion == "success", "the new base is named")


def test_a34_a_run_without_a_job_is_taken_up(github: GitHub, repository: Repository, told: Told) -> None:
    told.tell(waits=True)
    pull = open_pull(github, repository, NEW_SYSTEM)
    until(lambda: [run.status for run in github.check_runs(repository)] == ["in_progress"], "the check runs")
    told.kill()
    told.forget_jobs()
    told.tell()
    told.start(RECONCILE_SECONDS="2")
    assert completed(github, repository, pull.head_sha).conclusion == "success"


def test_a34_a_run_of_a_former_head_without_a_job_is_closed(github: GitHub, repository: Repository, told: Told) -> None:
    told.tell(waits=True)
    pull = open_pull(github, repository, NEW_SYSTEM)
    until(lambda: [run.status for run in github.check_runs(repository)] == ["in_progress"], "the check runs")
    told.kill()
    told.forget_jobs(minutes=5)
    told.tell()
    old, new = pull.head_sha, commit(repository, {"closed/Acme/systems/C.yaml": b"name: C\n"}, base=pull.head_sha)
    github.synchronize(pull, new, send=False)
    told.start(RECONCILE_SECONDS="2")
    assert completed(github, repository, new).conclusion == "success"
    assert completed(github, repository, old).conclusion == "cancelled"


def test_a_check_that_ends_every_worker_is_completed_with_an_explanation(
    github: GitHub, repository: Repository, told: Told
) -> None:
    told.tell(waits=True)
    pull = open_pull(github, repository, NEW_SYSTEM)
    until(lambda: [run.status for run in github.check_runs(repository)] == ["in_progress"], "the check runs")
    (run,) = github.check_runs(repository)
    for _ in range(MAX_RECOVERIES):
        told.kill()
        told.start()
        begun = run.statuses.count("in_progress")
        until(lambda begun=begun: run.statuses.count("in_progress") > begun, "the check runs again")
    swept(told)
    assert completed(github, repository, pull.head_sha).conclusion == "action_required"
    assert run.title == "Checker fault, not your submission"
    assert f"ended {MAX_RECOVERIES + 1} times in a row" in (run.summary or "")
    told.tell()
    before = told.log.count("job=sweep:")
    until(lambda: told.log.count("job=sweep:") > before + 1, "two sweeps")
    assert run.conclusion == "action_required"
    told.kill()
    told.outlast(minutes=60)
    told.start(RECONCILE_SECONDS="2")
    until(lambda: run.conclusion == "success", "it is tried again in the same run")


def test_a34_a_run_that_github_does_not_show_keeps_no_other_from_its_end(
    github: GitHub, repository: Repository, told: Told
) -> None:
    told.tell(waits=True)
    pulls = [open_pull(github, repository, {f"closed/Acme/systems/{name}.yaml": b"name: B\n"}) for name in "BC"]
    until(lambda: [run.status for run in github.check_runs(repository)] == ["in_progress"] * 2, "the checks run")
    left = told.data / "mirrors" / f"{repository.id}.git" / "objects" / "pack" / "tmp_pack_x"
    until(left.parent.is_dir, "the mirror is there")
    told.kill()
    told.forget_jobs(minutes=5)
    told.tell()
    olds = [pull.head_sha for pull in pulls]
    for pull in pulls:
        new = commit(repository, {"closed/Acme/systems/D.yaml": b"name: D\n"}, base=pull.head_sha)
        github.synchronize(pull, new, send=False)
    lost, found = sorted((github.check_runs(repository, old)[0] for old in olds), key=lambda run: run.id)
    github.faults.add("GET", of(repository, rf"/check-runs/{lost.id}$"), effects.not_found(), times=1000)
    left.write_bytes(b"x")
    os.utime(left, (1, 1))
    told.start(RECONCILE_SECONDS="2")
    until(lambda: found.conclusion == "cancelled", "the other run is closed")
    until(lambda: not left.exists(), "the mirror is maintained")
    assert lost.status == "in_progress"
    github.faults.clear()
    told.kill()
    told.forget_jobs(minutes=5)
    told.start(RECONCILE_SECONDS="2")
    until(lambda: lost.conclusion == "cancelled", "the run is closed when it is shown again")


def test_a26_an_interrupted_check_does_not_write_over_the_verdict_for_a_newer_base(github: GitHub, told: Told) -> None:
    repository = add_repository(github, f"octo-org/faults-{next(NUMBERS)}", more="comment: true")
    github.push(repository, commit(repository, {"closed/Acme/systems/Z.yaml": b"name: Z\n"}), "release", send=False)
    github.faults.add("GET", of(repository, r"/issues/\d+/comments$"), effects.bad_gateway(), times=100_000)
    pull = open_pull(github, repository, NEW_SYSTEM)
    assert completed(github, repository, pull.head_sha).conclusion == "success"
    told.tell(findings=1)
    github.edit_base(pull, "release")
    (run,) = github.check_runs(repository, pull.head_sha)
    until(lambda: run.conclusion == "failure", "the verdict for the new base")
    github.faults.clear()
    settled(told)
    assert run.conclusion == "failure"


def test_a35_a_secondary_limit_loses_nothing(github: GitHub, repository: Repository, told: Told) -> None:
    told.tell(findings=120)
    for wording in range(3):
        github.faults.add(
            "PATCH", of(repository, PATCH_RUN), effects.secondary_limit(wording, retry_after=1), skip=1 + wording
        )
    pull = open_pull(github, repository, NEW_SYSTEM)
    run = completed(github, repository, pull.head_sha)
    assert len(run.annotations) == len(set(messages(run))) == 120
    assert github.faults.pending == 0


def test_a36_tokens_that_die_on_the_way(github: GitHub, repository: Repository, told: Told) -> None:
    told.tell(waits=True)
    pull = open_pull(github, repository, NEW_SYSTEM)
    until(lambda: [run.status for run in github.check_runs(repository)] == ["in_progress"], "the check runs")
    github.expire_tokens()
    told.tell()
    assert completed(github, repository, pull.head_sha).conclusion == "success"
    github.expire_tokens()
    second = open_pull(github, repository, {"closed/Acme/systems/C.yaml": b"name: C\n"})
    assert completed(github, repository, second.head_sha).conclusion == "success"


@pytest.mark.parametrize("times", [1, 2, 5])
def test_a36_a_token_that_dies_between_two_batches_of_annotations(
    github: GitHub, repository: Repository, told: Told, times: int
) -> None:
    told.tell(findings=240)
    github.faults.add("PATCH", of(repository, PATCH_RUN), effects.bad_credentials(), skip=3, times=times)
    pull = open_pull(github, repository, NEW_SYSTEM)
    run = completed(github, repository, pull.head_sha)
    settled(told)
    assert (run.conclusion, run.statuses.count("completed")) == ("failure", 1)
    assert len(run.annotations) == len(set(messages(run))) == 240
    assert github.faults.pending == 0


def test_a_head_branch_that_is_deleted_before_it_is_fetched_is_judged_all_the_same(
    github: GitHub, repository: Repository, told: Told
) -> None:
    github.faults.add(None, rf"/{repository.name}\.git", effects.bad_gateway(), times=2)
    pull = open_pull(github, repository, NEW_SYSTEM)
    repository.git.delete_ref(f"refs/heads/{pull.head_ref}")
    assert completed(github, repository, pull.head_sha).conclusion == "success"
    assert github.faults.pending == 0


def test_a_base_branch_that_is_gone_keeps_the_sweep_from_no_other_pull_request(
    github: GitHub, repository: Repository, told: Told
) -> None:
    main = repository.git.ref("refs/heads/main") or ""
    repository.git.set_ref("refs/heads/gone", main)
    github.open_pull_request(repository, commit(repository, {"README.md": b"new\n"}), "gone", send=False)
    repository.git.delete_ref("refs/heads/gone")
    pull = open_pull(github, repository, NEW_SYSTEM, send=False)
    swept(told)
    assert completed(github, repository, pull.head_sha).conclusion == "success"


def test_a37_a_suspended_installation_is_parked_and_others_go_on(github: GitHub, told: Told) -> None:
    parked, other = (add_repository(github, f"{owner}-org/submissions") for owner in ("parked", "other"))
    installation = github.installation_on("parked-org")
    payload_of = open_pull(github, parked, NEW_SYSTEM, send=False)
    github.suspend(installation, send=False)
    github.deliver("pull_request", github.payload_for("pull_request.opened", payload_of))
    pull = open_pull(github, other, NEW_SYSTEM)
    assert completed(github, other, pull.head_sha).conclusion == "success"
    settled(told)
    assert github.check_runs(parked) == []
    github.unsuspend(installation)
    assert completed(github, parked, payload_of.head_sha).conclusion == "success"


@pytest.mark.parametrize("effect", [effects.lost_reply(), effects.without_id(), effects.dropped(after=True)])
def test_a45_a_create_whose_answer_is_lost_makes_one_run(
    github: GitHub, repository: Repository, told: Told, effect: Effect
) -> None:
    github.faults.add("POST", of(repository, POST_RUN), effect)
    pull = open_pull(github, repository, NEW_SYSTEM)
    assert completed(github, repository, pull.head_sha).conclusion == "success"
    settled(told)
    assert len(github.check_runs(repository)) == 1


@pytest.mark.parametrize("effect", [effects.lost_reply(), effects.dropped(after=True), effects.bad_gateway()])
def test_an_update_whose_answer_is_lost_doubles_nothing(
    github: GitHub, repository: Repository, told: Told, effect: Effect
) -> None:
    told.tell(findings=120)
    github.faults.add("PATCH", of(repository, PATCH_RUN), effect, skip=2)
    pull = open_pull(github, repository, NEW_SYSTEM)
    run = completed(github, repository, pull.head_sha)
    assert len(run.annotations) == len(set(messages(run))) == 120


@pytest.mark.parametrize("skip", [1, 2, 3])
def test_annotations_that_github_loses_are_sent_again(
    github: GitHub, repository: Repository, told: Told, skip: int
) -> None:
    told.tell(findings=120)
    github.faults.add("PATCH", of(repository, PATCH_RUN), effects.fewer_annotations(3), skip=skip)
    pull = open_pull(github, repository, NEW_SYSTEM)
    run = completed(github, repository, pull.head_sha)
    until(lambda: len(run.annotations) == 120, "all annotations are there")
    settled(told)
    assert len(set(messages(run))) == 120


@pytest.mark.parametrize("effect", effects.GIT_STORM)
def test_a_git_fetch_that_fails_is_tried_again(
    github: GitHub, repository: Repository, told: Told, effect: Effect
) -> None:
    github.faults.add(None, rf"/{repository.name}\.git", effect)
    pull = open_pull(github, repository, NEW_SYSTEM)
    assert completed(github, repository, pull.head_sha).conclusion == "success"
    assert github.faults.pending == 0


@pytest.mark.parametrize("effect", [effects.bad_gateway(), effects.dropped(), effects.bad_credentials()])
def test_l10_l13_every_kind_of_call_is_tried_again(
    github: GitHub, repository: Repository, told: Told, effect: Effect
) -> None:
    for method, path in (("GET", r"/pulls/\d+$"), ("GET", "/check-runs$"), ("POST", POST_RUN), ("PATCH", PATCH_RUN)):
        github.faults.add(method, of(repository, path), effect)
    pull = open_pull(github, repository, NEW_SYSTEM)
    assert completed(github, repository, pull.head_sha).conclusion == "success"
    assert github.faults.pending == 0


def test_l12_titles_are_not_needed_to_tell_annotations_apart(
    github: GitHub, repository: Repository, told: Told
) -> None:
    told.tell(findings=70)
    untitled = Effect(edit_reply=lambda body: [{**one, "title": None} for one in body])
    github.faults.add("GET", of(repository, "/annotations$"), untitled, times=10)
    github.faults.add("PATCH", of(repository, PATCH_RUN), effects.fewer_annotations(2), skip=1)
    pull = open_pull(github, repository, NEW_SYSTEM)
    run = completed(github, repository, pull.head_sha)
    settled(told)
    assert len(run.annotations) == len(set(messages(run))) == 70
