"""The units of an MLPerf Storage tree, in the rules document's terms."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import datetime
from functools import cached_property
from typing import ClassVar

from checks import names
from checks.entries import Owner, Recorded
from checks.session import Session
from checks.tree import Tree
from checks.units import Folder

CLOSED, OPEN = "closed", "open"
DIVISIONS = (CLOSED, OPEN)
RESULTS, SYSTEMS, CODE = "results", "systems", "code"
TRAINING, CHECKPOINTING = "training", "checkpointing"
VECTOR_DATABASE, KV_CACHE = "vector_database", "kv_cache"
DATASIZE, DATAGEN, RUN = "datasize", "datagen", "run"

INDEX_TYPE = re.compile(r"[A-Z][A-Z0-9_]*\Z")
"""How index types are written (5.6): upper-case tokens; tells an index folder from an engine folder."""

TIMESTAMP = "%Y%m%d_%H%M%S"
_TIMESTAMP_NAME = re.compile(r"\d{8}_\d{6}\Z")


def timestamp_of(name: str) -> datetime | None:
    """The moment that a timestamp folder's name gives (2.1.13; local time); None when it is no timestamp."""
    if not _TIMESTAMP_NAME.match(name):
        return None
    try:
        return datetime.strptime(name, TIMESTAMP)
    except ValueError:
        return None


class Root(Owner):
    """The top of a merged tree or of one submitter's package (2.1.1, 2.1.2)."""

    @cached_property
    def divisions(self) -> list[Division]:
        """``closed`` and ``open``, as far as they are there."""
        return [Division(self.tree, name) for name in DIVISIONS if name in self.folders]

    def permits(self, path: str) -> bool:
        """Dot-prefixed entries at the top (2.1.2)."""
        return "/" not in path and names.is_dot(path)

    def enters(self, path: str, session: Session) -> bool:
        """Divisions and pools, to see what stands in them; the rest, dot-prefixed folders at the top aside (2.1.2),
        only where the tree itself is checked.
        """
        from checks.storage.code_inputs import Images  # it needs the units of this module

        top, _, below = path.partition("/")
        pools = Images.of(self, session).pools
        if not below:
            return top in DIVISIONS or top in pools or (not names.is_dot(top) and session.checks(self.path))
        if top in DIVISIONS or below in pools.get(top, {}):
            return False
        return session.checks(self.path)


class Division(Folder):
    """``closed`` or ``open``."""

    @cached_property
    def submitters(self) -> list[Submitter]:
        """Every folder directly inside, also a dot-prefixed one: nothing hides behind a dot."""
        return [Submitter(self, self.inside(name)) for name in self.folders]


class Submitter(Owner):
    """One submitter's folder in one division (2.1.4, 2.1.5)."""

    def __init__(self, division: Division, path: str) -> None:
        super().__init__(division.tree, path)
        self.division = division

    @property
    def closed(self) -> bool:
        """Whether it stands in the CLOSED division."""
        return self.division.name == CLOSED

    @cached_property
    def results(self) -> Folder:
        """Its ``results`` folder (which may be absent)."""
        return Folder(self.tree, self.inside(RESULTS))

    @cached_property
    def descriptions(self) -> Folder:
        """Its ``systems`` folder (which may be absent)."""
        return Folder(self.tree, self.inside(SYSTEMS))

    def enters(self, path: str, session: Session) -> bool:
        """``systems`` and the list of ``results``, no results, no code; the rest only where it is checked itself."""
        if path in (self.results.path, self.descriptions.path):
            return True
        elsewhere = path == self.inside(CODE) or names.is_under(path, self.results.path)
        return not elsewhere and session.checks(self.path)

    def permits(self, path: str) -> bool:
        """Dot-prefixed entries of ``systems`` (2.1.7)."""
        return names.parent(path) == self.descriptions.path and names.is_dot(names.basename(path))

    @cached_property
    def systems(self) -> list[System]:
        """One per folder directly in ``results``."""
        return [System(self, self.results.inside(name)) for name in self.results.folders]


