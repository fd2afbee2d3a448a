"""Durable jobs on DBOS Transact; the only module that knows it.

What holds here, each for a measured reason:

* ``APPLICATION_VERSION`` is pinned: by default it is a hash of the code, and a new release would leave
  the jobs of the old one.
* Every live process runs under a worker name of its own (:mod:`bot.workers`): a second one of that name would run the
  running jobs again.
* A worker that never comes back is noticed by the others (:mod:`bot.workers`), which call :meth:`Worker.rescue`.
* A job may run twice up to its last recorded step: handlers look before they post.
* Finished jobs are removed by :meth:`Queue.purge` only, never by SQL: an id whose row vanished would be run no more.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from dbos import DBOS, DBOSClient, DBOSConfig, DBOSPortableJSONSerializer, EnqueueOptions
from sqlalchemy.orm import Session

from bot.orders import CHECKS, EVENTS, LaterError, Order
from bot.store import Store

LOG = logging.getLogger(__name__)
T = TypeVar("T")

APPLICATION = "submission-bot"
APPLICATION_VERSION = "1"
"""Raised only when the order of a job's steps changes, and after the queue has been drained."""

POLLING_SECONDS = 0.2
MAX_RECOVERIES = 5
"""How many times a job that killed its worker is begun again; the sweep then completes its check run."""

KEEP_DAYS = 10
"""Finished jobs stay longer than GitHub allows a redelivery (3 days), since a job's id is what stops a second run."""

PURGE_BATCH = 1_000
WAITING = ("ENQUEUED", "DELAYED")
LIVE = (*WAITING, "PENDING")
GIVEN_UP = "MAX_RECOVERY_ATTEMPTS_EXCEEDED"
FINISHED = ("SUCCESS", "ERROR", "CANCELLED", GIVEN_UP)


@dataclass(frozen=True, slots=True)
class Job:
    """A running job as its handler sees it: ``attempt`` counts from 1, ``since`` is the time of the first order."""

    queue: str
    id: str
    partition: str
    payload: Mapping[str, Any]
    attempt: int
    since: float

    @property
    def age(self) -> float:
        """Seconds since the job was first ordered."""
        return time.time() - self.since

    def step(self, name: str, function: Callable[..., T], *arguments: Any) -> T:
        """Calls ``function`` and records its JSON result: a job that is started again does not call it again."""
        return DBOS.run_step({"name": name}, function, *arguments)


Handler = Callable[[Job], str]
"""Does a job and returns its outcome in a word, for the log. Raises LaterError to come again."""


class Queue:
    """The sending side: used by the web process and by handlers."""

    def __init__(self, store: Store) -> None:
        """Prepares the queue's tables in the database of ``store``."""
        DBOS.migrate(store.engine.url.render_as_string(hide_password=False))
        self._client = DBOSClient(
            system_database_engine=store.engine,
            serializer=DBOSPortableJSONSerializer(),
            application_name=APPLICATION,
        )

    def put(self, session: Session, order: Order, delay: float | None = None) -> None:
        """Orders a job within the transaction of ``session``; an id that was used before changes nothing."""
        options: EnqueueOptions = {
            "workflow_name": order.queue,
            "queue_name": order.queue,
            "workflow_id": order.id,
            "queue_partition_key": order.partition,
            "app_version": APPLICATION_VERSION,
        }
        if delay is not None:
            options["delay_seconds"] = delay
        history = {"first_id": order.first_id or order.id, "attempt": order.attempt, "since": order.since}
        self._client.enqueue_in_transaction(session, options, dict(order.payload), order.partition, history)

    def live(self, prefixes: Sequence[str]) -> bool:
        """Whether a job whose id starts with one of ``prefixes`` is waiting or running."""
        found = self._client.list_workflows(
            workflow_id_prefix=list(prefixes), status=list(LIVE), limit=1, load_input=False, load_output=False
        )
        return bool(found)

    def given_up(self, prefix: str) -> bool:
        """Whether a job whose id starts with ``prefix`` killed its workers until it was given up."""
        found = self._client.list_workflows(
            workflow_id_prefix=prefix, status=GIVEN_UP, limit=1, load_input=False, load_output=False
        )
        return bool(found)

    def counts(self) -> dict[tuple[str, str], int]:
        """Numbers of live jobs by queue and state (waiting, delayed, running)."""
        names = {"ENQUEUED": "waiting", "DELAYED": "delayed", "PENDING": "running"}
        counts = {(queue, name): 0 for queue in (EVENTS, CHECKS) for name in names.values()}
        for job in self._client.list_queued_workflows(load_input=False, load_output=False):
            key = (job.queue_name or "", names.get(job.status, job.status))
            counts[key] = counts.get(key, 0) + 1
        return counts

    def oldest_waiting(self) -> float:
        """Seconds for which the oldest job that could run has been waiting; 0 when none is."""
        found = self._client.list_queued_workflows(status="ENQUEUED", limit=1, load_input=False, load_output=False)
        created = found[0].created_at if found else None
        return max(0.0, time.time() - created / 1000) if created else 0.0

    def longest_waiting(self) -> str | None:
        """The id of the job that waits longest for a worker; None while none waits or any job runs."""
        if self._client.list_workflows(status="PENDING", limit=1, load_input=False, load_output=False):
            return None
        found = self._client.list_queued_workflows(status="ENQUEUED", limit=1, load_input=False, load_output=False)
        return found[0].workflow_id if found else None

    def purge(self) -> int:
        """Removes jobs that finished more than KEEP_DAYS ago; returns how many."""
        before = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - KEEP_DAYS * 86_400))
        old = self._client.list_workflows(
            status=list(FINISHED), completed_before=before, limit=PURGE_BATCH, load_input=False, load_output=False
        )
        if old:
            self._client.delete_workflows([job.workflow_id for job in old])
        return len(old)

    def close(self) -> None:
        """Lets go of the database."""
        self._client.destroy()


