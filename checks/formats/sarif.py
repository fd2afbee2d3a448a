"""SARIF 2.1.0 (OASIS), for code-scanning views and editors."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

from checks.findings import Finding, Report

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {"error": "error", "warning": "warning", "notice": "note"}


def render(report: Report) -> str:
    """The report as one SARIF run with a final newline."""
    rules = sorted({(finding.rule, finding.name) for finding in report.findings})
    run = {
        "tool": {
            "driver": {
                "name": "submission-bot",
                "semanticVersion": report.version,
                "rules": [{"id": rule, "name": name} for rule, name in rules],
            }
        },
        "invocations": [_invocation(report)],
        "results": [_result(finding, [rule for rule, _ in rules]) for finding in report.findings],
        "properties": {"rules": report.rules, "edition": report.edition, "base": report.base, "head": report.head},
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1, ensure_ascii=False) + "\n"


def _invocation(report: Report) -> dict[str, Any]:
    """Own faults are the tool's notifications, never results."""
    return {
        "executionSuccessful": not report.faults,
        "toolExecutionNotifications": [
            {
                "level": "error",
                "message": {"text": f"Rule {fault.rule} failed on {fault.path}: {fault.error}, {fault.reference}."},
            }
            for fault in report.faults
        ],
    }


def _result(finding: Finding, rules: list[str]) -> dict[str, Any]:
    location: dict[str, Any] = {"artifactLocation": {"uri": quote(finding.path), "uriBaseId": "%SRCROOT%"}}
    if finding.line is not None:
        location["region"] = {"startLine": finding.line, "endLine": finding.end_line or finding.line}
    text = f"{finding.message} {finding.hint}" if finding.hint else finding.message
    return {
        "ruleId": finding.rule,
        "ruleIndex": rules.index(finding.rule),
        "level": _LEVELS[str(finding.level)],
        "message": {"text": text},
        "locations": [{"physicalLocation": location}],
        "occurrenceCount": finding.count,
        "baselineState": "unchanged" if finding.on_base else "new",
    }
