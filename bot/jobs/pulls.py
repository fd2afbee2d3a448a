"""What is known of pull requests: which heads they have, and what these are checked against.

Several pull requests may have one head commit, and a commit has one check run. So the verdict of a head is for all open
pull requests that have it, and a pull request that leaves a head leaves it to the others.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from bot.database import keep
from bot.github import Installation, NotFound, PullRequest
from bot.jobs.context import Context
from bot.jobs.records import was_requested
from bot.jobs.runs import Target
from bot.queue import Job
from bot.store import Branch, PullState, Store
from bot.work import CheckPull, Place


def remember(session: Session, repository_id: int, pull: PullRequest) -> PullState:
    """Notes ``pull`` as GitHub shows it, unless something newer is known; returns what is known then."""
    keep(session, PullState, _values(repository_id, pull))
    # Held until the end of the transaction: another worker's older answer must not be written over this one.
    state = session.get_one(PullState, (repository_id, pull.number), with_for_update=True, populate_existing=True)
    if _older(pull.updated_at, state.updated_at):
        return state
    if (state.base_ref, state.shown_base_sha) != (pull.base_ref, pull.base_sha):
        state.base_sha = pull.base_sha
    state.base_ref, state.shown_base_sha = pull.base_ref, pull.base_sha
    state.head_sha, state.author = pull.head_sha, pull.author
    state.open, state.updated_at = pull.state == "open", pull.updated_at
    return state


def _values(repository_id: int, pull: PullRequest) -> dict[str, Any]:
    """The row of a pull request that was not known."""
    return {
        "repository_id": repository_id,
        "number": pull.number,
        "head_sha": pull.head_sha,
        "base_ref": pull.base_ref,
        "base_sha": pull.base_sha,
        "shown_base_sha": pull.base_sha,
        "author": pull.author,
        "open": pull.state == "open",
        "updated_at": pull.updated_at,
    }


def remember_all(store: Store, repository_id: int, pulls: Iterable[PullRequest]) -> list[PullState]:
    """Notes all ``pulls`` of a list; the answer is by number, since two workers that take the same rows in two orders
    would lock each other.
    """
    with store.session() as session:
        return [remember(session, repository_id, pull) for pull in sorted(pulls, key=lambda one: one.number)]


def close(session: Session, repository_id: int, number: int, head_sha: str, updated_at: str | None) -> bool:
    """Notes that a pull request was closed; False when it is known to have changed since."""
    known = session.get(PullState, (repository_id, number), with_for_update=True)
    if known is None or _older(updated_at, known.updated_at) or known.head_sha != head_sha:
        return False
    known.open, known.updated_at = False, updated_at
    return True


def known(store: Store, repository_id: int, number: int) -> PullState | None:
    """What is known of a pull request."""
    with store.session() as session:
        return session.get(PullState, (repository_id, number))


def with_head(store: Store, repository_id: int, head_sha: str) -> list[PullState]:
    """The open pull requests that are known to have this head, by number."""
    query = select(PullState).where(
        PullState.repository_id == repository_id, PullState.head_sha == head_sha, PullState.open
    )
    with store.session() as session:
        return list(session.scalars(query.order_by(PullState.number)))


def into(store: Store, repository_id: int, branch: str) -> list[PullState]:
    """The open pull requests into a branch that are known, by number."""
    query = select(PullState).where(
        PullState.repository_id == repository_id, PullState.base_ref == branch, PullState.open
    )
    with store.session() as session:
        return list(session.scalars(query.order_by(PullState.number)))


def open_in(store: Store, repository_id: int) -> list[PullState]:
    """The open pull requests of a repository that are known, by number."""
    query = select(PullState).where(PullState.repository_id == repository_id, PullState.open)
    with store.session() as session:
        return list(session.scalars(query.order_by(PullState.number)))


def targets(context: Context, installation: Installation, place: Place, own: PullState) -> tuple[Target, ...]:
    """What the head of ``own`` is to be judged for: this pull request and all other open ones with that head.

    The others are looked up once more, since only their events tell of changes. Raises GitHubError.
    """
    states = [own]
    for other in with_head(context.store, place.repository_id, own.head_sha):
        if other.number != own.number:
            shown = installation.pull_request(place.repository, other.number)
            with context.store.session() as session:
                states.append(remember(session, place.repository_id, shown))
    fitting = [one for one in states if one.open and one.head_sha == own.head_sha]
    fitting.sort(key=lambda state: state.number)
    return tuple(
        Target(one.number, _base_of(context, installation, place, one), one.base_ref, one.author) for one in fitting
    )


def _base_of(context: Context, installation: Installation, place: Place, state: PullState) -> str:
    """The commit of the base branch that a head is judged for.

    GitHub shows the one that was the tip at the last push to the pull request. Where the branch is known to have moved,
    a head that is heard of for the first time may have missed that, so the branch itself is asked. Raises GitHubError.
    """
    with context.store.session() as session:
        branch = session.get(Branch, (place.repository_id, state.base_ref))
    if branch is None or branch.sha == state.base_sha or state.base_sha != state.shown_base_sha:
        return state.base_sha
    if was_requested(context.store, place.repository_id, state.number, state.head_sha):
        return state.base_sha
    try:
        tip = installation.branch_head(place.repository, state.base_ref)
    except NotFound:  # deleted meanwhile; its pull requests are about to be closed
        return state.base_sha
    with context.store.session() as session:
        own = (PullState.repository_id == place.repository_id, PullState.number == state.number)
        same = (PullState.base_ref == state.base_ref, PullState.shown_base_sha == state.shown_base_sha)
        session.execute(update(PullState).where(*own, *same).values(base_sha=tip))
    return tip


def check_others(context: Context, job: Job, place: Place, head_sha: str, cause: str) -> None:
    """Orders a check of a head that one of its pull requests has left: for those that are still there."""
    others = with_head(context.store, place.repository_id, head_sha)
    hand_in(context, job, place, others, cause=cause)


def hand_in(
    context: Context,
    job: Job,
    place: Place,
    states: Iterable[PullState],
    *,
    cause: str,
    forced: bool = False,
) -> None:
    """Orders a check for each head among ``states``; one stands for all pull requests that have it.

    The ids follow from this delivery's, so that doing it twice orders nothing twice.
    """
    delivery = f"{job.payload['delivery']}-{job.payload['attempt']}"
    heads: set[str] = set()
    for state in sorted(states, key=lambda one: one.number):
        if state.head_sha not in heads:
            work = CheckPull(place, state.number, state.head_sha, cause, state.updated_at, forced)
            context.intake.accept(f"{delivery}-{place.repository_id}-{state.number}", cause, "", work)
        heads.add(state.head_sha)


def _older(one: str | None, other: str | None) -> bool:
    """Whether one time of GitHub's (2026-11-30T02:50:46Z) lies before another; their texts compare as they do."""
    return bool(one and other and one < other)
