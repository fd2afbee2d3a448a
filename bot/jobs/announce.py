"""The first stage of a check: who is meant, which run reports it, and the order for the check itself.

It is short, so that a pull request shows "queued" at once even while all workers are busy.
"""

from __future__ import annotations

from bot import check_run
from bot.github import Installation, PullRequest
from bot.jobs import pulls
from bot.jobs.context import Context, GivenUpError, Outcome, again, patience
from bot.jobs.records import came_back, is_overtaken, save_request, save_run, was_requested, withdraw
from bot.jobs.runs import VERDICTS, Target, Use, choose
from bot.jobs.subject import Subject, request_for
from bot.jobs.unchecked import complete, give_up
from bot.orders import CHECKS, LaterError, Order
from bot.queue import Job
from bot.work import CheckGroup, CheckPull, ClosePull, DropGroup


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
        return give_up(context, job, work, work.head_sha, str(error))


def announce_group(context: Context, job: Job, work: CheckGroup) -> Outcome:
    """Does the same for the commit of a merge queue, which waits for a run of ours. Raises as :func:`announce`."""
    with patience(job):
        installation = context.github.installation(work.place.installation_id)
        targets = (Target(None, work.base_sha, work.base_ref),)
        return _order(context, job, installation, Subject(work.place, work.head_sha, targets, again=_asker(job, work)))


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
    if _lags(context, job, pull, work):
        later = again(job, _stale(pull, work))
        if isinstance(later, LaterError) or _is_older(pull, work):
            raise later
    before = pulls.known(context.store, place.repository_id, work.number)
    with context.store.session() as session:
        state = pulls.remember(session, place.repository_id, pull)
    for old in {work.head_sha, before.head_sha if before else None} - {None, state.head_sha if state.open else None}:
        _leave(context, job, work, str(old), state.head_sha if state.open else None)
    if not state.open:
        return Outcome.CLOSED
    targets = pulls.targets(context, installation, place, state)
    subject = Subject(place, state.head_sha, targets, work.number, _asker(job, work))
    return _order(context, job, installation, subject)


def _asker(job: Job, work: CheckPull | CheckGroup) -> str | None:
    """The delivery that wants a new run; None where the run that is there will do."""
    return str(job.payload["delivery"]) if work.forced else None


def _lags(context: Context, job: Job, pull: PullRequest, work: CheckPull) -> bool:
    """Whether the API's answer is older than the event, rather than the event older than a newer change.

    That counts with the same head too: the answer may lack a new base, or that the pull request is open again. Both
    times are GitHub's own in one form (2026-11-30T02:50:46Z), so that their texts compare as the times do. Within
    one second the order of arrival decides: a head that is known already is the older one, as long as the job is
    patient and no push back to it came in; what GitHub still shows then is the newer one, whose event came first.
    """
    if pull.updated_at and work.updated_at and pull.updated_at != work.updated_at:
        return _is_older(pull, work)
    if work.head_sha in (None, pull.head_sha):
        return False
    of_shown = (work.place.repository_id, work.number, pull.head_sha)
    delivery = str(job.payload["delivery"])
    if not was_requested(context.store, *of_shown) or is_overtaken(context.store, delivery, *of_shown):
        return False
    return not came_back(context.store, delivery, *of_shown)


def _stale(pull: PullRequest, work: CheckPull) -> str:
    """How the API's answer differs from the event, for people."""
    if work.head_sha not in (None, pull.head_sha):
        return f"GitHub shows {pull.head_sha} as the head, the event said {work.head_sha}"
    return f"GitHub shows the pull request as it was at {pull.updated_at}, the event was of {work.updated_at}"


def _is_older(pull: PullRequest, work: CheckPull) -> bool:
    """Whether the API's answer is certainly older than the event."""
    return pull.updated_at is not None and work.updated_at is not None and pull.updated_at < work.updated_at


def _leave(context: Context, job: Job, work: CheckPull, old: str, new: str | None) -> None:
    """The pull request has ``old`` as its head no more. Others that have it keep its check; a check that was ordered
    notices by itself; a commit that was overtaken before gets its run here.
    """
    place = work.place
    if pulls.with_head(context.store, place.repository_id, old):
        pulls.check_others(context, job, place, old, "head left")
    elif not was_requested(context.store, place.repository_id, work.number, old):
        complete(context, place, old, check_run.cancelled(new) if new else check_run.closed())


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
    request = request_for(job, subject, key.external_id, _known(run_id))
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
