"""Deliveries over real sockets: signatures, headers, the App's list, redelivery, and each scenario's payload."""

import hashlib
import hmac
from collections.abc import Callable
from typing import Any

import pytest

from tests.github import GitHub, webhooks
from tests.github.conftest import Client, Receiver
from tests.github.records import CheckRun, PullRequest, Repository

Act = Callable[[GitHub, PullRequest, CheckRun], Any]


@pytest.fixture
def run(github: GitHub, repository: Repository, pull: PullRequest) -> CheckRun:
    button = {"label": "Again", "description": "Checks again", "identifier": "again"}
    return github.add_check_run(repository, pull.head_sha, "Checks", github.app, actions=[button], external_id="k1")


def _head(pull: PullRequest) -> str:
    return pull.repository.git.commit({"more": b"1"}, base=pull.head_sha)


def _branch(pull: PullRequest) -> str:
    pull.repository.git.set_ref("refs/heads/next", pull.base_sha)
    return "next"


def _labelled(github: GitHub, pull: PullRequest) -> None:
    github.label(pull, "late", send=False)
    github.unlabel(pull, "late")


def _destroyed(github: GitHub, pull: PullRequest) -> None:
    github.destroy_group(pull.repository, github.queue([pull], send=False))


SCENARIOS: dict[str, Act] = {
    "pull_request.synchronize": lambda github, pull, run: github.synchronize(pull, _head(pull)),
    "pull_request.edited": lambda github, pull, run: github.edit_base(pull, _branch(pull)),
    "pull_request.closed": lambda github, pull, run: github.close(pull, merge=True),
    "pull_request.reopened": lambda github, pull, run: github.reopen(pull),
    "pull_request.ready_for_review": lambda github, pull, run: github.ready_for_review(pull),
    "pull_request.converted_to_draft": lambda github, pull, run: github.convert_to_draft(pull),
    "pull_request.labeled": lambda github, pull, run: github.label(pull, "late"),
    "pull_request.unlabeled": lambda github, pull, run: _labelled(github, pull),
    "check_run.rerequested": lambda github, pull, run: github.rerequest_run(run),
    "check_run.requested_action": lambda github, pull, run: github.request_action(run, "again"),
    "check_suite.rerequested": lambda github, pull, run: github.rerequest_suite(run.suite),
    "check_suite.requested": lambda github, pull, run: github.request_suite(pull.repository, pull.base_sha),
    "merge_group.checks_requested": lambda github, pull, run: github.queue([pull]),
    "merge_group.destroyed": lambda github, pull, run: _destroyed(github, pull),
    "issue_comment.created": lambda github, pull, run: github.comment(pull, "/recheck", "octo-maintainer"),
    "push.": lambda github, pull, run: github.push(pull.repository, _head(pull)),
    "repository.renamed": lambda github, pull, run: github.rename(pull.repository, "results"),
    "installation.created": lambda github, pull, run: github.install(github.installation_on("octo-org")),
    "installation.deleted": lambda github, pull, run: github.uninstall(github.installation_on("octo-org")),
    "installation.suspend": lambda github, pull, run: github.suspend(github.installation_on("octo-org")),
    "installation.unsuspend": lambda github, pull, run: github.unsuspend(github.installation_on("octo-org")),
    "installation_repositories.added": lambda github, pull, run: github.add_to_installation(
        github.installation_on("octo-org"), github.add_repository("octo-org/second", install=False)
    ),
    "installation_repositories.removed": lambda github, pull, run: github.remove_from_installation(
        github.installation_on("octo-org"), pull.repository
    ),
    "ping.": lambda github, pull, run: github.ping(),
}


def test_signature_matches_githubs_test_vector() -> None:
    # https://docs.github.com/webhooks/using-webhooks/validating-webhook-deliveries#testing-the-webhook-payload-validation
    expected = "757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"
    assert webhooks.signature("It's a Secret to Everybody", b"Hello, World!") == f"sha256={expected}"


def test_delivery_has_githubs_headers(github: GitHub, receiver: Receiver) -> None:
    sent = github.deliver("ping", {"zen": "Mind your words."}, secret="s3", delivery="a-guid")
    headers, body = receiver.received[0]
    assert sent.status_code == 202
    assert headers["X-Hub-Signature-256"] == "sha256=" + hmac.new(b"s3", body, hashlib.sha256).hexdigest()
    assert headers["X-Hub-Signature"] == "sha1=" + hmac.new(b"s3", body, hashlib.sha1).hexdigest()
    assert (headers["X-GitHub-Event"], headers["X-GitHub-Delivery"]) == ("ping", "a-guid")
    assert headers["X-GitHub-Hook-Installation-Target-ID"] == str(github.app.id)
    assert headers["X-GitHub-Hook-Installation-Target-Type"] == "integration"
    assert headers["User-Agent"].startswith("GitHub-Hookshot/")
    assert headers["Content-Type"] == "application/json"


