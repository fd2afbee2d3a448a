"""Workflow commands of GitHub Actions: one annotation per finding
(https://docs.github.com/actions/reference/workflow-commands-for-github-actions).
"""

from __future__ import annotations

from checks.findings import Finding, Report
from checks.formats import text


def render(report: Report) -> str:
    """One ``::error`` line per finding, own faults as errors without a file, the verdict last."""
    lines = [_command(finding) for finding in report.findings]
    for fault in report.faults:
        said = f"Rule {fault.rule} failed on {fault.path}, reference {fault.reference}"
        lines.append(f"::error title=Checker fault::{_data(said)}")
    return "\n".join([*lines, text.render(report).splitlines()[-1]]) + "\n"


def _command(finding: Finding) -> str:
    properties = {"file": finding.path, "title": f"{finding.rule} {finding.name}"}
    if finding.line is not None:
        properties |= {"line": str(finding.line), "endLine": str(finding.end_line or finding.line)}
    shown = ",".join(f"{key}={_property(value)}" for key, value in properties.items())
    message = f"{finding.message}\n{finding.hint}" if finding.hint else finding.message
    return f"::{finding.level} {shown}::{_data(message)}"


def _data(value: str) -> str:
    return value.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(value: str) -> str:
    return _data(value).replace(":", "%3A").replace(",", "%2C")
