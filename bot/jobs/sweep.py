"""What webhooks did not bring to an end: every RECONCILE_SECONDS the bot looks for itself.

A delivery can be lost (GitHub does not repeat it), a job can kill its workers until it is given up, a check can end as
the bot's own fault. All of that shows as an open pull request without a verdict of ours, which is checked again.
"""

from __future__ import annotations

import datetime
import logging
import time

from sqlalchemy import select

from bot.github import GitHubError, PullRequest
from bot.intake import check_job, event_job
from bot.jobs.context import Context, Outcome
from bot.jobs.records import forget_deliveries
from bot.jobs.runs import VERDICTS
from bot.mirror import Mirror, MirrorError
from bot.orders import EVENTS, Order
from bot.queue import Job, Queue
from bot.settings import Settings
from bot.store import CheckRequest, Repository, Run, Store, now
from bot.work import CheckPull, Place

LOG = logging.getLogger(__name__)

LONGEST_PAUSE_SECONDS = 6 * 3600
"""A check that keeps ending as the bot's own fault is tried after 1, 2, 4, … sweeps, at the latest after this time."""

REDELIVERY_DAYS = 3
"""How far back GitHub sends a delivery again: https://docs.github.com/webhooks, about redelivering."""

REDELIVERY_ATTEMPTS = 3
"""A delivery that was refused so often will be refused again."""

LATEST = 5
"""Requests of one commit that are looked at to see whether a job is alive; older ones have ended."""


def order_sweep(settings: Settings, store: Store, queue: Queue) -> None:
    """Orders the sweep of the present period; all workers may do so, and one sweep comes of it."""
    period = int(time.time()) // settings.reconcile_seconds
    with store.session() as session:
        queue.put(session, Order(EVENTS, f"sweep:{period}", "sweep", {"sweep": period}))


def sweep(context: Context, job: Job) -> str:
    """Hands in a check for every open pull request that lacks a verdict and is not being worked on.

    Deliveries that failed are asked for again, since they may tell of more than pull requests.
    """
    _redeliver(context, job)
    ordered = 0
    for place in _places(context, job):
        try:
            ordered += _sweep(context, job, place)
        except (GitHubError, MirrorError) as error:
            facts = {"job": job.id, "repository": place.repository, "reason": str(error)}
            LOG.warning("a repository could not be swept; the next sweep tries again", extra=facts)
    context.queue.purge()
    with context.store.session() as session:
        forget_deliveries(session)
    return f"{Outcome.DONE}, {ordered} ordered"


def _redeliver(context: Context, job: Job) -> None:
    since = datetime.datetime.now(datetime.UTC) - datetime.timedelta(days=REDELIVERY_DAYS)
    try:
        for delivery in context.github.failed_deliveries(since):
            if delivery.attempts < REDELIVERY_ATTEMPTS:
                context.github.redeliver(delivery.id)
                LOG.info("asked for a delivery again", extra={"job": job.id, "delivery": delivery.guid})
    except GitHubError as error:
        LOG.warning("failed deliveries could not be looked up", extra={"job": job.id, "reason": str(error)})


def _places(context: Context, job: Job) -> list[Place]:
    """All repositories that the App may work on now, as GitHub lists them; as they were known when it does not."""
    try:
        found = [Place(one.id, one.full_name, one.installation_id) for one in context.github.repositories()]
    except GitHubError as error:
        LOG.warning("the repositories could not be listed", extra={"job": job.id, "reason": str(error)})
        with context.store.session() as session:
            known = session.scalars(select(Repository).where(Repository.active))
            return [Place(one.id, one.full_name, one.installation_id) for one in known]
    with context.store.session() as session:
        for place in found:
            session.merge(
                Repository(
                    id=place.repository_id,
                    full_name=place.repository,
                    installation_id=place.installation_id,
                    active=True,
                )
            )
    return found


def _sweep(context: Context, job: Job, place: Place) -> int:
    installation = context.github.installation(place.installation_id)
    wanting = [one for one in installation.open_pull_requests(place.repository) if _wants(context, place, one)]
    for pull in wanting:
        work = CheckPull(place, pull.number, pull.head_sha, "sweep", pull.updated_at)
        delivery = f"sweep-{job.payload['sweep']}-{place.repository_id}-{pull.number}"
        context.intake.accept(delivery, "sweep", "", work)
    Mirror(context.settings, place.repository_id, place.repository).maintain(installation.token())
    return len(wanting)


def _wants(context: Context, place: Place, pull: PullRequest) -> bool:
    """Whether the head of a pull request has neither a verdict on its base nor a job, and is not to rest a while."""
    of_head = (Run.repository_id == place.repository_id, Run.number == pull.number, Run.head_sha == pull.head_sha)
    of_request = (
        CheckRequest.repository_id == place.repository_id,
        CheckRequest.number == pull.number,
        CheckRequest.head_sha == pull.head_sha,
    )
    latest = select(CheckRequest.delivery).where(*of_request).order_by(CheckRequest.id.desc()).limit(LATEST)
    with context.store.session() as session:
        runs = [run for run in session.scalars(select(Run).where(*of_head)) if run.base_sha == pull.base_sha]
        deliveries = set(session.scalars(latest))
    if any(run.conclusion in VERDICTS or _rests(context.settings, run) for run in runs):
        return False
    return not _live(context.queue, deliveries)


def _live(queue: Queue, deliveries: set[str]) -> bool:
    return bool(deliveries) and queue.live([job(delivery) for delivery in deliveries for job in (event_job, check_job)])


def _rests(settings: Settings, run: Run) -> bool:
    """Whether it is too early to repeat a check that ended as the bot's own fault."""
    pause = min(settings.reconcile_seconds * 2 ** min(run.faults, 20) / 2, LONGEST_PAUSE_SECONDS)
    return run.conclusion == "action_required" and now() < run.updated_at + datetime.timedelta(seconds=pause)
