"""What others' Apps got wrong about events and commits (docs/public-reports.md): each test names its row."""

from __future__ import annotations

import itertools
import time

import pytest

from tests.bot.conftest import add_repository, commit, open_pull
from tests.bot.service import until
from tests.bot.told import NEW_SYSTEM, Told, completed, settled
from tests.github import GitHub, effects
from tests.github.state import CheckRun, PullRequest, Repository

NUMBERS = itertools.count(1)
CONFIGURATION = ".github/submission-checks.yml"


@pytest.fixture
def github(told: Told) -> GitHub:
    """The stand-in that the service works with."""
    return told.github


@pytest.fixture
def repository(github: GitHub) -> Repository:
    """A repository of this test alone."""
    return add_repository(github, f"octo-org/events-{next(NUMBERS)}")


def verdicts(github: GitHub, repository: Repository, sha: str) -> list[tuple[str, str | None]]:
    return [(run.status, run.conclusion) for run in github.check_runs(repository, sha)]


def told_of(github: GitHub, repository: Repository, sha: str) -> str:
    """What the summaries of a commit's runs say."""
    return "".join(run.summary or "" for run in github.check_runs(repository, sha))


def judged(github: GitHub, repository: Repository, sha: str, word: str) -> CheckRun:
    """The one run on a commit, once it has a certain conclusion."""
    until(lambda: verdicts(github, repository, sha) == [("completed", word)], f"{word} on {sha}")
    return github.check_runs(repository, sha)[0]


def checked(github: GitHub, repository: Repository) -> PullRequest:
    """A pull request that has its verdict."""
    pull = open_pull(github, repository, NEW_SYSTEM)
    completed(github, repository, pull.head_sha)
    return pull


def branch(github: GitHub, repository: Repository, name: str, files: dict[str, bytes | None]) -> str:
    sha = commit(repository, files)
    github.push(repository, sha, name, send=False)
    return sha


def answer_as_now(github: GitHub, pull: PullRequest) -> None:
    """The next answer about a pull request will be as it stands now; returns when a change gets a later time."""
    github.faults.add("GET", f"/repos/{pull.repository.full_name}/pulls/{pull.number}$", effects.outdated(pull))
    time.sleep(1.1)  # GitHub's times have seconds


def test_a10_a_suite_of_a_fork_names_no_pull_request(github: GitHub, repository: Repository, told: Told) -> None:
    pull = open_pull(github, repository, NEW_SYSTEM, fork=True)
    run = completed(github, repository, pull.head_sha)
    payload = github.payload_for("check_suite.rerequested", run.suite)
    payload["check_suite"] |= {"pull_requests": [], "head_branch": None}
    github.deliver("check_suite", payload)
    until(lambda: verdicts(github, repository, pull.head_sha) == [("completed", "success")] * 2, "a second run")


def test_a10_pull_requests_of_another_repository_are_passed_over(
    github: GitHub, repository: Repository, told: Told
) -> None:
    pull, other = checked(github, repository), open_pull(github, repository, {"closed/Acme/x": b"x"})
    completed(github, repository, other.head_sha)
    payload = github.payload_for("check_suite.rerequested", github.check_runs(repository, pull.head_sha)[0].suite)
    payload["check_suite"]["pull_requests"] = [
        {"number": other.number, "base": {"repo": {"id": repository.id + 1}}},
        {"number": pull.number, "base": {"repo": {"id": repository.id}}},
    ]
    github.deliver("check_suite", payload)
    until(lambda: verdicts(github, repository, pull.head_sha) == [("completed", "success")] * 2, "a second run")
    settled(told)
    assert len(github.check_runs(repository, other.head_sha)) == 1


def test_a11_only_the_number_of_a_pull_request_is_trusted(github: GitHub, repository: Repository, told: Told) -> None:
    pull = checked(github, repository)
    payload = github.payload_for("check_run.rerequested", github.check_runs(repository, pull.head_sha)[0])
    payload["check_run"]["pull_requests"] = [{"number": pull.number}]
    github.deliver("check_run", payload)
    until(lambda: verdicts(github, repository, pull.head_sha) == [("completed", "success")] * 2, "a second run")


