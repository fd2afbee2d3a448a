"""Reads of a bare repository for the REST API: commits, differences, merge bases."""

import functools
import re
import subprocess
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pygit2

from tests.github.gitrepo import GitRepository

SHA = re.compile(r"[0-9a-f]{40}")
STATUSES = {"A": "added", "D": "removed", "M": "modified", "T": "changed", "R": "renamed", "C": "copied"}


@dataclass(frozen=True)
class Change:
    """One changed path between two trees; object ids are all zeros where a side is absent."""

    status: str
    path: bytes
    old_path: bytes
    old_oid: str
    new_oid: str


def resolve(git: GitRepository, revision: str) -> str | None:
    """The commit id of a 40-hex id, branch, tag or `heads/x`; None when there is none."""
    names = [f"refs/heads/{revision}", f"refs/tags/{revision}", f"refs/{revision}", revision]
    if SHA.fullmatch(revision):
        return revision if is_commit(git, revision) else None
    return next((found for name in names if (found := _ref(git, name))), None)


def is_commit(git: GitRepository, sha: str) -> bool:
    """Whether this 40-hex id names a commit of the repository."""
    return bool(SHA.fullmatch(sha)) and isinstance(git.odb.get(sha), pygit2.Commit)


def commit(git: GitRepository, sha: str) -> pygit2.Commit:
    """The commit object. Raises KeyError when it is not one."""
    found = git.odb.get(sha)
    if not isinstance(found, pygit2.Commit):
        raise KeyError(sha)
    return found


def merge_base(git: GitRepository, one: str, other: str) -> str | None:
    """The best common ancestor, or None for unrelated histories."""
    found = git.odb.merge_base(one, other)
    # pygit2's annotations leave out that unrelated histories give None.
    return str(found) if found else None


def ahead_behind(git: GitRepository, base: str, head: str) -> tuple[int, int]:
    """How many commits head has that base lacks, and the other way round."""
    return git.odb.ahead_behind(head, base)


def commits_between(git: GitRepository, base: str, head: str) -> list[str]:
    """Commits of head that base lacks, oldest first."""
    walker = git.odb.walk(head, pygit2.enums.SortMode.TOPOLOGICAL | pygit2.enums.SortMode.REVERSE)
    walker.hide(base)
    return [str(one.id) for one in walker]


def changes(git: GitRepository, base: str, head: str) -> tuple[Change, ...]:
    """Changed files between two commits, renames found, in path order."""
    return _changes(git.path, base, head)


def line_counts(git: GitRepository, base: str, head: str) -> tuple[int, int]:
    """Added and deleted lines between two commits."""
    return _line_counts(git.path, base, head)


def patch(git: GitRepository, change: Change) -> tuple[int, int, str]:
    """Added lines, deleted lines and the unified text of one change; no text for binary files."""
    sides = [_blob(git, oid) for oid in (change.old_oid, change.new_oid)]
    found = pygit2.Patch.create_from(sides[0], sides[1])
    _, added, deleted = found.line_stats
    text = (found.data or b"").decode("utf-8", "replace")
    start = text.find("@@")
    return added, deleted, text[start:] if start >= 0 else ""


def when(signature: pygit2.Signature) -> str:
    """The time of a signature as GitHub writes it."""
    return datetime.fromtimestamp(signature.time, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def shown(name: bytes) -> str:
    """A path as GitHub's JSON shows it: bytes that are no UTF-8 become U+FFFD."""
    return name.decode("utf-8", "replace")


def _ref(git: GitRepository, name: str) -> str | None:
    if not pygit2.reference_is_valid_name(name):
        return None
    return git.ref(name)


def _blob(git: GitRepository, oid: str) -> pygit2.Blob | None:
    found = None if set(oid) == {"0"} else git.odb.get(oid)
    return found if isinstance(found, pygit2.Blob) else None


def _git(path: Path, *arguments: str) -> bytes:
    return subprocess.run(["git", *arguments], cwd=path, stdout=subprocess.PIPE, check=True).stdout


@functools.lru_cache(maxsize=256)
def _changes(path: Path, base: str, head: str) -> tuple[Change, ...]:
    fields = iter(_git(path, "diff-tree", "-r", "-z", "-M", "--raw", base, head).split(b"\0"))
    found = []
    for meta in fields:
        if not meta:
            break
        _, _, old_oid, new_oid, status = meta.decode().split()
        old_path = next(fields)
        new_path = next(fields) if status[0] in "RC" else old_path
        found.append(Change(STATUSES[status[0]], new_path, old_path, old_oid, new_oid))
    return tuple(found)


@functools.lru_cache(maxsize=256)
def _line_counts(path: Path, base: str, head: str) -> tuple[int, int]:
    text = _git(path, "diff-tree", "--shortstat", base, head).decode()
    added, deleted = (re.search(rf"(\d+) {word}", text) for word in ("insertion", "deletion"))
    return int(added[1]) if added else 0, int(deleted[1]) if deleted else 0