class Worker:
    """The running side: one in a process, under a ``name`` that no other live process has."""

    def __init__(self, store: Store, queue: Queue, name: str, handlers: Mapping[str, Handler], workers: int) -> None:
        """``handlers`` by queue; at most ``workers`` checks run at once."""
        self._store = store
        self._queue = queue
        self._workers = workers
        url = store.engine.url.render_as_string(hide_password=False)
        config: DBOSConfig = {
            "name": APPLICATION,
            "system_database_url": url,
            "application_version": APPLICATION_VERSION,
            "executor_id": name,
            "serializer": DBOSPortableJSONSerializer(),
            "log_level": logging.getLevelName(logging.getLogger("dbos").getEffectiveLevel()),
        }
        DBOS(config=config)
        for queue_name, handler in handlers.items():
            DBOS.workflow(name=queue_name, max_recovery_attempts=MAX_RECOVERIES)(self._runner(queue_name, handler))

    def start(self) -> None:
        """Begins to take jobs, first those that an earlier process of this name left."""
        DBOS.launch()
        for name in (EVENTS, CHECKS):
            DBOS.register_queue(
                name,
                partition_concurrency=1,
                worker_concurrency=self._workers,
                polling_interval_sec=POLLING_SECONDS,
                on_conflict="always_update",
            )

    def stop(self, seconds: int) -> None:
        """Takes no more jobs and waits up to ``seconds`` for the running ones; what is left runs again later."""
        DBOS.destroy(destroy_registry=True, workflow_completion_timeout_sec=seconds)

    def rescue(self, dead: Sequence[str]) -> int:
        """Puts the running jobs of the ``dead`` workers back into their queues; returns how many.

        Doing it twice does no harm: a job that another worker has taken since is left alone.
        """
        # Public from DBOS 3.6 on. Only this call keeps the count of attempts, which stops a job that kills its workers.
        recover = getattr(DBOS, "recover_workflows", None) or DBOS._recover_pending_workflows
        return len(recover(list(dead)))

    def _runner(self, queue: str, handler: Handler) -> Callable[[dict[str, Any], str, dict[str, Any]], str]:
        def run(payload: dict[str, Any], partition: str, history: dict[str, Any]) -> str:
            job = Job(queue, str(DBOS.workflow_id), partition, payload, history["attempt"], history["since"])
            try:
                outcome = handler(job)
            except LaterError as later:
                self._again(job, history["first_id"], later)
                outcome = f"again in {later.seconds:.0f} s"
            LOG.info("job ended", extra={"job": job.id, "outcome": outcome})
            return outcome

        run.__qualname__ = f"{queue}_job"
        return run

    def _again(self, job: Job, first_id: str, later: LaterError) -> None:
        attempt = job.attempt + 1
        since = time.time() + later.seconds if later.afresh else job.since
        order = Order(job.queue, f"{first_id}~{attempt}", job.partition, job.payload, first_id, attempt, since)
        LOG.info("job goes back to the queue", extra={"job": job.id, "seconds": later.seconds, "reason": later.reason})
        with self._store.session() as session:
            self._queue.put(session, order, delay=later.seconds)
