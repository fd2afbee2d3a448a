"""Events that concern no single pull request become one check for each head that they touch."""

from __future__ import annotations

import logging
from collections.abc import Set
from dataclasses import replace

from sqlalchemy import update

from bot import check_run, isolated
from bot.check_run import Key
from bot.database import keep
from bot.events import NO_COMMIT
from bot.github import GitHubError, Installation, Limited, NotFound, PullRequest, Refused, RepositoryInfo, Suspended
from bot.jobs import pulls
from bot.jobs.context import Context, Outcome, again, patience
from bot.jobs.moved import Head, Move, concerned
from bot.jobs.records import groups, targets_of
from bot.jobs.runs import numbers_of
from bot.jobs.unchecked import UNJUDGED
from bot.queue import Job
from bot.store import Branch, PullState
from bot.work import Access, BaseMoved, CheckGroup, CheckHead, Installed, Place

LOG = logging.getLogger(__name__)

COMPARE_SECONDS = 600
"""Hard time limit of comparing a base branch with its open pull requests."""


def check_head(context: Context, job: Job, work: CheckHead) -> Outcome:
    """Checks what has this commit again: a group of the merge queue, and the open pull requests that the event names or
    GitHub finds.

    Events of forks name none, and the list of a commit may be slow to hold a new one, so the bot's own key of the run
    is asked too. Raises LaterError, GivenUpError and what GitHub refuses.
    """
    repository_id = work.place.repository_id
    if not work.forced and pulls.with_head(context.store, repository_id, work.head_sha):
        return Outcome.DONE
    if work.forced:
        _group_again(context, job, work)
    with patience(job):
        found = _of_head(context, work)
    wanted = [pull for pull in found if pull.state == "open" and pull.head_sha == work.head_sha]
    states = pulls.remember_all(context.store, repository_id, wanted)
    pulls.hand_in(context, job, work.place, states, cause=work.cause, forced=work.forced)
    return Outcome.DONE


def installed(context: Context, job: Job, work: Installed) -> Outcome:
    """Shows the check on the default branches of the repositories that the App may now work on, and checks all their
    open pull requests.

    Without a list (an installation that is no longer suspended) all that the installation has, but for archived ones,
    which can't be written to. One that GitHub fails at keeps no other from its turn. Raises as check_head.
    """
    if work.access is not Access.ACTIVE:
        return Outcome.DONE
    named = {place.repository_id for place in work.places}
    with patience(job):
        installation = context.github.installation(work.installation_id)
        found = [one for one in installation.repositories() if not one.archived]
        errors = [_set_up(context, job, installation, one, work) for one in found if not named or one.id in named]
        if failed := [error for error in errors if error is not None]:
            raise failed[0]
    return Outcome.DONE


def _set_up(
    context: Context, job: Job, installation: Installation, repository: RepositoryInfo, work: Installed
) -> GitHubError | None:
    """Shows the check on one repository and checks what is open; returns the error that another attempt may mend.

    Raises what holds for the whole installation: Limited and Suspended.
    """
    try:
        opened = installation.open_pull_requests(repository.full_name)
        states = pulls.remember_all(context.store, repository.id, opened)
        place = Place(repository.id, repository.full_name, installation.id)
        pulls.hand_in(context, job, place, states, cause=work.cause)
        _show(context, installation, repository, {pull.head_sha for pull in opened})
    except (Limited, Suspended):
        raise
    except GitHubError as error:
        facts = {"job": job.id, "repository": repository.full_name, "reason": str(error)}
        LOG.warning("a repository could not be set up", extra=facts)
        return None if isinstance(error, Refused) else error
    return None


