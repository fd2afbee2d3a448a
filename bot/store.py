"""What the bot remembers beside GitHub: deliveries, pull requests, check runs, reports, first sights, workers.

One database holds these tables and the queue's, so that a delivery and its job are committed together or not at all.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import BigInteger, ForeignKey, Index, Integer, Text, select
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

from bot.database import keep, open_engine

CREATION_LOCK = {"sqlite": "BEGIN IMMEDIATE", "postgresql": "SELECT pg_advisory_xact_lock(6203)"}
"""What keeps two processes that start at once from creating the same table twice; the number is any that is ours."""

BigKey = BigInteger().with_variant(Integer, "sqlite")  # only INTEGER counts up by itself in SQLite


def now() -> datetime.datetime:
    """The present time in UTC, without a zone: the form in which all times are stored."""
    return datetime.datetime.now(datetime.UTC).replace(tzinfo=None)


class Base(DeclarativeBase):
    """Base of all tables."""


class Delivery(Base):
    """One delivery that asked for ``work`` (JSON), whether by webhook or from within.

    ``subject`` tells which pull request it is about (:func:`bot.work.subject`). ``outcome``: accepted; done; fault (the
    check that it asked for ended as the bot's own); failed and parked, which the sweep tries again.
    """

    __tablename__ = "deliveries"
    id: Mapped[str] = mapped_column(Text, primary_key=True)
    event: Mapped[str] = mapped_column(Text)
    action: Mapped[str] = mapped_column(Text)
    subject: Mapped[str] = mapped_column(Text, index=True)
    work: Mapped[str] = mapped_column(Text)
    received_at: Mapped[datetime.datetime] = mapped_column(default=now)
    tried_at: Mapped[datetime.datetime] = mapped_column(default=now)
    attempts: Mapped[int] = mapped_column(default=1)
    outcome: Mapped[str] = mapped_column(Text, default="accepted", index=True)


class Repository(Base):
    """A repository that the App was told of: what the sweep goes through."""

    __tablename__ = "repositories"
    id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    full_name: Mapped[str] = mapped_column(Text, index=True)
    installation_id: Mapped[int] = mapped_column(BigInteger, index=True)
    active: Mapped[bool] = mapped_column(default=True)


class PullState(Base):
    """A pull request as GitHub showed it last.

    ``base_sha`` is what it is checked against: ``shown_base_sha``, which is GitHub's, until the base branch is seen to
    move; GitHub's own follows only with the next change of the pull request.
    """

    __tablename__ = "pulls"
    repository_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    number: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    head_sha: Mapped[str] = mapped_column(Text)
    base_ref: Mapped[str] = mapped_column(Text)
    base_sha: Mapped[str] = mapped_column(Text)
    shown_base_sha: Mapped[str] = mapped_column(Text)
    author: Mapped[str | None] = mapped_column(Text)
    open: Mapped[bool]
    updated_at: Mapped[str | None] = mapped_column(Text)
    __table_args__ = (Index("pulls_of_head", "repository_id", "head_sha"),)


class Branch(Base):
    """Where a base branch pointed when open pull requests were last compared with it."""

    __tablename__ = "branches"
    repository_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    name: Mapped[str] = mapped_column(Text, primary_key=True)
    sha: Mapped[str] = mapped_column(Text)


class CheckRequest(Base):
    """A wish to have a head commit checked; the newest of a head supersedes older ones.

    ``number`` is the pull request that asked (None: a merge group), ``targets`` the JSON list of what the verdict is
    for (:class:`bot.jobs.runs.Target`). ``withdrawn`` marks a group that left the merge queue.
    """

    __tablename__ = "check_requests"
    id: Mapped[int] = mapped_column(BigKey, primary_key=True)
    job: Mapped[str] = mapped_column(Text, unique=True)
    delivery: Mapped[str] = mapped_column(Text)
    repository_id: Mapped[int] = mapped_column(BigInteger)
    repository: Mapped[str] = mapped_column(Text)
    installation_id: Mapped[int] = mapped_column(BigInteger)
    number: Mapped[int | None]
    head_sha: Mapped[str] = mapped_column(Text)
    targets: Mapped[str] = mapped_column(Text)
    run_id: Mapped[int] = mapped_column(BigInteger, index=True)
    external_id: Mapped[str] = mapped_column(Text)
    withdrawn: Mapped[bool] = mapped_column(default=False)
    created_at: Mapped[datetime.datetime] = mapped_column(default=now)
    __table_args__ = (Index("check_requests_of_head", "repository_id", "head_sha", "id"),)


class Run(Base):
    """A check run of ours and how far it came. ``faults`` counts how often it ended as the bot's own fault."""

    __tablename__ = "runs"
    id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    repository_id: Mapped[int] = mapped_column(BigInteger)
    head_sha: Mapped[str] = mapped_column(Text)
    external_id: Mapped[str] = mapped_column(Text)
    status: Mapped[str] = mapped_column(Text, default="queued")
    conclusion: Mapped[str | None] = mapped_column(Text)
    faults: Mapped[int] = mapped_column(default=0)
    updated_at: Mapped[datetime.datetime] = mapped_column(default=now, onupdate=now)
    __table_args__ = (Index("runs_of_head", "repository_id", "head_sha"), Index("runs_by_status", "status"))


class StoredReport(Base):
    """The outcome of one check: request bodies, and the report as ``--format json`` writes it where there is one.

    ``notes`` are what comments on its pull requests are to say (:class:`bot.conversation.sticky.Note`), as JSON.
    """

    __tablename__ = "reports"
    request_id: Mapped[int] = mapped_column(ForeignKey("check_requests.id"), primary_key=True)
    repository_id: Mapped[int] = mapped_column(BigInteger)
    head_sha: Mapped[str] = mapped_column(Text)
    json: Mapped[str | None] = mapped_column(Text)
    payloads: Mapped[str] = mapped_column(Text)
    notes: Mapped[str] = mapped_column(Text, default="[]")
    created_at: Mapped[datetime.datetime] = mapped_column(default=now)
    __table_args__ = (Index("reports_of_head", "repository_id", "head_sha"),)


class SeenHead(Base):
    """When a head commit and its tree were first seen: evidence in disputes about a deadline."""

    __tablename__ = "seen_heads"
    repository_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    head_sha: Mapped[str] = mapped_column(Text, primary_key=True)
    tree_sha: Mapped[str | None] = mapped_column(Text)
    first_seen_at: Mapped[datetime.datetime] = mapped_column(default=now)


class Heartbeat(Base):
    """The last sign of life of a worker process, in seconds since 1970 by the database's clock.

    ``fault`` is the kind of error that its watch met in the round before.
    """

    __tablename__ = "heartbeats"
    worker: Mapped[str] = mapped_column(Text, primary_key=True)
    beat_at: Mapped[int] = mapped_column(BigInteger)
    fault: Mapped[str | None] = mapped_column(Text)


class Store:
    """The database of one bot; safe to use from many threads."""

    def __init__(self, url: str) -> None:
        """Opens the database at ``url``, creating its file, folder and tables as needed.

        Raises sqlalchemy.exc.SQLAlchemyError or OSError when it can't be opened.
        """
        self.engine = open_engine(url)
        with self.engine.begin() as connection:
            connection.exec_driver_sql(CREATION_LOCK[self.engine.dialect.name])
            Base.metadata.create_all(connection)

    @contextmanager
    def session(self) -> Iterator[Session]:
        """One transaction: committed at the end, rolled back on an exception."""
        with Session(self.engine, expire_on_commit=False) as session, session.begin():
            yield session

    def check(self) -> None:
        """Raises sqlalchemy.exc.SQLAlchemyError when the database does not answer."""
        with self.engine.connect() as connection:
            connection.execute(select(1))

    def close(self) -> None:
        """Closes all connections."""
        self.engine.dispose()


def see_head(session: Session, repository_id: int, head_sha: str, tree_sha: str | None = None) -> None:
    """Notes the first sight of a commit, and its tree once that is known."""
    seen = {"repository_id": repository_id, "head_sha": head_sha, "tree_sha": tree_sha}
    keep(session, SeenHead, seen, ["tree_sha"] if tree_sha else [])
