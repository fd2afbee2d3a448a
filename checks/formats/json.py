"""The contract's JSON, schema 1: every key always there, stable order, the same bytes for the same input."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from functools import cache
from typing import Any

from checks.collector import few_collections
from checks.findings import Counts, Fact, Finding, Report, Scope

SCHEMA = 1


@few_collections()
def render(report: Report) -> str:
    """The report as JSON with a final newline: every key at the top, and every item of its lists, has its line."""
    lines = [f"{_encoded(key)}: {_lines(value)}" for key, value in _parts(report).items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _lines(value: Any) -> str:
    if not isinstance(value, list) or not value:
        return _encoded(value)
    return "[\n  " + ",\n  ".join(_facts(value) if isinstance(value[0], Fact) else map(_encoded, value)) + "\n]"


_encoded = json.JSONEncoder(ensure_ascii=False).encode
"""Without indentation, which only the slow encoder of the standard library can."""


def _facts(facts: Iterable[Fact]) -> Iterator[str]:
    """Objects of facts, which are by far the most in a report; few of their texts differ, so each is encoded once."""
    text = cache(_encoded)
    for scope, name, value, unit, path in facts:
        is_finite = type(value) is int or (type(value) is float and math.isfinite(value))
        shown = repr(value) if is_finite else _encoded(str(value))  # JSON has no other numbers
        yield (
            f'{{"scope": {text(scope)}, "name": {text(name)}, "value": {shown}, "unit": {text(unit)},'
            f' "path": {text(path)}}}'
        )


def _parts(report: Report) -> dict[str, Any]:
    """The report in the contract's shape, as plain data but for its facts."""
    by_scope = report.findings_by_scope()
    return {
        "schema": SCHEMA,
        "tool": {"name": "submission-bot", "version": report.version},
        "rules": {"name": report.rules, "edition": report.edition},
        "base": report.base,
        "head": report.head,
        "verdict": str(report.verdict),
        "counts": asdict(report.counts),
        "scopes": [_scope(report, scope, by_scope[scope.path]) for scope in report.scopes],
        "findings": [_finding(finding) for finding in report.findings],
        "not_run": [
            {"rule": item.rule, "scope": item.scope, "path": item.path, "reason": item.reason}
            for item in report.not_run
        ],
        "facts": list(report.facts),
        "faults": [asdict(fault) for fault in report.faults],
        "waived": [
            {"finding": _finding(item.finding), "reason": item.reason, "until": item.until} for item in report.waived
        ],
        "notes": list(report.notes),
        "changed_paths": {"seen": report.paths_seen, "total": report.paths_changed},
    }


def _scope(report: Report, scope: Scope, findings: tuple[Finding, ...]) -> dict[str, Any]:
    return {
        "path": scope.path,
        "kind": scope.kind,
        "verdict": str(report.scope_verdict(findings)),
        "counts": asdict(Counts.of(findings)),
        "reason": scope.reason,
    }


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "rule": finding.rule,
        "name": finding.name,
        "level": str(finding.level),
        "path": finding.path,
        "line": finding.line,
        "end_line": finding.end_line,
        "scope": finding.scope,
        "message": finding.message,
        "hint": finding.hint,
        "count": finding.count,
        "on_base": finding.on_base,
    }
