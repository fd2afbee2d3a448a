"""What the page of a check shows: the newest outcome on a commit, without what concerns other submitters."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select

from bot.store import Repository, Store, StoredReport


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a check ended: GitHub's word and the title, and the report where anything was judged (:func:`public`)."""

    conclusion: str
    title: str
    report: dict[str, Any] | None


def newest(store: Store, repository: str, head_sha: str) -> Outcome | None:
    """The newest outcome on a commit, even where an older one has a report; None while there is none."""
    query = (
        select(StoredReport)
        .join(Repository, Repository.id == StoredReport.repository_id)
        .where(Repository.full_name == repository, StoredReport.head_sha == head_sha)
        .order_by(StoredReport.request_id.desc())
        .limit(1)
    )
    with store.session() as session:
        found = session.scalar(query)
    if found is None:
        return None
    last = json.loads(found.payloads)[-1]
    report = public(json.loads(found.json)) if found.json is not None else None
    return Outcome(last["conclusion"], last["output"]["title"], report)


def public(stored: dict[str, Any]) -> dict[str, Any]:
    """A stored report (:func:`bot.others.stored`) for everyone's eyes: others are numbers only, as in the check run."""
    others = stored.get("others")
    if others is None:
        return {**stored, "others": None}
    hidden = frozenset(others["paths"])
    kept = {
        name: [one for one in stored[name] if one["scope"] not in hidden]
        for name in ("findings", "not_run", "facts", "faults")
    }
    scopes = [scope for scope in stored["scopes"] if scope["path"] not in hidden]
    waived = [one for one in stored["waived"] if one["finding"]["scope"] not in hidden]
    return {**stored, **kept, "scopes": scopes, "waived": waived}
