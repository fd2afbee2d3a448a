"""Check runs and suites behave as GitHub's do."""

from tests.github import GitHub
from tests.github.conftest import Client
from tests.github.records import CheckRun, PullRequest, Repository

R = "/repos/octo-org/submissions"


def test_newest_run_of_a_name_is_shown(github: GitHub, repository: Repository, as_installation: Client) -> None:
    sha = repository.git.ref("refs/heads/main")
    for _ in range(2):
        as_installation("POST", R + "/check-runs", {"name": "Checks", "head_sha": sha})
    first, second = github.check_runs(repository, sha)
    latest = as_installation("GET", f"{R}/commits/{sha}/check-runs").json()
    every = as_installation("GET", f"{R}/commits/{sha}/check-runs?filter=all").json()
    assert [run["id"] for run in latest["check_runs"]] == [second.id]
    assert [run["id"] for run in every["check_runs"]] == [second.id, first.id]
    assert first.suite is second.suite


def test_runs_of_other_apps_are_told_apart_and_protected(
    github: GitHub, repository: Repository, pull: PullRequest, as_installation: Client
) -> None:
    other = github.add_app("other-bot")
    foreign = github.add_check_run(repository, pull.head_sha, "Submission checks", other)
    mine = f"{R}/commits/{pull.head_sha}/check-runs?app_id={github.app.id}"
    assert as_installation("GET", mine).json()["total_count"] == 0
    refused = as_installation("PATCH", f"{R}/check-runs/{foreign.id}", {"status": "in_progress"})
    assert refused.status_code == 403
    assert "can only be modified by the GitHub App that created it" in refused.json()["message"]


def test_fork_heads_have_no_pull_requests_in_checks(
    github: GitHub, repository: Repository, pull: PullRequest, as_installation: Client
) -> None:
    own = github.open_pull_request(repository, repository.git.commit({"a": b"1"}, base=pull.base_sha), send=False)
    runs = {
        one.number: as_installation("POST", R + "/check-runs", {"name": "c", "head_sha": one.head_sha}).json()
        for one in (pull, own)
    }
    assert runs[pull.number]["pull_requests"] == []
    assert [one["number"] for one in runs[own.number]["pull_requests"]] == [own.number]
    suite = as_installation("GET", f"{R}/check-suites/{runs[pull.number]['check_suite']['id']}").json()
    assert suite["head_branch"] is None


def test_deleted_fork_leaves_no_head_repository(
    github: GitHub, repository: Repository, as_installation: Client
) -> None:
    head = repository.git.commit({"a": b"1"}, base=repository.git.ref("refs/heads/main"))
    pull = github.open_pull_request(repository, head, fork=True, fork_deleted=True, send=False)
    found = as_installation("GET", f"{R}/pulls?head=submitter:{pull.head_ref}").json()
    assert [one["head"]["repo"] for one in found] == [None]


def test_suite_takes_the_worst_of_its_newest_runs(
    github: GitHub, repository: Repository, pull: PullRequest, as_installation: Client
) -> None:
    def outcome(run: CheckRun) -> tuple[str, str | None]:
        found = as_installation("GET", f"{R}/check-suites/{run.suite.id}").json()
        return found["status"], found["conclusion"]

    github.add_check_run(repository, pull.head_sha, "a", github.app, status="completed", conclusion="success")
    bad = github.add_check_run(repository, pull.head_sha, "b", github.app, status="completed", conclusion="failure")
    assert outcome(bad) == ("completed", "failure")
    github.add_check_run(repository, pull.head_sha, "b", github.app, status="in_progress")
    assert outcome(bad) == ("in_progress", None)
