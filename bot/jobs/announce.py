"""The first stage of a check: who is meant, which run reports it, and the order for the check itself.

It is short, so that a pull request shows "queued" at once even while all workers are busy.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace

from bot import check_run
from bot.check_run import Body, Key
from bot.github import Installation, PullRequest
from bot.intake import check_job
from bot.jobs.context import Context, GivenUpError, Outcome, again, patience
from bot.jobs.records import save_request, save_run, see_head, was_requested
from bot.jobs.runs import Use, choose, external_id
from bot.orders import CHECKS, Order
from bot.queue import Job
from bot.store import CheckRequest
from bot.work import CheckGroup, CheckPull, Place

LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Subject:
    """What is to be checked: the head of pull request ``number``, or of a merge group (None), against a base.

    ``again`` is the delivery that asked for a new run where there is one already.
    """

    place: Place
    number: int | None
    head_sha: str
    base_sha: str
    again: str | None = None

    @property
    def name(self) -> str:
        """What tells it from others of the repository: the number, or the commit of a merge group."""
        return self.head_sha if self.number is None else str(self.number)

    def key(self, context: Context) -> Key:
        """The run that is meant for it."""
        external = external_id(self.number, self.base_sha, self.again)
        url = context.details_url(self.place.repository, self.head_sha)
        return Key(context.settings.check_name, self.head_sha, external, url)


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
        return _give_up(context, job, Subject(work.place, work.number, work.head_sha, ""), str(error))


def announce_group(context: Context, job: Job, work: CheckGroup) -> Outcome:
    """Does the same for the commit of a merge queue, which waits for a run of ours. Raises as :func:`announce`."""
    with patience(job):
        installation = context.github.installation(work.place.installation_id)
        return _order(context, job, installation, Subject(work.place, None, work.head_sha, work.base_sha))


def _follow(context: Context, job: Job, installation: Installation, pull: PullRequest, work: CheckPull) -> Outcome:
    delivery = str(job.payload["delivery"]) if work.forced else None
    subject = Subject(work.place, work.number, pull.head_sha, pull.base_sha, delivery)
    if work.head_sha and pull.head_sha != work.head_sha:
        if _lags(context, pull, work):
            raise again(job, f"GitHub shows {pull.head_sha} as the head, the event said {work.head_sha}")
        _complete(context, installation, replace(subject, head_sha=work.head_sha), check_run.cancelled(pull.head_sha))
    if pull.state != "open":
        return Outcome.CLOSED
    return _order(context, job, installation, subject)


def _lags(context: Context, pull: PullRequest, work: CheckPull) -> bool:
    """Whether the API's answer is older than the event, rather than the event older than a newer push.

    Both times are GitHub's own in one form (2026-11-30T02:50:46Z), so that their texts compare as the times do. Within
    one second the order of arrival decides: a head that is known already is the older one.
    """
    if pull.updated_at and work.updated_at and pull.updated_at != work.updated_at:
        return pull.updated_at < work.updated_at
    return was_requested(context.store, work.place.repository_id, work.number, pull.head_sha)


def _order(context: Context, job: Job, installation: Installation, subject: Subject) -> Outcome:
    key = subject.key(context)
    runs = installation.check_runs(subject.place.repository, subject.head_sha, key.name)
    choice = choose(runs, key.external_id, forced=subject.again is not None)
    run_id = choice.run_id or installation.create_check_run(subject.place.repository, check_run.queued(key)).id
    request = _request(job, subject, key, run_id)
    with context.store.session() as session:
        see_head(session, subject.place.repository_id, subject.head_sha)
        number = save_request(session, request)
        if choice.use is Use.KEEP:
            save_run(session, request, "completed", choice.conclusion)
            return Outcome.KEPT
        save_run(session, request, "queued")
        payload = {"request": number, "held": choice.held}
        partition = f"{subject.place.repository_id}:{subject.name}"
        context.queue.put(session, Order(CHECKS, request.job, partition, payload))
    return Outcome.QUEUED


def _request(job: Job, subject: Subject, key: Key, run_id: int) -> CheckRequest:
    delivery = str(job.payload["delivery"])
    return CheckRequest(
        job=check_job(delivery, job.payload["attempt"], subject.name),
        delivery=delivery,
        repository_id=subject.place.repository_id,
        repository=subject.place.repository,
        installation_id=subject.place.installation_id,
        number=subject.number,
        head_sha=subject.head_sha,
        base_sha=subject.base_sha,
        run_id=run_id,
        external_id=key.external_id,
    )


def _complete(context: Context, installation: Installation, subject: Subject, outcome: Body) -> None:
    """Gives a commit that will not be checked its one completed run; one that it has already stays as it is."""
    key, repository = subject.key(context), subject.place.repository
    runs = installation.check_runs(repository, key.head_sha, key.name)
    if any(run.status == "completed" for run in runs):
        return
    if runs:
        installation.update_check_run(repository, max(run.id for run in runs), outcome)
    else:
        installation.create_check_run(repository, check_run.queued(key) | outcome)


def _give_up(context: Context, job: Job, subject: Subject, why: str) -> Outcome:
    """Completes the commit of the event as the bot's own fault, since nothing must stay without an answer."""
    LOG.error("a pull request can't be looked up", extra={"job": job.id, "reference": job.id, "reason": why})
    with patience(job):
        installation = context.github.installation(subject.place.installation_id)
        _complete(context, installation, subject, check_run.fault(job.id, why))
    return Outcome.GIVEN_UP