def base_moved(context: Context, job: Job, work: BaseMoved) -> Outcome:
    """Checks the open pull requests into the branch whose verdict can differ now. Raises as check_head, and what
    :mod:`bot.isolated` raises.
    """
    repository_id = work.place.repository_id
    states = pulls.into(context.store, repository_id, work.branch)
    if not states:
        return Outcome.DONE
    with patience(job):
        work = _to_the_tip(context, work)
        touched = _touched(context, job, work, states)
    chosen = [state for state in states if state.number in touched]
    with context.store.session() as session:
        # Only this column, and only where it is still the base: the rest may have changed during the comparison.
        still = (PullState.repository_id == repository_id, PullState.base_ref == work.branch)
        session.execute(update(PullState).where(*still, PullState.number.in_(touched)).values(base_sha=work.after))
        branch = {"repository_id": repository_id, "name": work.branch, "sha": work.after}
        keep(session, Branch, branch, ["sha"])
    pulls.hand_in(context, job, work.place, chosen, cause=work.cause)
    return Outcome.DONE


def _to_the_tip(context: Context, work: BaseMoved) -> BaseMoved:
    """The move from where the branch was last seen to its tip as GitHub shows it now.

    Events come late and in any order, and an old one must not bring back the verdict for an old tip. Where GitHub still
    shows what the event moved from, the event knows better. Raises GitHubError.
    """
    with context.store.session() as session:
        known = session.get(Branch, (work.place.repository_id, work.branch))
    installation = context.github.installation(work.place.installation_id)
    try:
        tip = installation.branch_head(work.place.repository, work.branch)
    except NotFound:  # deleted meanwhile; its pull requests are about to be closed
        return work
    after = work.after if tip == work.before else tip
    before = known.sha if known is not None and known.sha != after else work.before
    return replace(work, before=before, after=after)


def _touched(context: Context, job: Job, work: BaseMoved, states: list[PullState]) -> frozenset[int]:
    if work.before == NO_COMMIT:
        return frozenset(state.number for state in states)
    installation = context.github.installation(work.place.installation_id)
    heads = tuple(Head(state.number, state.head_sha) for state in states)
    place = work.place
    move = Move(context.settings, place.repository_id, place.repository, work.before, work.after, installation.token())
    answer = isolated.run(concerned, (move, heads), COMPARE_SECONDS, lambda: False)
    if answer.token_refused:
        installation.drop_token(move.token)
    if answer.retry is not None:
        raise again(job, answer.retry)
    return answer.numbers


def _group_again(context: Context, job: Job, work: CheckHead) -> None:
    """Orders a new run of the merge group with this commit. No list of GitHub's names it, so the bot's own record does;
    the id follows from this delivery's, so that doing it twice orders nothing twice.
    """
    delivery = f"{job.payload['delivery']}-{job.payload['attempt']}-{work.place.repository_id}-group"
    for request in groups(context.store, work.place.repository_id, work.head_sha):
        target = targets_of(request)[0]
        group = CheckGroup(work.place, work.head_sha, target.base_sha, target.base_ref, work.cause, forced=True)
        context.intake.accept(delivery, work.cause, "", group)


def _of_head(context: Context, work: CheckHead) -> list[PullRequest]:
    installation = context.github.installation(work.place.installation_id)
    repository = work.place.repository
    runs = installation.check_runs(repository, work.head_sha, context.settings.check_name)
    named = {number for run in runs for number in numbers_of(run.external_id)} | set(work.numbers)
    found = {pull.number: pull for pull in installation.pulls_of_commit(repository, work.head_sha)}
    for number in named - set(found):
        if pull := _pull(installation, work.place, number):
            found[number] = pull
    return list(found.values())


def _show(context: Context, installation: Installation, repository: RepositoryInfo, heads: Set[str]) -> None:
    """Gives the head of the default branch a successful run, unless it has one or the repository is empty.

    A pull request from that branch into another has this commit among ``heads``: it waits for its own verdict instead.
    """
    name = repository.full_name
    try:
        head_sha = installation.branch_head(name, repository.default_branch)
    except (NotFound, Refused):  # without a commit, GitHub says 404 or 409
        return
    if head_sha not in heads and not installation.check_runs(name, head_sha, context.settings.check_name):
        key = Key(context.settings.check_name, head_sha, UNJUDGED)
        installation.create_check_run(name, check_run.queued(key) | check_run.set_up())


def _pull(installation: Installation, place: Place, number: int) -> PullRequest | None:
    try:
        return installation.pull_request(place.repository, number)
    except NotFound:
        return None
