"""A whole MLPerf Storage tree of some 20,000 files, checked from a bare repository without a checkout."""

from __future__ import annotations

import cProfile
import pstats
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from bench.measure import Figure, best, timed
from checks.api import Options, check_tree
from checks.findings import Report
from checks.git_tree import GitTree
from tests.github.gitrepo import GitRepository
from tests.trees.storage_whole import many_systems

TITLE = "Storage: every scope of a tree in a bare repository, one process"

SUBMITTERS, SYSTEMS_EACH = 12, 10
SHARES = 12
"""Modules that the profile names."""


def figures() -> Iterator[Figure]:
    """The time of a full check, and which modules it was spent in."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "tree.git"
        files = dict(many_systems(SUBMITTERS, SYSTEMS_EACH, bulky=True))
        commit = GitRepository(folder).commit(dict(files))
        yield Figure("files", f"{len(files):,}", f"{sum(map(len, files.values())) / 1e6:,.0f} MB, metadata of ~150 KB")
        del files
        spent, report = timed(lambda: _check(folder, commit))
        yield Figure("full check", str(spent), f"{len(report.scopes)} scopes, {report.rules_run:,} rules run")
        yield Figure("per system", f"{spent.cpu / (SUBMITTERS * SYSTEMS_EACH) * 1000:.1f} ms", "CPU time")
        yield Figure("opening the tree", str(best(lambda: GitTree.at(folder, commit), 5)), "best of 5")
        yield from _shares(folder, commit)


def _check(folder: Path, commit: str) -> Report:
    report = check_tree(GitTree.at(folder, commit), Options(rules="storage", edition="3.0"))
    assert not report.faults, report.faults[0]
    return report


def _shares(folder: Path, commit: str) -> Iterator[Figure]:
    """Own time by module under the profiler, which makes many small calls look dearer than they are."""
    profile = cProfile.Profile()
    profile.runcall(_check, folder, commit)
    stats = pstats.Stats(profile).get_stats_profile().func_profiles
    by_module: Counter[str] = Counter()
    for function in stats.values():
        by_module[_module(function.file_name)] += function.tottime  # type: ignore[assignment]
    whole = sum(by_module.values())
    for module, seconds in by_module.most_common(SHARES):
        yield Figure(f"  {module}", f"{seconds / whole:.1%}", "own time under cProfile")


def _module(file: str) -> str:
    parts = Path(file).parts
    for root in ("checks", "site-packages"):
        if root in parts:
            return "/".join(parts[parts.index(root) + (root == "site-packages") :][:3])
    return "built-in functions" if file == "~" else f"standard library: {Path(file).name}"