@pytest.mark.parametrize("action", ["edited", "closed", "reopened", "converted_to_draft", "labeled", "unlabeled"])
def test_every_change_of_a_pull_request_gets_its_time(
    github: GitHub, pull: PullRequest, run: CheckRun, receiver: Receiver, action: str
) -> None:
    pull.updated_at = "2020-01-01T00:00:00Z"
    SCENARIOS[f"pull_request.{action}"](github, pull, run)
    assert receiver.last["pull_request"]["updated_at"] > "2020-01-01T00:00:00Z"


def test_opened_payload_agrees_with_the_api(
    github: GitHub, repository: Repository, receiver: Receiver, as_installation: Client
) -> None:
    head = repository.git.commit({"a": b"1"}, base=repository.git.ref("refs/heads/main"))
    pull = github.open_pull_request(repository, head, fork=True, draft=True, number=7)
    told, asked = receiver.last, as_installation("GET", "/repos/octo-org/submissions/pulls/7").json()
    assert (told["action"], told["number"], told["pull_request"]["mergeable"]) == ("opened", 7, None)
    same = ["id", "number", "head", "base", "draft", "state", "user", "url", "title"]
    assert {key: told["pull_request"][key] for key in same} == {key: asked[key] for key in same}
    assert told["installation"]["id"] == github.installation_on("octo-org").id
    assert told["repository"]["full_name"] == "octo-org/submissions"
    assert told["pull_request"]["head"]["repo"]["fork"] is True
    assert pull.head_repository is not None
    assert pull.head_repository.git.ref(f"refs/heads/{pull.head_ref}") == head


@pytest.mark.parametrize("name", SCENARIOS)
def test_scenarios_send_their_event(
    github: GitHub, pull: PullRequest, run: CheckRun, receiver: Receiver, name: str
) -> None:
    SCENARIOS[name](github, pull, run)
    event, _, action = name.partition(".")
    headers, _ = receiver.received[-1]
    # A merge pushes to the base branch before the pull request is closed.
    assert [told["X-GitHub-Event"] for told, _ in receiver.received[:-1]] == ["push"] * (name == "pull_request.closed")
    assert (headers["X-GitHub-Event"], receiver.last.get("action", "")) == (event, action)
    assert "Hello-World" not in str(receiver.last.get("repository"))


def test_contents_of_payloads(github: GitHub, pull: PullRequest, run: CheckRun, receiver: Receiver) -> None:
    old = pull.head_sha
    new = _head(pull)
    github.synchronize(pull, new)
    assert (receiver.last["before"], receiver.last["after"]) == (old, new)
    github.edit_base(pull, _branch(pull))
    assert receiver.last["changes"]["base"]["ref"]["from"] == "main"
    assert receiver.last["pull_request"]["base"]["ref"] == "next"
    github.edit_title(pull, "Better")
    assert list(receiver.last["changes"]) == ["title"]
    github.rerequest_run(run)
    told = receiver.last["check_run"]
    assert (told["id"], told["external_id"], told["pull_requests"]) == (run.id, "k1", [])
    assert (told["check_suite"]["status"], told["check_suite"]["head_branch"]) == ("queued", None)
    github.request_action(run, "again")
    assert receiver.last["requested_action"] == {"identifier": "again"}
    comment = github.comment(pull, "/recheck", "octo-maintainer")
    assert (receiver.last["comment"]["id"], receiver.last["issue"]["number"]) == (comment.id, pull.number)
    assert receiver.last["issue"]["pull_request"]["url"].endswith("/pulls/1")
    head = github.queue([pull])
    group = receiver.last["merge_group"]
    assert (group["head_sha"], group["base_ref"]) == (head, "refs/heads/next")
    assert group["head_ref"] == f"refs/heads/gh-readonly-queue/next/pr-1-{group['base_sha']}"
    assert pull.repository.git.ref(group["head_ref"]) == head


def test_payloads_without_sending(github: GitHub, pull: PullRequest, run: CheckRun, receiver: Receiver) -> None:
    comment = github.comment(pull, "/recheck", "octo-maintainer", send=False)
    made = {
        "pull_request": github.payload_for("pull_request.opened", pull),
        "check_run": github.payload_for("check_run.rerequested", run),
        "check_suite": github.payload_for("check_suite.rerequested", run.suite),
        "comment": github.payload_for("issue_comment.created", comment, sender="octo-maintainer"),
    }
    assert {key: body[key]["id"] for key, body in made.items()} == {
        "pull_request": pull.id,
        "check_run": run.id,
        "check_suite": run.suite.id,
        "comment": comment.id,
    }
    changed = github.payload_for("pull_request.edited", pull, changes={"base": {"ref": {"from": "old"}}})
    assert changed["changes"] == {"base": {"ref": {"from": "old"}}}
    assert receiver.received == []


def test_push_lists_commits_and_knows_force(github: GitHub, repository: Repository, receiver: Receiver) -> None:
    start = repository.git.ref("refs/heads/main")
    github.push(repository, repository.git.commit({"b": b"1"}, base=start))
    assert (receiver.last["forced"], receiver.last["commits"][0]["added"]) == (False, ["b"])
    github.push(repository, repository.git.commit({"c": b"1"}, base=start))
    assert (receiver.last["forced"], receiver.last["created"]) == (True, False)
