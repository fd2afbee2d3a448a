"""Every answer of the bot in a conversation. What people wrote is escaped here; no answer mentions anybody."""

from __future__ import annotations

from bot.conversation.commands import FORMS, Unwaive, Waive
from bot.github import PullRequest
from bot.messages import counted, listed
from checks.markdown import code, escape

UNPERMITTED = "Thank you, but commands are for people who may write to this repository. Ask a maintainer to give it."
NOT_OPEN = "This pull request is not open, so there is nothing to check."
NO_REPORT = """\
There is no result for the present head {sha} yet. A waiver is for a finding that is there: wait for the check, then \
give the command again."""
UNKNOWN_RULE = "No rule has the id {rule}; `submission-bot rules` lists them. Nothing was changed."
PAST = "The last day {until} lies behind (UTC). Nothing was changed."
NO_FINDING = "No finding of {rule} stands on {path} in the check of {sha}, so there is nothing to waive."
SEVERAL = """\
That would set aside findings in {number} places at once. A command waives in one; for more, write a waiver into \
`.github/submission-checks.yml` on the base branch."""
TOO_WIDE = """\
{path} reaches beyond one system, and would set aside what comes up elsewhere later. Name the file or folder of the \
finding without wildcards, or use them inside one system or code image; for more, write a waiver into \
`.github/submission-checks.yml` on the base branch."""
NOT_GIVEN = """\
No waiver of {rule} on {path} was given by a command. One in `.github/submission-checks.yml` is taken back by a \
change of that file."""
UNKNOWN_SCOPE = """\
The check of {sha} has no part called {scope}; the table of the check names them. Nothing was started."""
RECHECKED = "The present head {sha} is being checked again."
RECHECKED_SCOPE = """\
{scope} is being checked again at the present head {sha}, and with it all that changed, since the verdict is about \
all of it."""
RECORDED = """\
**Waiver recorded.** {author} set {rule} on {path} aside until {until} (UTC): {reason}

It is for {findings} in the check of {sha}, and holds in this repository until its last day. {checked}

To take it back: {unwaive}"""
TAKEN_BACK = "**Waiver taken back.** {author} ended the waiver of {rule} on {path}. {checked}"
CHECKED = "The head {sha} is now checked again, and so are other open pull requests that this concerns."
CHECKED_OTHERS = """\
This pull request is not open and is not checked again; open ones that this concerns are."""


def unknown(word: str) -> str:
    """The answer to a word that is no command; given once in a conversation."""
    return f"I don't know {code('/' + word)}. What I understand from people who may write: {_forms()}"


def misused(reason: str) -> str:
    """The answer to a command without what it needs."""
    return f"{escape(reason)} Nothing was changed."


def recorded(command: Waive, author: str, findings: int, pull: PullRequest) -> str:
    """The record of a waiver."""
    return RECORDED.format(
        author=escape(author),
        rule=code(command.rule),
        path=code(command.path),
        until=command.until,
        reason=escape(command.reason),
        findings=counted(findings, "finding"),
        sha=code(pull.head_sha),
        checked=_checked(pull),
        unwaive=code(f"/unwaive {command.rule} {command.path}"),
    )


def taken_back(command: Unwaive, author: str, pull: PullRequest) -> str:
    """The record of a waiver's end."""
    rule, path = code(command.rule), code(command.path)
    return TAKEN_BACK.format(author=escape(author), rule=rule, path=path, checked=_checked(pull))


def _checked(pull: PullRequest) -> str:
    """What is checked again where the waivers of a repository change by a command on ``pull``."""
    return CHECKED.format(sha=code(pull.head_sha)) if pull.state == "open" else CHECKED_OTHERS


def _forms() -> str:
    return f"{listed([code(form) for form in FORMS])}."
