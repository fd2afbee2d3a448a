"""The documents that rules of MLPerf Storage ask for, each found from the leaf (timestamp folder) it belongs to."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any, ClassVar, Self

from checks.documents import Document, JsonDocument, YamlDocument
from checks.rules import Missing
from checks.session import Session
from checks.storage.leaves import Leaf
from checks.storage.terms import CHECKPOINTING, DATAGEN, DATASIZE, KV_CACHE, RUN, TRAINING, VECTOR_DATABASE
from checks.storage.units import System
from checks.storage.workloads import Workload

SUMMARY_REPORTERS = {TRAINING: "2.1.19", CHECKPOINTING: "2.1.25", VECTOR_DATABASE: "5.3.1", KV_CACHE: "6.3.4"}
"""The rule that demands a run's ``summary.json``, by benchmark."""

_OLD_KV_SUMMARY = re.compile(r"kvcache_run_summary(_\d{8}_\d{6})?\.json\Z")


class LeafDocument(Document):
    """A document of a timestamp folder: :meth:`of` finds one leaf's, :meth:`all` those of every leaf of its phase."""

    phase: ClassVar[str | None] = None
    """The phase whose leaves :meth:`all` goes through; None: the measured runs."""

    @classmethod
    def of(cls, unit: Leaf, session: Session) -> Self | Missing:
        """The document of the leaf ``unit``, or Missing."""
        raise NotImplementedError

    @classmethod
    def all(cls, unit: System | Workload, session: Session) -> list[Self | Missing]:
        """Those of all leaves of a workload, or of all workloads of a system."""
        if isinstance(unit, System):
            return [cls.of(leaf, session) for workload in unit.workloads for leaf in cls._leaves(workload)]
        return [cls.of(leaf, session) for leaf in cls._leaves(unit)] or cls._none(unit)

    @classmethod
    def _none(cls, workload: Workload) -> list[Any]:
        """What stands for the documents of a workload without a run: why the rules on them can't judge it."""
        return _no_run(workload) if cls.phase is None else []

    @classmethod
    def _leaves(cls, workload: Workload) -> list[Leaf]:
        if cls.phase is None:
            return workload.runs
        return workload.of_phase(cls.phase) if cls.phase in workload.phases else []


class Summary(LeafDocument, JsonDocument):
    """``summary.json``: what a run measured. KV cache's older name ``kvcache_run_summary…json`` is taken too."""

    what = "summary.json"

    @classmethod
    def of(cls, unit: Leaf, session: Session) -> Self | Missing:
        """See :class:`LeafDocument`."""
        path = unit.inside("summary.json")
        if unit.workload.benchmark == KV_CACHE and "summary.json" not in unit.entries:
            old = [name for name in unit.files if _OLD_KV_SUMMARY.match(name)]
            path = unit.inside(old[-1]) if old else path
        return session.file(cls, path, see=SUMMARY_REPORTERS[unit.workload.benchmark])

    @property
    def start(self) -> str:
        """Where the moment stands at which the run began: `start` as the tools write, or `start_time`."""
        return self._first("/start", "/start_time")

    @property
    def end(self) -> str:
        """Where the moment stands at which the run ended: `end` as the tools write, or `end_time` as 4.7.1 calls it."""
        return self._first("/end", "/end_time")

    def _first(self, *pointers: str) -> str:
        return next((pointer for pointer in pointers if self.get(pointer) is not None), pointers[0])


class DatagenSummary(Summary):
    """``summary.json`` of a datagen leaf (vector database load); rule 5.2.1 demands it."""

    phase = DATAGEN

    @classmethod
    def of(cls, unit: Leaf, session: Session) -> Self | Missing:
        """See :class:`LeafDocument`."""
        return session.file(cls, unit.inside("summary.json"), see="5.2.1")

    @classmethod
    def all(cls, unit: System | Workload, session: Session) -> list[Self | Missing]:
        """Those of all loads; Missing where there is none."""
        return super().all(unit, session) or [Missing(f"no {DATAGEN} is recorded", unit.path, "5.2.1")]


