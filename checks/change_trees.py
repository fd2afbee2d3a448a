"""The trees of a change in a git repository: at the merge base, at the tip of the branch it is meant for, and at its
head.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from checks.comparison import Merge
from checks.git_tree import Fetch, GitTree
from checks.merged_tree import merged_tree


@dataclass(frozen=True)
class Commits:
    """Where a change begins (the merge base), what it is meant for (the tip), and what it is (the head): commit ids."""

    base: str
    tip: str
    head: str


@dataclass(frozen=True)
class ChangeTrees:
    """The three trees. ``merge`` is None where the tip is the merge base, so that the head is the merged result."""

    base: GitTree
    tip: GitTree
    head: GitTree
    merge: Merge | None

    @classmethod
    def at(cls, folder: str | Path, commits: Commits, fetch: Fetch | None = None, root: str = "") -> ChangeTrees:
        """The trees of ``commits``, or of the folder ``root`` in each. Raises RevisionUnknown, TreeError."""
        base, head = (GitTree.at(folder, commit, fetch, root) for commit in (commits.base, commits.head))
        if commits.tip == commits.base:
            return cls(base, base, head, None)
        tip = GitTree.at(folder, commits.tip, fetch, root)
        return cls(base, tip, head, Merge(tip, merged_tree(base, tip, head)))
