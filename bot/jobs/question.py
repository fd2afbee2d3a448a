"""What a process that judges is asked and what it answers, as plain data that travels between processes."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field

from bot.account import Sights
from bot.check_run import Body
from bot.conversation.sticky import Note
from bot.jobs.runs import Target
from bot.policy import Waiver
from bot.settings import Settings


@dataclass(frozen=True, slots=True)
class Question:
    """What is to be judged: the commit ``head_sha`` for each of ``targets``, with the ``waivers`` given by command.

    ``first_seen`` is the head's first sight, ``trees_seen`` those of the trees of its pull requests' earlier heads.
    """

    settings: Settings
    repository_id: int
    repository: str
    head_sha: str
    targets: tuple[Target, ...]
    token: str = field(repr=False)
    details_url: str | None
    first_seen: datetime.datetime | None = None
    trees_seen: Mapping[str, datetime.datetime] = field(default_factory=dict)
    waivers: tuple[Waiver, ...] = ()

    def sights(self, tree_sha: str) -> Sights | None:
        """When the head was first seen, and its tree, which an earlier head may have had too."""
        if self.first_seen is None:
            return None
        return Sights(self.first_seen, tree_sha, min(self.first_seen, self.trees_seen.get(tree_sha, self.first_seen)))


@dataclass(frozen=True, slots=True)
class Answer:
    """Request bodies in the order of sending, the last of which completes the run, and the report as JSON.

    Instead of bodies, ``retry`` says how git failed in a way that may pass, and ``token_refused`` that a fresh token
    may help. ``seconds`` are those that each stage took. ``notes`` are for the comments that are kept up to date.
    """

    bodies: tuple[Body, ...] = ()
    json: str | None = None
    tree_sha: str | None = None
    retry: str | None = None
    token_refused: bool = False
    notes: tuple[Note, ...] = ()
    seconds: Mapping[str, float] = field(default_factory=dict)
