"""When heads and their contents were first seen: evidence in disputes about a deadline.

A head that was amended or rebased is a new commit, its tree may be the same as before. What was handed in is the tree.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping

from sqlalchemy import select

from bot.store import CheckRequest, SeenHead, Store


def trees_seen(store: Store, repository_id: int, numbers: Iterable[int | None]) -> Mapping[str, datetime.datetime]:
    """The first sight (UTC) of every tree that heads of these pull requests had."""
    of_pulls = (CheckRequest.repository_id == repository_id, CheckRequest.number.in_(set(numbers) - {None}))
    heads = select(CheckRequest.head_sha).where(*of_pulls)
    seen = select(SeenHead).where(SeenHead.repository_id == repository_id, SeenHead.head_sha.in_(heads))
    with store.session() as session:
        found = session.scalars(seen.order_by(SeenHead.first_seen_at.desc())).all()
    return {one.tree_sha: one.first_seen_at.replace(tzinfo=datetime.UTC) for one in found if one.tree_sha}
