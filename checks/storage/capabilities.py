"""What a system's description says of several hosts and of handing data over from one to another (4.7.3, 4.7.4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from checks.edition import Edition
from checks.storage.inputs import SystemDescription

FLAGS = ("multi_host", "simultaneous_write", "simultaneous_read")
SIMULTANEOUS = FLAGS[1:]


@dataclass(frozen=True)
class Capabilities:
    """The capabilities in a system's description, in whichever shape it has; ``table`` is the edition's for it."""

    description: SystemDescription
    table: Mapping[str, Any]

    @classmethod
    def of(cls, description: SystemDescription, edition: Edition) -> Capabilities | None:
        """None when the description has no known shape, which 2.1.7 tells of."""
        tables = edition["checkpointing"]["capabilities"]
        table = next((tables[top] for top in tables if description.has(f"/{top}")), None)
        return cls(description, table) if table else None

    def pointer(self, flag: str) -> str:
        """Where a flag stands, or would stand."""
        places = [f"{self.table['at']}/{key}" for key in self.table[flag]]
        return next((place for place in places if self.description.has(place)), places[0])

    def flag(self, flag: str) -> bool | None:
        """Its value; None when it is absent or no boolean, which 4.7.4 tells of."""
        found = self.description.get(self.pointer(flag))
        return found if isinstance(found, bool) else None

    @property
    def keys(self) -> set[str]:
        """The keys that this shape knows."""
        return {key for flag in FLAGS for key in self.table[flag]}

    @property
    def remap_pointer(self) -> str:
        """Where the remapping time stands, or would stand."""
        return f"{self.table['at']}/{self.table['remap_time']}"

    @property
    def remaps(self) -> bool:
        """Whether the solution is said to need remapping: it lacks simultaneous reads or writes."""
        return any(self.flag(flag) is False for flag in SIMULTANEOUS)
