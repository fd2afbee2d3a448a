"""Runs the rules of the affected scopes and gathers what they say.

Two passes: the first finds every rule's inputs by name only, so that all files that must be read are known and
fetched in one batch; the second reads and judges, scope by scope (:mod:`checks.batch`). A rule that raises is an own
fault of that rule on that place; everything else still runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from checks.batch import Batch
from checks.findings import Finding, Level, Scope
from checks.layout import Layout
from checks.results import Results, Task
from checks.rules import Each, Missing, Rule, RuleBook
from checks.session import Session
from checks.units import Folder


class Engine:
    """Judges scopes of one tree. ``levels`` are the configuration's, over the edition's, over each rule's own."""

    def __init__(self, book: RuleBook, layout: Layout, session: Session, levels: Mapping[str, Level]) -> None:
        self.book = book
        self.layout = layout
        self.session = session
        self.levels = {**session.edition.levels, **levels}
        self.told: set[tuple[str, str, str]] = set()
        self.rules_by_unit: dict[type[Any], list[Rule]] = {}
        for rule in book.rules:
            if self.levels.get(rule.id) is not Level.OFF:
                self.rules_by_unit.setdefault(rule.unit, []).append(rule)

    def plan(self, scopes: Iterable[Scope]) -> list[list[Task]]:
        """The tasks of the shared units, then of each scope; finds inputs by name, reads nothing."""
        chosen = list(scopes)
        return [self._shared(chosen), *map(self._own, chosen)]

    def _shared(self, scopes: list[Scope]) -> list[Task]:
        self.session.scopes = frozenset(scope.path for scope in scopes)
        return [task for unit in self.layout.shared_units(scopes) for task in self._tasks(unit, None)]

    def _own(self, scope: Scope) -> list[Task]:
        return [task for unit in self.layout.units(scope) for task in self._tasks(unit, scope.path)]

    def _tasks(self, unit: Folder, scope: str | None) -> Iterator[Task]:
        for kind, rules in self.rules_by_unit.items():
            if isinstance(unit, kind):
                yield from (self._bound(rule, unit, scope) for rule in rules if rule.applies(unit))

    def _bound(self, rule: Rule, unit: Folder, scope: str | None) -> Task:
        inputs: dict[str, Any] = {}
        missing: list[Missing] = []
        blocked: list[Missing] = []
        for need in rule.needs:
            if need.each:
                found = list(need.kind.all(unit, self.session))
                here = Each(item for item in found if not isinstance(item, Missing))
                absent = [item for item in found if isinstance(item, Missing) and not need.optional]
                missing += absent
                blocked += absent if absent and not here else []
                inputs[need.parameter] = here
                continue
            value = need.kind.of(unit, self.session)
            if isinstance(value, Missing):
                if not need.optional:
                    missing.append(value)
                    blocked.append(value)
                value = None
            inputs[need.parameter] = value
        return Task(rule, unit, scope, inputs, tuple(missing), tuple(blocked))

    def fetch(self, scopes: Iterable[Scope]) -> list[list[Task]]:
        """Plans ``scopes`` and fetches, in one batch, what their rules will read."""
        batches = self.plan(scopes)
        if self.session.tree.may_lack:
            self.session.tree.ensure(_paths(batches))
        return batches

    def wanted(self, scopes: Iterable[Scope]) -> frozenset[str]:
        """The files that the rules of ``scopes`` will read."""
        return _paths(self.plan(scopes))

    def run(self, scopes: Iterable[Scope], progress: Callable[[int, int], None] | None = None) -> Results:
        """Judges ``scopes``; findings carry scope, rule and level, not yet merged."""
        chosen = list(scopes)
        self.told.clear()
        results = Results()
        for done, batch in enumerate(self.fetch(chosen)):
            results.extend(self.judged(batch, chosen))
            if progress is not None:
                progress(done, len(chosen))
        return results

    def run_own(self, scopes: Sequence[Scope], part: Iterable[Scope]) -> Results:
        """The part of :meth:`run` that judges what is each one's own in ``part`` of ``scopes``.

        All of ``scopes`` must have been planned before, and what is to be read must be here.
        """
        self.session.scopes = frozenset(scope.path for scope in scopes)
        results = Results()
        for scope in part:
            results.extend(self.judged(self._own(scope), scopes))
        return results

    def judged(self, tasks: Iterable[Task], scopes: Iterable[Scope]) -> Results:
        """Runs planned ``tasks``; findings outside of ``scopes`` are dropped."""
        results = Batch(self, {scope.path for scope in scopes}).run(tasks)
        self.session.forget()
        return results

    def level_of(self, finding: Finding, default: Level) -> Level:
        """The finding's level: the configured one of its rule, lowered where the rule itself made it less."""
        configured = self.levels.get(finding.rule)
        if finding.level is None:
            return configured or default
        if configured is None:
            return finding.level
        return finding.level if finding.level.weight < configured.weight else configured


def _paths(batches: Iterable[Iterable[Task]]) -> frozenset[str]:
    """The files that tasks read; an input that many rules share is asked once."""
    inputs = {id(item): item for batch in batches for task in batch for item in task.readable()}
    return frozenset(path for item in inputs.values() for path in item.paths())
