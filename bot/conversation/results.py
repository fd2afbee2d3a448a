"""What the last check of a commit found, as far as commands need it: its findings, and the names of its parts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from sqlalchemy import select

from bot.messages import scope_name
from bot.policy import Waiver
from bot.store import Store, StoredReport
from checks import names

CLOSED_KINDS = frozenset({"system", "code"})
"""Kinds of parts that hold no other parts, now or later: a submitter may add systems to its folder."""


@dataclass(frozen=True, slots=True)
class Result:
    """The newest report on a commit."""

    findings: tuple[dict[str, Any], ...]
    scopes: Mapping[str, str]
    """The kind of each part, by its path."""

    @classmethod
    def of(cls, store: Store, repository_id: int, head_sha: str) -> Self | None:
        """The result for that commit; None while there is none, or when nothing could be judged."""
        of_head = (StoredReport.repository_id == repository_id, StoredReport.head_sha == head_sha)
        query = select(StoredReport.json).where(*of_head).order_by(StoredReport.request_id.desc()).limit(1)
        with store.session() as session:
            text = session.scalar(query)
        if text is None:
            return None
        report = json.loads(text)
        waived = (one["finding"] for one in report["waived"])
        return cls((*report["findings"], *waived), {scope["path"]: scope["kind"] for scope in report["scopes"]})

    def matching(self, waiver: Waiver) -> list[dict[str, Any]]:
        """The findings that the waiver would set aside, those included that another one does already."""
        return [one for one in self.findings if waiver.matches(one["rule"], one["path"])]

    def holds(self, waiver: Waiver, scope: str) -> bool:
        """Whether all that the waiver can ever match lies in ``scope``: it names one path, or has its wildcards inside
        a part that holds no other parts.
        """
        if not waiver.is_glob:
            return True
        return self.scopes.get(scope) in CLOSED_KINDS and f"/{scope}/" in f"/{waiver.folder}/"

    def has_scope(self, name: str) -> bool:
        """Whether a part of the check is called so: by its path, its folder's name, or as the table calls it."""
        known = {called for path in self.scopes for called in (path, names.basename(path), scope_name(path))}
        return name in known
