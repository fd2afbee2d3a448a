"""Runs the rules of the affected scopes and gathers what they say.

Two passes: the first finds every rule's inputs by name only, so that all files that must be read are known and
fetched in one batch; the second reads and judges, scope by scope. A rule that raises is an own fault of that rule on
that place; everything else still runs.
"""

from __future__ import annotations

import hashlib
import logging
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from checks import names
from checks.documents import Document, NotJudged, Unusable
from checks.findings import Fact, Fault, Finding, Level, NotRun, Scope
from checks.input_rules import INPUT_RULES
from checks.layout import Layout
from checks.rules import Each, Missing, Rule, RuleBook, documents_of
from checks.session import Session
from checks.tree import TooLarge
from checks.units import Folder, listed

log = logging.getLogger(__name__)


@dataclass
class Results:
    """What the rules said, before merging and ordering."""

    findings: list[Finding] = field(default_factory=list)
    not_run: list[NotRun] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    rules_run: int = 0

    def extend(self, other: Results) -> None:
        """Adds all that ``other`` holds."""
        self.findings += other.findings
        self.not_run += other.not_run
        self.facts += other.facts
        self.faults += other.faults
        self.rules_run += other.rules_run


@dataclass(frozen=True)
class Task:
    """One rule on one unit with its inputs found."""

    rule: Rule
    unit: Folder
    scope: str | None
    inputs: Mapping[str, Any]
    missing: tuple[Missing, ...]
    blocked: tuple[Missing, ...]

    def readable(self) -> Iterator[Any]:
        """The inputs that read files."""
        for value in self.inputs.values():
            items = value if isinstance(value, Each) else [value]
            yield from (item for item in items if hasattr(type(item), "paths"))


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
        self.session.scopes = frozenset(scope.path for scope in chosen)
        shared = [task for unit in self.layout.shared_units(chosen) for task in self._tasks(unit, None)]
        own = [
            [task for unit in self.layout.units(scope) for task in self._tasks(unit, scope.path)] for scope in chosen
        ]
        return [shared, *own]

    def _tasks(self, unit: Folder, scope: str | None) -> Iterator[Task]:
        for kind, rules in self.rules_by_unit.items():
            if isinstance(unit, kind):
                for rule in rules:
                    yield self._bound(rule, unit, scope)

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
        inputs = {id(item): item for batch in batches for task in batch for item in task.readable()}
        self.session.tree.ensure({path for item in inputs.values() for path in item.paths()})
        return batches

    def run(self, scopes: Iterable[Scope], progress: Callable[[int, int], None] | None = None) -> Results:
        """Judges ``scopes``; findings carry scope, rule and level, not yet merged."""
        chosen = list(scopes)
        affected = {scope.path for scope in chosen}
        self.told.clear()
        results = Results()
        for done, batch in enumerate(self.fetch(chosen)):
            results.extend(Batch(self, affected).run(batch))
            self.session.forget()
            if progress is not None:
                progress(done, len(chosen))
        return results

    def level_of(self, finding: Finding, default: Level) -> Level:
        """The finding's level: the configured one of its rule, lowered where the rule itself made it less."""
        configured = self.levels.get(finding.rule)
        if finding.level is None:
            return configured or default
        if configured is None:
            return finding.level
        return finding.level if finding.level.weight < configured.weight else configured


