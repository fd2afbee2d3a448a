"""The end of a summary: what was looked at, from which commits and by which rules, and how to repeat it."""

from __future__ import annotations

import datetime
import shlex
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from bot import messages
from bot.annotations import Placed
from bot.markdown import link
from bot.policy.model import DEFAULT, Policy
from checks import names
from checks.findings import Report
from checks.markdown import code, escape, fenced


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
    head was judged as merged into it, ``author`` who owns the pull request. ``comparisons`` is for how many targets the
    head is judged in this check.
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
    author: str | None = None
    comparisons: int = 1


def account(report: Report, context: Context, chosen: Placed) -> Iterable[str]:
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
    if waived_by_command(report, context.policy):
        yield messages.WAIVED_BY_COMMAND
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
    author = f" --author {shlex.quote(context.author)}" if context.author and context.policy.owners else ""
    return (
        f"git fetch origin {context.base_sha} {context.head_sha}\n"
        f"submission-bot check --repo . --base {context.base_sha} --head {context.head_sha}{merged}{author}"
    )


def waived_by_command(report: Report, policy: Policy) -> bool:
    """Whether anything is set aside by a waiver that only the service knows."""
    given = [waiver for waiver in policy.waivers if waiver.author is not None]
    found = [(one.finding.rule, names.inside_path(one.finding.path)) for one in report.waived] if given else []
    return any(waiver.matches(*finding) for waiver in given for finding in found)
