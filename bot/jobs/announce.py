"""The first stage of a check: who is meant, which run reports it, and the order for the check itself.

It is short, so that a pull request shows "queued" at once even while all workers are busy.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass

from bot import check_run
from bot.check_run import Body, Key
from bot.github import Installation, PullRequest
from bot.intake import check_job
from bot.jobs import pulls
from bot.jobs.context import OUTAGE_SECONDS, Context, GivenUpError, Outcome, again, patience
from bot.jobs.records import encoded, save_request, save_run, was_requested, withdraw
from bot.jobs.runs import VERDICTS, Target, Use, choose, external_id, newest
from bot.orders import CHECKS, Order
from bot.queue import Job
from bot.store import CheckRequest
from bot.work import CheckGroup, CheckPull, ClosePull, DropGroup, Place

LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Subject:
    """The commit ``head_sha``, and what it is to be judged for: one merge group, or pull requests.

    ``number`` is the pull request that asks, ``again`` the delivery that wants a new run where there is one already.
    """

    place: Place
    head_sha: str
    targets: tuple[Target, ...]
    number: int | None = None
    again: str | None = None

    def key(self, context: Context) -> Key:
        """The run that is meant for it."""
        external = external_id(self.targets, self.again)
        url = context.details_url(self.place.repository, self.head_sha)
        return Key(context.settings.check_name, self.head_sha, external, url)


def announce(context: Context, job: Job, work: CheckPull) -> Outcome:
    """Shows the check of a pull request as queued and orders it; returns what was done.

    Raises LaterError, GivenUpError, Suspended and Refused. What GitHub does not show within the job's patience is
    completed as the bot's own fault on the commit that the event named.
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


def announce_group(context: Context, job: Job, work: CheckGroup) -> Outcome:
    """Does the same for the commit of a merge queue, which waits for a run of ours. Raises as :func:`announce`."""
    with patience(job):
        installation = context.github.installation(work.place.installation_id)
        target = Target(None, work.base_sha, work.base_ref)
        return _order(context, job, installation, Subject(work.place, work.head_sha, (target,)))


def close_pull(context: Context, job: Job, work: ClosePull) -> Outcome:
    """Lets go of a closed pull request: a check that still runs ends by itself."""
    with context.store.session() as session:
        pulls.close(session, work.place.repository_id, work.number, work.head_sha, work.updated_at)
    pulls.check_others(context, job, work.place, work.head_sha, work.cause)
    return Outcome.DONE


def drop_group(context: Context, _job: Job, work: DropGroup) -> Outcome:
    """Lets go of a group that left the merge queue."""
    with context.store.session() as session:
        withdraw(session, work.place.repository_id, work.head_sha)
    return Outcome.DONE


def _follow(context: Context, job: Job, installation: Installation, pull: PullRequest, work: CheckPull) -> Outcome:
    place = work.place
    if work.head_sha and pull.head_sha != work.head_sha and _lags(context, pull, work):
        raise again(job, f"GitHub shows {pull.head_sha} as the head, the event said {work.head_sha}")
    before = pulls.known(context.store, place.repository_id, work.number)
    with context.store.session() as session:
        state = pulls.remember(session, place.repository_id, pull)
    for old in {work.head_sha, before.head_sha if before else None} - {None, state.head_sha if state.open else None}:
        _leave(context, job, work, str(old), state.head_sha if state.open else None)
    if not state.open:
        return Outcome.CLOSED
    delivery = str(job.payload["delivery"]) if work.forced else None
    targets = pulls.targets(context, installation, place, state)
    return _order(context, job, installation, Subject(place, state.head_sha, targets, work.number, delivery))


def _lags(context: Context, pull: PullRequest, work: CheckPull) -> bool:
    """Whether the API's answer is older than the event, rather than the event older than a newer push.

    Both times are GitHub's own in one form (2026-11-30T02:50:46Z), so that their texts compare as the times do. Within
    one second the order of arrival decides: a head that is known already is the older one.
    """
    if pull.updated_at and work.updated_at and pull.updated_at != work.updated_at:
        return pull.updated_at < work.updated_at
    return was_requested(context.store, work.place.repository_id, work.number, pull.head_sha)


def _leave(context: Context, job: Job, work: CheckPull, old: str, new: str | None) -> None:
    """The pull request has ``old`` as its head no more. Others that have it keep its check; a check that was ordered
    notices by itself; a commit that was overtaken before gets its run here.
    """
    place = work.place
    if pulls.with_head(context.store, place.repository_id, old):
        pulls.check_others(context, job, place, old, "head left")
    elif not was_requested(context.store, place.repository_id, work.number, old):
        _complete(context, place, old, check_run.cancelled(new) if new else check_run.closed())


