"""The units of an MLPerf Endpoints tree: organisation / submission / results / system / model (a curve) / point."""

from __future__ import annotations

import re
from functools import cached_property

from checks import names
from checks.entries import Owner, Recorded
from checks.session import Session
from checks.tree import Tree
from checks.units import Folder

RESULTS, SOURCE, DOCUMENTS = "results", "src", "docs"

_POINT = re.compile(r"r([0-9]{1,18})\Z")
"""``r`` and a concurrency; more digits than any load generator can open requests name none."""


class Root(Owner):
    """The top of a merged tree, of one organisation's folder, or one submission itself."""

    @cached_property
    def submissions(self) -> list[Submission]:
        """Every submission: the folders at the depth at which a ``results`` folder first appears (default: two)."""
        found = next((paths for paths in self._levels if any(map(self._is_submission, paths))), self._levels[-1])
        return [Submission(self.tree, path) for path in found]

    @property
    def deeper_submissions(self) -> list[Submission]:
        """Folders with ``results`` below the depth of the others: the tree then mixes two kinds of layout."""
        depth = next((depth for depth, paths in enumerate(self._levels) if any(map(self._is_submission, paths))), None)
        below = [] if depth is None else [path for paths in self._levels[depth + 1 :] for path in paths]
        own = [submission.results.path for submission in self.submissions]
        apart = [path for path in below if not any(names.is_under(path, results) for results in own)]
        return [Submission(self.tree, path) for path in apart if self._is_submission(path)]

    @property
    def answers(self) -> bool:
        """Not where the root is one submission itself, which then answers for everything."""
        return all(submission.path for submission in self.submissions)

    def enters(self, path: str, session: Session) -> bool:
        """Down to the submissions, not into them; into the rest only where the tree itself is checked."""
        if names.is_dot(names.basename(path)) and "/" not in path:
            return False
        paths = [submission.path for submission in self.submissions]
        above = any(names.is_under(submission, path) for submission in paths)
        return path not in paths and (above or session.checks(self.path))

    @cached_property
    def _levels(self) -> list[list[str]]:
        """The root, the folders in it, the folders in these."""
        levels = [[""]]
        for _ in range(2):
            levels.append([path for folder in levels[-1] for path in self._below(folder)])
        return levels

    def _below(self, folder: str) -> list[str]:
        inner = Folder(self.tree, folder)
        return [inner.inside(name) for name in inner.folders if folder or not names.is_dot(name)]

    def _is_submission(self, path: str) -> bool:
        return self.tree.is_dir(names.join(path, RESULTS))


class Submission(Owner):
    """One submission, ``<org>/<submission_id>``."""

    @cached_property
    def results(self) -> Folder:
        """Its ``results`` folder (which may be absent)."""
        return Folder(self.tree, self.inside(RESULTS))

    @cached_property
    def systems(self) -> list[System]:
        """One per folder directly in ``results``."""
        return [System(self, self.results.inside(name)) for name in self.results.folders]

    def enters(self, path: str, session: Session) -> bool:
        """Everything but the systems' results; beyond their list only where the submission itself is checked."""
        if path == self.results.path:
            return True
        return path not in {system.path for system in self.systems} and session.checks(self.path)

    @property
    def curves(self) -> list[Curve]:
        """Every curve of every system."""
        return [curve for system in self.systems for curve in system.curves]

    @property
    def points(self) -> list[Point]:
        """Every point of every curve."""
        return [point for curve in self.curves for point in curve.points]


class System(Owner):
    """One system's results, ``results/<system>``."""

    def __init__(self, submission: Submission, path: str) -> None:
        super().__init__(submission.tree, path)
        self.submission = submission

    @cached_property
    def curves(self) -> list[Curve]:
        """One per folder directly inside: a benchmark model."""
        return [Curve(self, self.inside(name)) for name in self.folders]

    @property
    def points(self) -> list[Point]:
        """Every point of every curve."""
        return [point for curve in self.curves for point in curve.points]


class Curve(Recorded):
    """One Pareto curve, ``results/<system>/<model_name>``."""

    def __init__(self, system: System, path: str) -> None:
        super().__init__(system.tree, path)
        self.system = system

    @property
    def submission(self) -> Submission:
        """The submission it belongs to."""
        return self.system.submission

    @property
    def whole(self) -> Folder:
        """What holds for the records of many points is gathered on their system."""
        return self.system

    @cached_property
    def points(self) -> list[Point]:
        """Its measurement points (folders named ``r<concurrency>``), by concurrency."""
        found = [Point(self, self.inside(name)) for name in self.folders if _POINT.match(name)]
        return sorted(found, key=lambda point: (point.concurrency, point.name))


class Point(Folder):
    """One measurement point, ``r<concurrency>``."""

    def __init__(self, curve: Curve, path: str) -> None:
        super().__init__(curve.tree, path)
        self.curve = curve

    @property
    def system(self) -> System:
        """The system it belongs to."""
        return self.curve.system

    @property
    def submission(self) -> Submission:
        """The submission it belongs to."""
        return self.curve.system.submission

    @property
    def concurrency(self) -> int:
        """The concurrency that the folder's name gives."""
        return int(self.name[1:])


def root_of(tree: Tree) -> Root:
    """The root unit of a tree."""
    return Root(tree, "")