def test_a13_both_re_run_buttons_and_not_those_of_other_apps(
    github: GitHub, repository: Repository, told: Told
) -> None:
    pull = checked(github, repository)
    github.rerequest_suite(github.check_runs(repository, pull.head_sha)[0].suite)
    until(lambda: verdicts(github, repository, pull.head_sha) == [("completed", "success")] * 2, "a second run")
    foreign = github.add_check_run(repository, pull.head_sha, "Submission checks", github.add_app("other"))
    ignored = told.webhooks("ignored")
    for name, subject in (("check_run", foreign), ("check_suite", foreign.suite)):
        github.deliver(name, github.payload_for(f"{name}.rerequested", subject))
    assert told.webhooks("ignored") == ignored + 2


def test_a14_a_merge_group_is_answered_and_let_go(github: GitHub, repository: Repository, told: Told) -> None:
    pull = checked(github, repository)
    head = github.queue([pull])
    judged(github, repository, head, "success")
    second = open_pull(github, repository, {"closed/Acme/systems/D.yaml": b"name: D\n"})
    completed(github, repository, second.head_sha)
    told.tell(waits=True)
    head = github.queue([second])
    until(lambda: verdicts(github, repository, head) == [("in_progress", None)], "the group is being checked")
    github.destroy_group(repository, head)
    assert "merge queue" in judged(github, repository, head, "cancelled").summary


def test_a13_a_merge_group_is_checked_again_by_both_buttons_and_the_bots_own(
    github: GitHub, repository: Repository, told: Told
) -> None:
    pull = checked(github, repository)
    head = github.queue([pull])
    run = judged(github, repository, head, "success")
    press = (
        lambda: github.rerequest_run(run),
        lambda: github.rerequest_suite(run.suite),
        lambda: github.request_action(run, "recheck"),
    )
    for times, act in enumerate(press, start=2):
        act()
        until(lambda: verdicts(github, repository, head) == [("completed", "success")] * times, f"{times} runs")  # noqa: B023
    assert len(github.check_runs(repository, pull.head_sha)) == 1
    github.destroy_group(repository, head)
    settled(told)
    github.rerequest_run(run)
    settled(told)
    assert len(github.check_runs(repository, head)) == 4


@pytest.mark.parametrize("files", [{"README.md": b"# Other\n"}, {}])
def test_a15_nothing_relevant_changed_and_yet_there_is_a_report(
    github: GitHub, repository: Repository, told: Told, files: dict[str, bytes | None]
) -> None:
    pull = open_pull(github, repository, files)
    assert judged(github, repository, pull.head_sha, "success").title == "No submitted system changed"


def test_a18_an_old_head_does_not_speak_after_the_new_one(github: GitHub, repository: Repository, told: Told) -> None:
    told.tell(waits=True)
    pull = open_pull(github, repository, NEW_SYSTEM)
    old = pull.head_sha
    until(lambda: verdicts(github, repository, old) == [("in_progress", None)], "the old head is being checked")
    new = commit(repository, {"closed/Acme/systems/C.yaml": b"name: C\n"}, base=old)
    github.synchronize(pull, new)
    assert new in judged(github, repository, old, "cancelled").summary
    told.tell()
    judged(github, repository, new, "success")
    settled(told)
    assert verdicts(github, repository, old) == [("completed", "cancelled")]


def test_a18_a_completed_run_keeps_its_verdict(github: GitHub, repository: Repository, told: Told) -> None:
    pull = checked(github, repository)
    old = pull.head_sha
    new = commit(repository, {"closed/Acme/systems/C.yaml": b"name: C\n"}, base=old)
    github.synchronize(pull, new)
    judged(github, repository, new, "success")
    github.synchronize(pull, old)
    settled(told)
    run = judged(github, repository, old, "success")
    assert run.statuses.count("completed") == 1


def test_a18_a_push_away_and_back_within_a_second_keeps_no_job_waiting(
    github: GitHub, repository: Repository, told: Told
) -> None:
    pull = checked(github, repository)
    old = pull.head_sha
    new = commit(repository, {"closed/Acme/systems/C.yaml": b"name: C\n"}, base=old)
    told.kill()
    github.synchronize(pull, new, send=False)
    away = github.payload_for("pull_request.synchronize", pull)
    github.synchronize(pull, old, send=False)
    back = github.payload_for("pull_request.synchronize", pull)
    back["pull_request"]["updated_at"] = away["pull_request"]["updated_at"] = pull.updated_at
    told.start()
    for payload in (away, back):
        github.deliver("pull_request", payload)
    settled(told)
    assert old in judged(github, repository, new, "cancelled").summary
    judged(github, repository, old, "success")


