"""SARIF 2.1.0 (OASIS), for code-scanning views and editors, within the limits of GitHub's code scanning.

https://docs.github.com/code-security/reference/code-scanning/sarif-files/sarif-support
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import Any
from urllib.parse import quote

from checks import rule_sets
from checks.findings import Finding, Level, Report
from checks.formats.rule_list import Row, rows
from checks.units import counted

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json"

MOST_RESULTS = 25_000
"""Results of one run; GitHub refuses a file with more, whatever they are."""

TEXT_LENGTH = 1024
"""Characters of a rule's description; GitHub shows no more."""

FINGERPRINT = "primaryLocationLineHash"
"""The one fingerprint by which GitHub knows a result again."""

_LEVELS = {"error": "error", "warning": "warning", "notice": "note"}


def render(report: Report) -> str:
    """The report as one SARIF run with a final newline; of more findings than GitHub takes, the heaviest."""
    findings = _kept(report.findings)
    rules = _rules(report, findings)
    places = {rule["id"]: index for index, rule in enumerate(rules)}
    run = {
        "tool": {"driver": {"name": "submission-bot", "semanticVersion": report.version, "rules": rules}},
        "invocations": [_invocation(report, len(report.findings) - len(findings))],
        "originalUriBaseIds": {"%SRCROOT%": {"description": {"text": "The root of the checked tree."}}},
        "results": [_result(finding, places, report.base is not None) for finding in findings],
        "properties": {"rules": report.rules, "edition": report.edition, "base": report.base, "head": report.head},
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1, ensure_ascii=False) + "\n"


def _kept(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """At most MOST_RESULTS findings in their order, errors before warnings and notices."""
    heaviest = sorted(range(len(findings)), key=lambda index: -_weight(findings[index]))[:MOST_RESULTS]
    return tuple(findings[index] for index in sorted(heaviest))


def _weight(finding: Finding) -> int:
    return (finding.level or Level.ERROR).weight


def _rules(report: Report, findings: Iterable[Finding]) -> list[dict[str, Any]]:
    """The rules that found something, each id once, described as in ``submission-bot rules``."""
    names = {finding.rule: finding.name for finding in findings}
    rules = rule_sets.rule_set(report.rules)
    known = {row.id: row for row in rows(rules, rules.edition(report.edition))}
    return [_rule(id, names[id], known.get(id)) for id in sorted(names)]


def _rule(id: str, name: str, row: Row | None) -> dict[str, Any]:
    text = row.text if row and row.text else f"{id} {name}"
    return {
        "id": id,
        "name": name,
        "shortDescription": {"text": text.splitlines()[0][:TEXT_LENGTH]},
        "fullDescription": {"text": text[:TEXT_LENGTH]},
        "help": {"text": (row and row.mend) or text},
    }


def _invocation(report: Report, left_out: int) -> dict[str, Any]:
    """Own faults, and findings for which there is no room, are the tool's notifications, never results."""
    told = [("error", f"Rule {one.rule} failed on {one.path}: {one.error}, {one.reference}.") for one in report.faults]
    if left_out:
        told.append(
            ("warning", f"{counted(left_out, 'finding')} left out: code scanning takes {MOST_RESULTS:,} at most.")
        )
    return {
        "executionSuccessful": not report.faults,
        "toolExecutionNotifications": [{"level": level, "message": {"text": text}} for level, text in told],
    }


def _result(finding: Finding, places: dict[str, int], compared: bool) -> dict[str, Any]:
    location: dict[str, Any] = {"artifactLocation": {"uri": quote(finding.path), "uriBaseId": "%SRCROOT%"}}
    if finding.line is not None:
        location["region"] = {"startLine": finding.line, "endLine": finding.end_line or finding.line}
    text = f"{finding.message} {finding.hint}" if finding.hint else finding.message
    return {
        "ruleId": finding.rule,
        "ruleIndex": places[finding.rule],
        "level": _LEVELS[str(finding.level)],
        "message": {"text": text},
        "locations": [{"physicalLocation": location}],
        "partialFingerprints": {FINGERPRINT: _fingerprint(finding)},
        "occurrenceCount": finding.count,
        **({"baselineState": "unchanged" if finding.on_base else "new"} if compared else {}),
    }


def _fingerprint(finding: Finding) -> str:
    """What makes the finding the same one in a later commit: not its line, which moves with every edit above it."""
    same = (finding.scope, finding.rule, finding.path, finding.cause or finding.message)
    return hashlib.sha256("\0".join(same).encode()).hexdigest()[:16] + ":1"