class System(Owner):
    """One system's results (2.1.8); its name links them to ``systems/<name>.yaml`` and ``.pdf``."""

    def __init__(self, submitter: Submitter, path: str) -> None:
        super().__init__(submitter.tree, path)
        self.submitter = submitter

    @property
    def closed(self) -> bool:
        """Whether it stands in the CLOSED division."""
        return self.submitter.closed

    def enters(self, path: str, session: Session) -> bool:
        """Everything but captured code."""
        return path not in self._code_paths

    @cached_property
    def _code_paths(self) -> frozenset[str]:
        return frozenset(image.path for image in self.leaf_images)

    @property
    def description(self) -> str:
        """The path of its system description, ``systems/<name>.yaml``."""
        return self.submitter.descriptions.inside(f"{self.name}.yaml")

    @property
    def document(self) -> str:
        """The path of its PDF, ``systems/<name>.pdf``."""
        return self.submitter.descriptions.inside(f"{self.name}.pdf")

    @cached_property
    def workloads(self) -> list[Workload]:
        """Its workloads of every benchmark, in the order of the tree."""
        return [
            workload
            for benchmark, find in _WORKLOADS.items()
            if benchmark in self.folders
            for workload in find(self, Folder(self.tree, self.inside(benchmark)))
        ]

    @property
    def runs(self) -> list[Leaf]:
        """The measured runs of all its workloads."""
        return [leaf for workload in self.workloads for leaf in workload.runs]

    @property
    def leaves(self) -> list[Leaf]:
        """Every timestamp folder of all its workloads."""
        return [leaf for workload in self.workloads for leaf in workload.leaves]

    @cached_property
    def leaf_images(self) -> list[CodeImage]:
        """OPEN's per-leaf code folders (2.1.5.b) that are there."""
        found = (CodeImage(self.tree, path) for path in self.code_places)
        return [image for image in found if image.exists]

    @property
    def code_places(self) -> list[str]:
        """Where 2.1.5.b puts an OPEN submission's code: one per model or index type, one for kv_cache."""
        places = [workload.code for workload in self.workloads]
        return sorted(set(places))


class Leaf(Recorded):
    """A timestamp folder: one invocation of the benchmark tool."""

    phase: ClassVar[str] = RUN

    def __init__(self, workload: Workload, path: str) -> None:
        super().__init__(workload.tree, path)
        self.workload = workload

    @property
    def system(self) -> System:
        """The system it belongs to."""
        return self.workload.system

    @property
    def closed(self) -> bool:
        """Whether it stands in the CLOSED division."""
        return self.workload.system.closed

    @property
    def whole(self) -> Folder:
        """Findings that hold for many invocations are gathered on their system."""
        return self.system

    @property
    def timestamp(self) -> datetime | None:
        """The moment its name gives; None when the name is no timestamp."""
        return timestamp_of(self.name)


class TrainingRun(Leaf):
    """``training/<model>/run/<timestamp>``."""


class TrainingDatagen(Leaf):
    """``training/<model>/datagen/<timestamp>``."""

    phase = DATAGEN


class TrainingDatasize(Leaf):
    """``training/<model>/datasize/<timestamp>``."""

    phase = DATASIZE


class CheckpointingRun(Leaf):
    """``checkpointing/<model>/<timestamp>``."""


class VectorDatabaseRun(Leaf):
    """``vector_database/[<engine>/]<index type>/run/<timestamp>``."""


class VectorDatabaseDatagen(Leaf):
    """``vector_database/[<engine>/]<index type>/datagen/<timestamp>``."""

    phase = DATAGEN


class VectorDatabaseDatasize(Leaf):
    """``vector_database/[<engine>/]<index type>/datasize/<timestamp>`` (real trees; no rule asks for it)."""

    phase = DATASIZE


class KVCacheRun(Leaf):
    """``kv_cache/[<model>/][run/]<timestamp>``."""


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


class CheckpointingWorkload(Workload):
    """``checkpointing/<model>``: timestamp folders without a phase."""

    benchmark = CHECKPOINTING

    @cached_property
    def runs(self) -> list[Leaf]:
        """The invocations: every folder but the captured code."""
        return [CheckpointingRun(self, self.inside(name)) for name in self.folders if name != CODE]

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


class CodeImage(Owner):
    """A captured copy of the benchmark's source tree with its ``.code-hash.json`` (2.1.6)."""

    def __init__(self, tree: Tree, path: str) -> None:
        super().__init__(tree, path)

    @property
    def looked_into(self) -> bool:
        """No: every file counts into the hash, and the rules on it name stray ones."""
        return False

    @property
    def hash8(self) -> str | None:
        """The eight hex digits that a pool image's name gives; None for other code folders."""
        prefix, _, digits = self.name.partition("-")
        return digits if prefix == CODE and len(digits) == 8 else None


def _one_per_folder(kind: Callable[[System, str], Workload]) -> Callable[[System, Folder], list[Workload]]:
    return lambda system, folder: [kind(system, folder.inside(name)) for name in folder.folders]


def _vector_database(system: System, folder: Folder) -> list[Workload]:
    """Index folders, also below an engine folder: one whose name is no index token but whose children's are."""
    found: list[Workload] = []
    for name in folder.folders:
        inner = Folder(folder.tree, folder.inside(name))
        below = [child for child in inner.folders if INDEX_TYPE.match(child)]
        if not INDEX_TYPE.match(name) and below:
            found += [VectorDatabaseWorkload(system, inner.inside(child)) for child in inner.folders if child != CODE]
        else:
            found.append(VectorDatabaseWorkload(system, inner.path))
    return found


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
