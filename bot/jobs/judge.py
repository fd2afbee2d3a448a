"""The part of a check that reads what came from the pull request: from two commits in a mirror to request bodies.

It runs in a process of its own (:mod:`bot.isolated`), so everything here goes in and comes out as plain data.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

from bot import check_run, messages
from bot.check_run import Body
from bot.jobs.question import Answer, Question
from bot.jobs.runs import Target
from bot.jobs.verdict import verdict
from bot.mirror import CredentialsRefusedError, DamagedMirrorError, MalformedObjectError, Mirror, MirrorError

__all__ = ["Answer", "Question", "Target", "judge"]

SEVERITY = ("success", "failure", "action_required")
"""Conclusions from the best to the worst: what could not be judged is tried again, so nothing may hide it."""

MALFORMED = "An object of this pull request is malformed"
MALFORMED_BASE = "An object of the base branch is malformed, not your submission"


def judge(question: Question) -> Answer:
    """Checks what differs between merge base and head, as merged into the base, by the configuration at the base.

    Of several targets the worst outcome is given, with a line for each. What the pull request itself makes impossible
    is an answer too. Raises whatever is the bot's own fault.
    """
    mirror = Mirror(question.settings, question.repository_id, question.repository)
    try:
        with mirror.reading():
            begun = time.monotonic()
            if refused := [body for target in question.targets if (body := _fetch(question, target, mirror))]:
                return Answer((max(refused, key=lambda body: SEVERITY.index(body["conclusion"])),))
            fetched = time.monotonic()
            answer = _worst(question.targets, [verdict(question, target, mirror) for target in question.targets])
            return replace(answer, seconds={"fetch": fetched - begun, "rules": time.monotonic() - fetched})
    except DamagedMirrorError as error:
        mirror.renew(question.token)
        return Answer(retry=error.reason)
    except MirrorError as error:
        if not error.retryable:
            raise
        return Answer(retry=error.reason, token_refused=isinstance(error, CredentialsRefusedError))


def _fetch(question: Question, target: Target, mirror: Mirror) -> Body | None:
    """Gets head and base; the body that completes the run where git refuses an object of either. Raises MirrorError."""
    try:
        mirror.fetch(question.head_sha, target.base_sha, target.number, question.token)
    except MalformedObjectError as error:
        reason = f"{error.reason} (see git fsck)."
        if _base_is_refused(question, target, mirror):
            return check_run.base_fault(MALFORMED_BASE, target.base_sha, reason, messages.MEND_OBJECT)
        return check_run.rejected(MALFORMED, reason, "Make the commits anew, without the object that git refuses.")
    return None


def _base_is_refused(question: Question, target: Target, mirror: Mirror) -> bool:
    """Whether git refuses an object of the base branch's own history, whatever the pull request brings."""
    try:
        mirror.fetch(target.base_sha, target.base_sha, None, question.token)
    except MalformedObjectError:
        return True
    return False


def _worst(targets: Sequence[Target], answers: Sequence[Answer]) -> Answer:
    """The worst of ``answers``, the first of equals; with several, its texts name every target and its outcome."""
    worst = max(answers, key=lambda answer: SEVERITY.index(answer.bodies[-1]["conclusion"]))
    if len(answers) == 1:
        return worst
    told = [_told(target, answer.bodies[-1]) for target, answer in zip(targets, answers, strict=True)]
    notes = tuple(note for answer in answers for note in answer.notes)
    return replace(worst, bodies=tuple(check_run.together(worst.bodies, told)), notes=notes)


def _told(target: Target, body: Body) -> str:
    where = f"#{target.number} into {target.base_ref} at {target.base_sha}"
    return f"{where}: {body['conclusion']}, {body['output']['title']}"