def test_a18_a_head_that_was_pushed_over_before_its_turn_gets_a_run(
    github: GitHub, repository: Repository, told: Told
) -> None:
    told.kill()
    pull = open_pull(github, repository, NEW_SYSTEM, send=False)
    old, payload = pull.head_sha, github.payload_for("pull_request.opened", pull)
    new = commit(repository, {"closed/Acme/systems/C.yaml": b"name: C\n"}, base=old)
    time.sleep(1)  # GitHub's times have seconds
    github.synchronize(pull, new, send=False)
    told.start()
    github.deliver("pull_request", payload)
    judged(github, repository, new, "success")
    assert new in judged(github, repository, old, "cancelled").summary


def test_a19_everything_says_which_commits_it_is_about(github: GitHub, repository: Repository, told: Told) -> None:
    pull = checked(github, repository)
    summary = github.check_runs(repository, pull.head_sha)[0].summary or ""
    for part in (pull.head_sha, pull.base_sha, "submission-bot ", "UTC"):
        assert part in summary


def test_a26_a_new_base_is_compared_anew_in_the_same_run(github: GitHub, repository: Repository, told: Told) -> None:
    pull = checked(github, repository)
    base = branch(github, repository, "release", {"closed/Acme/systems/Z.yaml": b"name: Z\n"})
    github.edit_base(pull, "release")
    until(lambda: base in told_of(github, repository, pull.head_sha), "the new base is named")
    assert verdicts(github, repository, pull.head_sha) == [("completed", "success")]


def test_a26_an_answer_from_before_the_new_base_is_waited_for(
    github: GitHub, repository: Repository, told: Told
) -> None:
    pull = checked(github, repository)
    base = branch(github, repository, "release", {"closed/Acme/systems/Z.yaml": b"name: Z\n"})
    answer_as_now(github, pull)
    github.edit_base(pull, "release")
    until(lambda: base in told_of(github, repository, pull.head_sha), "the new base is named")
    assert github.faults.pending == 0


def closed_while_checked(github: GitHub, repository: Repository, told: Told) -> PullRequest:
    """A pull request that was closed during its check, which has ended by that."""
    told.tell(waits=True)
    pull = open_pull(github, repository, NEW_SYSTEM)
    until(lambda: verdicts(github, repository, pull.head_sha) == [("in_progress", None)], "the check runs")
    github.close(pull)
    judged(github, repository, pull.head_sha, "cancelled")
    told.tell()
    return pull


def test_an_answer_from_before_it_was_opened_again_is_waited_for(
    github: GitHub, repository: Repository, told: Told
) -> None:
    pull = closed_while_checked(github, repository, told)
    answer_as_now(github, pull)
    github.reopen(pull)
    judged(github, repository, pull.head_sha, "success")
    assert github.faults.pending == 0


def test_a30_drafts_are_checked_and_ready_needs_no_new_run(github: GitHub, repository: Repository, told: Told) -> None:
    pull = open_pull(github, repository, NEW_SYSTEM, draft=True)
    run = judged(github, repository, pull.head_sha, "success")
    github.ready_for_review(pull)
    github.convert_to_draft(pull)
    settled(told)
    assert github.check_runs(repository, pull.head_sha) == [run]
    assert run.statuses.count("completed") == 1


def test_a45_two_pull_requests_with_one_head_share_a_run_with_the_worst_verdict(
    github: GitHub, repository: Repository, told: Told
) -> None:
    strict = branch(github, repository, "strict", {CONFIGURATION: b"rules: storage\nedition: none\n"})
    first = open_pull(github, repository, NEW_SYSTEM)
    judged(github, repository, first.head_sha, "success")
    second = github.open_pull_request(repository, first.head_sha, base="strict")
    run = judged(github, repository, first.head_sha, "action_required")
    assert (run.title or "").startswith("Worst of 2 comparisons: ")
    for part in (f"#{first.number} into main", first.base_sha, f"#{second.number} into strict", strict):
        assert part.replace("#", "") in (run.summary or "").replace("\\", "").replace("#", "")
    github.close(second)
    judged(github, repository, first.head_sha, "success")


