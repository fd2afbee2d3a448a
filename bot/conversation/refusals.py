"""Why a command is not followed, in words for its answer; None where nothing stands against it. Pure."""

from __future__ import annotations

import datetime

from bot.conversation import texts, waivers
from bot.conversation.commands import Recheck, Waive
from bot.conversation.results import Result
from bot.github import PullRequest
from bot.rule_ids import known_rules
from checks.markdown import code


def of_recheck(command: Recheck, pull: PullRequest, result: Result | None) -> str | None:
    """A pull request that is not open, or a part that the last check does not have."""
    if pull.state != "open":
        return texts.NOT_OPEN
    if command.scope is None or (result is not None and result.has_scope(command.scope)):
        return None
    return texts.UNKNOWN_SCOPE.format(scope=code(command.scope), sha=code(pull.head_sha))


def of_waiver(command: Waive, pull: PullRequest, result: Result | None) -> str | None:
    """A rule that is not known, a day that is past, or anything but findings in one part of the last check, now and
    later: a waiver holds for all that comes up to its day.
    """
    rule, sha = code(command.rule), code(pull.head_sha)
    if command.rule not in known_rules():
        return texts.UNKNOWN_RULE.format(rule=rule)
    if command.until < datetime.datetime.now(datetime.UTC).date():
        return texts.PAST.format(until=command.until)
    if result is None:
        return texts.NO_REPORT.format(sha=sha)
    waiver, path = waivers.as_policy(command), code(command.path)
    places = {one["scope"] for one in result.matching(waiver)}
    if not places:
        return texts.NO_FINDING.format(rule=rule, path=path, sha=sha)
    if len(places) > 1:
        return texts.SEVERAL.format(number=len(places))
    return None if result.holds(waiver, *places) else texts.TOO_WIDE.format(path=path)
