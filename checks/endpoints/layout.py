"""The shape of an MLPerf Endpoints tree: scopes and the units below them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from checks import names
from checks.endpoints.units import Root, Submission, System
from checks.findings import Scope
from checks.session import Session
from checks.units import Folder


class EndpointsLayout:
    """Scopes and units of one tree."""

    def __init__(self, session: Session) -> None:
        self.tree = session.tree
        self.root = Root(self.tree, "")

    @cached_property
    def submissions(self) -> dict[str, Submission]:
        """Submissions by path, in the order of the tree."""
        return {submission.path: submission for submission in self.root.submissions}

    @cached_property
    def systems(self) -> dict[str, System]:
        """Systems by path, in the order of the tree."""
        return {system.path: system for submission in self.submissions.values() for system in submission.systems}

    def scopes(self) -> list[Scope]:
        """Every scope: the tree (unless it is one submission itself), submissions, systems."""
        found = [] if "" in self.submissions else [Scope("", "tree", "checked")]
        found += [Scope(path, "submission", "checked") for path in self.submissions]
        found += [Scope(path, "system", "checked") for path in self.systems]
        return sorted(found, key=lambda scope: names.tree_order(scope.path))

    def shared_units(self, scopes: Iterable[Scope]) -> Iterator[Folder]:
        """The root, and every submission that a scope belongs to."""
        paths = [scope.path for scope in scopes]
        yield self.root
        for path, submission in self.submissions.items():
            if any(names.is_under(inner, path) for inner in paths):
                yield submission

    def units(self, scope: Scope) -> Iterator[Folder]:
        """A system with its curves and points; the shared units cover the other kinds.

        The system comes last: the sizes of files that were read by then need no look at the disk.
        """
        if (system := self.systems.get(scope.path)) is not None:
            for curve in system.curves:
                yield curve
                yield from curve.points
            yield system

    def scope_of(self, path: str) -> str:
        """The scope a path belongs to: its system, its submission, or the tree."""
        while path:
            if path in self.systems or path in self.submissions:
                return path
            path = names.parent(path)
        return ""

    def folder_of(self, path: str) -> str | None:
        """The organisation's folder; None in a tree that is one organisation's, and for what lies loose at the top."""
        top, _, below = path.partition("/")
        if not below or names.is_dot(top) or not all(names.parent(submission) for submission in self.submissions):
            return None
        return top
