"""What is done for each queue's jobs, and what becomes of a job that fails."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from sqlalchemy import update

from bot import check_run
from bot.conversation.converse import pressed, said
from bot.github import GitHubError, Suspended
from bot.isolated import CrashedError, TooSlowError
from bot.jobs.announce import announce, announce_group, close_pull, drop_group
from bot.jobs.check import check
from bot.jobs.context import Context, GivenUpError, Outcome, patience
from bot.jobs.expand import base_moved, check_head, installed
from bot.jobs.records import finish_delivery, repository, save_run
from bot.jobs.sweep import sweep
from bot.orders import CHECKS, EVENTS, LaterError
from bot.queue import Handler, Job
from bot.store import CheckRequest, Repository
from bot.work import (
    BaseMoved,
    CheckGroup,
    CheckHead,
    CheckPull,
    ClosePull,
    DropGroup,
    Installed,
    Place,
    Pressed,
    Said,
    Work,
    decode,
    installation_of,
)

LOG = logging.getLogger(__name__)

SAYABLE = (GivenUpError, TooSlowError)
"""Faults whose text a submitter may read; of others only the kind is said, since their texts may hold anything."""


def handlers(context: Context) -> Mapping[str, Handler]:
    """The handler of each queue."""
    return {EVENTS: lambda job: _event(context, job), CHECKS: lambda job: _check(context, job)}


def _event(context: Context, job: Job) -> str:
    if job.payload.get("sweep"):
        return sweep(context, job)
    outcome = _follow(context, job)
    if outcome is not Outcome.QUEUED:
        with context.store.session() as session:
            finish_delivery(session, str(job.payload["delivery"]), DELIVERED.get(outcome, "done"))
    return outcome


DELIVERED = {Outcome.FAILED: "failed", Outcome.GIVEN_UP: "failed", Outcome.PARKED: "parked"}
"""How a delivery is noted (:class:`bot.store.Delivery`) whose event ended in a certain way; others are done."""


def _follow(context: Context, job: Job) -> Outcome:
    work = decode(job.payload["work"])
    try:
        if not isinstance(work, Installed):
            if unwanted := _unwanted(context, work.place.repository_id):
                return unwanted
            work = replace(work, place=_present(context, work.place))
        return DO[type(work)](context, job, work)
    except LaterError:
        raise
    except Suspended:
        return _park(context, installation_of(work))
    except Exception:
        LOG.exception("an event could not be followed", extra={"job": job.id})
        return Outcome.FAILED


DO: Mapping[type[Work], Callable[[Context, Job, Any], Outcome]] = {
    CheckPull: announce,
    ClosePull: close_pull,
    CheckHead: check_head,
    CheckGroup: announce_group,
    DropGroup: drop_group,
    BaseMoved: base_moved,
    Said: said,
    Pressed: pressed,
    Installed: installed,
}
"""The handler of each kind of work. It returns how the event ended, and may raise what :func:`_follow` knows."""


def _unwanted(context: Context, repository_id: int) -> Outcome | None:
    """Why nothing is to be done in a repository: the App was taken away from it, or its installation is suspended."""
    known = repository(context.store, repository_id)
    if known is None:
        return Outcome.DROPPED
    return None if known.active else Outcome.PARKED


def _check(context: Context, job: Job) -> str:
    with context.store.session() as session:
        request = session.get_one(CheckRequest, job.payload["request"])
    if unwanted := _unwanted(context, request.repository_id):
        return _ended(context, request, unwanted)
    at = _present(context, Place(request.repository_id, request.repository, request.installation_id))
    request.repository, request.installation_id = at.repository, at.installation_id
    try:
        return check(context, job, request)
    except LaterError:
        raise
    except Suspended:
        return _ended(context, request, _park(context, request.installation_id))
    except Exception as error:
        return _fault(context, job, request, error)


def _ended(context: Context, request: CheckRequest, outcome: Outcome) -> str:
    with context.store.session() as session:
        finish_delivery(session, request.delivery, DELIVERED.get(outcome, "done"))
    return outcome


def _present(context: Context, place: Place) -> Place:
    """The repository under its present name and installation, which may have changed since the work was ordered: it
    was renamed or given to another account, and neither git nor a token follows that.
    """
    known = repository(context.store, place.repository_id)
    return Place(known.id, known.full_name, known.installation_id) if known else place


def _fault(context: Context, job: Job, request: CheckRequest, error: Exception) -> str:
    """Completes the run as the bot's own fault; the sweep tries again. Raises LaterError until GitHub takes it."""
    reference = uuid.uuid4().hex[:12]
    trace = error.trace if isinstance(error, CrashedError) else ""
    LOG.error("a check failed", exc_info=error, extra={"job": job.id, "reference": reference, "trace": trace})
    why = str(error) if isinstance(error, SAYABLE) else f"It stopped with an unexpected {type(error).__name__}."
    try:
        with patience(job):
            installation = context.github.installation(request.installation_id)
            installation.update_check_run(request.repository, request.run_id, check_run.fault(reference, why))
    except (GivenUpError, GitHubError):
        LOG.exception("the run could not be completed; the sweep tries again", extra={"job": job.id})
        return _ended(context, request, Outcome.FAILED)
    with context.store.session() as session:
        save_run(session, request, "completed", "action_required")
        finish_delivery(session, request.delivery, "fault")
    context.metrics.check("action_required")
    return Outcome.FAILED


def _park(context: Context, installation_id: int) -> Outcome:
    """Leaves a suspended installation alone until it is told that it works again; then the sweep catches up."""
    LOG.warning("installation suspended", extra={"installation": installation_id})
    with context.store.session() as session:
        chosen = Repository.installation_id == installation_id
        session.execute(update(Repository).where(chosen).values(active=False))
    return Outcome.PARKED
