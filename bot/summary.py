"""The summary and the details of a check run: what people see first, as Markdown within GitHub's limit of bytes."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from bot import lines, messages
from bot.annotations import Placed
from bot.markdown import Block, clipped, fitted, link
from bot.others import Others
from bot.policy.model import DEFAULT, Policy
from checks import names
from checks.findings import Finding, Level, NotRun, Report, Verdict, Waived
from checks.formats import pareto, results
from checks.markdown import code, escape, fenced

LIMIT_BYTES = 65_535
"""Of summary and of text, each; bytes, not characters (https://github.com/github/docs/issues/35252)."""

PIECE_BYTES = 400
"""One message or path within a line; the whole text stands in the annotation."""

CAUSES = 5
LINES = 10
"""Lines of the list of causes, and of every other list of the summary."""

LIST_SHARE = 0.15
"""Part of the summary that one list may take, so that there is always room for the table."""

ROWS_IN_ORDER = 100
"""Up to here a table is read in the order of the tree; a longer one begins with what fails."""


@dataclass(frozen=True, slots=True)
class Sights:
    """When the bot first saw the head commit, and its tree, which an earlier head of the pull request may have had too.

    Times are UTC.
    """

    head: datetime.datetime
    tree_sha: str
    tree: datetime.datetime


@dataclass(frozen=True, slots=True)
class Context:
    """What the texts need besides the report.

    ``changed_files`` are the changed paths that are files in the head tree, ``is_file`` tells whether any path of the
    head tree is one; both in the inside form of :mod:`checks.names`, and only files that were judged as the head has
    them. ``number`` is None for a merge group. ``base_sha``
    is the base branch's commit; the merge base stands in the report. ``merged_into`` names the base branch where the
    head was judged as merged into it.
    """

    repository: str
    number: int | None
    head_sha: str
    base_sha: str
    details_url: str | None = None
    changed_files: frozenset[str] = frozenset()
    is_file: Callable[[str], bool] | None = None
    policy: Policy = DEFAULT
    checked_at: datetime.datetime | None = None
    sights: Sights | None = None
    merged_into: str | None = None


def summary(report: Report, context: Context, chosen: Placed, others: Others | None = None) -> str:
    """Table, causes, what was not judged, what is waived, and where all this comes from; at most LIMIT_BYTES.

    ``report`` is without what concerns other submitters, which ``others`` sums up.
    """
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
        _list(messages.NOT_RUN, [lines.not_run_line(_brief_not_run(one)) for one in report.not_run]),
        _list(messages.WAIVED, [lines.waived_line(_brief_waived(one)) for one in report.waived]),
        *_preview(report),
        _list(messages.NOTES, list(_notes(report, context))),
        Block("\n\n".join(_account(report, context, chosen)), rank=-1),
    ]
    return fitted([block for block in blocks if block.head], LIMIT_BYTES)


def details(report: Report) -> str:
    """Every finding as a list, scope by scope; empty without findings, cut at LIMIT_BYTES between lines."""
    listing: list[str] = []
    for path, findings in report.findings_by_scope().items():
        if findings:
            listing += ["", f"#### {escape(clipped(messages.scope_name(path), PIECE_BYTES))}", ""]
            listing += [lines.finding_line(_brief(finding)) for finding in findings]
    cut = "\n" + messages.DETAILS_CUT.format(total=messages.counted(len(report.findings), "finding"))
    return fitted([Block("", listing[1:], lambda _: cut)], LIMIT_BYTES)


def _table(report: Report, others: Others | None) -> Block:
    found = report.findings_by_scope()
    removed = [scope for scope in report.scopes if scope.reason == messages.REMOVED]
    scopes = [*messages.scopes_of(report), *removed]
    if len(scopes) > ROWS_IN_ORDER:
        scopes.sort(key=lambda scope: report.scope_verdict(found.get(scope.path, ())) is not Verdict.FAIL)
    rows = [lines.others_row(others, report.strict)] if others else []
    rows += [lines.scope_row(scope, found.get(scope.path, ()), report) for scope in scopes]
    return Block(messages.TABLE_HEAD if rows else "", rows, messages.MORE_ROWS.format, rank=1)


def _list(heading: str, items: list[str], most: int = LINES) -> Block:
    """At most ``most`` items under a heading; an empty block without items."""
    rest = len(items) - most
    shown = items[:most] + ([messages.MORE_LINES.format(rest)] if rest > 0 else [])
    return Block(f"{heading}\n" if items else "", shown, messages.MORE_LINES.format, share=LIST_SHARE)


