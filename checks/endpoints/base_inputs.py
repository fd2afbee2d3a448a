"""The submission as it stood before the change: what an amendment is measured against."""

from __future__ import annotations

from functools import cached_property

from checks.endpoints.inputs import PointConfig
from checks.endpoints.units import Curve, Point, Submission
from checks.endpoints.values import text
from checks.rules import Missing
from checks.session import Session
from checks.tree import Tree


class BaseSubmission:
    """A submission that the merge base holds already, so that the change is an amendment. An input of rules."""

    what = "the submission at the merge base"

    def __init__(self, submission: Submission) -> None:
        self.submission = submission

    @classmethod
    def of(cls, unit: Submission | Curve, session: Session) -> BaseSubmission | Missing:
        """The submission that ``unit`` is or belongs to; Missing without a merge base, and for a new submission."""
        submission = unit if isinstance(unit, Submission) else unit.submission
        if session.base is None:
            return Missing("there is no merge base", submission.path)
        before = Submission(session.base, submission.path)
        if not before.results.exists:
            return Missing("the submission is new", submission.path)
        return session.derive((cls, submission.path), lambda: cls(before))

    @property
    def tree(self) -> Tree:
        """The tree of the merge base."""
        return self.submission.tree

    @cached_property
    def points(self) -> dict[str, Point]:
        """Its points by path."""
        return {point.path: point for point in self.submission.points}

    @cached_property
    def seed_sets(self) -> tuple[str, ...]:
        """The ids of seed sets that its points declare; what can't be read declares none."""
        configs = [PointConfig(self.tree, point.inside(PointConfig.file_name)) for point in self.points.values()]
        there = [config for config in configs if self.tree.is_file(config.path)]
        self.tree.ensure(config.path for config in there)
        declared = (text(config.get("/seed_set")) for config in there if config.fault is None)
        return tuple(dict.fromkeys(value for value in declared if value is not None))

    @property
    def bound_seed_set(self) -> str | None:
        """The one seed set that binds the submission for life (4.6); None where it declares none or several."""
        return self.seed_sets[0] if len(self.seed_sets) == 1 else None
