"""What the rules on power share: the judged descriptor of a system, and the power of each point of a curve."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple

from checks import names
from checks.documents import NotJudged
from checks.endpoints.curve_shape import CurvePoint, CurveShape
from checks.endpoints.inputs import SystemDesc, SystemPower
from checks.endpoints.parallelism import Parallelism, read_parallelism
from checks.endpoints.point_power import Ensemble, PointPower, ensembles_of, point_power
from checks.endpoints.power import judge_power
from checks.endpoints.power_result import PowerProblem, PowerResult
from checks.endpoints.system_facts import SystemFacts, read_system
from checks.endpoints.tables import EditionTables
from checks.endpoints.units import Curve, System
from checks.rules import Missing
from checks.session import Session

NODES_USED = "/nodes_used"


class ProvisionedPower:
    """The power of one system. An input of rules on systems and curves."""

    what = "system_power.json and every system_desc.json"

    def __init__(self, document: SystemPower, system: System, tables: EditionTables, session: Session) -> None:
        self.document = document
        self.tables = tables
        copies = SystemDesc.all(system, session)
        self._copies = [copy for copy in copies if not isinstance(copy, Missing)]

    @classmethod
    def of(cls, unit: System | Curve, session: Session) -> ProvisionedPower | Missing:
        """The power of the system that ``unit`` is or belongs to; Missing without a descriptor."""
        system = unit if isinstance(unit, System) else unit.system
        document = SystemPower.of(system, session)
        if isinstance(document, Missing):
            return document
        make = lambda: cls(document, system, EditionTables.of(unit, session), session)  # noqa: E731
        return session.derive((cls, system.path), make)

    def paths(self) -> Iterator[str]:
        """The files it is read from."""
        for document in (self.document, *self._copies):
            yield document.path

    @cached_property
    def facts(self) -> SystemFacts:
        """What the readable descriptions say about cooling and nodes."""
        readable = (copy.data for copy in self._copies if copy.fault is None)
        return read_system(data for data in readable if isinstance(data, dict))

    @cached_property
    def result(self) -> PowerResult:
        """The total, how it came about, and what is wrong. Raises Unreadable where the file can't be read."""
        return judge_power(self.document.data, self.facts, self.tables.power)

    def require_total(self) -> None:
        """Raises NotJudged where there is no total, which ``power-descriptor`` reports."""
        if self.result.total_w is None:
            reason = f"{names.basename(self.document.path)} gives no total (see power-descriptor)"
            raise NotJudged(self.document.path, reason)

    @cached_property
    def ensembles(self) -> tuple[Ensemble, ...]:
        """The sets of nodes that a point can engage in part."""
        return ensembles_of(self.result, self.facts)


class EngagedPoint(NamedTuple):
    """A point with its power and its parallelism; ``faults`` are those of the parallelism, in system_desc.json."""

    point: CurvePoint
    nodes_used: Any
    power: PointPower
    parallelism: Parallelism | None
    faults: tuple[PowerProblem, ...]


class CurvePower:
    """The power of every point of a curve whose point.yaml can be read. An input of rules on curves."""

    what = "system_power.json, point.yaml and system_desc.json of every point"

    def __init__(self, provisioned: ProvisionedPower, shape: CurveShape) -> None:
        self.provisioned = provisioned
        self._shape = shape

    @classmethod
    def of(cls, unit: Curve, session: Session) -> CurvePower | Missing:
        """The power of the points of the curve ``unit``; Missing without a descriptor of the system."""
        provisioned = ProvisionedPower.of(unit, session)
        if isinstance(provisioned, Missing):
            return provisioned
        return session.derive((cls, unit.path), lambda: cls(provisioned, CurveShape.of(unit, session)))

    def paths(self) -> Iterator[str]:
        """The files it is read from."""
        yield from self.provisioned.paths()
        yield from self._shape.paths()

    @cached_property
    def points(self) -> list[EngagedPoint]:
        """The points, by concurrency. Raises Unreadable where system_power.json can't be read."""
        return [self._engaged(point) for point in self._shape.points if point.config is not None]

    def _engaged(self, point: CurvePoint) -> EngagedPoint:
        assert point.config is not None
        used = point.config.get(NODES_USED)
        power = point_power(self.provisioned.result, used, self.provisioned.facts)
        description = point.description.data if point.description else None
        parallelism, faults = read_parallelism(description if isinstance(description, dict) else {})
        return EngagedPoint(point, used, power, parallelism, faults)
