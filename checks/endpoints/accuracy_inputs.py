"""What the rules on accuracy share: the accuracy files of a curve, read once, and the model's gates."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from checks.documents import NotJudged
from checks.endpoints.accuracy_file import SCORES, AccuracyFile, read_accuracy
from checks.endpoints.curve_shape import ELECTED, CurvePoint, CurveShape
from checks.endpoints.inputs import AccuracyResults
from checks.endpoints.matching import AccuracyCoverage, accuracy_coverage
from checks.endpoints.table_types import AgenticGates, Model
from checks.endpoints.tables import EditionTables
from checks.endpoints.units import Curve
from checks.endpoints.values import text
from checks.rules import Missing
from checks.session import Session


class PointAccuracy(NamedTuple):
    """A point with its accuracy file, if it has one; ``content`` is None where there is none or it can't be read."""

    point: CurvePoint
    document: AccuracyResults | None
    content: AccuracyFile | None

    @property
    def has_run(self) -> bool:
        """Whether it has the result of an accuracy run; a file that can't be read is in doubt taken for one."""
        if self.document is None:
            return False
        return self.content is None or bool(self.content.runs) or not self.content.results


class CurveAccuracy:
    """The accuracy results of a curve. An input of rules on curves."""

    what = "accuracy_results.json of every point"

    def __init__(self, curve: Curve, shape: CurveShape, session: Session) -> None:
        self.curve = curve
        self.shape = shape
        self.tables: EditionTables = shape.tables
        self._documents = [AccuracyResults.of(point, session) for point in curve.points]

    @classmethod
    def of(cls, unit: Curve, session: Session) -> CurveAccuracy:
        """The accuracy results of the curve ``unit``, which may be none."""
        return session.derive((cls, unit.path), lambda: cls(unit, CurveShape.of(unit, session), session))

    def paths(self) -> Iterator[str]:
        """The files it is read from."""
        yield from self.shape.paths()
        for document in self._documents:
            if not isinstance(document, Missing):
                yield document.path

    @cached_property
    def points(self) -> list[PointAccuracy]:
        """Every point of the curve, by concurrency."""
        return [_read(point, found) for point, found in zip(self.shape.points, self._documents, strict=True)]

    @property
    def files(self) -> Iterator[tuple[PointAccuracy, AccuracyResults, AccuracyFile]]:
        """The points whose accuracy file can be read."""
        for found in self.points:
            if found.document is not None and found.content is not None:
                yield found, found.document, found.content

    @cached_property
    def model(self) -> Model | None:
        """The benchmark model by the folder's name, else by what the points declare; None where it is none."""
        configs = [point.config for point in self.shape.points if point.config]
        declared = (text(config.get("/model_name")) for config in configs)
        names = (self.curve.name, next((name for name in declared if name), ""))
        return next((self.tables.models[name] for name in names if name in self.tables.models), None)

    @property
    def is_agentic(self) -> bool:
        """Whether the multi-turn rules apply: by the model, else by the load pattern."""
        return self.model.is_agentic if self.model else self.shape.is_agentic

    @property
    def agentic_gates(self) -> AgenticGates | None:
        """The gates of a multi-turn curve; None for a single-turn one. Raises NotJudged where none are published."""
        if not self.is_agentic:
            return None
        if self.model is None or self.model.agentic is None:
            raise NotJudged(self.curve.path, "no accuracy targets are known (see agentic-accuracy)")
        return self.model.agentic

    @cached_property
    def coverage(self) -> AccuracyCoverage:
        """Which result stands for which band. Raises NotJudged where there are no regions.

        A band that rounding left empty has no point of its own: the result at its boundary value stands for it, too.
        """
        regions = self.shape.regions
        online = [found for found in self.points if found.has_run and not found.point.is_dedicated]
        there = {found.point.concurrency for found in online}
        empty = [band for band in regions.required if band.is_empty]
        own = [band.name for band in regions.required if not band.is_empty]
        candidates = {at: [name for name in regions.bands_of(at) if name in own] for at in sorted(there)}
        elected = {found.point.concurrency for found in online if found.point.offline == ELECTED}
        matched = accuracy_coverage(candidates, own, elected)
        lent = {band.name: band.boundary for band in empty if band.boundary in there}
        lacking = tuple(band.name for band in empty if band.name not in lent)
        return AccuracyCoverage(
            {**matched.assigned, **lent},
            (*matched.missing, *lacking),
            tuple(at for at in matched.surplus if at not in lent.values()),
        )


def _read(point: CurvePoint, document: AccuracyResults | Missing) -> PointAccuracy:
    if isinstance(document, Missing):
        return PointAccuracy(point, None, None)
    if document.fault is not None:
        return PointAccuracy(point, document, None)
    if document.is_legacy and not document.has(f"/{SCORES}"):
        return PointAccuracy(point, None, None)
    return PointAccuracy(point, document, read_accuracy(document.data))
