"""The tree that a merge would give, as a view: three trees compared by object id, no checkout, no content read.

Of each name that one side left as it was at the merge base, the other side's entry holds, whole subtrees included, so
that the cost follows what both sides changed. Where both changed a file differently, git merges the lines or tells of a
conflict; the view has the head's file then. Renames are not followed (ADR 14).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any

from checks import names
from checks.git_tree import EMPTY_TREE, GitTree, entries, open_repository
from checks.tree import Entry, Kind, Limits, TooLarge

Same = tuple[Entry, ...]
"""All entries of one name in one folder: none, one, or, in a tree that git would refuse, several."""


@dataclass(frozen=True, slots=True)
class Sides:
    """The ids of one folder's trees at the merge base, at the tip of the base branch, and at the head."""

    base: str
    tip: str
    head: str

    @property
    def settled(self) -> str | None:
        """The tree that the merge gives where one side left the folder alone, or both did the same."""
        if self.tip in (self.base, self.head):
            return self.head
        return self.tip if self.base == self.head else None


def merged_tree(base: GitTree, tip: GitTree, head: GitTree) -> GitTree:
    """The view of what merging ``head`` into ``tip`` gives, from their merge base; all are of one repository.

    It fetches and reads as ``head`` does. Where one side changed nothing, it is the other side's tree itself.
    """
    sides = Sides(base.tree, tip.tree, head.tree)
    if sides.settled is not None:
        return head if sides.settled == head.tree else tip
    return MergedTree(head, sides)


class MergedTree(GitTree):
    """The view over three trees. Folders that both sides changed have no object id; ``tree`` is the head's."""

    def __init__(self, head: GitTree, sides: Sides) -> None:
        super().__init__(head.repository, head.tree, head.fetch, head.limits)
        self.sides = sides
        self._mixed: dict[str, Sides] = {"": sides}

    def __reduce__(self) -> tuple[Any, ...]:
        """For another process: opened anew there, without a fetcher."""
        return _reopened, (self.repository.path, self.sides, self.limits)

    def root_entry(self) -> Entry:
        """The root as an entry, which no one tree stands for."""
        return Entry("", Kind.DIRECTORY)

    def listing(self, path: str) -> Iterable[Entry]:
        """See :meth:`GitTree.listing`; also raises TooLarge where folders that both sides changed lie too deep."""
        entry = self.entry(path)
        if entry is None or entry.kind is not Kind.DIRECTORY:
            return []
        if entry.oid is not None:
            return entries(self.repository, entry.oid, path)
        return list(self._merged(self._mixed[path], path))

    def _merged(self, sides: Sides, folder: str) -> Iterator[Entry]:
        """The entries of a folder that both sides changed."""
        if folder.count("/") > self.limits.depth:
            raise TooLarge(folder, "levels of folders", None, self.limits.depth)
        base, tip, head = (self._by_name(oid, folder) for oid in (sides.base, sides.tip, sides.head))
        for name in dict.fromkeys(chain(head, tip)):
            path = names.join(folder, name)
            yield from self._of_name(path, base.get(name, ()), tip.get(name, ()), head.get(name, ()))

    def _by_name(self, oid: str, folder: str) -> dict[str, Same]:
        found: dict[str, Same] = {}
        for entry in entries(self.repository, oid, folder):
            found[entry.name] = (*found.get(entry.name, ()), entry)
        return found

    def _of_name(self, path: str, base: Same, tip: Same, head: Same) -> Same:
        """What the merge gives under one name: files and folders are merged apart, since git knows only files."""
        if tip in (base, head):
            return head
        if base == head:
            return tip
        if max(map(len, (base, tip, head))) > 1:
            return head
        folder = self._folder(path, Sides(*(_tree_of(same) for same in (base, tip, head))))
        leaf = _leaf(*(_leaf_of(same) for same in (base, tip, head)))
        return folder if folder and (not leaf or _leaf_of(head) == ()) else leaf

    def _folder(self, path: str, sides: Sides) -> Same:
        """The folder that the merge gives at ``path``; none where nothing is left in it."""
        if sides.settled is not None:
            return (Entry(names.basename(path), Kind.DIRECTORY, sides.settled),) if sides.settled != EMPTY_TREE else ()
        if next(self._merged(sides, path), None) is None:
            return ()
        self._mixed[path] = sides
        return (Entry(names.basename(path), Kind.DIRECTORY),)


def _reopened(folder: str, sides: Sides, limits: Limits) -> MergedTree:
    return MergedTree(GitTree(open_repository(folder), sides.head, None, limits), sides)


def _leaf(base: Same, tip: Same, head: Same) -> Same:
    return tip if base == head else head


def _leaf_of(same: Same) -> Same:
    return tuple(entry for entry in same if entry.kind is not Kind.DIRECTORY)


def _tree_of(same: Same) -> str:
    """The id of the folder's tree; the empty one where no folder stands there."""
    return next((entry.oid for entry in same if entry.kind is Kind.DIRECTORY and entry.oid), EMPTY_TREE)
