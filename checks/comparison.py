"""Which two trees a change is judged by, and what it affects: the change alone, or what a merge of it would give.

Several pull requests of one submitter can each be right and wrong together. So where the base branch has moved on, the
merged result is judged against the branch's tip, for every scope that the change or the merge touches.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from checks.changes import Affected, Change
from checks.edition import Edition
from checks.findings import Scope
from checks.names import tree_order
from checks.rule_sets import RuleSet
from checks.session import Session
from checks.tree import Kind, Tree
from checks.units import counted, listed

CHANGED_TWICE = "{files} changed here and, meanwhile, on the base branch too; judged as this branch has it: {paths}."
"""What git then makes of a file is not known: it joins the lines, or asks for a decision."""

REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class Merge:
    """What merging a change would do: ``tip`` is the tree of the branch it is meant for, ``result`` the merged one."""

    tip: Tree
    result: Tree


@dataclass(frozen=True, slots=True)
class Comparison:
    """The trees before and after, and the scopes to judge in the latter. ``notes`` are on what can't be known."""

    before: Session
    after: Session
    affected: Affected
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, rules: RuleSet, edition: Edition, base: Tree, head: Tree, merge: Merge | None) -> Comparison:
        """The change from ``base`` (the merge base) to ``head``; with ``merge`` judged in what that would give.

        What a merge touches only because of what came to the tip meanwhile is affected too: a system that began to use
        a code image which the change edits. Raises TreeError.
        """
        own = rules.affected(Session(base, edition), Session(head, edition, base))
        if merge is None:
            return cls(Session(base, edition), Session(head, edition, base), own)
        before, after = Session(merge.tip, edition), Session(merge.result, edition, merge.tip)
        affected = _joined(own, rules.affected(before, after), rules.layout(after).scopes())
        return cls(before, after, affected, tuple(_changed_twice(own.changes, merge.tip)))


def _joined(own: Affected, merging: Affected, here: Iterable[Scope]) -> Affected:
    """The scopes of both with the change's own reasons, as far as the merged tree has them; the others are removed."""
    named = {scope.path: scope for scope in (*merging.removed, *own.removed, *merging.scopes, *own.scopes)}
    kinds = {scope.path: scope.kind for scope in here}
    reasons = {path: "changed" if scope.reason == REMOVED else scope.reason for path, scope in named.items()}
    scopes = [Scope(path, kinds[path], reasons[path]) for path in named if path in kinds]
    removed = [Scope(path, scope.kind, REMOVED) for path, scope in named.items() if path not in kinds]
    return Affected(_ordered(scopes), _ordered(removed), own.changes, own.exempt)


def _ordered(scopes: Iterable[Scope]) -> tuple[Scope, ...]:
    return tuple(sorted(scopes, key=lambda scope: tree_order(scope.path)))


def _changed_twice(changes: Iterable[Change], tip: Tree) -> Iterable[str]:
    """A note on the files that both sides changed, each in its way."""
    if twice := [change.path for change in changes if _file_at(tip, change.path) not in (change.old, change.new)]:
        yield CHANGED_TWICE.format(files=counted(len(twice), "file"), paths=listed(twice))


def _file_at(tree: Tree, path: str) -> object:
    entry = tree.entry(path)
    return entry if entry is None or entry.kind is not Kind.DIRECTORY else None
