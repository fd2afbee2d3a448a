"""The documents that rules of MLPerf Endpoints ask for, each found from the point (or system) it belongs to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Self

from checks import names
from checks.documents import Document, JsonDocument, YamlDocument
from checks.endpoints.units import Curve, Point, Submission, System
from checks.rules import Missing
from checks.session import Session
from checks.tree import Kind

LEGACY_ACCURACY = "results.json"
"""Where older clients wrote accuracy scores, under ``accuracy_scores``."""

_BY_CLIENT = "Restore {what} as the reference client wrote it."
_BY_HAND = "Complete or correct {what}; people write it, no tool can restore it."


class PointDocument(Document):
    """A document of a measurement point: :meth:`of` finds one point's, :meth:`all` those of every point of a unit."""

    file_name: ClassVar[str]
    reporter: ClassVar[str]
    """The rule that demands the file."""

    @classmethod
    def of(cls, unit: Point, session: Session) -> Self | Missing:
        """The document of the point ``unit``, or Missing."""
        path = unit.inside(cls.file_name)
        entry = unit.entries.get(cls.file_name)
        if entry is not None and entry.kind is Kind.FILE:
            return session.document(cls, path)
        return session.file(cls, path, see=cls.reporter)

    @classmethod
    def all(cls, unit: Curve | System | Submission, session: Session) -> Sequence[Self | Missing]:
        """Those of all points of a curve, a system or a submission, in the order of the points."""
        if isinstance(unit, Curve):
            return session.derive((cls, unit.path), lambda: [cls.of(point, session) for point in unit.points])
        return [document for curve in unit.curves for document in cls.all(curve, session)]


class PointConfig(PointDocument, YamlDocument):
    """``point.yaml``: the disclosure of one point (rules 8.3)."""

    what = file_name = "point.yaml"
    reporter = "measurement-points-present"
    remedy = _BY_HAND

    @property
    def is_dedicated_offline(self) -> bool:
        """Whether the point is an Offline run of its own (5.7), which belongs to no region."""
        return bool(self.get("/offline") == "dedicated")


class SystemDesc(PointDocument, JsonDocument):
    """``system_desc.json``: the description of the system (rules 8.2), a copy in every point."""

    what = file_name = "system_desc.json"
    reporter = "system-description-present"
    remedy = _BY_HAND


class ResultSummary(PointDocument, JsonDocument):
    """``result_summary.json``: what the reference client measured, in nanoseconds and tokens."""

    what = file_name = "result_summary.json"
    reporter = "result-summary-present"
    remedy = _BY_CLIENT


class ClientConfig(PointDocument, YamlDocument):
    """``config.yaml``: the reference client's configuration."""

    what = file_name = "config.yaml"
    reporter = "config-file-present"
    remedy = _BY_CLIENT


class AccuracyResults(PointDocument, JsonDocument):
    """``accuracy_results.json``; where it is absent, the legacy ``results.json`` stands in for it."""

    what = file_name = "accuracy_results.json"
    reporter = "accuracy-coverage"
    remedy = _BY_CLIENT

    @classmethod
    def of(cls, unit: Point, session: Session) -> Self | Missing:
        """The accuracy file of the point ``unit``, or Missing."""
        legacy = cls.file_name not in unit.entries and LEGACY_ACCURACY in unit.entries
        return session.file(cls, unit.inside(LEGACY_ACCURACY if legacy else cls.file_name), see=cls.reporter)

    @classmethod
    def all(cls, unit: Curve | System | Submission, session: Session) -> Sequence[Self | Missing]:
        """Those that are there: most points of a curve need none."""
        return [found for point in unit.points if not isinstance(found := cls.of(point, session), Missing)]

    @property
    def is_legacy(self) -> bool:
        """Whether it is a ``results.json``, which is an accuracy file only where it has ``accuracy_scores``."""
        return names.basename(self.path) == LEGACY_ACCURACY


class PowerCopy(PointDocument, JsonDocument):
    """A ``system_power.json`` in a point: what the builder took the system's descriptor from, where it is left over."""

    what = file_name = "system_power.json"
    reporter = "power-descriptor"
    remedy = _BY_HAND

    @classmethod
    def all(cls, unit: Curve | System | Submission, session: Session) -> Sequence[Self | Missing]:
        """Those that are there, which nothing asks for."""
        return [cls.of(point, session) for point in unit.points if cls.file_name in point.entries]


class SystemPower(JsonDocument):
    """``system_power.json``: the provisioned power of a system."""

    what = "system_power.json"
    remedy = _BY_HAND

    @classmethod
    def of(cls, unit: System | Curve | Point, session: Session) -> Self | Missing:
        """The descriptor of the system that ``unit`` is or belongs to, or Missing."""
        system = unit if isinstance(unit, System) else unit.system
        return session.file(cls, system.inside("system_power.json"), see="power-descriptor")

    @classmethod
    def all(cls, unit: Submission, session: Session) -> Sequence[Self | Missing]:
        """Those of all systems of a submission."""
        return [cls.of(system, session) for system in unit.systems]
