"""What jobs write down and look up: requests for checks, runs, deliveries, first sights of commits."""

from __future__ import annotations

import datetime

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from bot.jobs.runs import VERDICTS
from bot.store import CheckRequest, Delivery, Run, SeenHead, Store, now

KEEP_DAYS = 30
"""Longer than any GitHub server allows a delivery to be sent again (3 days on github.com, 30 in older ones)."""


def finish_delivery(session: Session, delivery: str, well: bool) -> None:
    """Notes how the work of a delivery ended: one that went badly may be delivered again."""
    session.execute(update(Delivery).where(Delivery.id == delivery).values(outcome="done" if well else "failed"))


def forget_deliveries(session: Session) -> None:
    """Removes deliveries that GitHub can't send again any more."""
    session.execute(delete(Delivery).where(Delivery.received_at < now() - datetime.timedelta(days=KEEP_DAYS)))


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
    run.repository_id, run.number = request.repository_id, request.number
    run.head_sha, run.base_sha = request.head_sha, request.base_sha
    run.status, run.conclusion = status, conclusion
    if conclusion == "action_required":
        run.faults += 1
    session.add(run)


def see_head(session: Session, repository_id: int, head_sha: str, tree_sha: str | None = None) -> None:
    """Notes the first sight of a commit, and its tree once that is known."""
    seen = session.get(SeenHead, (repository_id, head_sha))
    if seen is None:
        session.add(SeenHead(repository_id=repository_id, head_sha=head_sha, tree_sha=tree_sha))
    elif tree_sha and seen.tree_sha is None:
        seen.tree_sha = tree_sha


def superseding(store: Store, request: CheckRequest) -> CheckRequest | None:
    """The newest request for the same pull request, if it asks for something else: another head, base or run.

    A merge group is a commit of its own, which nothing supersedes.
    """
    if request.number is None:
        return None
    query = (
        select(CheckRequest)
        .where(CheckRequest.repository_id == request.repository_id, CheckRequest.number == request.number)
        .order_by(CheckRequest.id.desc())
        .limit(1)
    )
    with store.session() as session:
        newest = session.scalar(query)
    return newest if newest and _asks(newest) != _asks(request) else None


def was_requested(store: Store, repository_id: int, number: int, head_sha: str) -> bool:
    """Whether a check of this head was ordered for this pull request before."""
    query = select(CheckRequest.id).where(
        CheckRequest.repository_id == repository_id, CheckRequest.number == number, CheckRequest.head_sha == head_sha
    )
    with store.session() as session:
        return session.scalar(query.limit(1)) is not None


def judged(store: Store, request: CheckRequest) -> bool:
    """Whether an earlier job has already completed the run of ``request`` with a verdict on this base."""
    with store.session() as session:
        run = session.get(Run, request.run_id)
    return run is not None and run.base_sha == request.base_sha and run.conclusion in VERDICTS


def _asks(request: CheckRequest) -> tuple[str, str, int]:
    return request.head_sha, request.base_sha, request.run_id