def test_a45_two_pull_requests_opened_at_once_share_a_run(github: GitHub, repository: Repository, told: Told) -> None:
    branch(github, repository, "release", {"closed/Acme/systems/Z.yaml": b"name: Z\n"})
    first = open_pull(github, repository, NEW_SYSTEM)
    second = github.open_pull_request(repository, first.head_sha, base="release")
    until(lambda: "release" in told_of(github, repository, first.head_sha), "both are named")
    run = judged(github, repository, first.head_sha, "success")
    github.rerequest_run(run)
    until(lambda: verdicts(github, repository, first.head_sha) == [("completed", "success")] * 2, "one re-run")
    settled(told)
    assert len(github.check_runs(repository, second.head_sha)) == 2


@pytest.mark.parametrize("closed", [0, 1])
def test_a45_one_of_two_pull_requests_with_one_head_is_closed_during_the_check(
    github: GitHub, repository: Repository, told: Told, closed: int
) -> None:
    branch(github, repository, "release", {"closed/Acme/systems/Z.yaml": b"name: Z\n"})
    told.tell(waits=True)
    first = open_pull(github, repository, NEW_SYSTEM)
    until(lambda: verdicts(github, repository, first.head_sha) == [("in_progress", None)], "the first is being checked")
    (run,) = github.check_runs(repository, first.head_sha)
    both = (first, github.open_pull_request(repository, first.head_sha, base="release"))
    until(lambda: run.statuses.count("in_progress") == 2, "both are being checked")
    github.close(both[closed])
    until(lambda: run.statuses.count("in_progress") == 3, "the other is being checked")
    told.tell()
    left = both[1 - closed]
    assert "Worst of" not in (judged(github, repository, first.head_sha, "success").title or "")
    settled(told)
    assert left.base_sha in (run.summary or "")
    assert run.statuses.count("completed") == 1


def test_a47_a_suite_of_a_push_starts_nothing(github: GitHub, repository: Repository, told: Told) -> None:
    pull = checked(github, repository)
    ignored = told.webhooks("ignored")
    payload = github.payload_for("check_suite.requested", github.check_runs(repository, pull.head_sha)[0].suite)
    payload["check_suite"]["pull_requests"] = []
    github.deliver("check_suite", payload)
    assert told.webhooks("ignored") == ignored + 1


def test_m13_a_merge_into_the_same_folder_asks_for_a_new_look_and_no_other_does(
    github: GitHub, repository: Repository, told: Told
) -> None:
    acme, other = checked(github, repository), open_pull(github, repository, {"closed/Other/systems/X.yaml": b"x: 1\n"})
    completed(github, repository, other.head_sha)
    third = open_pull(github, repository, {"closed/Acme/systems/C.yaml": b"name: C\n"})
    completed(github, repository, third.head_sha)
    github.close(third, merge=True)
    after = repository.git.ref("refs/heads/main") or ""
    until(lambda: after in told_of(github, repository, acme.head_sha), "Acme is checked again")
    settled(told)
    assert verdicts(github, repository, acme.head_sha) == [("completed", "success")]
    assert after not in told_of(github, repository, other.head_sha)


def test_m06_a_changed_configuration_on_the_base_concerns_everyone(
    github: GitHub, repository: Repository, told: Told
) -> None:
    pull = checked(github, repository)
    broken = commit(repository, {CONFIGURATION: b"rules: storage\nlevels: {'99.9': 'off'}\n"})
    github.push(repository, broken)
    run = judged(github, repository, pull.head_sha, "action_required")
    assert "No rule has the id 99.9" in (run.summary or "").replace("\\", "")
    github.push(repository, commit(repository, {CONFIGURATION: b"rules: storage\n"}))
    until(lambda: verdicts(github, repository, pull.head_sha)[-1][1] == "failure", "the real rules hold")


def test_a_closed_pull_request_is_let_go_and_taken_up_when_it_is_opened_again(
    github: GitHub, repository: Repository, told: Told
) -> None:
    pull = closed_while_checked(github, repository, told)
    github.reopen(pull)
    judged(github, repository, pull.head_sha, "success")


def test_a_new_installation_shows_the_check_and_checks_what_is_open(github: GitHub, told: Told) -> None:
    installation = github.add_installation("new-org")
    repository = add_repository(github, "new-org/submissions")
    pull = open_pull(github, repository, NEW_SYSTEM, send=False)
    github.install(installation)
    judged(github, repository, pull.head_sha, "success")
    head = repository.git.ref("refs/heads/main") or ""
    assert judged(github, repository, head, "success").title == "Ready to check submissions"
    late = github.add_repository("new-org/late", {"README.md": b"x"}, install=False)
    github.add_to_installation(installation, late)
    judged(github, late, late.git.ref("refs/heads/main") or "", "success")


