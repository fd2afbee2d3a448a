"""Payloads of GitHub's own examples, and hostile ones, become work or nothing."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from bot.events import NO_COMMIT, route
from bot.payload import UnusableError
from bot.work import (
    Access,
    BaseMoved,
    CheckGroup,
    CheckHead,
    CheckPull,
    ClosePull,
    DropGroup,
    Ignored,
    Installed,
    Place,
    Pong,
    decode,
    encode,
    partition,
)

PAYLOADS = Path(__file__).parents[1] / "github" / "data" / "payloads"
APP = "29310"
INSTALLATION = {"id": 2}


def payload(name: str, **more: Any) -> dict[str, Any]:
    """One of GitHub's examples, sent to an App: those all name the installation."""
    return {"installation": INSTALLATION, **json.loads((PAYLOADS / f"{name}.json").read_text()), **more}


def event(name: str) -> str:
    return name.rpartition("/")[2].partition(".")[0]


@pytest.mark.parametrize("action", ["opened", "synchronize", "reopened", "ready_for_review", "converted_to_draft"])
def test_a_pull_request_is_checked(action: str) -> None:
    given = payload(f"pull_request.{action}")
    work = route("pull_request", given, APP)
    assert isinstance(work, CheckPull)
    assert work.place.repository == given["repository"]["full_name"]
    assert work.place.repository_id == given["repository"]["id"]
    assert (work.number, work.head_sha) == (given["number"], given["pull_request"]["head"]["sha"])
    assert (work.cause, work.forced) == (f"pull_request.{action}", False)


@pytest.mark.parametrize("name", ["derived/pull_request.opened.fork", "derived/pull_request.opened.fork_deleted"])
def test_a_fork_is_checked_even_when_it_is_gone(name: str) -> None:
    work = route("pull_request", payload(name), APP)
    assert isinstance(work, CheckPull)
    assert work.place.repository == payload(name)["repository"]["full_name"]


def test_an_edit_counts_only_when_the_base_changed() -> None:
    given = payload("derived/pull_request.edited")
    assert isinstance(route("pull_request", given, APP), CheckPull)
    del given["changes"]["base"]
    assert isinstance(route("pull_request", given, APP), Ignored)


@pytest.mark.parametrize("action", ["labeled", "unlabeled"])
def test_what_changes_no_verdict_is_ignored(action: str) -> None:
    assert isinstance(route("pull_request", payload(f"pull_request.{action}"), APP), Ignored)


@pytest.mark.parametrize(
    ("event", "action"),
    [
        ("issue_comment", "edited"),
        ("issue_comment", "deleted"),
        ("pull_request_review", "submitted"),
        ("pull_request_review_comment", "created"),
    ],
)
def test_only_a_new_comment_in_the_conversation_is_a_command(event: str, action: str) -> None:
    comment = {"id": 1, "body": "/recheck", "user": {"login": "octocat", "type": "User"}}
    given = {**payload("issue_comment.created"), "action": action, "comment": comment, "review": comment}
    assert isinstance(route(event, given, APP), Ignored)


@pytest.mark.parametrize("name", ["check_run.rerequested", "check_suite.rerequested"])
def test_a_re_run_is_for_the_app_that_was_asked(name: str) -> None:
    given = payload(name)
    subject = given[event(name)]
    work = route(event(name), given, str(subject["app"]["id"]))
    assert isinstance(work, CheckHead)
    assert (work.head_sha, work.forced) == (subject["head_sha"], True)
    assert isinstance(route(event(name), given, "1"), Ignored)


def test_a_re_run_names_only_pull_requests_of_its_own_repository() -> None:
    given = payload("check_suite.rerequested")
    own = given["repository"]["id"]
    given["check_suite"]["pull_requests"] = [
        {"number": 7},
        {"number": 8, "base": {"repo": {"id": own}}},
        {"number": 9, "base": {"repo": {"id": own + 1}}},
        {"number": True},
        None,
    ]
    work = route("check_suite", given, str(given["check_suite"]["app"]["id"]))
    assert isinstance(work, CheckHead)
    assert work.numbers == (7, 8)
    given["check_suite"]["pull_requests"] = None
    given["check_suite"]["head_branch"] = None
    assert isinstance(route("check_suite", given, str(given["check_suite"]["app"]["id"])), CheckHead)


@pytest.mark.parametrize(
    ("name", "access"),
    [
        ("installation.created", Access.ACTIVE),
        ("installation.unsuspend", Access.ACTIVE),
        ("installation.suspend", Access.SUSPENDED),
        ("installation.deleted", Access.REMOVED),
        ("installation_repositories.added", Access.ACTIVE),
        ("installation_repositories.removed", Access.REMOVED),
        ("repository.renamed", Access.ACTIVE),
    ],
)
def test_access_changes(name: str, access: Access) -> None:
    work = route(event(name), payload(name), APP)
    assert isinstance(work, Installed)
    assert work.access is access