class Metadata(LeafDocument, JsonDocument):
    """``<benchmark>_<timestamp>_metadata.json``: what was asked for and where it ran. No rule demands it for runs."""

    what = "*_metadata.json"

    @classmethod
    def of(cls, unit: Leaf, session: Session) -> Self | Missing:
        """See :class:`LeafDocument`; with several, the one that names this timestamp, else the first."""
        found = [name for name in unit.files if "metadata" in name and name.endswith(".json")]
        if not found:
            return Missing(f"{unit.workload.benchmark}_*_metadata.json is missing", unit.path)
        return session.document(cls, unit.inside(next((name for name in found if unit.name in name), found[0])))

    @property
    def args(self) -> dict[str, Any]:
        """The tool's arguments as recorded. Raises Unusable when there are none."""
        found: dict[str, Any] = self.mapping("/args")
        return found

    @property
    def overrides(self) -> dict[str, Any]:
        """``override_parameters``: dotted key -> value, often text; empty when there are none."""
        found: dict[str, Any] = self.mapping("/override_parameters", {})
        return found


class DatasizeMetadata(Metadata):
    """The metadata file of a datasize leaf; rule 3.3.1 demands it."""

    phase = DATASIZE

    @classmethod
    def of(cls, unit: Leaf, session: Session) -> Self | Missing:
        """See :class:`Metadata`."""
        found = super().of(unit, session)
        if isinstance(found, Missing) and unit.workload.benchmark == TRAINING:
            return Missing(found.reason, found.path, see="3.3.1")
        return found

    @classmethod
    def _none(cls, workload: Workload) -> list[Any]:
        return _no_phase(workload, DATASIZE, "3.1.1")


class DatagenMetadata(Metadata):
    """The metadata file of a datagen leaf."""

    phase = DATAGEN

    @classmethod
    def _none(cls, workload: Workload) -> list[Any]:
        return _no_phase(workload, DATAGEN, "2.1.13")


def _no_phase(workload: Workload, phase: str, empty: str) -> list[Any]:
    """Missing for a training workload without the phase, of which 2.1.12 tells, or with an empty one (``empty``)."""
    if workload.benchmark != TRAINING:
        return []
    return [Missing(f"there is no {phase} run", workload.path, empty if phase in workload.folders else "2.1.12")]


def _no_run(workload: Workload) -> list[Any]:
    reporters = {TRAINING: "2.1.17" if RUN in workload.folders else "2.1.12", CHECKPOINTING: "2.1.23"}
    see = reporters.get(workload.benchmark)
    return [Missing("there is no run", workload.path, see)] if see else []


class SystemDescription(YamlDocument):
    """``systems/<name>.yaml``: the description of a system, for any unit at or below it."""

    what = "systems/<name>.yaml"
    remedy = "Complete or correct the description; it is written by hand."

    @classmethod
    def of(cls, unit: System | Workload | Leaf, session: Session) -> Self | Missing:
        """The description of the system that ``unit`` is or belongs to; rule 2.1.7 demands it."""
        system = unit if isinstance(unit, System) else unit.system
        return session.file(cls, system.description, see="2.1.7")

    @property
    def benchmark_api(self) -> str | None:
        """``file`` or ``object``, as declared; None when it is not."""
        found = self.get("/system_under_test/solution/architecture/benchmark_API")
        return found if isinstance(found, str) else None


def moment_in(document: Document, pointer: str) -> datetime:
    """The moment at ``pointer`` as a local time without zone (a Z is dropped). Raises Unusable."""
    text = document.text(pointer)
    try:
        return datetime.fromisoformat(text.removesuffix("Z")).replace(tzinfo=None)
    except ValueError:
        raise document.unusable(pointer, "an ISO 8601 date and time") from None
