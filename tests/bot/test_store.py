"""Rows that several workers write at the same moment, on SQLite and PostgreSQL."""

from __future__ import annotations

import stat
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from bot.database import keep
from bot.github import PullRequest
from bot.intake import remember_repository
from bot.jobs import pulls, records
from bot.store import Branch, Delivery, PullState, Repository, SeenHead, Store, see_head
from bot.work import Place

TOGETHER, ROUNDS = 6, 5
HEAD, TREE = "a" * 40, "b" * 40


@pytest.fixture(params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """An empty database."""
    url = f"sqlite:///{tmp_path}/bot.db" if request.param == "sqlite" else request.getfixturevalue("postgres_url")
    made = Store(url)
    yield made
    made.close()


def test_what_is_stored_is_for_its_own_user_only(tmp_path: Path) -> None:
    file = tmp_path / "data" / "deep" / "bot.sqlite3"
    store = Store(f"sqlite:///{file}")
    with store.session() as session:
        see_head(session, 1, HEAD)
    found = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "data").rglob("*")}
    assert found.pop("deep") == 0o700
    assert stat.S_IMODE((tmp_path / "data").stat().st_mode) == 0o700
    assert set(found) >= {file.name, f"{file.name}-wal"}
    assert set(found.values()) == {0o600}
    store.close()


def at_once(store: Store, write: Callable[[Session, int], object]) -> None:
    """Calls ``write`` in transactions of several threads that all begin before the first ends."""
    barrier = threading.Barrier(TOGETHER)

    def once(number: int) -> None:
        barrier.wait()
        with store.session() as session:
            write(session, number)

    with ThreadPoolExecutor(TOGETHER) as pool:
        list(pool.map(once, range(TOGETHER)))


def shown(number: int, head: str, minute: int) -> PullRequest:
    updated = f"2026-11-30T02:{minute:02}:00Z"
    return PullRequest(number, head, "c" * 40, "main", 1, "open", False, None, None, updated, "octocat")


def test_a_head_is_first_seen_once_and_its_tree_noted(store: Store) -> None:
    for repository in range(1, ROUNDS):
        at_once(store, lambda session, number, at=repository: see_head(session, at, HEAD, TREE if number % 2 else None))
        with store.session() as session:
            seen = session.get_one(SeenHead, (repository, HEAD))
            assert seen.tree_sha == TREE
            first = seen.first_seen_at
        at_once(store, lambda session, _, at=repository: see_head(session, at, HEAD))
        with store.session() as session:
            again = session.get_one(SeenHead, (repository, HEAD))
            assert (again.first_seen_at, again.tree_sha) == (first, TREE)


def test_a_repository_that_several_hear_of_is_stored_once(store: Store) -> None:
    for id_ in range(1, ROUNDS):
        at_once(store, lambda session, _, at=id_: remember_repository(session, Place(at, "octo/new", 2)))
        with store.session() as session:
            known = session.get_one(Repository, id_)
            assert (known.full_name, known.installation_id, known.active) == ("octo/new", 2, True)
            known.active = False
        with store.session() as session:
            remember_repository(session, Place(id_, "octo/renamed", 3))
        with store.session() as session:
            known = session.get_one(Repository, id_)
            assert (known.full_name, known.installation_id, known.active) == ("octo/renamed", 3, False)


def test_the_newest_sight_of_a_pull_request_stays_whoever_writes_last(store: Store) -> None:
    for repository in range(1, ROUNDS):
        at_once(
            store,
            lambda session, number, at=repository: pulls.remember(session, at, shown(7, f"{number:040}", number)),
        )
        with store.session() as session:
            state = session.get_one(PullState, (repository, 7))
            assert (state.head_sha, state.updated_at) == (f"{TOGETHER - 1:040}", f"2026-11-30T02:{TOGETHER - 1:02}:00Z")


def test_two_lists_of_the_same_pull_requests_do_not_lock_each_other(store: Store) -> None:
    listed = [shown(number, HEAD, 1) for number in range(1, 30)]
    with ThreadPoolExecutor(2) as pool:
        for _ in range(ROUNDS):
            lists = [listed, list(reversed(listed))]
            for states in pool.map(lambda one: pulls.remember_all(store, 1, one), lists):
                assert [state.number for state in states] == list(range(1, 30))


def test_a_branch_that_moves_keeps_one_row(store: Store) -> None:
    def move(session: Session, number: int) -> None:
        keep(session, Branch, {"repository_id": 1, "name": "main", "sha": f"{number:040}"}, ["sha"])

    at_once(store, move)
    with store.session() as session:
        assert len(session.scalars(select(Branch)).all()) == 1


@pytest.mark.parametrize(
    ("event", "head", "is_overtaken"),
    [("base moved", HEAD, True), ("base moved", "c" * 40, False), ("pull_request", HEAD, False)],
)
def test_only_an_order_of_the_bots_own_is_overtaken_by_what_an_event_told_since(
    store: Store, event: str, head: str, is_overtaken: bool
) -> None:
    """Within one second a push may be newer than what GitHub shows; an order that no push made can't be."""
    with store.session() as session:
        session.add(Delivery(id="own", event=event, action="", subject="pull:1:1", work="{}"))
        pulls.remember(session, 1, shown(1, head, 0))
    assert records.is_overtaken(store, "own", 1, 1, HEAD) is is_overtaken
    assert not records.is_overtaken(store, "unknown", 1, 1, HEAD)
