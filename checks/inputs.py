"""Inputs that rules of every document may ask for."""

from __future__ import annotations

from typing import Self

from checks.rules import Missing
from checks.session import Session
from checks.tree import Entry, Tree
from checks.units import Folder


class Before:
    """The tree before the change: the merge base of a pull request. A check of a folder has none."""

    what = "the tree before the change"

    def __init__(self, tree: Tree) -> None:
        self.tree = tree

    @classmethod
    def of(cls, unit: Folder, session: Session) -> Self | Missing:
        """The earlier tree, or Missing when there is nothing to compare with."""
        if session.base is None:
            return Missing("there is no earlier tree to compare with", unit.path)
        return cls(session.base)

    def entry(self, path: str) -> Entry | None:
        """What stood at ``path``."""
        return self.tree.entry(path)