def test_every_example_is_routed_without_an_error() -> None:
    files = sorted(PAYLOADS.rglob("*.json"))
    assert len(files) > 50
    for file in files:
        given = payload(str(file.relative_to(PAYLOADS)).removesuffix(".json"))
        work = route(event(file.name), given, APP)
        if not isinstance(work, Pong | Ignored):
            assert decode(json.loads(json.dumps(encode(work)))) == work


def test_a_closed_pull_request_is_let_go() -> None:
    work = route("pull_request", payload("pull_request.closed"), APP)
    assert isinstance(work, ClosePull)
    assert work.updated_at


def test_a_push_to_a_branch_is_a_move_of_a_base() -> None:
    given = payload("push", ref="refs/heads/release/2.0", before="a" * 40, after="b" * 40)
    work = route("push", given, APP)
    assert isinstance(work, BaseMoved)
    assert (work.branch, work.before, work.after) == ("release/2.0", "a" * 40, "b" * 40)


@pytest.mark.parametrize("change", [{"ref": "refs/tags/v1"}, {"after": NO_COMMIT}])
def test_tags_and_deleted_branches_move_no_base(change: dict[str, str]) -> None:
    given = payload("push", ref="refs/heads/main", before="a" * 40, after="b" * 40) | change
    assert isinstance(route("push", given, APP), Ignored)


def test_a_merge_group_is_checked_against_the_base_it_names() -> None:
    given = payload("merge_group.checks_requested")
    work = route("merge_group", given, APP)
    assert isinstance(work, CheckGroup)
    group = given["merge_group"]
    assert (work.head_sha, work.base_ref, work.base_sha) == (group["head_sha"], "main", group["base_sha"])


def test_a_destroyed_group_is_let_go() -> None:
    given = payload("derived/merge_group.destroyed")
    work = route("merge_group", given, APP)
    assert isinstance(work, DropGroup)
    assert work.head_sha == given["merge_group"]["head_sha"]


def test_a_requested_suite_starts_nothing_unless_it_names_a_pull_request() -> None:
    given = payload("check_suite.requested")
    app = str(given["check_suite"]["app"]["id"])
    assert isinstance(route("check_suite", given, app), Ignored)
    given["check_suite"]["pull_requests"] = [{"number": 7}]
    work = route("check_suite", given, app)
    assert isinstance(work, CheckHead)
    assert (work.numbers, work.forced) == ((7,), False)
    assert isinstance(route("check_suite", given, "1"), Ignored)


def test_ping() -> None:
    assert route("ping", {}, APP) == Pong()


def test_unknown_events_are_ignored() -> None:
    for name, body in {"star": {}, "pull_request": {"action": None}, "issues": {"action": ["x"]}}.items():
        assert isinstance(route(name, body, APP), Ignored)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("repository",), None),
        (("repository", "id"), "186853002"),
        (("repository", "id"), True),
        (("repository", "id"), 1 << 63),
        (("repository", "full_name"), "../../etc"),
        (("repository", "full_name"), "a/b\nc"),
        (("installation",), None),
        (("pull_request",), []),
        (("pull_request", "head"), None),
        (("pull_request", "head", "sha"), "zz"),
        (("pull_request", "head", "sha"), "--upload-pack=x"),
        (("pull_request", "number"), None),
    ],
)
def test_a_payload_without_what_is_needed_is_unusable(path: tuple[str, ...], value: object) -> None:
    given = copy.deepcopy(payload("pull_request.opened"))
    *parents, last = path
    place = given
    for key in parents:
        place = place[key]
    place[last] = value
    with pytest.raises(UnusableError):
        route("pull_request", given, APP)


@pytest.mark.parametrize("text", ["\ud800", "a\0b", 5, None])
def test_what_no_database_takes_is_treated_as_absent(text: object) -> None:
    given = payload("pull_request.opened")
    given["pull_request"]["updated_at"] = text
    work = route("pull_request", given, APP)
    assert isinstance(work, CheckPull)
    assert work.updated_at is None


def test_only_fields_that_are_used_are_needed() -> None:
    least = {
        "action": "opened",
        "pull_request": {"number": 7, "head": {"sha": "a" * 40}},
        "repository": {"id": 1, "full_name": "o/r"},
        "installation": {"id": 2},
    }
    work = route("pull_request", least, APP)
    assert work == CheckPull(Place(1, "o/r", 2), 7, "a" * 40, "pull_request.opened")
    assert partition(work) == "repository:1"