def _order(context: Context, job: Job, installation: Installation, subject: Subject) -> Outcome:
    key, repository = subject.key(context), subject.place.repository
    runs = installation.check_runs(repository, subject.head_sha, key.name)
    choice = choose(runs, key.external_id, forced=subject.again is not None)
    run_id = choice.run_id
    if choice.use is Use.CREATE:
        if run_id is not None:
            installation.update_check_run(repository, run_id, check_run.replaced())
        run_id = installation.create_check_run(repository, check_run.queued(key)).id
    elif choice.use is Use.TAKE and choice.conclusion in VERDICTS:
        # At once, since until then the old verdict would stand for what was not judged yet.
        installation.update_check_run(repository, _known(run_id), check_run.queued_again(key))
    request = _request(job, subject, key.external_id, _known(run_id))
    with context.store.session() as session:
        number = save_request(session, request)
        if choice.use is Use.KEEP:
            save_run(session, request, "completed", choice.conclusion)
            return Outcome.KEPT
        save_run(session, request, "queued")
        payload = {"request": number, "held": choice.held}
        partition = f"{subject.place.repository_id}:{subject.head_sha}"
        context.queue.put(session, Order(CHECKS, request.job, partition, payload))
    return Outcome.QUEUED


def _known(run_id: int | None) -> int:
    assert run_id is not None, "only a run that is to be created has no id yet"
    return run_id


def _request(job: Job, subject: Subject, external: str, run_id: int) -> CheckRequest:
    delivery = str(job.payload["delivery"])
    return CheckRequest(
        job=check_job(delivery, job.payload["attempt"], str(subject.number or subject.head_sha)),
        delivery=delivery,
        repository_id=subject.place.repository_id,
        repository=subject.place.repository,
        installation_id=subject.place.installation_id,
        number=subject.number,
        head_sha=subject.head_sha,
        targets=encoded(subject.targets),
        run_id=run_id,
        external_id=external,
    )


def _complete(context: Context, place: Place, head_sha: str, outcome: Body) -> None:
    """Gives a commit that will not be checked its one completed run; one that it has already stays as it is."""
    installation = context.github.installation(place.installation_id)
    name = context.settings.check_name
    runs = installation.check_runs(place.repository, head_sha, name)
    if any(run.status == "completed" for run in runs):
        return
    if runs:
        installation.update_check_run(place.repository, max(run.id for run in runs), outcome)
    else:
        key = Key(name, head_sha, UNJUDGED, context.details_url(place.repository, head_sha))
        installation.create_check_run(place.repository, check_run.queued(key) | outcome)


UNJUDGED = "unjudged"
"""The key of a run that only says why a commit is not checked; any check of the commit takes it over."""


def _give_up(context: Context, job: Job, work: CheckPull, head_sha: str, why: str) -> Outcome:
    """Completes the commit of the event as the bot's own fault, since nothing must stay without an answer.

    A verdict that the commit has may be for another base or for fewer pull requests: it is taken back, and a check that
    is under way is overtaken, so that it can't complete the run with such a verdict. Where GitHub does not take that
    either, the job comes again for as long as an outage may last, and then follows the event if it can.
    """
    LOG.error("a pull request can't be looked up", extra={"job": job.id, "reference": job.id, "reason": why})
    with patience(job, OUTAGE_SECONDS):
        run_id = _fail_closed(context, work.place, head_sha, check_run.fault(job.id, why))
    request = _request(job, Subject(work.place, head_sha, (), work.number), UNJUDGED, run_id)
    with context.store.session() as session:
        save_request(session, request)
        save_run(session, request, "completed", "action_required")
    return Outcome.GIVEN_UP


def _fail_closed(context: Context, place: Place, head_sha: str, outcome: Body) -> int:
    """Completes the run that GitHub shows for a commit, whatever it says, or a new one; returns its id."""
    installation = context.github.installation(place.installation_id)
    name = context.settings.check_name
    shown = newest(installation.check_runs(place.repository, head_sha, name))
    if shown is not None:
        return installation.update_check_run(place.repository, shown.id, outcome).id
    key = Key(name, head_sha, UNJUDGED, context.details_url(place.repository, head_sha))
    return installation.create_check_run(place.repository, check_run.queued(key) | outcome).id
