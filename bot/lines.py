"""Findings, causes and verdicts as lines: rows of the table, items of the lists, texts of annotations.

Everything that came from a pull request is escaped here (:mod:`checks.markdown`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from bot.markdown import clipped
from bot.messages import REMOVED, counted, problems, scope_name
from bot.others import Others
from checks import names
from checks.findings import Counts, Fault, Finding, Level, NotRun, Report, ResultRow, Scope, Verdict, Waived
from checks.formats import results
from checks.markdown import code, escape

CELL_BYTES = 200
"""A name or a reason in the table; longer ones are cut."""

PIECE_BYTES = 400
"""One message or path within a line; the whole text stands in the annotation."""

ON_BASE = "The base of this pull request has it already."
SYMBOLS = {Level.ERROR: "❌", Level.WARNING: "⚠️", Level.NOTICE: "ℹ️"}


def scope_row(scope: Scope, findings: Iterable[Finding], report: Report) -> str:
    """One line of the table of what was checked."""
    found = tuple(findings)
    counts = Counts.of(found)
    name, reason = (clipped(text, CELL_BYTES) for text in (scope_name(scope.path), scope.reason))
    cells = (name, _verdict(scope, found, report), str(counts.error), str(counts.warning), reason)
    return f"| {' | '.join(map(escape, cells))} |"


def _verdict(scope: Scope, findings: tuple[Finding, ...], report: Report) -> str:
    if scope.reason == REMOVED:
        return "➖ removed"
    if any(fault.scope == scope.path for fault in report.faults):
        return "🔧 checker fault"
    if report.scope_verdict(findings) is Verdict.PASS:
        return "✅ passes"
    return f"❌ {problems(Counts.of(report.counted(findings)), report.strict)}"


def others_row(others: Others, strict: bool) -> str:
    """The line of the table for all that a shared code image reaches at other submitters; it names nobody."""
    name = f"{counted(others.submitters, 'other submitter')}, {counted(others.scopes, 'part')}"
    failed = f"❌ {problems(others.counts, strict)}"
    verdict = "🔧 checker fault" if others.faults else "✅ passes" if others.verdict is Verdict.PASS else failed
    cells = (name, verdict, str(others.counts.error), str(others.counts.warning), "what they share changed")
    return f"| {' | '.join(map(escape, cells))} |"


def result_row(row: ResultRow) -> str:
    """A line of the preview of the results table."""
    return f"| {' | '.join(escape(clipped(cell, CELL_BYTES)) for cell in results.cells(row))} |"


def rule_name(finding: Finding) -> str:
    """``2.1.7 systemsDirectoryFiles``: the title of annotations."""
    return f"{finding.rule} {finding.name}".strip()


def finding_text(finding: Finding, about: str | None = None) -> str:
    """Message, hint and number of occurrences as plain text; ``about`` names the path that it is really about."""
    lines = [f"{names.shown_path(about)}:" if about is not None else None, names.shown(finding.message)]
    lines.append(names.shown(finding.hint) if finding.hint else None)
    lines.append(f"Found {finding.count} times." if finding.count > 1 else None)
    lines.append(ON_BASE if finding.on_base else None)
    return "\n".join(line for line in lines if line)


def finding_line(finding: Finding) -> str:
    """A finding as one list item."""
    level = finding.level or Level.ERROR
    place = names.shown_path(finding.path) + (f":{finding.line}" if finding.line else "")
    words = " ".join(filter(None, (finding.message, finding.hint)))
    times = f" ({finding.count} times)" if finding.count > 1 else ""
    times += " (already on the base)" if finding.on_base else ""
    return f"- {SYMBOLS[level]} {level} **{escape(rule_name(finding))}** {code(place)}: {escape(words)}{times}"


def cause_line(findings: list[Finding]) -> str:
    """One cause and its findings as one list item."""
    first = findings[0]
    where = f" in {counted(len({finding.scope for finding in findings}), 'place')}" if len(findings) > 1 else ""
    words = escape(" ".join(filter(None, (first.message, first.hint))))
    path = code(names.shown_path(first.path))
    return f"- **{escape(rule_name(first))}**, {counted(len(findings), 'finding')}{where}, first on {path}: {words}"


def not_run_line(not_run: NotRun) -> str:
    """A rule that could not be judged, as one list item."""
    return (
        f"- {escape(not_run.rule)} on {code(names.shown_path(not_run.path or not_run.scope))}: {escape(not_run.reason)}"
    )


def waived_line(waived: Waived) -> str:
    """A waived finding, as one list item."""
    finding = waived.finding
    until = f" until {waived.until}" if waived.until else ""
    return f"- WAIVED **{escape(rule_name(finding))}** {code(finding.path)}{until}: {escape(waived.reason)}"


def fault_line(fault: Fault) -> str:
    """The checker's own fault on one rule, as one list item."""
    place = code(names.shown_path(fault.path))
    return f"- {escape(fault.rule)} on {place} could not be judged. Reference {code(fault.reference)}."


def brief(finding: Finding) -> Finding:
    """The finding with its texts short enough for one line."""
    hint = clipped(finding.hint, PIECE_BYTES) if finding.hint else None
    path = clipped(names.shown_path(finding.path), PIECE_BYTES)
    return replace(finding, path=path, message=clipped(finding.message, PIECE_BYTES), hint=hint)


def brief_not_run(one: NotRun) -> NotRun:
    """The same for a rule that could not be judged."""
    path = clipped(names.shown_path(one.path or one.scope), PIECE_BYTES)
    return replace(one, path=path, reason=clipped(one.reason, PIECE_BYTES))


def brief_waived(one: Waived) -> Waived:
    """The same for a waived finding."""
    return replace(one, finding=brief(one.finding), reason=clipped(one.reason, PIECE_BYTES))
