"""The submission as it stood before the change: what an amendment is measured against."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from typing import Any

from checks import names
from checks.endpoints.inputs import AccuracyResults, PointConfig, PointDocument, ResultSummary
from checks.endpoints.metrics import figure, is_same_run
from checks.endpoints.power_inputs import ProvisionedPower
from checks.endpoints.power_result import PowerResult
from checks.endpoints.units import Curve, Point, Submission, System
from checks.endpoints.values import text
from checks.rules import Missing
from checks.session import Session
from checks.tree import Tree


class BaseSubmission:
    """A submission that the merge base holds already, so that the change is an amendment. An input of rules."""

    what = "the submission at the merge base"

    def __init__(self, submission: Submission, session: Session) -> None:
        self.submission = submission
        self._session = session

    @classmethod
    def of(cls, unit: Submission | System | Curve, session: Session) -> BaseSubmission | Missing:
        """The submission that ``unit`` is or belongs to; Missing without a merge base, and for a new submission."""
        submission = unit if isinstance(unit, Submission) else unit.submission
        if session.base is None:
            return Missing("there is no merge base", submission.path)
        before = Submission(session.base, submission.path)
        if not before.results.exists:
            return Missing("the submission is new", submission.path)
        past = Session(session.base, session.edition)
        return session.derive((cls, submission.path), lambda: cls(before, past))

    @property
    def tree(self) -> Tree:
        """The tree of the merge base."""
        return self.submission.tree

    @cached_property
    def points(self) -> dict[str, Point]:
        """Its points by path."""
        return {point.path: point for point in self.submission.points}

    @cached_property
    def curves(self) -> frozenset[str]:
        """The paths of its curves."""
        return frozenset(curve.path for curve in self.submission.curves)

    def fetch(self, kind: type[PointDocument], points: Iterable[str]) -> None:
        """Makes documents of merged points readable in one batch, before :meth:`holds_run` and others ask for each."""
        paths = (names.join(point, kind.file_name) for point in points)
        self.tree.ensure([path for path in paths if self.tree.is_file(path)])

    def _run(self, point: str) -> Mapping[str, Any] | None:
        """What the summary of the merged point at the path ``point`` holds; None where it can't be read."""
        found = ResultSummary.of(self.points[point], self._session)
        if isinstance(found, Missing) or found.fault is not None or not isinstance(found.data, dict):
            return None
        return found.data

    def holds_run(self, point: str, summary: Mapping[str, Any]) -> bool:
        """Whether the merged point at the path ``point`` holds the measurement that ``summary`` does."""
        run = self._run(point)
        return run is not None and is_same_run(run, summary)

    def by_duration(self, points: Collection[str]) -> dict[float | None, list[str]]:
        """The paths of merged points by the duration of their runs in ns, so that a run is sought among few; points
        without one (None) hold no run that could be found again. Fetches them in one batch.
        """
        self.fetch(ResultSummary, points)
        found: dict[float | None, list[str]] = {}
        for path in points:
            run = self._run(path)
            found.setdefault(None if run is None else figure(run, "duration_ns"), []).append(path)
        return found

    def holds_accuracy(self, point: str, data: object) -> bool:
        """Whether the merged point at the path ``point`` holds the accuracy result ``data``."""
        path = names.join(point, AccuracyResults.file_name)
        found = self._session.document(AccuracyResults, path) if self.tree.is_file(path) else None
        return found is not None and found.fault is None and found.data == data

    def power(self, system: str) -> PowerResult | None:
        """The merged power of the system at a path; None where it had no descriptor that can be read."""
        power = ProvisionedPower.of(System(self.submission, system), self._session)
        if isinstance(power, Missing):
            return None
        self.tree.ensure(power.paths())
        return None if power.document.fault is not None else power.result

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
