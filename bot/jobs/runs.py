"""Which check run a check reports in: an existing one, or a new one. Pure.

One head commit keeps one run for as long as that can be: a redelivery, a restart, a push away and back or another base
finds the run that is there. GitHub only ever adds annotations to a run, so a new run of the same name comes where the
old one holds annotations of another result, and where a person asks for a new one.
"""

from __future__ import annotations

import enum
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

VERDICTS = frozenset({"success", "failure"})
"""Conclusions that judge the commit. The others (superseded, own fault) are gone over again in the same run."""

NUMBERS_IN_KEY = 10
"""Pull requests that a key names; more than two or three with one head are not seen in practice."""


class RunState(Protocol):
    """What has to be known of a run; `bot.github.CheckRunState` fits."""

    @property
    def id(self) -> int:
        """GitHub's number of the run; a newer run has a higher one."""

    @property
    def external_id(self) -> str:
        """The key that the bot gave the run; empty without one."""

    @property
    def status(self) -> str:
        """queued, in_progress or completed."""

    @property
    def conclusion(self) -> str | None:
        """The outcome of a completed run."""

    @property
    def annotations_count(self) -> int:
        """How many annotations GitHub holds for it."""


State = TypeVar("State", bound=RunState)


@dataclass(frozen=True, slots=True)
class Target:
    """What a head is judged for: pull request ``number`` (None: a merge group) into ``base_ref`` at ``base_sha``.

    ``author`` is the login of the person who opened it.
    """

    number: int | None
    base_sha: str
    base_ref: str
    author: str | None = None


class Use(enum.Enum):
    """What to do with the run that was chosen."""

    CREATE = "create"
    TAKE = "take"
    KEEP = "keep"


@dataclass(frozen=True, slots=True)
class Choice:
    """``run_id`` is the run to use; for a new one the unfinished run that it replaces, if there is one.

    ``conclusion`` is what the run shows until now, ``held`` the number of annotations of this result that it has.
    """

    use: Use
    run_id: int | None = None
    conclusion: str | None = None
    held: int = 0


def external_id(targets: Sequence[Target], delivery: str | None = None) -> str:
    """The bot's key of a run: what the head is judged for, and for a re-run the delivery that asked.

    ``pull:7:<base>``, ``pulls:7,9:<digest of the bases>`` or ``group:<base>``.
    """
    first = targets[0]
    if first.number is None:
        key = f"group:{first.base_sha}"
    elif len(targets) == 1:
        key = f"pull:{first.number}:{first.base_sha}"
    else:
        digest = hashlib.sha256("".join(f"{one.number}:{one.base_sha}," for one in targets).encode()).hexdigest()
        key = f"pulls:{','.join(str(one.number) for one in targets[:NUMBERS_IN_KEY])}:{digest[:40]}"
    return f"{key}:{delivery}" if delivery else key


def numbers_of(key: str | None) -> tuple[int, ...]:
    """The pull requests that ``external_id`` named; empty when the key is not one of ours."""
    kind, _, rest = (key or "").partition(":")
    parts = rest.partition(":")[0].split(",") if kind in ("pull", "pulls") else []
    return tuple(int(part) for part in parts) if all(part.isascii() and part.isdigit() for part in parts) else ()


def answers(found: str, key: str, forced: bool = False) -> bool:
    """Whether a run answers ``key``: a re-run only by its own, an ordinary check also by a re-run for the same."""
    return found == key or (not forced and found.startswith(f"{key}:"))


def choose(runs: Sequence[RunState], key: str, forced: bool) -> Choice:
    """The run for the check ``key`` among ``runs``, the App's own of this name on the head commit.

    ``forced`` means that a re-run was asked for, whose key holds the delivery that did. Only the newest run counts,
    since it is the one that GitHub shows and goes by.
    """
    run = newest(runs, key)
    if run is None:
        return Choice(Use.CREATE)
    same, unfinished = answers(run.external_id, key, forced), run.status != "completed"
    if same and not unfinished and run.conclusion in VERDICTS:
        return Choice(Use.KEEP, run.id, run.conclusion)
    if unfinished and run.annotations_count and run.external_id != key:
        return Choice(Use.CREATE, run.id)
    if (same or unfinished or not forced) and (unfinished or not run.annotations_count):
        return Choice(Use.TAKE, run.id, run.conclusion, run.annotations_count)
    return Choice(Use.CREATE)


def newest(runs: Sequence[State], key: str = "") -> State | None:
    """The run that GitHub shows and goes by: the newest of the kind of ``key``, a merge group's or a pull request's."""
    own = [run for run in runs if _is_group(run.external_id) == _is_group(key)]
    return max(own, key=lambda one: one.id) if own else None


def _is_group(key: str) -> bool:
    return key.startswith("group:")
