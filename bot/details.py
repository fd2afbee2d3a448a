"""The details of a check run: every finding as a list, as many as GitHub takes."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from bot import lines, messages
from bot.annotations import urgency
from bot.markdown import clipped, size
from checks.findings import Report
from checks.markdown import escape


def details(report: Report, limit: int) -> str:
    """Every finding as a list, scope by scope, in at most ``limit`` bytes; empty without findings.

    Where not all have room the most urgent ones stand, in the order of the tree, and a line says so.
    """
    items = {index: lines.finding_line(lines.brief(finding)) for index, finding in enumerate(report.findings)}
    whole = _listing(report, items, items)
    if size(whole) <= limit:
        return whole
    total = messages.counted(len(report.findings), "finding")
    room = limit - size(messages.DETAILS_CUT.format(shown=len(items), total=total)) - 2
    kept = _kept(report, items, room)
    return f"{_listing(report, items, kept)}\n\n{messages.DETAILS_CUT.format(shown=len(kept), total=total)}"


def _kept(report: Report, items: dict[int, str], room: int) -> set[int]:
    """The findings, most urgent first, that have room with the headings of their scopes."""
    kept: set[int] = set()
    headed: set[str] = set()
    for index in sorted(items, key=lambda at: urgency(report.findings[at], report.base_counts)):
        scope = report.findings[index].scope
        room -= size(items[index]) + 1 + (0 if scope in headed else size(_heading(scope)) + 4)
        if room < 0:
            break
        kept.add(index)
        headed.add(scope)
    return kept


def _listing(report: Report, items: dict[int, str], kept: Collection[int]) -> str:
    return "\n\n".join(_parts(report, items, kept))


def _parts(report: Report, items: dict[int, str], kept: Collection[int]) -> Iterator[str]:
    """For each scope with findings that are kept its heading and their list."""
    by_scope: dict[str, list[int]] = {path: [] for path in report.findings_by_scope()}
    for index, finding in enumerate(report.findings):
        if index in kept:
            by_scope[finding.scope].append(index)
    for path, indices in by_scope.items():
        if indices:
            yield _heading(path)
            yield "\n".join(items[index] for index in indices)


def _heading(path: str) -> str:
    return f"#### {escape(clipped(messages.scope_name(path), lines.PIECE_BYTES))}"
