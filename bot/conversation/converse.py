"""Answers a command: who may give it, what it does, and the record of that. Handlers of the event queue.

A waiver is recorded first, by an answer in the conversation, and takes effect then: where GitHub takes no comment there
is no waiver. A job that is started again finds its own answer and goes on from there.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any

from bot.conversation import answers, refusals, texts, waivers
from bot.conversation.answers import RECORDED, UNKNOWN, UNPERMITTED
from bot.conversation.commands import (
    Command,
    Explain,
    MisusedError,
    MisusedExplainError,
    Recheck,
    Unknown,
    Unwaive,
    Waive,
    parse,
)
from bot.conversation.explain import explained
from bot.conversation.turn import Turn
from bot.conversation.waivers import GivenWaiver
from bot.github import Comment, Installation, Refused
from bot.jobs.context import Context, Outcome, patience
from bot.queue import Job
from bot.work import CheckHead, Pressed, Said
from checks.markdown import code

LOG = logging.getLogger(__name__)

WRITERS = frozenset({"admin", "write"})
"""Permissions that GitHub gives roles which may write (maintain among them)."""


def said(context: Context, job: Job, work: Said) -> Outcome:
    """Follows a command. Raises LaterError, GivenUpError, Suspended; a refused answer is only logged."""
    with patience(job):
        installation = context.github.installation(work.place.installation_id)
        try:
            return _answer(context, job, work, installation, _read(work.text))
        except Refused as error:
            LOG.warning("an answer was refused", extra={"job": job.id, "status": error.status, "reason": error.text})
            return Outcome.DONE


def pressed(context: Context, job: Job, work: Pressed) -> Outcome:
    """Follows a button of a check run, for people who may write. Raises as :func:`said`."""
    with patience(job):
        installation = context.github.installation(work.place.installation_id)
        if installation.permission(work.place.repository, work.author) not in WRITERS:
            LOG.info("a button was pressed without permission", extra={"job": job.id})
            return Outcome.DONE
    head = CheckHead(work.place, work.head_sha, work.numbers, work.cause, forced=True)
    context.intake.accept(f"{job.payload['delivery']}-button", work.cause, "", head)
    return Outcome.DONE


def _answer(
    context: Context, job: Job, work: Said, installation: Installation, command: Command | MisusedError
) -> Outcome:
    conversation = answers.read(installation, work, int(context.settings.app_id))
    turn = Turn(context, job, work, installation, conversation)
    known = conversation.given()
    if known is not None and not answers.was_recorded(known):
        return Outcome.DONE
    if isinstance(command, Unknown):
        _once(turn, UNKNOWN, texts.unknown(command.word))
    elif known is None and not _permitted(turn, command):
        _once(turn, UNPERMITTED, texts.UNPERMITTED)
    elif isinstance(command, MisusedError):
        turn.say(texts.misused(str(command)))
    else:
        FOLLOW[type(command)](turn, command, known)
    return Outcome.DONE


def _read(text: str) -> Command | MisusedError:
    try:
        return parse(text)
    except MisusedError as error:
        return error


def _once(turn: Turn, kind: str, text: str) -> None:
    if not turn.answers.told_before(kind):
        turn.say(text, kind)


def _permitted(turn: Turn, command: Command | MisusedError) -> bool:
    """People who may write; explanations are for the author of the pull request too, who has to mend it."""
    if isinstance(command, Explain | MisusedExplainError) and turn.said.author == turn.said.pull_author:
        return True
    return turn.installation.permission(turn.said.place.repository, turn.said.author) in WRITERS


def _explain(turn: Turn, command: Explain, _known: Comment | None) -> None:
    turn.say(explained(command.rule) or texts.UNKNOWN_RULE.format(rule=code(command.rule)))


def _recheck(turn: Turn, command: Recheck, known: Comment | None) -> None:
    pull = turn.pull()
    sha = code(pull.head_sha)
    if known is None and (refusal := refusals.of_recheck(command, pull, turn.result(pull))):
        turn.say(refusal)
        return
    if known is None:
        scope = code(command.scope or "")
        text = texts.RECHECKED_SCOPE.format(scope=scope, sha=sha) if command.scope else texts.RECHECKED.format(sha=sha)
        turn.say(text, RECORDED)
    turn.check_again(pull)


def _waive(turn: Turn, command: Waive, known: Comment | None) -> None:
    pull = turn.pull()
    if known is None:
        result = turn.result(pull)
        if refusal := refusals.of_waiver(command, pull, result):
            turn.say(refusal)
            return
        assert result is not None, "without a result a waiver is refused"
        findings = len(result.matching(waivers.as_policy(command)))
        known = turn.say(texts.recorded(command, turn.said.author, findings, pull), RECORDED)
    with turn.context.store.session() as session:
        waivers.give(session, _given(turn.said, command, known))
    turn.check_concerned(pull, waivers.as_policy(command))


def _given(said: Said, command: Waive, record: Comment) -> GivenWaiver:
    return GivenWaiver(
        repository_id=said.place.repository_id,
        number=said.number,
        rule=command.rule,
        path=command.path,
        reason=command.reason,
        until=command.until,
        author=said.author,
        comment_id=said.comment_id,
        record_id=record.id,
    )


def _unwaive(turn: Turn, command: Unwaive, known: Comment | None) -> None:
    place = turn.said.place
    if known is None and not waivers.count(turn.context.store, place.repository_id, command):
        turn.say(texts.NOT_GIVEN.format(rule=code(command.rule), path=code(command.path)))
        return
    pull = turn.pull()
    if known is None:
        turn.say(texts.taken_back(command, turn.said.author, pull), RECORDED)
    with turn.context.store.session() as session:
        waivers.take_back(session, place.repository_id, command, turn.said.author)
    turn.check_concerned(pull, waivers.ended(command))


FOLLOW: Mapping[type[Any], Callable[[Turn, Any, Comment | None], None]] = {
    Explain: _explain,
    Recheck: _recheck,
    Waive: _waive,
    Unwaive: _unwaive,
}
"""What each command does; the comment is its record where the job had come so far before."""
