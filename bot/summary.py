"""The summary of a check run: what people see first, as Markdown within GitHub's limit of bytes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from bot import lines, messages
from bot.account import Context, account, waived_by_command
from bot.annotations import Placed
from bot.markdown import Block, clipped, fitted, link
from bot.others import Others
from checks.findings import Finding, Level, Report, Scope, Verdict
from checks.formats import pareto, results
from checks.markdown import escape

LIMIT_BYTES = 65_535
"""Of summary and of text, each; bytes, not characters (https://github.com/github/docs/issues/35252)."""

CAUSES = 5
LINES = 10
"""Lines of the list of causes, and of every other list of the summary."""

LIST_SHARE = 0.15
"""Part of the summary that one list may take, so that there is always room for the table."""

PREVIEW_SHARE = 0.5
"""Part of the summary that all previews may take together, of what the table of verdicts leaves."""

COMPARISONS_BYTES = 8_000
"""Kept free for the list of comparisons where one commit is judged for several pull requests."""

ROWS_IN_ORDER = 100
"""Up to here a table is read in the order of the tree; a longer one begins with what fails."""


def summary(report: Report, context: Context, chosen: Placed, others: Others | None = None) -> str:
    """Table, causes, what was not judged, what is waived, and where all this comes from; at most LIMIT_BYTES.

    ``report`` is without what concerns other submitters, which ``others`` sums up. Where the context has several
    comparisons, room is left for a list of them.
    """
    limit = LIMIT_BYTES - (COMPARISONS_BYTES if context.comparisons > 1 else 0)
    unchanged = others is None and not messages.scopes_of(report) and not messages.own_fault(report)
    blocks = [
        Block(messages.NO_CHANGE_SUMMARY if unchanged else "", rank=-1),
        _table(report, others),
        _list(messages.MEND_FIRST, [lines.cause_line(cause) for cause in _causes(report, on_base=False)], CAUSES),
        _list(
            messages.ON_BASE if report.base_counts else messages.ON_BASE_PASSES,
            [lines.cause_line(cause) for cause in _causes(report, on_base=True)],
            CAUSES,
        ),
        _list(messages.FAULTS, [lines.fault_line(fault) for fault in report.faults]),
        _list(messages.NOT_RUN, [lines.not_run_line(lines.brief_not_run(one)) for one in report.not_run]),
        _waived(report, context),
        *_preview(report),
        _list(messages.NOTES, list(_notes(report, context)), more=messages.MORE),
        Block("\n\n".join(account(report, context, chosen)), rank=-1),
    ]
    return fitted([block for block in blocks if block.head], limit)


def _table(report: Report, others: Others | None) -> Block:
    """What was checked, in the order of the tree as long as that has room; else what fails comes first."""
    found = report.findings_by_scope()
    removed = [scope for scope in report.scopes if scope.reason == messages.REMOVED]
    scopes = [*messages.scopes_of(report), *removed]
    rows = [(scope, lines.scope_row(scope, found.get(scope.path, ()), report)) for scope in scopes]
    first = [lines.others_row(others, report.strict)] if others else []
    ordered = [*first, *(row for _, row in rows)]
    heaviest = [*first, *(row for _, row in sorted(rows, key=lambda row: _passes(report, row[0], found)))]
    shown = heaviest if len(scopes) > ROWS_IN_ORDER else ordered
    head = messages.TABLE_HEAD if ordered else ""
    return Block(head, shown, messages.MORE_ROWS.format, rank=1, heaviest=heaviest)


def _passes(report: Report, scope: Scope, found: Mapping[str, Sequence[Finding]]) -> bool:
    """Whether nothing in a scope failed, neither its rules nor the checker."""
    faulty = any(fault.scope == scope.path for fault in report.faults)
    return not faulty and report.scope_verdict(found.get(scope.path, ())) is Verdict.PASS


def _list(heading: str, items: list[str], most: int = LINES, more: str = messages.MORE_LINES) -> Block:
    """At most ``most`` items under a heading; an empty block without items."""
    return Block(f"{heading}\n" if items else "", items, more.format, share=LIST_SHARE, most=most)


def _waived(report: Report, context: Context) -> Block:
    items = [lines.waived_line(lines.brief_waived(one)) for one in report.waived]
    more = messages.MORE if waived_by_command(report, context.policy) else messages.MORE_LINES
    return _list(messages.WAIVED, items, more=more)


def _causes(report: Report, *, on_base: bool) -> list[list[Finding]]:
    """What fails the check, by cause, the most frequent first: what the base has already, or what is new."""
    grouped: dict[tuple[str, str], list[Finding]] = {}
    for finding in (one for one in report.findings if one.on_base is on_base):
        level = finding.level or Level.ERROR
        if level is Level.ERROR or (report.strict and level is Level.WARNING):
            grouped.setdefault((finding.rule, finding.cause or ""), []).append(lines.brief(finding))
    return sorted(grouped.values(), key=len, reverse=True)


def _preview(report: Report) -> Iterator[Block]:
    """The rows and curves that the changed systems would have in the results table, where the configuration asks for
    them. They get what room the table of verdicts leaves, and no more than their share together.
    """
    if not report.results_preview:
        return
    rows = [lines.result_row(row) for row in report.results]
    tables = [f"\n{table}" for table in pareto.tables(report)]
    share = PREVIEW_SHARE / (2 if rows and tables else 1)
    if rows:
        head = f"{messages.PREVIEW}\n\n{results.HEAD}"
        yield Block(head, rows, messages.MORE_PREVIEW_ROWS.format, rank=2, share=share)
    if tables:
        yield Block(messages.CURVES, tables, messages.MORE_CURVES.format, rank=2, share=share)


def _notes(report: Report, context: Context) -> Iterator[str]:
    for note in report.notes:
        yield f"- {escape(clipped(note, lines.PIECE_BYTES))}"
    for rule, address in messages.disputed_rules(report, context.policy.disputed).items():
        yield f"- {escape(rule)} is disputed and reported as a warning: {link(address, address)}"
