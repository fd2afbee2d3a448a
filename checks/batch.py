"""The tasks of one scope, run: what their rules say, what they can't judge, and the checker's own faults.

A cause is told once for all rules that it keeps from judging: a document that can't be read, a missing file, a value
that several rules need. The rules that it stops are listed as not run.
"""

from __future__ import annotations

import hashlib
import logging
import traceback
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple, Protocol

from checks import names
from checks.documents import Document, NotJudged, Unusable
from checks.findings import Fact, Fault, Finding, Level, NotRun
from checks.input_rules import INPUT_RULES
from checks.layout import Layout
from checks.results import Results, Task
from checks.rules import Each, Rule, documents_of, natural
from checks.tree import NotInTree, TooLarge, TreeError
from checks.units import counted, listed

log = logging.getLogger(__name__)


class Judge(Protocol):
    """What a batch needs of the engine."""

    layout: Layout
    told: set[tuple[str, str, str]]

    def level_of(self, finding: Finding, default: Level) -> Level:
        """The level of a finding."""


class Needed(NamedTuple):
    """A rule's finding that a value which it needs is absent or of the wrong type."""

    finding: Finding
    task: Task


class Batch:
    """One scope's tasks, or those of the units that scopes share."""

    def __init__(self, judge: Judge, affected: Collection[str]) -> None:
        self.judge = judge
        self.affected = affected
        self.results = Results()
        self.absent: dict[tuple[str | None, str, str], set[str]] = {}
        self.needed: dict[tuple[str | None, str, str], list[Needed]] = {}
        self.judged: set[int] = set()
        self.sound: set[int] = set()

    def run(self, tasks: Iterable[Task]) -> Results:
        """Runs ``tasks`` in order."""
        kept = list(tasks)  # what is known of inputs is known by their identity
        for task in kept:
            self._run(task)
        for same in self.needed.values():
            self._tell_needed(same)
        self._tell_absent()
        return self.results

    def _tell_absent(self) -> None:
        """One finding for a file that neighbouring folders lack alike, at the first of them."""
        alike: dict[tuple[str | None, str, str, frozenset[str]], list[str]] = {}
        for (scope, path, reason), rules in self.absent.items():
            alike.setdefault((scope, names.parent(path), reason, frozenset(rules)), []).append(path)
        for (scope, _, reason, lacking), (path, *others) in alike.items():
            message = f"{reason}; {_rules(lacking)} can't be judged without it."
            if others:
                shown = listed(map(names.basename, others))
                message += f" The same holds for {counted(len(others), 'other folder')}: {shown}."
            finding = Finding(path, message, "Add the file as the benchmark tool wrote it.", cause=reason)
            self._add(replace(finding, rule="input.missing", count=1 + len(others)), scope)

    def _run(self, task: Task) -> None:
        for missing in task.missing:
            self._not_run(task, missing.path, missing.reason + (f" (see {missing.see})" if missing.see else ""))
            if not missing.see:
                self.absent.setdefault((task.scope, missing.path, missing.reason), set()).add(task.rule.id)
        try:
            if not task.blocked and (inputs := self._readable(task)) is not None:
                self.results.ran(task)
                self._judge(task, inputs)
        except Exception as error:  # the checker's own fault: told as such, never as the submitter's
            if isinstance(error, TreeError) and not isinstance(error, NotInTree):
                raise  # the tree itself can't be read: whoever gave it must know
            scope = self._scope_of(task.unit.path) if task.scope is None else task.scope
            self.results.faults.append(fault_of(task.rule.id, scope, task.unit.path, error))

    def _judge(self, task: Task, inputs: Mapping[str, Any]) -> None:
        try:
            for item in task.rule.function(task.unit, **inputs):
                if isinstance(item, Fact):
                    scope = task.scope or self._scope_of(item.path)
                    self.results.facts.append(Fact(scope, item.name, item.value, item.unit, item.path))
                else:
                    self._found(self._named(item, task.rule), task)
        except Unusable as error:
            self._found(self._named(error.finding, task.rule), task)
        except NotJudged as error:
            self._not_run(task, error.path, error.reason)
        except TooLarge as error:
            self._add(Finding(error.path, f"{error}.", rule="input.too-large"), task.scope)
            self._not_run(task, error.path, str(error))

    def _found(self, finding: Finding, task: Task) -> None:
        """Keeps what a rule found; that it lacks a value, until all rules that lack the same are known."""
        if finding.needed:
            self.needed.setdefault((task.scope, finding.path, finding.message), []).append(Needed(finding, task))
        else:
            self._add(finding, task.scope, task.rule.level)

    def _tell_needed(self, same: list[Needed]) -> None:
        """One finding for a value that several rules lack: that of the weightiest, which names the others."""
        first = max(same, key=lambda item: self.judge.level_of(item.finding, item.task.rule.level).weight)
        others = {item.task.rule.id: item.task for item in same if item.task.rule.id != first.task.rule.id}
        finding = first.finding
        if others:
            message = f"{finding.message} {_rules(others).capitalize()} can't be judged without it either."
            finding = replace(finding, message=message, cause=finding.cause or finding.message)
        self._add(finding, first.task.scope, first.task.rule.level)
        for task in others.values():
            self._not_run(task, finding.path, f"{first.finding.message.rstrip('.')} (see {first.task.rule.id})")

    def _readable(self, task: Task) -> Mapping[str, Any] | None:
        """The task's inputs without the documents that can't be read, the faults of which are told, once each; None
        where nothing is left of an input.
        """
        if all(id(value) in self.sound for value in task.inputs.values()):
            return task.inputs
        inputs = {name: self._sound_part(value, task) for name, value in task.inputs.items()}
        lost = any(part is not task.inputs[name] and not part for name, part in inputs.items())
        return None if lost else inputs

    def _sound_part(self, value: Any, task: Task) -> Any:
        """``value`` itself, which the rules of a unit share, when all of it can be read; else what of it can."""
        if id(value) in self.sound:
            return value
        doubtful = [document for document in documents_of(value) if id(document) not in self.sound]
        bad = [document for document in doubtful if not self._document(document, task)]
        for document in bad:
            assert document.fault is not None
            reason = f"{names.basename(document.path)} can't be read (see {document.fault.rule})"
            self._not_run(task, document.path, reason)
        if not bad:
            self.sound.add(id(value))
            return value
        unread = {id(document) for document in bad}
        return Each(item for item in value if id(item) not in unread) if isinstance(value, Each) else None

    def _document(self, document: Document, task: Task) -> bool:
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
        return self.judge.layout.scope_of(path)

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
        level = self.judge.level_of(finding, default)
        if where in self.affected and level is not Level.OFF:
            self.results.findings.append(replace(finding, scope=where, level=level))

    def _told(self, finding: Finding) -> bool:
        """Whether this fault of an input was told before: by another document of the file, or by a scan."""
        key = (finding.rule, finding.path, finding.message)
        if not finding.rule.startswith("input.") or key not in self.judge.told:
            self.judge.told.add(key)
            return False
        return True


def _rules(ids: Collection[str]) -> str:
    return ("rule " if len(ids) == 1 else "rules ") + ", ".join(sorted(ids, key=natural))


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
