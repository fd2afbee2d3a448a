"""The one comment that the bot keeps up to date on a pull request, where the configuration asks for it.

It is made when there is something to mend, changed in place with each result, and never made again; pull requests that
pass from the start get none. It names its commit, so that it can't be taken for the state of a newer one.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass

from bot import messages
from bot.account import Context
from bot.github import Installation, Refused
from bot.markdown import clipped, link
from checks.findings import Report, Verdict
from checks.markdown import code, escape

LOG = logging.getLogger(__name__)

MARK = "<!-- submission-bot summary -->"
TITLE_BYTES = 1_000
PASSES = "Nothing is to be mended."
SEE_CHECK = "Each finding with its place stands in the check {name}."


@dataclass(frozen=True, slots=True)
class Note:
    """What the comment on pull request ``number`` says; ``begin`` is whether there is a reason to begin with one."""

    number: int
    body: str
    begin: bool


def note(report: Report, context: Context, check_name: str) -> Note | None:
    """The comment for a report, naming nothing that is not in the check's title; None where none is asked for."""
    if context.number is None or not context.policy.comment:
        return None
    clean = report.verdict is Verdict.PASS and not report.counts.warning
    name = code(check_name)
    details = link("Full report", context.details_url) if context.details_url else SEE_CHECK.format(name=name)
    when = f", {context.checked_at:%Y-%m-%d %H:%M:%S} UTC" if context.checked_at else ""
    where = f"{name} at head {code(context.head_sha)}, base {code(context.base_sha)}"
    body = f"{PASSES if clean else details}\n\n{where}, {messages.PRODUCT} {escape(report.version)}{when}."
    title = escape(clipped(messages.title(report), TITLE_BYTES))
    return Note(context.number, f"**{title}**\n\n{body}\n\n{MARK}", not clean)


def keep(installation: Installation, app_id: int, repository: str, wanted: Note) -> bool:
    """Brings the comment up to date; returns whether something was written.

    Raises what a later attempt may mend; a refusal (a locked conversation) is only logged.
    """
    try:
        comments = installation.comments(repository, wanted.number)
        own = next((one for one in comments if one.app_id == app_id and _is_it(one.body)), None)
        if own is None and wanted.begin:
            installation.create_comment(repository, wanted.number, wanted.body)
        elif own is not None and own.body.strip() != wanted.body.strip():
            installation.update_comment(repository, own.id, wanted.body)
        else:
            return False
        return True
    except Refused as error:
        LOG.warning("a comment was refused", extra={"status": error.status, "reason": error.text})
        return False


def _is_it(body: str) -> bool:
    return body.rstrip().endswith(MARK)
