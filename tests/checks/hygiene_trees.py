"""Small trees for the tests of hygiene: one system of which only the entries matter, in memory and in git."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from checks.api import Options, check_change, check_tree
from checks.findings import Finding, Report
from checks.git_tree import GitTree
from tests.github.gitrepo import Content, GitRepository
from tests.trees.storage import StorageTree

SYSTEM = "closed/Acme/results/S1"
RUN = f"{SYSTEM}/training/unet3d/run/20260701_080000"
SYSTEMS = "closed/Acme/systems"


def small() -> StorageTree:
    """One described system with one file of results."""
    tree = StorageTree("v3")
    tree.submitter("Acme").system("S1")
    tree.put(f"{RUN}/dlio.log", "done\n")
    return tree


class Git:
    """Commits of submission trees in a repository of the test's own."""

    def __init__(self, folder: Path) -> None:
        self.repository = GitRepository(folder / "repository.git")

    def commit(
        self, files: Mapping[str | bytes, Content], base: str | None = None, remove: tuple[str, ...] = ()
    ) -> str:
        """A commit of ``files``, over those of ``base``."""
        return self.repository.commit(files, base=base, remove=remove)

    def tree(self, commit: str) -> GitTree:
        """The view over a commit's tree."""
        return GitTree.at(self.repository.path, commit)

    def report(self, commit: str, base: str | None = None) -> Report:
        """The check of a commit, whole or against ``base``."""
        options = Options(rules="storage")
        if base is None:
            return check_tree(self.tree(commit), options)
        return check_change(self.tree(base), self.tree(commit), options)


def of(report: Report, *rules: str) -> list[Finding]:
    """The findings of ``rules``; an own fault fails the test."""
    assert not report.faults, report.faults
    return [finding for finding in report.findings if finding.rule in rules]
