"""The entries that a scope answers for: each is seen once, and nothing outside the checked scopes is walked."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Self

from checks import names
from checks.session import Session
from checks.tree import Entry, Kind, TooLarge
from checks.units import Folder


class Owner(Folder):
    """A folder that answers for what lies in it, except for the folders that are scopes of their own."""

    @property
    def answers(self) -> bool:
        """Whether it has entries of its own at all."""
        return True

    @property
    def looked_into(self) -> bool:
        """Whether its files are what a benchmark or a person wrote for the submission (code is judged by its hash)."""
        return True

    def permits(self, path: str) -> bool:
        """Whether a rule of the document expressly permits the entry at ``path``, so that it is no leftover."""
        del path
        return False

    def enters(self, path: str, session: Session) -> bool:
        """Whether what lies directly in the folder ``path``, somewhere below this one, is its own too."""
        del path, session
        return True


class Entries:
    """The entries of an :class:`Owner` with their paths, in the order of the tree; walked on first use."""

    def __init__(self, owner: Owner, session: Session) -> None:
        self.owner = owner
        self.session = session
        self._overflow: TooLarge | None = None

    @classmethod
    def of(cls, unit: Owner, session: Session) -> Self:
        """The entries of ``unit``; they are always there."""
        return session.keep((cls, type(unit), unit.path), lambda: cls(unit, session))

    def __iter__(self) -> Iterator[tuple[str, Entry]]:
        return iter(self.found)

    def of_kind(self, kind: Kind) -> Iterator[str]:
        """The paths of the entries of one kind."""
        return (path for path, entry in self.found if entry.kind is kind)

    @cached_property
    def sizes(self) -> list[tuple[str, int]]:
        """The files with their bytes; a content that is not here has no known size."""
        sized = ((path, self.owner.tree.size(path)) for path in self.of_kind(Kind.FILE))
        return [(path, size) for path, size in sized if size is not None]

    @property
    def overflow(self) -> TooLarge | None:
        """The limit that ended the walk; None when it saw everything."""
        _ = self.found
        return self._overflow

    @cached_property
    def folders(self) -> dict[str, list[str]]:
        """Names by the folder that they stand in."""
        found: dict[str, list[str]] = {}
        for path, entry in self.found:
            found.setdefault(names.parent(path), []).append(entry.name)
        return found

    @cached_property
    def found(self) -> list[tuple[str, Entry]]:
        """All of them, up to the tree's limits; where those end the walk, :attr:`overflow` says so."""
        found: list[tuple[str, Entry]] = []
        try:
            for item in self._walk():
                found.append(item)
        except TooLarge as error:
            self._overflow = error
        return found

    def _walk(self) -> Iterator[tuple[str, Entry]]:
        tree, limits, seen = self.owner.tree, self.owner.tree.limits, 0
        pending = [(self.owner.path, 0)] if self.owner.answers else []
        while pending:
            folder, depth = pending.pop()
            if depth > limits.depth:
                raise TooLarge(folder, "levels of folders", None, limits.depth)
            below: list[tuple[str, int]] = []
            for entry in tree.children(folder).values():
                seen += 1
                if seen > limits.entries:
                    raise TooLarge(self.owner.path, "entries", None, limits.entries)
                path = names.join(folder, entry.name)
                yield path, entry
                if entry.kind is Kind.DIRECTORY and self.owner.enters(path, self.session):
                    below.append((path, depth + 1))
            pending.extend(reversed(below))


class Recorded(Folder):
    """A folder that holds what a tool wrote of one invocation, or several: logs, metadata, configuration."""

    @property
    def whole(self) -> Folder:
        """What its findings are gathered on where the same holds for many invocations."""
        return self
