"""Whose verdict a waiver can change: it holds in the whole repository, so not only where the command was given."""

from __future__ import annotations

from collections import Counter

from sqlalchemy import select

from bot.conversation.results import Result
from bot.jobs import pulls
from bot.policy import Waiver
from bot.store import PullState, Run, Store


def concerned(store: Store, repository_id: int, waiver: Waiver) -> list[PullState]:
    """The open pull requests whose last check has findings that ``waiver`` matches, waived ones included.

    In doubt a pull request is among them: without a result, while its check runs (it may have read the waivers before
    this one changed), and where several share a head, of which only the worst result is kept.
    """
    states = pulls.open_in(store, repository_id)
    sharing = Counter(state.head_sha for state in states)
    return [state for state in states if sharing[state.head_sha] > 1 or _can_change(store, state, waiver)]


def _can_change(store: Store, state: PullState, waiver: Waiver) -> bool:
    result = Result.of(store, state.repository_id, state.head_sha)
    return result is None or bool(result.matching(waiver)) or _runs(store, state)


def _runs(store: Store, state: PullState) -> bool:
    """Whether a check of the head has not ended."""
    of_head = (Run.repository_id == state.repository_id, Run.head_sha == state.head_sha)
    with store.session() as session:
        return session.scalar(select(Run.id).where(*of_head, Run.status != "completed").limit(1)) is not None
