"""Webhook payloads: GitHub's published examples with this server's own ids, commits and addresses put in."""

import copy
import functools
import json
from typing import Any

from tests.github import git_read, represent_checks, represent_git, represent_pulls
from tests.github.judge import DATA
from tests.github.records import CheckRun, CheckSuite, Comment, Installation, Json, PullRequest, Repository, User
from tests.github.represent import ORGANIZATION, Shapes, node_id

Subject = PullRequest | CheckRun | CheckSuite | Comment
PAYLOADS = DATA / "payloads"
NO_COMMIT = "0" * 40
# Events for which GitHub publishes no example, and the example that they are made from.
DERIVED = {
    "pull_request.edited": "derived/pull_request.edited",
    "issue_comment.created": "derived/issue_comment.created.on_pull",
    "merge_group.destroyed": "derived/merge_group.destroyed",
    "ping": "derived/ping.app",
}


def example(name: str) -> Json:
    """GitHub's example for `event.action` (or a file's name without `.json`), free to change."""
    return copy.deepcopy(_load(DERIVED.get(name, name)))


def about(
    shapes: Shapes, name: str, repository: Repository, installation: Installation | None, sender: User, **parts: Any
) -> Json:
    """The example of `event.action` with repository, installation, sender and the given parts replaced."""
    body = example(name) | {"repository": shapes.repository(repository), "sender": shapes.user(sender)} | parts
    body.pop("organization", None)
    if repository.owner.type == ORGANIZATION:
        body["organization"] = shapes.user(repository.owner) | {"description": ""}
    body.pop("installation", None)
    if installation is not None:
        body["installation"] = {"id": installation.id, "node_id": node_id("Installation", installation.id)}
    return body


def repository_of(subject: Subject) -> Repository:
    """The repository in which a subject lives."""
    return subject.suite.repository if isinstance(subject, CheckRun) else subject.repository


def parts_of(shapes: Shapes, name: str, subject: Subject) -> Json:
    """What the event of a subject has beyond the common parts."""
    match subject:
        case PullRequest():
            return pull_parts(shapes, subject, name)
        case CheckRun():
            return run_parts(shapes, subject, name)
        case CheckSuite():
            return suite_parts(shapes, subject, name)
        case Comment():
            pull = shapes.state.pulls[subject.repository.id, subject.number]
            return comment_parts(shapes, pull, subject)


def pull_parts(shapes: Shapes, pull: PullRequest, name: str) -> Json:
    """`number` and `pull_request` for a pull_request event."""
    given = example(name).get("pull_request", {})
    return {"number": pull.number, "pull_request": given | represent_pulls.full_pull(shapes, pull)}


def run_parts(shapes: Shapes, run: CheckRun, name: str) -> Json:
    """`check_run` for a check_run event; the suite inside is told in full."""
    suite = represent_checks.check_suite(shapes, run.suite)
    given = {key: value for key, value in example(name)["check_run"].items() if key != "deployment"}
    return {"check_run": given | represent_checks.check_run(shapes, run) | {"check_suite": suite}}


def suite_parts(shapes: Shapes, suite: CheckSuite, name: str) -> Json:
    """`check_suite` for a check_suite event."""
    return {"check_suite": example(name)["check_suite"] | represent_checks.check_suite(shapes, suite)}


def comment_parts(shapes: Shapes, pull: PullRequest, comment: Comment) -> Json:
    """`issue` and `comment` for an issue_comment event on a pull request."""
    given = example("issue_comment.created")
    return {
        "issue": given["issue"] | represent_pulls.issue(shapes, pull),
        "comment": given["comment"] | represent_pulls.comment(shapes, comment),
    }


def group_parts(repository: Repository, head_sha: str, head_ref: str, base_sha: str, base_ref: str) -> Json:
    """`merge_group` for a merge_group event."""
    commit = represent_git.simple_commit(repository, head_sha)
    group = {"head_sha": head_sha, "head_ref": head_ref, "base_sha": base_sha, "base_ref": base_ref}
    return {"merge_group": group | {"head_commit": commit}}


def push_parts(shapes: Shapes, repository: Repository, ref: str, before: str, after: str) -> Json:
    """`ref`, `before`, `after` and the commits of a push event."""
    known = before != NO_COMMIT and git_read.is_commit(repository.git, before)
    between = git_read.commits_between(repository.git, before, after) if known else [after]
    commits = [_pushed(shapes, repository, sha) for sha in between]
    forced = known and git_read.merge_base(repository.git, before, after) != before
    page = f"{shapes.web}/{repository.full_name}/compare/{before[:12]}...{after[:12]}"
    return {"ref": ref, "before": before, "after": after, "created": not known, "deleted": False, "forced": forced} | {
        "base_ref": None,
        "compare": page,
        "commits": commits,
        "head_commit": commits[-1] if commits else None,
    }


def short(repository: Repository) -> Json:
    """A repository as installation events list it."""
    names = {"name": repository.name, "full_name": repository.full_name, "private": repository.private}
    return {"id": repository.id, "node_id": node_id("Repository", repository.id), **names}


def _pushed(shapes: Shapes, repository: Repository, sha: str) -> Json:
    commit = git_read.commit(repository.git, sha)
    before = str(commit.parent_ids[0]) if commit.parent_ids else None
    changed = git_read.changes(repository.git, before, sha) if before else ()
    paths = {
        name: [git_read.shown(one.path) for one in changed if one.status == status]
        for name, status in (("added", "added"), ("removed", "removed"), ("modified", "modified"))
    }
    base = represent_git.simple_commit(repository, sha)
    return base | paths | {"distinct": True, "url": f"{shapes.web}/{repository.full_name}/commit/{sha}"}


@functools.cache
def _load(name: str) -> Json:
    loaded: Json = json.loads((PAYLOADS / f"{name}.json").read_text())
    return loaded
