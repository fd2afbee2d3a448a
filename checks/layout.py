"""What a rule set tells the engine about the shape of its trees."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol

from checks.findings import Scope
from checks.units import Folder


class Layout(Protocol):
    """Scopes of one tree and the units below them. Paths are inside paths (``""`` the root)."""

    def scopes(self) -> list[Scope]:
        """Every scope of the tree, in the order of the tree."""
        ...

    def shared_units(self, scopes: Iterable[Scope]) -> Iterator[Folder]:
        """The units above and beside ``scopes`` whose rules also speak of them; each finding goes to its own scope."""
        ...

    def units(self, scope: Scope) -> Iterator[Folder]:
        """The units that belong to ``scope`` alone."""
        ...

    def scope_of(self, path: str) -> str:
        """The path of the scope that ``path`` belongs to."""
        ...

    def folder_of(self, path: str) -> str | None:
        """The submitter's folder that ``path`` lies in; None for what belongs to no single submitter."""
        ...
