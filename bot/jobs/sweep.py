"""What webhooks did not bring to an end: every RECONCILE_SECONDS the bot looks for itself.

A delivery can be lost (GitHub does not repeat it), a job can kill its workers until it is given up, a check can end as
the bot's own fault. The sweep asks GitHub to deliver again what failed, does again what failed here, and goes through
all open pull requests (:mod:`bot.jobs.reconcile`).
"""

from __future__ import annotations

import datetime
import json
import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import select, update

from bot.github import GitHubError, NotFound, Refused
from bot.intake import remember_repository
from bot.jobs.context import Context, Outcome
from bot.jobs.reconcile import reconcile, rest
from bot.jobs.records import forget_deliveries
from bot.jobs.unfinished import explain_given_up
from bot.mirror import Mirror, MirrorError
from bot.orders import EVENTS, Order
from bot.queue import Job, Queue
from bot.settings import Settings
from bot.store import Delivery, Repository, Store, now
from bot.work import Place, decode

LOG = logging.getLogger(__name__)

SWEEP = "sweep"
"""The event under which the sweep hands in work. It is not done again when it fails: the next sweep looks anew."""

REDELIVERY_DAYS = 3
"""How far back GitHub sends a delivery again: https://docs.github.com/webhooks, about redelivering."""

REDELIVERY_ATTEMPTS = 3
"""A delivery that was refused so often will be refused again."""


def order_sweep(settings: Settings, store: Store, queue: Queue) -> None:
    """Orders the sweep of the present period; all workers may do so, and one sweep comes of it."""
    period = int(time.time()) // settings.reconcile_seconds
    with store.session() as session:
        queue.put(session, Order(EVENTS, f"sweep:{period}", "sweep", {"sweep": period}))


def sweep(context: Context, job: Job) -> str:
    """One sweep; what GitHub does not answer now is left to the next."""
    _redeliver(context, job)
    explain_given_up(context)
    ordered = _do_again(context)
    for place in _places(context, job):
        with _apart(job, place, "a repository could not be swept"):
            ordered += reconcile(context, job, place)
        with _apart(job, place, "a mirror could not be maintained"):
            token = context.github.installation(place.installation_id).token()
            Mirror(context.settings, place.repository_id, place.repository).maintain(token)
    context.queue.purge()
    with context.store.session() as session:
        forget_deliveries(session)
    return f"{Outcome.DONE}, {ordered} ordered"


@contextmanager
def _apart(job: Job, place: Place, trouble: str) -> Iterator[None]:
    """Logs what goes wrong inside, so that one repository keeps no other from its turn; the next sweep tries again."""
    try:
        yield
    except (GitHubError, MirrorError) as error:
        facts = {"job": job.id, "repository": place.repository, "reason": str(error)}
        LOG.warning("%s; the next sweep tries again", trouble, extra=facts)
    except Exception:
        LOG.exception("%s; the next sweep tries again", trouble, extra={"job": job.id, "repository": place.repository})


def _redeliver(context: Context, job: Job) -> None:
    since = datetime.datetime.now(datetime.UTC) - datetime.timedelta(days=REDELIVERY_DAYS)
    try:
        for delivery in context.github.failed_deliveries(since):
            if delivery.attempts < REDELIVERY_ATTEMPTS:
                facts = {"job": job.id, "delivery": delivery.guid}
                try:
                    context.github.redeliver(delivery.id)
                    LOG.info("asked for a delivery again", extra=facts)
                except (NotFound, Refused) as error:  # too old by now, or gone; the others are asked for
                    LOG.warning("a delivery is not sent again", extra={**facts, "reason": str(error)})
    except GitHubError as error:
        LOG.warning("failed deliveries could not be looked up", extra={"job": job.id, "reason": str(error)})


def _do_again(context: Context) -> int:
    """Hands in again what was accepted and did not come to its end, after pauses that grow; returns how much."""
    ended = Delivery.outcome.not_in(("done", "fault"))
    recent = Delivery.received_at > now() - datetime.timedelta(days=REDELIVERY_DAYS)
    with context.store.session() as session:
        found = session.scalars(select(Delivery).where(ended, recent, Delivery.event != SWEEP)).all()
    due = [one for one in found if now() > one.tried_at + rest(context.settings, one.attempts)]
    works = [(one, decode(json.loads(one.work))) for one in due]
    return sum(context.intake.accept(one.id, one.event, one.action, work) for one, work in works)


def _places(context: Context, job: Job) -> list[Place]:
    """All repositories that the App may work on now, as GitHub lists them; as they were known when it does not.

    Archived ones are left out: no check run can be written there.
    """
    try:
        listed = [one for one in context.github.repositories() if not one.archived]
        found = [Place(one.id, one.full_name, one.installation_id) for one in listed]
    except GitHubError as error:
        LOG.warning("the repositories could not be listed", extra={"job": job.id, "reason": str(error)})
        with context.store.session() as session:
            known = session.scalars(select(Repository).where(Repository.active))
            return [Place(one.id, one.full_name, one.installation_id) for one in known]
    with context.store.session() as session:
        for place in sorted(found, key=lambda one: one.repository_id):
            remember_repository(session, place)
        ids = [place.repository_id for place in found]
        session.execute(update(Repository).where(Repository.id.in_(ids), ~Repository.active).values(active=True))
    return found
