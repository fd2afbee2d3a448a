"""Worker processes among themselves: a name for each live one, signs of life, and the rescue of jobs of the dead."""

from __future__ import annotations

import fcntl
import logging
import os
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import delete, select

from bot.database import database_seconds
from bot.folders import private_folder
from bot.store import Heartbeat, Store

LOG = logging.getLogger(__name__)

BEAT_SECONDS = 10
SILENT_SECONDS = 60
"""A worker that was not heard for this long is taken for dead. If it was only asleep, one step of each of its jobs
may run twice, and each job still ends once."""

SLOTS = 1_000


class NameTakenError(Exception):
    """The WORKER_NAME that was asked for is held by another live process of this machine."""


@contextmanager
def worker_name(folder: Path, wanted: str | None) -> Iterator[str]:
    """A name that no other live process holds: ``wanted``, or the host's name with the first free slot.

    The lock goes with the process, however that ends: one that starts after a crash gets the same name and with it
    the jobs that were running. The lock files lie in ``folder``. Raises NameTakenError or OSError.
    """
    private_folder(folder)
    for name in [wanted] if wanted else _slots():
        descriptor = os.open(folder / f"{name}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            continue
        try:
            yield name
        finally:
            os.close(descriptor)
        return
    raise NameTakenError(f"{wanted or 'every worker name'} is held by another process")


def _slots() -> Iterator[str]:
    host = socket.gethostname()
    yield host
    yield from (f"{host}-{slot}" for slot in range(2, SLOTS))


class Watch:
    """A thread that tells the others that this worker lives, rescues the jobs of dead ones and calls ``tick``.

    It outlives every error: the kind of the last one goes with the sign of life, so that /readyz shows it.
    """

    def __init__(
        self,
        store: Store,
        name: str,
        rescue: Callable[[list[str]], int],
        tick: Callable[[], None],
        sign: Path | None = None,
        *,
        seconds: float = BEAT_SECONDS,
    ) -> None:
        """``rescue`` puts the jobs of the named workers back; ``tick`` is called at every beat, ``seconds`` apart. The
        file ``sign`` is touched after each that went well, for supervisors that can only look at this machine.
        """
        self._seconds = seconds
        self._store = store
        self._name = name
        self._rescue = rescue
        self._tick = tick
        self._sign = sign
        self._fault: str | None = None
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="watch", daemon=True)

    def start(self) -> None:
        """Gives the first sign of life before it returns, so that the worker is known before it takes a job."""
        self.beat()
        self._thread.start()

    def stop(self) -> None:
        """Ends the thread."""
        self._stop.set()
        self._thread.join(BEAT_SECONDS)

    def beat(self) -> None:
        """One sign of life, by the database's clock."""
        with self._store.session() as session:
            session.merge(Heartbeat(worker=self._name, beat_at=database_seconds(session), fault=self._fault))

    def rescue_dead(self) -> list[str]:
        """Puts the jobs of silent workers back into their queues, and forgets these workers; returns their names."""
        with self._store.session() as session:
            before = database_seconds(session) - SILENT_SECONDS
            silent = select(Heartbeat.worker).where(Heartbeat.beat_at < before, Heartbeat.worker != self._name)
            dead = list(session.scalars(silent))
        if dead:
            count = self._rescue(dead)
            LOG.warning("workers are silent, their jobs go back", extra={"workers": ",".join(dead), "jobs": count})
            with self._store.session() as session:
                session.execute(delete(Heartbeat).where(Heartbeat.worker.in_(dead), Heartbeat.beat_at < before))
        return dead

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                self._round()
                self._fault = None
            except Exception as error:  # a thread that ended unseen would leave a process that lives and does nothing
                LOG.exception("the watch failed; it tries again")
                self._fault = type(error).__name__
            self._stop.wait(self._seconds)

    def _round(self) -> None:
        self.beat()
        self.rescue_dead()
        self._tick()
        if self._sign:
            self._sign.touch()


def faults(store: Store) -> list[str]:
    """The kinds of errors that living workers met lately."""
    with store.session() as session:
        since = database_seconds(session) - SILENT_SECONDS
        found = session.scalars(select(Heartbeat.fault).where(Heartbeat.beat_at >= since))
        return sorted({fault for fault in found if fault})


def alive(store: Store) -> int:
    """How many workers gave a sign of life lately."""
    with store.session() as session:
        since = database_seconds(session) - SILENT_SECONDS
        return len(session.scalars(select(Heartbeat.worker).where(Heartbeat.beat_at >= since)).all())