def test_a_new_installation_shows_no_success_on_a_head_that_is_to_be_judged(github: GitHub, told: Told) -> None:
    installation = github.add_installation("release-org")
    repository = add_repository(github, "release-org/submissions")
    base = repository.git.ref("refs/heads/main") or ""
    repository.git.set_ref("refs/heads/release", base)
    head = commit(repository, NEW_SYSTEM)
    repository.git.set_ref("refs/heads/main", head)
    github.open_pull_request(repository, head, "release", send=False)
    told.tell(findings=1)
    github.install(installation)
    assert judged(github, repository, head, "failure").statuses == ["queued", "in_progress", "completed"]


def test_an_archived_or_refused_repository_keeps_no_other_of_the_installation_from_its_turn(
    github: GitHub, told: Told
) -> None:
    installation = github.add_installation("old-org")
    archived, refused, failing, last = (add_repository(github, f"old-org/{name}") for name in "abcd")
    archived.archived = True
    github.faults.add("POST", f"{refused.full_name}/check-runs", effects.error(403, "Not for you"), times=9)
    github.faults.add("GET", f"{failing.full_name}/pulls", effects.bad_gateway(), times=9)
    pull = open_pull(github, last, NEW_SYSTEM, send=False)
    github.install(installation)
    judged(github, last, pull.head_sha, "success")
    assert judged(github, last, last.git.ref("refs/heads/main") or "", "success").title == "Ready to check submissions"
    judged(github, failing, failing.git.ref("refs/heads/main") or "", "success")
    assert github.check_runs(archived) == github.check_runs(refused) == []
    asked = {request.path for request in github.requests if archived.full_name in request.path}
    assert asked == set()


def test_an_uninstalled_app_drops_what_was_waiting(github: GitHub, told: Told) -> None:
    repository = add_repository(github, "gone-org/submissions")
    told.tell(waits=True)
    pull = open_pull(github, repository, NEW_SYSTEM)
    until(lambda: verdicts(github, repository, pull.head_sha) == [("in_progress", None)], "the check runs")
    github.uninstall(github.installation_on("gone-org"))
    told.tell()
    settled(told)
    assert verdicts(github, repository, pull.head_sha) == [("in_progress", None)]


def test_a_renamed_repository_keeps_its_checks(github: GitHub, repository: Repository, told: Told) -> None:
    told.tell(waits=True)
    pull = open_pull(github, repository, NEW_SYSTEM)
    until(lambda: verdicts(github, repository, pull.head_sha) == [("in_progress", None)], "the check runs")
    github.rename(repository, f"renamed-{next(NUMBERS)}")
    told.tell()
    judged(github, repository, pull.head_sha, "success")
    later = open_pull(github, repository, {"closed/Acme/systems/C.yaml": b"name: C\n"})
    judged(github, repository, later.head_sha, "success")


def test_a_repository_that_changes_hands_during_a_check_keeps_it(github: GitHub, told: Told) -> None:
    repository = add_repository(github, "giving-org/submissions")
    told.tell(waits=True)
    pull = open_pull(github, repository, NEW_SYSTEM)
    until(lambda: verdicts(github, repository, pull.head_sha) == [("in_progress", None)], "the check runs")
    github.installation_on("giving-org").repositories.remove(repository)
    repository.owner = github.add_installation("taking-org").account
    github.installation_on("taking-org").repositories.append(repository)
    given = github.payload_for("pull_request.edited", pull)
    moved = {"action": "transferred", "repository": given["repository"], "installation": given["installation"]}
    github.deliver("repository", moved)
    told.tell()
    judged(github, repository, pull.head_sha, "success")


def test_a_repository_that_is_taken_from_the_app_during_a_check_is_let_go(github: GitHub, told: Told) -> None:
    repository = add_repository(github, "kept-org/submissions")
    told.tell(waits=True)
    pull = open_pull(github, repository, NEW_SYSTEM)
    until(lambda: verdicts(github, repository, pull.head_sha) == [("in_progress", None)], "the check runs")
    github.remove_from_installation(github.installation_on("kept-org"), repository)
    told.tell()
    settled(told)
    assert verdicts(github, repository, pull.head_sha) == [("in_progress", None)]
    github.add_to_installation(github.installation_on("kept-org"), repository)
    judged(github, repository, pull.head_sha, "success")
