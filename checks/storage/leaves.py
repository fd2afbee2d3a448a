"""Timestamp folders, the units of which each holds one invocation of the benchmark tool."""

from __future__ import annotations

import re
from datetime import datetime
from typing import TYPE_CHECKING, ClassVar

from checks.entries import Recorded
from checks.storage.terms import DATAGEN, DATASIZE, RUN
from checks.units import Folder

if TYPE_CHECKING:
    from checks.storage.units import System
    from checks.storage.workloads import Workload

TIMESTAMP = "%Y%m%d_%H%M%S"
_TIMESTAMP_NAME = re.compile(r"\d{8}_\d{6}\Z")

_RECORD = re.compile(r"metadata.*\.json\Z|summary\.json\Z")
"""Files in which the tool records an invocation, whatever its folder is called."""


def timestamp_of(name: str) -> datetime | None:
    """The moment that a timestamp folder's name gives (2.1.13; local time); None when it is no timestamp."""
    if not _TIMESTAMP_NAME.match(name):
        return None
    try:
        return datetime.strptime(name, TIMESTAMP)
    except ValueError:
        return None


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
    def is_recorded(self) -> bool:
        """Whether the tool left something here: by the folder's name, else by a file that tells of an invocation."""
        return self.timestamp is not None or any(_RECORD.search(name) for name in self.files)

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
