"""The first stage of a check: who is meant, which run reports it, and the order for the check itself.

It is short, so that a pull request shows "queued" at once even while all workers are busy.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence

from bot import check_run
from bot.check_run import Body, Key
from bot.github import Installation, PullRequest
from bot.intake import check_job
from bot.jobs.context import Context, GivenUpError, Outcome, again, patience
from bot.jobs.records import save_request, save_run, see_head, was_requested
from bot.jobs.runs import RunState, Use, choose, external_id
from bot.orders import CHECKS, Order
from bot.queue import Job
from bot.store import CheckRequest
from bot.work import CheckPull

LOG = logging.getLogger(__name__)


def announce(context: Context, job: Job, work: CheckPull) -> Outcome:
    """Shows the check of a pull request as queued and orders it; returns what was done.

    Raises LaterError, Suspended and Refused. What GitHub does not show within the job's patience is completed as the
    bot's own fault on the commit that the event named.
    """
    try:
        with patience(job):
            installation = context.github.installation(work.place.installation_id)
            pull = installation.pull_request(work.place.repository, work.number)
            return _follow(context, job, installation, pull, work)
    except GivenUpError as error:
        if work.head_sha is None:
            raise
        return _give_up(context, job, work, work.head_sha, str(error))


def _follow(context: Context, job: Job, installation: Installation, pull: PullRequest, work: CheckPull) -> Outcome:
    if work.head_sha and pull.head_sha != work.head_sha:
        if _lags(context, pull, work):
            raise again(job, f"GitHub shows {pull.head_sha} as the head, the event said {work.head_sha}")
        key = _key(context, work, work.head_sha, pull.base_sha)
        _complete(context, installation, work, key, check_run.cancelled(pull.head_sha))
    if pull.state != "open":
        return Outcome.CLOSED
    return _order(context, job, installation, pull, work)


def _lags(context: Context, pull: PullRequest, work: CheckPull) -> bool:
    """Whether the API's answer is older than the event, rather than the event older than a newer push.

    Both times are GitHub's own in one form (2026-11-30T02:50:46Z), so that their texts compare as the times do. Within
    one second the order of arrival decides: a head that is known already is the older one.
    """
    if pull.updated_at and work.updated_at and pull.updated_at != work.updated_at:
        return pull.updated_at < work.updated_at
    return was_requested(context.store, work.place.repository_id, work.number, pull.head_sha)


def _order(context: Context, job: Job, installation: Installation, pull: PullRequest, work: CheckPull) -> Outcome:
    delivery = str(job.payload["delivery"])
    key = _key(context, work, pull.head_sha, pull.base_sha, delivery)
    choice = choose(_runs(context, installation, work, pull.head_sha), key.external_id, work.forced)
    run_id = choice.run_id or installation.create_check_run(work.place.repository, check_run.queued(key)).id
    request = _request(job, work, pull, key, run_id)
    with context.store.session() as session:
        see_head(session, work.place.repository_id, pull.head_sha)
        number = save_request(session, request)
        if choice.use is Use.KEEP:
            save_run(session, request, "completed", choice.conclusion)
            return Outcome.KEPT
        save_run(session, request, "queued")
        payload = {"request": number, "held": choice.held}
        context.queue.put(session, Order(CHECKS, request.job, f"{work.place.repository_id}:{work.number}", payload))
    return Outcome.QUEUED


def _request(job: Job, work: CheckPull, pull: PullRequest, key: Key, run_id: int) -> CheckRequest:
    delivery = str(job.payload["delivery"])
    return CheckRequest(
        job=check_job(delivery, job.payload["attempt"], work.number),
        delivery=delivery,
        repository_id=work.place.repository_id,
        repository=work.place.repository,
        installation_id=work.place.installation_id,
        number=work.number,
        head_sha=key.head_sha,
        base_sha=pull.base_sha,
        run_id=run_id,
        external_id=key.external_id,
    )


def _key(context: Context, work: CheckPull, head_sha: str, base_sha: str, delivery: str | None = None) -> Key:
    external = external_id(work.number, base_sha, delivery if work.forced else None)
    return Key(context.settings.check_name, head_sha, external, context.details_url(work.place.repository, head_sha))


def _runs(context: Context, installation: Installation, work: CheckPull, head_sha: str) -> Sequence[RunState]:
    return installation.check_runs(work.place.repository, head_sha, context.settings.check_name)


def _complete(context: Context, installation: Installation, work: CheckPull, key: Key, outcome: Body) -> None:
    """Gives a commit that will not be checked its one completed run; one that it has already stays as it is."""
    runs = _runs(context, installation, work, key.head_sha)
    if any(run.status == "completed" for run in runs):
        return
    if runs:
        installation.update_check_run(work.place.repository, max(run.id for run in runs), outcome)
    else:
        installation.create_check_run(work.place.repository, check_run.queued(key) | outcome)


def _give_up(context: Context, job: Job, work: CheckPull, head_sha: str, why: str) -> Outcome:
    """Completes the commit of the event as the bot's own fault, since nothing must stay without an answer."""
    LOG.error("a pull request can't be looked up", extra={"job": job.id, "reference": job.id, "reason": why})
    with patience(job):
        installation = context.github.installation(work.place.installation_id)
        _complete(context, installation, work, _key(context, work, head_sha, ""), check_run.fault(job.id, why))
    return Outcome.GIVEN_UP
