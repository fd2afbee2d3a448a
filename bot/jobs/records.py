"""What jobs write down and look up: requests for checks, runs, deliveries."""

from __future__ import annotations

import datetime
import json
from collections.abc import Sequence
from dataclasses import astuple, dataclass

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from bot.jobs.runs import VERDICTS, Target
from bot.store import CheckRequest, Delivery, PullState, Repository, Run, SeenHead, Store, now
from bot.work import pull_subject

KEEP_DAYS = 30
"""Longer than any GitHub server allows a delivery to be sent again (3 days on github.com, 30 in older ones)."""


def finish_delivery(session: Session, delivery: str, outcome: str) -> None:
    """Notes how the work of a delivery ended (:class:`bot.store.Delivery`)."""
    session.execute(update(Delivery).where(Delivery.id == delivery).values(outcome=outcome))


def forget_deliveries(session: Session) -> None:
    """Removes deliveries that GitHub can't send again any more."""
    session.execute(delete(Delivery).where(Delivery.received_at < now() - datetime.timedelta(days=KEEP_DAYS)))


def repository(store: Store, repository_id: int) -> Repository | None:
    """The repository as it is known now; None when the App was taken away from it."""
    with store.session() as session:
        return session.get(Repository, repository_id)


def save_request(session: Session, request: CheckRequest) -> int:
    """Stores a request and returns its id; the one that the same job stored before it was interrupted stays."""
    known = session.scalar(select(CheckRequest.id).where(CheckRequest.job == request.job))
    if known is not None:
        return known
    session.add(request)
    session.flush()
    return request.id


def save_run(session: Session, request: CheckRequest, status: str, conclusion: str | None = None) -> None:
    """Stores how far the run of ``request`` came; a conclusion that is no verdict counts as a failed attempt."""
    run = session.get(Run, request.run_id) or Run(id=request.run_id, faults=0)
    run.repository_id, run.head_sha = request.repository_id, request.head_sha
    run.external_id, run.status, run.conclusion = request.external_id, status, conclusion
    if conclusion == "action_required":
        run.faults += 1
    elif conclusion in VERDICTS:
        run.faults = 0
    session.add(run)


def encoded(targets: Sequence[Target]) -> str:
    """``targets`` as a request keeps them."""
    return json.dumps([astuple(target) for target in targets])


def targets_of(request: CheckRequest) -> tuple[Target, ...]:
    """What the verdict of ``request`` is for."""
    return tuple(Target(*values) for values in json.loads(request.targets))


@dataclass(frozen=True, slots=True)
class Overtaken:
    """Why a check is not wanted any more: ``run_id`` is that of a newer check of the same commit, ``head_sha`` the
    pull request's newer head; with neither, the pull request was closed or the group given up.
    """

    run_id: int | None = None
    head_sha: str | None = None


def overtaken(store: Store, request: CheckRequest) -> Overtaken | None:
    """Whether, and by what, ``request`` has been overtaken."""
    with store.session() as session:
        newest = _newest(session, request)
        if newest is not None and _asks(newest) != _asks(request):
            return Overtaken(newest.run_id)
        if request.number is None:
            return Overtaken() if newest is not None and newest.withdrawn else None
        pulls = {one.number: session.get(PullState, (request.repository_id, one.number)) for one in targets_of(request)}
    known = [pull for pull in pulls.values() if pull is not None and pull.open]
    if any(pull.head_sha == request.head_sha for pull in known):
        return None
    own = pulls[request.number]
    return Overtaken(head_sha=own.head_sha if own is not None and own.open else None)


def withdraw(session: Session, repository_id: int, head_sha: str) -> None:
    """Marks the requests for a merge group's commit as not wanted any more."""
    of_group = (CheckRequest.repository_id == repository_id, CheckRequest.head_sha == head_sha)
    session.execute(update(CheckRequest).where(*of_group, CheckRequest.number.is_(None)).values(withdrawn=True))


def groups(store: Store, repository_id: int, head_sha: str | None = None) -> list[CheckRequest]:
    """The newest request for each commit of the merge queue, or for ``head_sha`` alone, that has not left the queue."""
    wanted = [CheckRequest.repository_id == repository_id, CheckRequest.number.is_(None), ~CheckRequest.withdrawn]
    if head_sha is not None:
        wanted.append(CheckRequest.head_sha == head_sha)
    with store.session() as session:
        found = session.scalars(select(CheckRequest).where(*wanted).order_by(CheckRequest.id)).all()
    return list({request.head_sha: request for request in found}.values())


def was_requested(store: Store, repository_id: int, number: int, head_sha: str) -> bool:
    """Whether a check of this head was ordered for this pull request before."""
    query = select(CheckRequest.id).where(
        CheckRequest.repository_id == repository_id, CheckRequest.number == number, CheckRequest.head_sha == head_sha
    )
    with store.session() as session:
        return session.scalar(query.limit(1)) is not None


def is_overtaken(store: Store, delivery: str, repository_id: int, number: int, head_sha: str) -> bool:
    """Whether an order that no event of pull request ``number`` made names another head than the one that GitHub shows,
    ``head_sha``, and an event has told of that since.
    """
    with store.session() as session:
        asked = session.get(Delivery, delivery)
        state = session.get(PullState, (repository_id, number))
    return asked is not None and asked.event != "pull_request" and state is not None and state.head_sha == head_sha


def came_back(store: Store, delivery: str, repository_id: int, number: int, head_sha: str) -> bool:
    """Whether pull request ``number``, which had ``head_sha`` before ``delivery`` came, was pushed back to it later.

    A head that was not known before does not count: its event may only have been overtaken on the way.
    """
    with store.session() as session:
        this = session.get_one(Delivery, delivery)
        before = (CheckRequest.number == number, CheckRequest.created_at < this.received_at)
        of_head = (CheckRequest.repository_id == repository_id, CheckRequest.head_sha == head_sha)
        if session.scalar(select(CheckRequest.id).where(*of_head, *before).limit(1)) is None:
            return False
        pushed = (Delivery.event == "pull_request", Delivery.action == "synchronize")
        later = (Delivery.subject == pull_subject(repository_id, number), Delivery.received_at > this.received_at)
        works = session.scalars(select(Delivery.work).where(*pushed, *later)).all()
    return any(json.loads(work)["head_sha"] == head_sha for work in works)


def first_seen(store: Store, repository_id: int, head_sha: str) -> datetime.datetime | None:
    """When the commit was first heard of, in UTC."""
    with store.session() as session:
        seen = session.get(SeenHead, (repository_id, head_sha))
    return seen.first_seen_at.replace(tzinfo=datetime.UTC) if seen else None


def judged(store: Store, request: CheckRequest) -> bool:
    """Whether an earlier job has already completed the run of ``request`` with a verdict for the same targets."""
    with store.session() as session:
        run = session.get(Run, request.run_id)
    return run is not None and run.external_id == request.external_id and run.conclusion in VERDICTS


def _newest(session: Session, request: CheckRequest) -> CheckRequest | None:
    of_head = (CheckRequest.repository_id == request.repository_id, CheckRequest.head_sha == request.head_sha)
    kind = CheckRequest.number.is_(None) if request.number is None else CheckRequest.number.is_not(None)
    return session.scalar(select(CheckRequest).where(*of_head, kind).order_by(CheckRequest.id.desc()).limit(1))


def _asks(request: CheckRequest) -> tuple[int, str]:
    return request.run_id, request.external_id