def _causes(report: Report, *, on_base: bool) -> list[list[Finding]]:
    """What fails the check, by cause, the most frequent first: what the base has already, or what is new."""
    grouped: dict[tuple[str, str], list[Finding]] = {}
    for finding in (one for one in report.findings if one.on_base is on_base):
        level = finding.level or Level.ERROR
        if level is Level.ERROR or (report.strict and level is Level.WARNING):
            grouped.setdefault((finding.rule, finding.cause or ""), []).append(_brief(finding))
    return sorted(grouped.values(), key=len, reverse=True)


def _preview(report: Report) -> Iterator[Block]:
    """The rows that the changed systems would have in the results table, where the configuration asks for them."""
    if not report.results_preview:
        return
    if rows := [lines.result_row(row) for row in report.results]:
        yield Block(f"{messages.PREVIEW}\n\n{results.HEAD}", rows, messages.MORE_ROWS.format, share=LIST_SHARE)
    for number, table in enumerate(pareto.tables(report)):
        heading = f"{messages.PREVIEW}\n\n" if number == 0 and not rows else ""
        yield Block(f"{heading}{table}", share=LIST_SHARE)


def _brief(finding: Finding) -> Finding:
    """The finding with its texts short enough for one line."""
    hint = clipped(finding.hint, PIECE_BYTES) if finding.hint else None
    path = clipped(names.shown_path(finding.path), PIECE_BYTES)
    return replace(finding, path=path, message=clipped(finding.message, PIECE_BYTES), hint=hint)


def _brief_not_run(one: NotRun) -> NotRun:
    path = clipped(names.shown_path(one.path or one.scope), PIECE_BYTES)
    return replace(one, path=path, reason=clipped(one.reason, PIECE_BYTES))


def _brief_waived(one: Waived) -> Waived:
    return replace(one, finding=_brief(one.finding), reason=clipped(one.reason, PIECE_BYTES))


def _notes(report: Report, context: Context) -> Iterator[str]:
    for note in report.notes:
        yield f"- {escape(clipped(note, PIECE_BYTES))}"
    for rule, address in messages.disputed_rules(report, context.policy.disputed).items():
        yield f"- {escape(rule)} is disputed and reported as a warning: {link(address, address)}"


def _account(report: Report, context: Context, chosen: Placed) -> Iterable[str]:
    """What was looked at, from which commits and by which rules, and how to see the same elsewhere."""
    limit = context.policy.annotations.limit
    shown = len(chosen.annotations)
    yield " ".join(
        filter(
            None,
            (
                messages.annotated(report, shown, chosen.without_file, chosen.beyond_limit, limit),
                messages.coverage(report),
            ),
        )
    )
    yield _origin(report, context)
    if context.merged_into:
        yield messages.MERGED_INTO.format(ref=code(context.merged_into), base=code(context.base_sha))
    if context.sights:
        yield _first_sights(context.sights)
    yield f"{messages.AT_HOME}\n\n{fenced(_command(context), 'sh')}"
    if context.details_url:
        yield f"{link('Full report', context.details_url)} with every finding."


def _origin(report: Report, context: Context) -> str:
    merge_base = f" (merge base {code(report.base)})" if report.base and report.base != context.base_sha else ""
    rules = f"; rules {escape(report.rules)}, edition {escape(report.edition)}" if report.rules else ""
    when = f"; {context.checked_at:%Y-%m-%d %H:%M:%S} UTC" if context.checked_at else ""
    return (
        f"Head {code(context.head_sha)}, base {code(context.base_sha)}{merge_base}{rules}; "
        f"{messages.PRODUCT} {escape(report.version)}{when}."
    )


def _first_sights(sights: Sights) -> str:
    head, tree = f"{sights.head:%Y-%m-%d %H:%M:%S} UTC", f"{sights.tree:%Y-%m-%d %H:%M:%S} UTC"
    return f"This head was first seen {head}, its content (tree {code(sights.tree_sha)}) {tree}."


def _command(context: Context) -> str:
    merged = " --merged" if context.merged_into else ""
    return (
        f"git fetch origin {context.base_sha} {context.head_sha}\n"
        f"submission-bot check --repo . --base {context.base_sha} --head {context.head_sha}{merged}"
    )
