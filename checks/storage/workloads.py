"""Workloads: what one model or index type measured on one system, and where they lie below it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from checks.storage.leaves import (
    CheckpointingRun,
    KVCacheRun,
    Leaf,
    TrainingDatagen,
    TrainingDatasize,
    TrainingRun,
    VectorDatabaseDatagen,
    VectorDatabaseDatasize,
    VectorDatabaseRun,
    timestamp_of,
)
from checks.storage.terms import CHECKPOINTING, CODE, DATAGEN, DATASIZE, KV_CACHE, RUN, TRAINING, VECTOR_DATABASE
from checks.units import Folder

if TYPE_CHECKING:
    from checks.storage.units import System

INDEX_TYPE = re.compile(r"[A-Z][A-Z0-9_]*\Z")
"""How index types are written (5.6): upper-case tokens; tells an index folder from an engine folder."""


class Workload(Folder):
    """What one model or index type measured on one system."""

    benchmark: ClassVar[str]
    phases: ClassVar[dict[str, type[Leaf]]] = {}

    def __init__(self, system: System, path: str) -> None:
        super().__init__(system.tree, path)
        self.system = system

    @property
    def closed(self) -> bool:
        """Whether it stands in the CLOSED division."""
        return self.system.closed

    def phase(self, name: str) -> Folder:
        """The folder of a phase (which may be absent)."""
        return Folder(self.tree, self.inside(name))

    def of_phase(self, name: str) -> list[Leaf]:
        """The timestamp folders of a phase, in the order of their names."""
        kind = self.phases[name]
        phase = self.phase(name)
        return [kind(self, phase.inside(folder)) for folder in phase.folders]

    @cached_property
    def runs(self) -> list[Leaf]:
        """The measured runs."""
        return self.of_phase(RUN)

    @cached_property
    def leaves(self) -> list[Leaf]:
        """Every timestamp folder, of all phases."""
        return [leaf for phase in self.phases for leaf in (self.runs if phase == RUN else self.of_phase(phase))]

    @property
    def units(self) -> Iterator[Leaf]:
        """The units below it."""
        yield from self.leaves

    @property
    def code(self) -> str:
        """Where an OPEN submission's captured code lies (2.1.5.b)."""
        return self.inside(CODE)


class TrainingWorkload(Workload):
    """``training/<model>``."""

    benchmark = TRAINING
    phases: ClassVar[dict[str, type[Leaf]]] = {
        DATASIZE: TrainingDatasize,
        DATAGEN: TrainingDatagen,
        RUN: TrainingRun,
    }

    def of_phase(self, name: str) -> list[Leaf]:
        """The timestamp folders of a phase. A folder of another name counts where it holds what a run holds, so that
        nothing hides behind a wrong name; any other is told of by the rule on names alone.
        """
        return [leaf for leaf in super().of_phase(name) if leaf.is_recorded]


class CheckpointingWorkload(Workload):
    """``checkpointing/<model>``: timestamp folders without a phase."""

    benchmark = CHECKPOINTING

    @cached_property
    def runs(self) -> list[Leaf]:
        """The invocations: every folder but the captured code and, as in training, what holds nothing of a run."""
        found = (CheckpointingRun(self, self.inside(name)) for name in self.folders if name != CODE)
        return [leaf for leaf in found if leaf.is_recorded]

    @cached_property
    def leaves(self) -> list[Leaf]:
        """The invocations."""
        return self.runs


class VectorDatabaseWorkload(Workload):
    """``vector_database/<index type>``, in real trees ``vector_database/<engine>/<index type>``."""

    benchmark = VECTOR_DATABASE
    phases: ClassVar[dict[str, type[Leaf]]] = {
        DATASIZE: VectorDatabaseDatasize,
        DATAGEN: VectorDatabaseDatagen,
        RUN: VectorDatabaseRun,
    }

    @property
    def index_type(self) -> str:
        """The index type that the folder's name gives."""
        return self.name


class KVCacheWorkload(Workload):
    """``kv_cache/<model>`` in real trees, ``kv_cache`` itself in the document (transitional, 2.1.5.b)."""

    benchmark = KV_CACHE

    @cached_property
    def runs(self) -> list[Leaf]:
        """The runs: folders in ``run``, or directly inside when there is no ``run``."""
        phase = self.phase(RUN) if RUN in self.folders else Folder(self.tree, self.path)
        return [KVCacheRun(self, phase.inside(name)) for name in phase.folders if name != CODE]

    @cached_property
    def leaves(self) -> list[Leaf]:
        """The runs."""
        return self.runs

    @property
    def code(self) -> str:
        """One capture for the whole of kv_cache (2.1.5.b)."""
        return f"{self.system.path}/{KV_CACHE}/{CODE}"


def _one_per_folder(kind: Callable[[System, str], Workload]) -> Callable[[System, Folder], list[Workload]]:
    return lambda system, folder: [kind(system, folder.inside(name)) for name in folder.folders]


def _vector_database(system: System, folder: Folder) -> list[Workload]:
    """Index folders, also below an engine folder: one that holds no phases but folders that do, or that are named as
    index types are.
    """
    found: list[Workload] = []
    for name in folder.folders:
        inner = Folder(folder.tree, folder.inside(name))
        below = [child for child in inner.folders if INDEX_TYPE.match(child) or _holds_phases(inner, child)]
        if not INDEX_TYPE.match(name) and not _holds_phases(folder, name) and below:
            found += [VectorDatabaseWorkload(system, inner.inside(child)) for child in inner.folders if child != CODE]
        else:
            found.append(VectorDatabaseWorkload(system, inner.path))
    return found


def _holds_phases(folder: Folder, name: str) -> bool:
    """Whether the folder ``name`` inside is an index type's, by what stands in it."""
    inner = Folder(folder.tree, folder.inside(name))
    return any(phase in inner.folders for phase in VectorDatabaseWorkload.phases)


def _kv_cache(system: System, folder: Folder) -> list[Workload]:
    """``kv_cache`` itself when runs lie in it directly, else one workload per model."""
    others = [name for name in folder.folders if name != CODE]
    if RUN in others or (others and all(timestamp_of(name) for name in others)):
        return [KVCacheWorkload(system, folder.path)]
    return [KVCacheWorkload(system, folder.inside(name)) for name in others]


_WORKLOADS: dict[str, Callable[[System, Folder], list[Workload]]] = {
    TRAINING: _one_per_folder(TrainingWorkload),
    CHECKPOINTING: _one_per_folder(CheckpointingWorkload),
    VECTOR_DATABASE: _vector_database,
    KV_CACHE: _kv_cache,
}


def workloads_of(system: System) -> list[Workload]:
    """The workloads of every benchmark that ``system`` has results of, in the order of the rules document."""
    return [
        workload
        for benchmark, find in _WORKLOADS.items()
        if benchmark in system.folders
        for workload in find(system, Folder(system.tree, system.inside(benchmark)))
    ]
