"""PyGithub, GitHub's most used Python client, as an independent witness."""

from collections.abc import Iterator

import github as pygithub
import pytest
from github import Auth, GithubIntegration
from github.CheckRun import CheckRun

from tests.github import GitHub, effects
from tests.github.records import PullRequest


@pytest.fixture
def integration(github: GitHub) -> Iterator[GithubIntegration]:
    auth = Auth.AppAuth(github.app.id, github.private_key)
    with GithubIntegration(
        auth=auth, base_url=github.api_url, seconds_between_requests=0, seconds_between_writes=0, retry=None
    ) as client:
        yield client


@pytest.fixture
def client(integration: GithubIntegration, pull: PullRequest) -> Iterator[pygithub.Github]:
    installation = integration.get_repo_installation("octo-org", "submissions")
    with installation.get_github_for_installation() as found:
        yield found


def annotations(first: int, last: int) -> list[dict[str, object]]:
    return [
        {"path": "closed/Acme/systems/B.yaml", "start_line": number, "end_line": number, "message": f"finding {number}"}
        | {"annotation_level": "failure", "title": "2.1.7 systemsDirectoryFiles"}
        for number in range(first, last + 1)
    ]


def create(client: pygithub.Github, head: str) -> CheckRun:
    return client.get_repo("octo-org/submissions").create_check_run("Submission checks", head, status="queued")


def test_check_run_with_120_annotations(github: GitHub, client: pygithub.Github, pull: PullRequest) -> None:
    run = create(client, pull.head_sha)
    for first in (1, 51, 101):
        output = {
            "title": "120 errors",
            "summary": "Each line.",
            "annotations": annotations(first, min(first + 49, 120)),
        }
        run.edit(status="in_progress", output=output)
    run.edit(status="completed", conclusion="failure")
    assert (run.conclusion, run.output.annotations_count) == ("failure", 120)
    assert [one.message for one in run.get_annotations()] == [f"finding {number}" for number in range(1, 121)]
    (stored,) = github.check_runs(pull.repository, pull.head_sha)
    assert stored.statuses == ["queued", "in_progress", "in_progress", "in_progress", "completed"]
    github.check()


def test_what_a_bot_reads(github: GitHub, client: pygithub.Github, pull: PullRequest) -> None:
    repository = client.get_repo("octo-org/submissions")
    seen = repository.get_pull(pull.number)
    assert (seen.head.sha, seen.base.sha, seen.changed_files) == (pull.head_sha, pull.base_sha, 1)
    assert [one.filename for one in seen.get_files()] == ["closed/Acme/systems/B.yaml"]
    content = repository.get_contents("closed/Acme/systems/A.yaml", ref=pull.base_sha)
    assert not isinstance(content, list)
    assert content.decoded_content == b"name: A\n"
    assert repository.compare(pull.base_sha, pull.head_sha).merge_base_commit.sha == pull.base_sha
    assert repository.get_collaborator_permission("octo-maintainer") == "admin"
    assert [one.number for one in repository.get_commit(pull.head_sha).get_pulls()] == [pull.number]
    comment = seen.create_issue_comment("first")
    comment.edit("second")
    assert [one.body for one in seen.get_issue_comments()] == ["second"]
    github.check()


def test_names_with_slashes_and_accents_pass_the_description(
    github: GitHub, client: pygithub.Github, pull: PullRequest
) -> None:
    git = pull.repository.git
    git.commit({"Größe 1/a b#?.yaml": b"x"}, base=pull.base_sha, branch="round/3.0")
    found = client.get_repo("octo-org/submissions").get_contents("Größe 1/a b#?.yaml", ref="round/3.0")
    assert not isinstance(found, list)
    assert found.decoded_content == b"x"
    assert client.get_repo("octo-org/submissions").get_branch("round/3.0").name == "round/3.0"
    github.check()


def test_client_meets_an_injected_limit(github: GitHub, client: pygithub.Github, pull: PullRequest) -> None:
    github.faults.add("POST", "/check-runs$", effects.secondary_limit(1))
    with pytest.raises(pygithub.RateLimitExceededException):
        create(client, pull.head_sha)
    assert create(client, pull.head_sha).status == "queued"
