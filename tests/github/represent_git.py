"""GitHub's JSON shapes of commits and changed files."""

from urllib.parse import quote

import pygit2

from tests.github import git_read
from tests.github.records import Json, Repository
from tests.github.represent import Shapes, node_id

UNSIGNED = {"verified": False, "reason": "unsigned", "signature": None, "payload": None, "verified_at": None}


def commit(shapes: Shapes, repository: Repository, sha: str) -> Json:
    """`commit`."""
    found = git_read.commit(repository.git, sha)
    url, page = shapes.repo_url(repository), f"{shapes.web}/{repository.full_name}"
    return {
        "url": f"{url}/commits/{sha}",
        "sha": sha,
        "node_id": node_id("Commit", sha),
        "html_url": f"{page}/commit/{sha}",
        "comments_url": f"{url}/commits/{sha}/comments",
        "commit": {
            **_message(found),
            "url": f"{url}/git/commits/{sha}",
            "tree": {"sha": str(found.tree_id), "url": f"{url}/git/trees/{found.tree_id}"},
            "comment_count": 0,
            "verification": UNSIGNED,
        },
        "author": {},
        "committer": {},
        "parents": [_parent(url, page, str(parent)) for parent in found.parent_ids],
    }


def git_commit(shapes: Shapes, repository: Repository, sha: str) -> Json:
    """`git-commit`."""
    found = git_read.commit(repository.git, sha)
    url, page = shapes.repo_url(repository), f"{shapes.web}/{repository.full_name}"
    return {
        **_message(found),
        "sha": sha,
        "node_id": node_id("Commit", sha),
        "url": f"{url}/git/commits/{sha}",
        "html_url": f"{page}/commit/{sha}",
        "tree": {"sha": str(found.tree_id), "url": f"{url}/git/trees/{found.tree_id}"},
        "parents": [_parent(url, page, str(parent)) for parent in found.parent_ids],
        "verification": UNSIGNED,
    }


def simple_commit(repository: Repository, sha: str) -> Json:
    """`simple-commit`, as in check suites and merge groups."""
    found = git_read.commit(repository.git, sha)
    return {
        "id": sha,
        "tree_id": str(found.tree_id),
        "message": found.message,
        "timestamp": git_read.when(found.committer),
        "author": {"name": found.author.name, "email": found.author.email},
        "committer": {"name": found.committer.name, "email": found.committer.email},
    }


def changed_file(shapes: Shapes, repository: Repository, change: git_read.Change, head: str) -> Json:
    """`diff-entry`."""
    added, deleted, text = git_read.patch(repository.git, change)
    page, path = f"{shapes.web}/{repository.full_name}", quote(change.path)
    entry = {
        "sha": change.new_oid if change.status != "removed" else change.old_oid,
        "filename": git_read.shown(change.path),
        "status": change.status,
        "additions": added,
        "deletions": deleted,
        "changes": added + deleted,
        "blob_url": f"{page}/blob/{head}/{path}",
        "raw_url": f"{page}/raw/{head}/{path}",
        "contents_url": f"{shapes.repo_url(repository)}/contents/{path}?ref={head}",
    }
    renamed = {"previous_filename": git_read.shown(change.old_path)} if change.status == "renamed" else {}
    return entry | renamed | ({"patch": text} if text else {})


def _message(found: pygit2.Commit) -> Json:
    return {"author": _person(found.author), "committer": _person(found.committer), "message": found.message}


def _person(signature: pygit2.Signature) -> Json:
    return {"name": signature.name, "email": signature.email, "date": git_read.when(signature)}


def _parent(url: str, page: str, sha: str) -> Json:
    return {"sha": sha, "url": f"{url}/commits/{sha}", "html_url": f"{page}/commit/{sha}"}
