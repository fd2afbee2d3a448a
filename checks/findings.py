"""What a check says: findings, rules that could not run, computed facts, and the report that holds them all.

The shapes are those of the contract's ``--format json``; :mod:`checks.formats` only writes them down.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from checks.names import tree_order


class Level(enum.StrEnum):
    """How much a finding weighs. Only ``error`` fails a check by itself; ``off`` is a setting only."""

    ERROR = "error"
    WARNING = "warning"
    NOTICE = "notice"
    OFF = "off"

    @property
    def weight(self) -> int:
        """0 (off) to 3 (error), for comparison."""
        return ("off", "notice", "warning", "error").index(self.value)


class Verdict(enum.StrEnum):
    """The outcome of a scope or of a whole report."""

    PASS = "pass"
    FAIL = "fail"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to mend. A rule fills the first six fields; the engine fills the rest.

    ``path`` is relative to the tree's root and names an entry that exists; ``line`` starts at 1. ``level`` None means
    the level that the edition gives the rule. Findings of one rule and file with the same ``cause`` (default: the
    message) are merged into one with ``count`` occurrences. ``on_base`` findings were there before the change.
    ``needed``: a value that the rule needs is absent or of the wrong type; several rules that lack it make one finding.
    ``once``: of all findings of the rule with that cause a report has the first alone, whatever their scopes.
    """

    path: str
    message: str
    hint: str | None = None
    line: int | None = None
    level: Level | None = None
    cause: str | None = None
    end_line: int | None = None
    rule: str = ""
    name: str = ""
    scope: str = ""
    count: int = 1
    on_base: bool = False
    needed: bool = False
    once: bool = False

    @property
    def order(self) -> tuple[object, ...]:
        """Sort key: the order of the tree, then line, rule and text."""
        return (tree_order(self.path), self.line or 0, self.rule, self.message)


@dataclass(frozen=True, slots=True)
class NotRun:
    """A rule that could not judge a scope, with the reason; ``path`` is the leaf it could not judge."""

    rule: str
    scope: str
    reason: str
    path: str = ""


class Fact(NamedTuple):
    """A figure that the checker computed, in ``unit``, from the file at ``path``."""

    scope: str
    name: str
    value: float | int | str
    unit: str
    path: str


@dataclass(frozen=True, slots=True)
class Fault:
    """The checker's own failure on one rule and place: never a submitter's fault, never a pass.

    ``reference`` is the key under which the traceback stands in the log; ``error`` names the exception for maintainers.
    """

    rule: str
    scope: str
    path: str
    reference: str
    error: str


@dataclass(frozen=True, slots=True)
class Waived:
    """A finding that the maintainers' configuration sets aside, with their reason."""

    finding: Finding
    reason: str
    until: str | None = None


@dataclass(frozen=True, slots=True)
class Counts:
    """Numbers of findings (not of occurrences) by level."""

    error: int = 0
    warning: int = 0
    notice: int = 0

    @classmethod
    def of(cls, findings: Iterable[Finding]) -> Counts:
        """Counts ``findings`` by level."""
        tally = {"error": 0, "warning": 0, "notice": 0}
        for finding in findings:
            tally[finding.level or Level.ERROR] += 1
        return cls(**tally)


@dataclass(frozen=True, slots=True)
class Scope:
    """A part of the tree that was checked, and why (``changed``, ``removed``, ``code image … changed``, …).

    ``folder`` is the submitter's folder that it lies in, None for what belongs to no single submitter.
    """

    path: str
    kind: str
    reason: str
    folder: str | None = None


@dataclass(frozen=True, slots=True)
class Figure:
    """One cell of a results table; ``value`` None where the runs don't say it."""

    name: str
    value: float | None
    unit: str


@dataclass(frozen=True, slots=True)
class ResultRow:
    """What one workload of the system ``scope`` would be listed with: its division, ``runs`` counted, its figures."""

    scope: str
    division: str
    workload: str
    runs: int
    figures: tuple[Figure, ...]


@dataclass(frozen=True, slots=True)
class Touched:
    """A submitter of whom a change touches ``paths`` paths, all in ``folder`` or below it; removed ones count too."""

    submitter: str
    folder: str
    paths: int


@dataclass(frozen=True, slots=True)
class Report:
    """Everything one check found. ``base`` and ``head`` are commit ids, None for a folder.

    ``paths_seen`` of ``paths_changed`` changed paths were looked at: anything short of all of them is an own fault.
    ``base_counts`` tells whether findings that the base already has fail the check. Paths in ``touched`` are shown.
    ``results_preview``: texts that anyone can read may show measured figures; ``results`` are rows of such a table.
    """

    rules: str
    edition: str
    version: str
    base: str | None = None
    head: str | None = None
    strict: bool = False
    scopes: tuple[Scope, ...] = ()
    findings: tuple[Finding, ...] = ()
    not_run: tuple[NotRun, ...] = ()
    facts: tuple[Fact, ...] = ()
    faults: tuple[Fault, ...] = ()
    waived: tuple[Waived, ...] = ()
    notes: tuple[str, ...] = ()
    paths_changed: int = 0
    paths_seen: int = 0
    changed_paths: frozenset[str] = field(default=frozenset(), repr=False)
    rules_run: int = 0
    touched: tuple[Touched, ...] = ()
    base_counts: bool = True
    results_preview: bool = False
    results: tuple[ResultRow, ...] = ()

    @property
    def counts(self) -> Counts:
        """Counts over all findings."""
        return Counts.of(self.findings)

    @property
    def verdict(self) -> Verdict:
        """``fail`` on an error (with ``strict`` also a warning) and on every own fault, else ``pass``."""
        return Verdict.FAIL if self.faults else self._judge(self.findings)

    def counted(self, findings: Iterable[Finding]) -> tuple[Finding, ...]:
        """Those of ``findings`` that the verdict depends on."""
        return tuple(finding for finding in findings if self.base_counts or not finding.on_base)

    def _judge(self, findings: Iterable[Finding]) -> Verdict:
        counts = Counts.of(self.counted(findings))
        failed = counts.error or (self.strict and counts.warning)
        return Verdict.FAIL if failed else Verdict.PASS

    def findings_by_scope(self) -> Mapping[str, tuple[Finding, ...]]:
        """Findings of each scope's path, in the order of the tree."""
        grouped: dict[str, list[Finding]] = {scope.path: [] for scope in self.scopes}
        for finding in self.findings:
            grouped.setdefault(finding.scope, []).append(finding)
        return {path: tuple(found) for path, found in grouped.items()}

    def scope_verdict(self, findings: Iterable[Finding]) -> Verdict:
        """The verdict of a scope that has ``findings``."""
        return self._judge(findings)


def merged(findings: Iterable[Finding]) -> list[Finding]:
    """Findings in the order of the tree, those of one cause and one file folded into the first with a count."""
    folded: dict[tuple[str, str, str, str], Finding] = {}
    for finding in sorted(findings, key=lambda item: item.order):
        where = ("", "") if finding.once else (finding.scope, finding.path)
        key = (*where, finding.rule, finding.cause or finding.message)
        if known := folded.get(key):
            folded[key] = known if finding.once else replace(known, count=known.count + finding.count)
        else:
            folded[key] = finding
    return list(folded.values())