class Batch:
    """The tasks of one scope: each input fault and each missing file is told once for all of its rules."""

    def __init__(self, engine: Engine, affected: set[str]) -> None:
        self.engine = engine
        self.affected = affected
        self.results = Results()
        self.unreadable: dict[str, tuple[Document, set[str]]] = {}
        self.absent: dict[tuple[str | None, str, str], set[str]] = {}
        self.judged: set[int] = set()
        self.sound: set[int] = set()

    def run(self, tasks: Iterable[Task]) -> Results:
        """Runs ``tasks`` in order."""
        for task in tasks:
            self._run(task)
        for (scope, path, reason), rules in self.absent.items():
            message = f"{reason}; {_rules(rules)} can't be judged without it."
            hint = "Add the file as the benchmark tool wrote it."
            self._add(Finding(path, message, hint, cause=reason, rule="input.missing"), scope)
        return self.results

    def _run(self, task: Task) -> None:
        for missing in task.missing:
            self._not_run(task, missing.path, missing.reason + (f" (see {missing.see})" if missing.see else ""))
            if not missing.see:
                self.absent.setdefault((task.scope, missing.path, missing.reason), set()).add(task.rule.id)
        if task.blocked or not self._readable(task):
            return
        self.results.rules_run += 1
        try:
            for item in task.rule.function(task.unit, **task.inputs):
                if isinstance(item, Fact):
                    self.results.facts.append(replace(item, scope=task.scope or self._scope_of(item.path)))
                else:
                    self._add(self._named(item, task.rule), task.scope, task.rule.level)
        except Unusable as error:
            self._add(self._named(error.finding, task.rule), task.scope, task.rule.level)
        except NotJudged as error:
            self._not_run(task, error.path, error.reason)
        except TooLarge as error:
            self._add(Finding(error.path, f"{error}.", rule="input.too-large"), task.scope)
            self._not_run(task, error.path, str(error))
        except Exception as error:  # the checker's own fault: told as such, never as the submitter's
            self.results.faults.append(fault_of(task.rule.id, task.scope or "", task.unit.path, error))

    def _readable(self, task: Task) -> bool:
        """Whether every document of the task can be read; tells the faults of those that can't, once each."""
        readable = True
        for value in task.inputs.values():
            doubtful = [document for document in documents_of(value) if id(document) not in self.sound]
            bad = [document for document in doubtful if not self._judge(document, task)]
            for document in bad:
                assert document.fault is not None
                reason = f"{names.basename(document.path)} can't be read (see {document.fault.rule})"
                self._not_run(task, document.path, reason)
            if bad and isinstance(value, Each):
                value[:] = [document for document in value if document not in bad]
                readable = readable and bool(value)
            elif bad:
                readable = False
        return readable

    def _judge(self, document: Document, task: Task) -> bool:
        """Makes the findings of a document's own faults, the first time it is met; whether it can be read."""
        fault = document.fault
        if id(document) not in self.judged:
            self.judged.add(id(document))
            if fault is not None:
                found = Finding(document.path, fault.message, fault.hint, fault.line, rule=fault.rule)
                self._add(found, task.scope)
            for twice in document.repeated if fault is None else ():
                self._add(_duplicate(document, twice), task.scope)
        if fault is None:
            self.sound.add(id(document))
        return fault is None

    def _named(self, finding: Finding, rule: Rule) -> Finding:
        return finding if finding.rule else replace(finding, rule=rule.id, name=rule.name)

    def _scope_of(self, path: str) -> str:
        return self.engine.layout.scope_of(path)

    def _not_run(self, task: Task, path: str, reason: str) -> None:
        scope = task.scope if task.scope is not None else self._scope_of(task.unit.path)
        if scope in self.affected:
            self.results.not_run.append(NotRun(task.rule.id, scope, reason, path))

    def _add(self, finding: Finding, scope: str | None, default: Level = Level.ERROR) -> None:
        """Keeps a finding of an affected scope, with its level; what is switched off is dropped."""
        if (known := INPUT_RULES.get(finding.rule)) is not None:
            finding, default = replace(finding, name=known.name), known.level
        where = self._scope_of(finding.path) if scope is None else scope
        if known is not None and where in self.affected and self._told(finding):
            return
        level = self.engine.level_of(finding, default)
        if where in self.affected and level is not Level.OFF:
            self.results.findings.append(replace(finding, scope=where, level=level))

    def _told(self, finding: Finding) -> bool:
        """Whether this fault of an input was told before: by another document of the file, or by a scan."""
        key = (finding.rule, finding.path, finding.message)
        if not finding.rule.startswith("input.") or key not in self.engine.told:
            self.engine.told.add(key)
            return False
        return True


def _rules(ids: set[str]) -> str:
    return ("rule " if len(ids) == 1 else "rules ") + ", ".join(sorted(ids))


def _duplicate(document: Document, twice: Any) -> Finding:
    name = names.basename(twice.pointer).replace("~1", "/").replace("~0", "~")
    message = (
        f"{listed([name])} is given twice (line {twice.first_line} and line {twice.line}); "
        "tools disagree on which one counts."
    )
    return Finding(document.path, message, "Keep one of the two.", twice.line, rule="input.duplicate-key")


def fault_of(rule: str, scope: str, path: str, error: BaseException) -> Fault:
    """An own fault with a reference under which the traceback is logged; the same fault gets the same reference."""
    text = "".join(traceback.format_exception(error))
    reference = hashlib.sha256(f"{rule}\n{path}\n{text}".encode("utf-8", "replace")).hexdigest()[:12]
    log.error("own fault %s: rule %s on %s\n%s", reference, rule, names.shown_path(path), text)
    return Fault(rule, scope, path, reference, type(error).__name__)
