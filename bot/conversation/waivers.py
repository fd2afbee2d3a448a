"""Waivers given by command: who gave them, where that is recorded, and which ones hold."""

from __future__ import annotations

import datetime
from typing import Any

from sqlalchemy import BigInteger, Index, Select, Text, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from bot.conversation.commands import Unwaive, Waive
from bot.policy import Waiver
from bot.store import Base, BigKey, Store, now


class GivenWaiver(Base):
    """A waiver by command in a pull request's conversation; it holds in the whole repository.

    ``comment_id`` is the maintainer's comment, ``record_id`` the bot's answer, without which no waiver is stored.
    """

    __tablename__ = "given_waivers"
    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    repository_id: Mapped[int] = mapped_column(BigInteger)
    number: Mapped[int] = mapped_column(BigInteger)
    rule: Mapped[str] = mapped_column(Text)
    path: Mapped[str] = mapped_column(Text)
    reason: Mapped[str] = mapped_column(Text)
    until: Mapped[datetime.date]
    author: Mapped[str] = mapped_column(Text)
    comment_id: Mapped[int] = mapped_column(BigInteger, unique=True)
    record_id: Mapped[int] = mapped_column(BigInteger)
    given_at: Mapped[datetime.datetime] = mapped_column(default=now)
    withdrawn_at: Mapped[datetime.datetime | None]
    withdrawn_by: Mapped[str | None] = mapped_column(Text)
    __table_args__ = (Index("given_waivers_of_repository", "repository_id"),)


def give(session: Session, given: GivenWaiver) -> None:
    """Stores a waiver; a second time for the same comment changes nothing."""
    if session.scalar(select(GivenWaiver.id).where(GivenWaiver.comment_id == given.comment_id)) is None:
        session.add(given)


def take_back(session: Session, repository_id: int, command: Unwaive, author: str) -> int:
    """Ends the waivers of that rule and path that hold; returns how many."""
    found = session.scalars(_matching(repository_id, command)).all()
    for waiver in found:
        waiver.withdrawn_at, waiver.withdrawn_by = now(), author
    return len(found)


def count(store: Store, repository_id: int, command: Unwaive) -> int:
    """How many waivers of that rule and path hold."""
    with store.session() as session:
        return len(session.scalars(_matching(repository_id, command)).all())


def holding(store: Store, repository_id: int) -> tuple[Waiver, ...]:
    """All waivers by command that were not taken back, also those past their day, as the policy knows them."""
    with store.session() as session:
        found = session.scalars(_standing(repository_id).order_by(GivenWaiver.id)).all()
    return tuple(Waiver(one.rule, one.path, one.reason, one.until, author=one.author) for one in found)


def as_policy(command: Waive) -> Waiver:
    """The waiver that a command asks for."""
    return Waiver(command.rule, command.path, command.reason, command.until)


def ended(command: Unwaive) -> Waiver:
    """The waiver that a command took back, as far as what it matched goes."""
    return Waiver(command.rule, command.path, "", now().date())


def _standing(repository_id: int) -> Select[Any]:
    return select(GivenWaiver).where(GivenWaiver.repository_id == repository_id, GivenWaiver.withdrawn_at.is_(None))


def _matching(repository_id: int, command: Unwaive) -> Select[Any]:
    return _standing(repository_id).where(GivenWaiver.rule == command.rule, GivenWaiver.path == command.path)
