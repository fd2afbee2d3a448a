"""The durable queue on SQLite and PostgreSQL: order, once only, later, recovery of what dead workers left."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import text

from bot import diagnosis
from bot.orders import CHECKS, EVENTS, LaterError, Order
from bot.queue import Handler, Job, Queue, Worker
from bot.store import Heartbeat, Store
from bot.workers import SILENT_SECONDS, Watch, alive, faults
from tests.bot.service import until


class Bench:
    """A queue, and workers that write down what they did."""

    def __init__(self, url: str) -> None:
        self.store = Store(url)
        self.queue = Queue(self.store)
        self.done: list[str] = []
        self._workers: list[Worker] = []

    def order(self, id: str, partition: str = "p", delay: float | None = None, **payload: object) -> None:
        with self.store.session() as session:
            self.queue.put(session, Order(EVENTS, id, partition, payload), delay)

    def work(self, handler: Callable[[Job], str] | None = None, name: str = "worker-1", workers: int = 4) -> Worker:
        """Start the one worker that a process can have."""

        def note(job: Job) -> str:
            self.done.append(job.id)
            return "done"

        chosen: Handler = handler or note
        worker = Worker(self.store, self.queue, name, {EVENTS: chosen, CHECKS: chosen}, workers)
        self._workers.append(worker)
        worker.start()
        return worker

    def pretend_dead(self, name: str, id: str) -> None:
        """As a worker that died in the middle of a job leaves it behind."""
        table = "workflow_status" if self.store.engine.dialect.name == "sqlite" else "dbos.workflow_status"
        with self.store.session() as session:
            update = f"UPDATE {table} SET status = 'PENDING', executor_id = :name WHERE workflow_uuid = :id"
            session.execute(text(update), {"name": name, "id": id})
            session.add(Heartbeat(worker=name, beat_at=int(time.time()) - SILENT_SECONDS - 1))

    def close(self) -> None:
        for worker in self._workers:
            worker.stop(0)
        self.queue.close()
        self.store.close()


@pytest.fixture
def sqlite(tmp_path: Path) -> Iterator[Bench]:
    bench = Bench(f"sqlite:///{tmp_path}/queue.sqlite3")
    yield bench
    bench.close()


@pytest.fixture
def postgres(postgres_url: str) -> Iterator[Bench]:
    bench = Bench(postgres_url)
    yield bench
    bench.close()


@pytest.fixture(params=["sqlite", "postgres"])
def bench(request: pytest.FixtureRequest) -> Bench:
    made: Bench = request.getfixturevalue(request.param)
    return made


def test_an_id_is_done_once(bench: Bench) -> None:
    for _ in range(3):
        bench.order("event:1")
    bench.work()
    until(lambda: bench.done == ["event:1"], "the job is done")
    bench.order("event:1")
    bench.order("event:2")
    until(lambda: "event:2" in bench.done, "the next job is done")
    assert bench.done == ["event:1", "event:2"]


def test_an_order_that_is_rolled_back_is_none(sqlite: Bench) -> None:
    with pytest.raises(RuntimeError, match="planned"), sqlite.store.session() as session:
        sqlite.queue.put(session, Order(EVENTS, "event:1", "p", {}))
        raise RuntimeError("planned")
    assert sqlite.queue.counts()[EVENTS, "waiting"] == 0


def test_a_partition_runs_in_turn_and_others_beside_it(sqlite: Bench) -> None:
    running, most = {"p": 0, "q": 0}, {"p": 0, "q": 0}
    together = threading.Event()

    def count(job: Job) -> str:
        running[job.partition] += 1
        most[job.partition] = max(most[job.partition], running[job.partition])
        if all(running.values()):
            together.set()
        together.wait(10)
        running[job.partition] -= 1
        sqlite.done.append(job.id)
        return "done"

    for number in range(3):
        sqlite.order(f"p:{number}", "p")
        sqlite.order(f"q:{number}", "q")
    sqlite.work(count)
    until(lambda: len(sqlite.done) == 6, "all are done")
    assert together.is_set()
    assert most == {"p": 1, "q": 1}
    assert [id for id in sqlite.done if id.startswith("p")] == ["p:0", "p:1", "p:2"]


def test_a_job_that_comes_later_gives_up_its_place(sqlite: Bench) -> None:
    seen: list[tuple[str, int]] = []

    def later(job: Job) -> str:
        seen.append((job.id, job.attempt))
        if job.attempt < 3:
            raise LaterError(0.5, "a test")
        return "done"

    sqlite.order("event:1", answer=42)
    sqlite.work(later, workers=1)
    until(lambda: len(seen) == 3, "three attempts")
    assert seen == [("event:1", 1), ("event:1~2", 2), ("event:1~3", 3)]
    until(lambda: not sqlite.queue.live(["event:1"]), "nothing is left")


def test_patience_counts_from_the_first_order_unless_the_wait_was_asked_for(sqlite: Bench) -> None:
    ages: list[float] = []

    def later(job: Job) -> str:
        ages.append(job.age)
        if job.attempt < 3:
            raise LaterError(1.0, "a test", afresh=job.attempt == 2)
        return "done"

    sqlite.order("event:1")
    sqlite.work(later)
    until(lambda: len(ages) == 3, "three attempts")
    assert ages[1] > 1.0
    assert ages[2] < ages[1] + 1.0


def test_a_recorded_step_is_not_repeated(sqlite: Bench) -> None:
    steps: list[str] = []

    def two_steps(job: Job) -> str:
        first = job.step("first", lambda: steps.append("first") or len(steps))
        steps.append(f"second after {first}")
        return "done"

    sqlite.order("event:1")
    sqlite.work(two_steps)
    until(lambda: len(steps) == 2, "the job is done")
    sqlite.pretend_dead("worker-0", "event:1")
    assert sqlite._workers[0].rescue(["worker-0"]) == 1
    until(lambda: len(steps) == 3, "the job is done again")
    assert steps == ["first", "second after 1", "second after 1"]


def test_the_jobs_of_a_dead_worker_are_rescued(bench: Bench) -> None:
    bench.order("event:1")
    bench.pretend_dead("worker-dead", "event:1")
    worker = bench.work()
    watch = Watch(bench.store, "worker-1", worker.rescue, lambda: None)
    watch.beat()
    assert alive(bench.store) == 1
    assert bench.done == []
    assert watch.rescue_dead() == ["worker-dead"]
    until(lambda: bench.done == ["event:1"], "the job is done")
    assert watch.rescue_dead() == []


def test_l13_a_watch_outlives_every_error_and_shows_it(sqlite: Bench, tmp_path: Path) -> None:
    failing, sign = threading.Event(), tmp_path / "alive"
    failing.set()

    def tick() -> None:
        if failing.is_set():
            raise RuntimeError("planned")

    watch = Watch(sqlite.store, "worker-1", lambda dead: 0, tick, sign, seconds=0.05)
    watch.start()
    until(lambda: faults(sqlite.store) == ["RuntimeError"], "the fault is shown")
    assert alive(sqlite.store) == 1
    assert not sign.exists()
    failing.clear()
    until(lambda: faults(sqlite.store) == [] and sign.exists(), "all is well again")
    watch.stop()


def test_l13_a_job_that_nobody_takes_is_noticed(sqlite: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diagnosis, "STANDSTILL_SECONDS", 0.1)
    look = diagnosis.Standstill(sqlite.queue)
    assert look() is None
    sqlite.order("event:1")
    assert look() is None
    time.sleep(0.2)
    assert "jobs wait and no worker takes them" in (look() or "")
    sqlite.work()
    until(lambda: look() is None, "the job is taken")


def test_a_worker_takes_up_what_it_left_itself(sqlite: Bench) -> None:
    sqlite.order("event:1")
    sqlite.pretend_dead("worker-1", "event:1")
    sqlite.work()
    until(lambda: sqlite.done == ["event:1"], "the job is done")


def test_figures(sqlite: Bench) -> None:
    sqlite.order("event:1")
    sqlite.order("event:2", delay=100.0)
    time.sleep(0.1)
    assert sqlite.queue.counts()[EVENTS, "waiting"] == 1
    assert sqlite.queue.counts()[EVENTS, "delayed"] == 1
    assert sqlite.queue.oldest_waiting() > 0.05
    assert sqlite.queue.live(["event:2"])
    assert not sqlite.queue.live(["event:3"])


def test_finished_jobs_are_removed_after_a_time_and_not_before(sqlite: Bench) -> None:
    sqlite.order("event:1")
    sqlite.work()
    until(lambda: sqlite.done == ["event:1"], "the job is done")
    until(lambda: not sqlite.queue.live(["event:1"]), "the job has ended")
    assert sqlite.queue.purge() == 0
    with sqlite.store.session() as session:
        session.execute(text("UPDATE workflow_status SET completed_at = completed_at - 11 * 86400000"))
    assert sqlite.queue.purge() == 1
