"""What one changed system costs in a large repository: finding it, and fetching it against a checkout."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import pygit2

from bench.measure import Figure, Spent, best, ratio, run, timed
from bot.mirror import Mirror
from checks.api import Options, check_change
from checks.change_trees import ChangeTrees, Commits
from checks.changes import Affected, changed_paths
from checks.comparison import Comparison
from checks.findings import Report
from checks.git_tree import GitTree
from checks.rule_sets import rule_set
from tests.bot.clients import settings_for
from tests.github import GitHub, Repository
from tests.trees.storage_whole import many_systems

TITLE = "One changed system: two-tree walk, and fetch over local smart HTTP against a depth-1 clone"

SUBMITTERS, SYSTEMS_EACH = 12, 10
CHANGED, MERGED = "closed/Org0003/results/sys00004", "closed/Org0003/results/sys00005"
TIMES = 20


def figures() -> Iterator[Figure]:
    """The walk beside libgit2's diff of whole trees; the bot's road beside clone, checkout and walk."""
    files = dict(many_systems(SUBMITTERS, SYSTEMS_EACH, bulky=True))
    with tempfile.TemporaryDirectory() as name, GitHub(Path(name) / "github") as github:
        results = github.add_repository("octo-org/results", dict(files))
        base = results.git.ref("refs/heads/main")
        assert base is not None
        changed = {path: data + b"\n" for path, data in files.items() if path.startswith(f"{CHANGED}/")}
        head = results.git.commit(dict(changed), base=base, branch="topic")
        yield Figure("files in the tree", f"{len(files):,}", f"{len(changed):,} of them changed, all of one system")
        yield from _walks(results, base, head)
        tip = results.git.commit({f"{MERGED}/more.txt": b"x\n"}, base=base)
        yield from _merged(results, Commits(base, base, head), Commits(base, tip, head))
        yield from _fetches(github, results, Path(name), (base, head))


def _walks(results: Repository, base: str, head: str) -> Iterator[Figure]:
    folder = results.git.path
    ours = best(lambda: changed_paths(GitTree.at(folder, base), GitTree.at(folder, head)), TIMES)
    theirs = best(lambda: _libgit2(folder, base, head), TIMES)
    yield Figure("two-tree walk", f"{ours.wall * 1000:.2f} ms", f"trees opened anew each time, best of {TIMES}")
    yield Figure("libgit2 diff_to_tree", f"{theirs.wall * 1000:.2f} ms", f"repository opened anew, best of {TIMES}")
    yield Figure("diff / walk", ratio(theirs.wall, ours.wall))


def _merged(results: Repository, still: Commits, moved: Commits) -> Iterator[Figure]:
    """What a base branch that has moved on adds to finding the scopes; a branch that stands still costs nothing."""
    alone, merged = (best(partial(_affected, results.git.path, commits), TIMES) for commits in (still, moved))
    yield Figure("scopes of the change", f"{alone.wall * 1000:.2f} ms", f"trees opened anew, best of {TIMES}")
    yield Figure("scopes of the merge", f"{merged.wall * 1000:.2f} ms", "the base branch changed another system")
    yield Figure("merge / change", ratio(merged.wall, alone.wall))


def _affected(folder: Path, commits: Commits) -> Affected:
    trees = ChangeTrees.at(folder, commits)
    rules = rule_set("storage")
    return Comparison.of(rules, rules.edition("3.0"), trees.base, trees.head, trees.merge).affected


def _libgit2(folder: Path, base: str, head: str) -> int:
    repository = pygit2.Repository(str(folder))
    before, after = (repository[commit].peel(pygit2.Tree) for commit in (base, head))
    return sum(1 for _ in before.diff_to_tree(after).deltas)


def _fetches(github: GitHub, results: Repository, folder: Path, commits: tuple[str, str]) -> Iterator[Figure]:
    base = commits[0]
    token = github.token(results)
    settings = settings_for(github, folder / "bot")
    mirror = Mirror(settings, results.id, results.full_name)
    first, _ = timed(lambda: mirror.fetch(base, base, None, token))
    yield Figure("first mirror of the repository", str(first), f"once; {_wire(github)}")
    github.clear_requests()
    ours, report = timed(lambda: _checked(mirror, commits, token))
    yield Figure("fetch and check of the system", str(ours), f"{report.rules_run:,} rules run; {_wire(github)}")
    github.clear_requests()
    theirs = _cloned(github, results, folder / "clone", token)
    yield Figure("depth-1 clone, checkout, walk", str(theirs), f"no rule run; {_wire(github)}")
    yield Figure("clone / fetch and check", ratio(theirs.wall, ours.wall), "clock")


def _checked(mirror: Mirror, commits: tuple[str, str], token: str) -> Report:
    """The road of the bot: commits, then the missing contents in one batch, then the rules."""
    base, head = commits
    mirror.fetch(head, base, 1, token)

    def fetch(oids: Sequence[str]) -> None:
        mirror.fetch_blobs(oids, token)

    before, after = (GitTree.at(mirror.path, commit, fetch) for commit in (base, head))
    report = check_change(before, after, Options(rules="storage", edition="3.0"))
    assert not report.faults, report.faults[0]
    return report


def _cloned(github: GitHub, results: Repository, folder: Path, token: str) -> Spent:
    address = f"{github.url}/{results.full_name}.git".replace("://", f"://x-access-token:{token}@")
    spent, _ = run(["git", "clone", "--quiet", "--depth", "1", "--branch", "topic", address, str(folder)])
    walked, _ = timed(lambda: sum(len(names) for _, _, names in os.walk(folder)))
    return Spent(spent.wall + walked.wall, spent.cpu + walked.cpu)


def _wire(github: GitHub) -> str:
    requests = github.git_requests
    return f"{len(requests)} requests, {sum(request.bytes_out for request in requests) / 1e6:,.1f} MB received"
