"""A delivery is stored and its job ordered in one transaction: then it can't be lost, and it is not done twice."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import delete, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from bot.database import keep
from bot.orders import EVENTS, Order
from bot.queue import Queue
from bot.store import Delivery, Repository, Store, now, see_head
from bot.work import Access, CheckGroup, CheckPull, Installed, Place, Work, encode, partition, subject

TRIES = 5
"""How often a delivery is stored anew that met others in the act; each time one of those is done."""


class Intake:
    """Where webhooks and the sweep hand in work."""

    def __init__(self, store: Store, queue: Queue) -> None:
        """Both live in the same database."""
        self._store = store
        self._queue = queue

    def accept(self, delivery: str, event: str, action: str, work: Work) -> bool:
        """Stores ``work`` durably; False when this ``delivery`` is known and went well or is being worked on.

        A redelivery keeps the id (https://docs.github.com/webhooks/testing-and-troubleshooting-webhooks), so
        one that failed, or whose job vanished, is let in again. Raises
        sqlalchemy.exc.SQLAlchemyError when nothing could be stored.
        """
        for left in reversed(range(TRIES)):
            try:
                return self._stored(delivery, event, action, work)
            except IntegrityError:
                # Another delivery stored the same row at the same moment: this one again (which is then known), or the
                # repository or commit that both tell of. The next try sees that row.
                if not left:
                    raise
        raise AssertionError("unreachable: the last try returns or raises")

    def _stored(self, delivery: str, event: str, action: str, work: Work) -> bool:
        with self._store.session() as session:
            known = session.get(Delivery, delivery)
            if known and not self._may_come_again(known):
                return False
            attempt = known.attempts + 1 if known else 1
            record = _record(delivery, event, action, work, attempt)
            if known:
                session.merge(record)
            else:  # merging would take over what another has just stored
                session.add(record)
            remember_repositories(session, work)
            if isinstance(work, CheckPull | CheckGroup) and work.head_sha:
                see_head(session, work.place.repository_id, work.head_sha)
            order = Order(EVENTS, event_job(delivery, attempt), partition(work), _payload(work, delivery, attempt))
            self._queue.put(session, order)
        return True

    def _may_come_again(self, known: Delivery) -> bool:
        return known.outcome != "done" and not self._queue.live([event_job(known.id), check_job(known.id)])


def _record(delivery: str, event: str, action: str, work: Work, attempt: int) -> Delivery:
    return Delivery(
        id=delivery,
        event=event,
        action=action,
        subject=subject(work),
        work=json.dumps(encode(work)),
        attempts=attempt,
        tried_at=now(),
        outcome="accepted",
    )


def _payload(work: Work, delivery: str, attempt: int) -> dict[str, Any]:
    return {"delivery": delivery, "attempt": attempt, "work": encode(work)}


def event_job(delivery: str, attempt: int | None = None) -> str:
    """The id of a delivery's job; without ``attempt`` what the ids of all attempts begin with."""
    return f"event:{delivery}#{attempt or ''}"


def check_job(delivery: str, attempt: int | None = None, subject: str = "") -> str:
    """The id of the check of ``subject`` for a delivery; without it what all of them begin with."""
    return f"check:{delivery}#" + (f"{attempt}:{subject}" if attempt else "")


def remember_repositories(session: Session, work: Work) -> None:
    """Keeps the list of repositories that the sweep goes through."""
    if not isinstance(work, Installed):
        remember_repository(session, work.place)
        return
    for place in sorted(work.places, key=lambda one: one.repository_id):  # in one order, or two could lock each other
        remember_repository(session, place)
    listed = [place.repository_id for place in work.places]
    chosen = Repository.id.in_(listed) if listed else Repository.installation_id == work.installation_id
    if work.access is Access.REMOVED:
        session.flush()
        session.execute(delete(Repository).where(chosen))
    else:
        session.execute(update(Repository).where(chosen).values(active=work.access is Access.ACTIVE))


def remember_repository(session: Session, place: Place) -> None:
    """Notes the repository under its present name; whether it is active stays as it is."""
    known = session.get(Repository, place.repository_id)
    if known and (known.full_name, known.installation_id) == (place.repository, place.installation_id):
        return
    values = {"id": place.repository_id, "full_name": place.repository, "installation_id": place.installation_id}
    keep(session, Repository, values, ["full_name", "installation_id"])
