"""GitHub Flavored Markdown for issues, comments and job summaries."""

from __future__ import annotations

from collections.abc import Iterator

from checks.findings import Counts, Finding, Report, Verdict
from checks.formats import pareto, results
from checks.markdown import code, escape
from checks.units import counted

_MARKS = {"error": "❌ error", "warning": "⚠️ warning", "notice": "ℹ️ notice"}


def render(report: Report) -> str:
    """A table of the scopes, the findings of each, results if they may be shown, what could not be judged."""
    blocks = [_verdict(report), *_table(report), *_findings(report), *_preview(report), *_lists(report)]
    return "\n\n".join(block for block in blocks if block) + "\n"


def _verdict(report: Report) -> str:
    counts = report.counts
    numbers = (
        f"{counted(counts.error, 'error')}, {counted(counts.warning, 'warning')}, {counted(counts.notice, 'notice')}"
    )
    if report.faults:
        return f"**No verdict: the checker itself failed.** {numbers}."
    word = "✅ passes" if report.verdict is Verdict.PASS else "❌ fails"
    commits = f" Head {code(report.head)}, base {code(report.base)}." if report.head and report.base else ""
    return f"**{word}**: {numbers}. Rules {report.rules}, edition {report.edition}, version {report.version}.{commits}"


def _table(report: Report) -> Iterator[str]:
    rows = ["| Scope | Verdict | Errors | Warnings | Why checked |", "|---|---|---|---|---|"]
    found = report.findings_by_scope()
    for scope in report.scopes:
        findings = found[scope.path]
        counts = Counts.of(findings)
        passed = report.scope_verdict(findings) is Verdict.PASS
        word = "removed" if scope.reason == "removed" else "✅ passes" if passed else "❌ fails"
        rows.append(f"| {escape(scope.path)} | {word} | {counts.error} | {counts.warning} | {escape(scope.reason)} |")
    if report.scopes:
        yield "\n".join(rows)


def _findings(report: Report) -> Iterator[str]:
    for path, findings in report.findings_by_scope().items():
        if findings:
            yield f"### {escape(path)}"
            yield "\n".join(_finding(finding) for finding in findings)


def _finding(finding: Finding) -> str:
    place = finding.path if finding.line is None else f"{finding.path}:{finding.line}"
    times = f" ({finding.count} times)" if finding.count > 1 else ""
    times += " (already on the base)" if finding.on_base else ""
    hint = f" {escape(finding.hint)}" if finding.hint else ""
    title = f"{_MARKS[str(finding.level)]} **{finding.rule} {finding.name}**{times}"
    return f"- {title} {code(place)}: {escape(finding.message)}{hint}"


def _preview(report: Report) -> Iterator[str]:
    if rows := results.table(report):
        yield "### Preview of the results table"
        yield rows
    tables = list(pareto.tables(report)) if report.results_preview else []
    if tables:
        yield "### Measured curves"
        yield from tables


def _lists(report: Report) -> Iterator[str]:
    if report.not_run:
        lines = [f"- {item.rule} on {code(item.path)}: {escape(item.reason)}" for item in report.not_run]
        yield "### Could not be judged\n\n" + "\n".join(lines)
    if report.waived:
        lines = [
            f"- WAIVED {item.finding.rule} on {code(item.finding.path)}: {escape(item.reason)}"
            for item in report.waived
        ]
        yield "### Waived\n\n" + "\n".join(lines)
    if report.faults:
        lines = [f"- {fault.rule} on {code(fault.path)}: reference {fault.reference}" for fault in report.faults]
        yield "### Faults of the checker, not of the submission\n\n" + "\n".join(lines)
    if report.notes:
        yield "### Notes\n\n" + "\n".join(f"- {escape(note)}" for note in report.notes)
