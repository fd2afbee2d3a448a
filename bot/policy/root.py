"""The folder of the repository that holds the submissions, as the configuration's `root` names it."""

from __future__ import annotations

from bot.policy.file import PolicyFault
from bot.policy.model import Policy
from checks import names
from checks.tree import Kind, Tree


class RootGoneError(Exception):
    """The head has no folder where the configuration says that the submissions lie; the text says what is there."""


def root_of(rules: Policy, tip: Tree, base: Tree, head: Tree) -> str:
    """The folder of the merged tree in its inside form, empty for the repository's own root.

    ``tip`` is the base commit, ``base`` the merge base. A folder that is not there has nothing in it to be found fault
    with, so it would let everything pass. Raises PolicyFault where neither side has it, and RootGoneError where the
    change takes it away or puts something else in its place.
    """
    root = names.inside_path(rules.root)
    found = {tree: tree.entry(root) if root else tree.root_entry() for tree in (tip, base, head)}
    folders = {tree for tree, entry in found.items() if entry is not None and entry.kind is Kind.DIRECTORY}
    if not folders:
        raise PolicyFault(None, f"root: {names.shown_path(root)} is no folder at the base commit, nor in the change.")
    if head not in folders and (found[head] or base in folders):
        there = f"is a {entry.kind}" if (entry := found[head]) else "is gone"
        raise RootGoneError(f"{names.shown_path(root)} {there}, where the configuration says that submissions lie.")
    return root
