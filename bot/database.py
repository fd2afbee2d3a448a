"""What SQLite and PostgreSQL each need: how they are opened, their clock, and inserting where a row may be already."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, create_engine, event, func, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import DeclarativeBase, Session
from sqlalchemy.pool import ConnectionPoolEntry

from bot.folders import private_file

BUSY_MILLISECONDS = 8_000
"""How long SQLite waits for another writer: below the 10 s after which GitHub gives a delivery up
(https://docs.github.com/webhooks/using-webhooks/best-practices-for-using-webhooks)."""


def open_engine(url: str) -> Engine:
    """An engine for ``url``; SQLite gets write-ahead logging and transactions that take the write lock at once."""
    engine = create_engine(url, pool_pre_ping=True)
    if engine.dialect.name == "sqlite":
        if engine.url.database:  # SQLite gives the files beside it (-wal, -shm) the permissions of this one
            private_file(Path(engine.url.database))
        event.listen(engine, "connect", _prepare_sqlite)
    return engine


def _prepare_sqlite(connection: Any, _entry: ConnectionPoolEntry) -> None:
    connection.isolation_level = "IMMEDIATE"
    connection.execute(f"PRAGMA busy_timeout={BUSY_MILLISECONDS}")
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA foreign_keys=ON")


def database_seconds(session: Session) -> int:
    """Seconds since 1970 by the database's clock, which all machines share."""
    return int(session.scalar(select(func.extract("epoch", func.current_timestamp()))) or 0)


def keep(session: Session, row: type[DeclarativeBase], values: Mapping[str, Any], changed: Sequence[str] = ()) -> None:
    """Inserts a row; where another transaction has one of that key, even since this one began, takes over the columns
    ``changed`` there. Looking first and then inserting would let two workers meet in between.
    """
    insert = INSERTS[session.get_bind().dialect.name](row).values(**values)
    key = [column.name for column in row.__table__.primary_key]
    new = {name: insert.excluded[name] for name in changed}
    known = insert.on_conflict_do_update(index_elements=key, set_=new) if new else insert.on_conflict_do_nothing()
    session.execute(known)


INSERTS: Mapping[str, Callable[..., Any]] = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}
"""INSERT ... ON CONFLICT of each database."""
