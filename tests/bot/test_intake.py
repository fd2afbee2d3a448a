"""Deliveries that come in at the same moment: each is stored, none for another."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

from bot.intake import Intake
from bot.orders import EVENTS
from bot.queue import Queue
from bot.store import Store
from bot.work import CheckPull, Place

TOGETHER = 6
HEAD = "a" * 40


def accepted(url: str, deliveries: list[str], round_: int) -> list[bool]:
    """What becomes of deliveries about a repository and a commit that were never heard of, sent all at once."""
    store = Store(url)
    queue = Queue(store)
    intake, barrier = Intake(store, queue), threading.Barrier(len(deliveries))

    def accept(delivery: str) -> bool:
        barrier.wait()
        work = CheckPull(Place(1 + round_, "octo/submissions", 2), 7, HEAD, "test")
        return intake.accept(f"{delivery}-{round_}", "pull_request", "opened", work)

    try:
        before = queue.counts()[EVENTS, "waiting"]
        with ThreadPoolExecutor(len(deliveries)) as pool:
            found = list(pool.map(accept, deliveries))
        assert queue.counts()[EVENTS, "waiting"] - before == sum(found)
        return found
    finally:
        queue.close()
        store.close()


def test_none_is_taken_for_another(postgres_url: str) -> None:
    for round_ in range(5):
        assert accepted(postgres_url, [f"d-{number}" for number in range(TOGETHER)], round_) == [True] * TOGETHER


def test_one_sent_several_times_is_stored_once(postgres_url: str) -> None:
    for round_ in range(5):
        assert sorted(accepted(postgres_url, ["same"] * TOGETHER, round_)) == [False] * (TOGETHER - 1) + [True]
