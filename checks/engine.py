"""Runs the rules of the affected scopes and gathers what they say.

Two passes: the first finds every rule's inputs by name only, so that all files that must be read are known and
fetched in one batch; the second reads and judges, scope by scope (:mod:`checks.batch`). A rule that raises is an own
fault of that rule on that place; everything else still runs.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from checks.batch import Batch
from checks.documents import Document
from checks.findings import Finding, Level, Scope
from checks.layout import Layout
from checks.results import Results, Task
from checks.rules import Each, Missing, Need, Rule, RuleBook
from checks.session import Session
from checks.units import Folder


class Bound(NamedTuple):
    """What was found for a rule's need on a unit: the input (None when it is absent), and what of it is missing."""

    value: Any
    missing: list[Missing]


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
        self._rules_by_class: dict[type[Folder], list[Rule]] = {}

    def plan(self, scopes: Iterable[Scope]) -> list[list[Task]]:
        """The tasks of the shared units, then of each scope; finds inputs by name, reads nothing."""
        chosen = list(scopes)
        return [self.shared(chosen), *map(self._own, chosen)]

    def shared(self, scopes: Sequence[Scope]) -> list[Task]:
        """The tasks of the units that ``scopes`` share."""
        self.session.scopes = frozenset(scope.path for scope in scopes)
        return [task for unit in self.layout.shared_units(scopes) for task in self._tasks(unit, None)]

    def _own(self, scope: Scope) -> list[Task]:
        return [task for unit in self.layout.units(scope) for task in self._tasks(unit, scope.path)]

    def _tasks(self, unit: Folder, scope: str | None) -> Iterator[Task]:
        found: dict[tuple[type[Any], bool], Bound] = {}
        for rule in self._rules_on(type(unit)):
            if rule.applies(unit):
                yield self._bound(rule, unit, scope, found)

    def _rules_on(self, kind: type[Folder]) -> list[Rule]:
        """The rules that judge units of the class ``kind``, those of its base classes among them."""
        if kind not in self._rules_by_class:
            fitting = (rules for judged, rules in self.rules_by_unit.items() if issubclass(kind, judged))
            self._rules_by_class[kind] = [rule for rules in fitting for rule in rules]
        return self._rules_by_class[kind]

    def _bound(self, rule: Rule, unit: Folder, scope: str | None, known: dict[tuple[type[Any], bool], Bound]) -> Task:
        """The rule with its inputs; ``known`` holds those that other rules of this unit asked for."""
        inputs: dict[str, Any] = {}
        missing: list[Missing] = []
        blocked: list[Missing] = []
        for need in rule.needs:
            key = (need.kind, need.each)
            bound = known.get(key)
            if bound is None:
                bound = known[key] = self._found(need, unit)
            inputs[need.parameter] = bound.value
            if bound.missing and not need.optional:
                missing += bound.missing
                blocked += bound.missing if not bound.value else []
        return Task(rule, unit, scope, inputs, tuple(missing), tuple(blocked))

    def _found(self, need: Need, unit: Folder) -> Bound:
        if need.each:
            found = list(need.kind.all(unit, self.session))
            absent = [item for item in found if isinstance(item, Missing)]
            here = Each(item for item in found if not isinstance(item, Missing)) if absent else Each(found)
            return Bound(here, absent)
        value = need.kind.of(unit, self.session)
        return Bound(None, [value]) if isinstance(value, Missing) else Bound(value, [])

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
        batches = deque(self.fetch(chosen))
        for done in range(len(batches)):
            results.extend(self.judged(batches.popleft(), chosen))  # what only it needed is let go of
            if progress is not None:
                progress(done, len(chosen))
        return results

    def run_own(self, scopes: Sequence[Scope], part: Iterable[Scope]) -> tuple[Results, list[Document]]:
        """The part of :meth:`run` that judges what is each one's own in ``part`` of ``scopes``, and the documents that
        were read and that rules on shared units read too. What is to be read must be here.
        """
        self.session.scopes = frozenset(scope.path for scope in scopes)
        results, read, kinds = Results(), list[Document](), self._kinds_shared(scopes)
        affected = {scope.path for scope in scopes}
        for scope in part:
            results.extend(Batch(self, affected).run(self._own(scope)))
            read += self.session.loaded(kinds)
            self.session.forget()
        return results, read

    def _kinds_shared(self, scopes: Sequence[Scope]) -> frozenset[type[Document]]:
        """The kinds of documents that rules on shared units read."""
        units = {type(unit) for unit in self.layout.shared_units(scopes)}
        kinds = (need.kind for unit in units for rule in self._rules_on(unit) for need in rule.needs)
        return frozenset(kind for kind in kinds if issubclass(kind, Document))

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
