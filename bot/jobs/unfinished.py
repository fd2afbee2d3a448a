"""Runs that no job brings to their end any more: they are completed with the reason why."""

from __future__ import annotations

import logging

from sqlalchemy import Select, select

from bot import check_run
from bot.check_run import Body
from bot.github import GitHubError, Installation, NotFound, Refused
from bot.jobs.context import Context
from bot.jobs.records import finish_delivery, repository
from bot.queue import MAX_RECOVERIES
from bot.store import CheckRequest, Run

LOG = logging.getLogger(__name__)

WORKERS_ENDED = f"""\
The process that worked on it was ended {MAX_RECOVERIES + 1} times in a row, perhaps for lack of memory."""


def explain_given_up(context: Context) -> None:
    """Completes, as the bot's own fault, the runs whose jobs ended every worker that took them until the queue gave
    them up. Each worker counts as a failed attempt, so that the next one does not come soon.
    """
    for run, request in _given_up(context):
        facts = {"job": request.job, "reference": request.job, "repository": request.repository}
        LOG.error("a check ended every worker that took it", extra=facts)
        run.faults += MAX_RECOVERIES
        try:
            installation = context.github.installation(request.installation_id)
            complete(context, installation, request.repository, run, check_run.fault(request.job, WORKERS_ENDED))
        except GitHubError as error:
            LOG.warning(
                "its run could not be completed; a later sweep tries again", extra={**facts, "reason": str(error)}
            )
            continue
        with context.store.session() as session:
            finish_delivery(session, request.delivery, "fault")


def complete(context: Context, installation: Installation, repo: str, run: Run, outcome: Body) -> None:
    """Completes a run, unless GitHub shows that this was done, and notes what holds then.

    One that GitHub does not show or change counts as a failed attempt. Raises any other GitHubError.
    """
    try:
        shown = installation.check_run(repo, run.id)
        if shown.status != "completed":
            shown = installation.update_check_run(repo, run.id, outcome)
        run.status, run.conclusion = shown.status, shown.conclusion
    except (NotFound, Refused) as error:
        facts = {"repository": repo, "run": run.id, "reason": str(error)}
        LOG.warning("a run could not be completed; a later sweep tries again", extra=facts)
        run.faults += 1
    with context.store.session() as session:
        session.merge(run)


def _given_up(context: Context) -> list[tuple[Run, CheckRequest]]:
    """Unfinished runs whose newest job was given up, with the request for it; only where the bot may work."""
    with context.store.session() as session:
        runs = session.scalars(select(Run).where(Run.status != "completed").order_by(Run.id)).all()
        found = [(run, session.scalar(_newest(run))) for run in runs]
    return [
        (run, request)
        for run, request in found
        if request is not None and context.queue.given_up(request.job) and _active(context, run)
    ]


def _newest(run: Run) -> Select[CheckRequest]:
    return select(CheckRequest).where(CheckRequest.run_id == run.id).order_by(CheckRequest.id.desc()).limit(1)


def _active(context: Context, run: Run) -> bool:
    known = repository(context.store, run.repository_id)
    return known is not None and known.active
