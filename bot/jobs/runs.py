"""Which check run a check reports in: an existing one, or a new one. Pure.

One head commit keeps one run for as long as that can be: a redelivery, a restart or a push away and back finds the run
that is there. A new run of the same name comes where the old one holds a verdict that must not be mixed with the new
(another base, an explicit re-run), since GitHub only ever adds annotations to a run.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

VERDICTS = frozenset({"success", "failure"})
"""Conclusions that judge the commit. The others (superseded, own fault) are gone over again in the same run."""


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


class Use(enum.Enum):
    """What to do with the run that was chosen."""

    CREATE = "create"
    TAKE = "take"
    KEEP = "keep"


@dataclass(frozen=True, slots=True)
class Choice:
    """``run_id`` is None exactly when a run has to be created; ``held`` counts the annotations that it has already."""

    use: Use
    run_id: int | None = None
    conclusion: str | None = None
    held: int = 0


def external_id(number: int | None, base_sha: str, delivery: str | None = None) -> str:
    """The bot's key of a run: pull request (None: a merge group) and base; of a re-run also the delivery that asked."""
    subject = "group" if number is None else f"pull:{number}"
    return f"{subject}:{base_sha}" + (f":{delivery}" if delivery else "")


def number_of(key: str | None) -> int | None:
    """The pull request that ``external_id`` named; None when the key is not one of ours."""
    kind, _, rest = (key or "").partition(":")
    digits = rest.partition(":")[0]
    return int(digits) if kind == "pull" and digits.isascii() and digits.isdigit() else None


def choose(runs: Sequence[RunState], key: str, forced: bool) -> Choice:
    """The run for the check ``key`` among ``runs``, the App's own of this name on the head commit.

    ``forced`` means that a re-run was asked for, whose key holds the delivery that did.
    """
    newest = sorted(runs, key=lambda run: run.id, reverse=True)
    subject = number_of(key)
    fitting = [run for run in newest if _fits(run.external_id, key, forced)]
    begun = [
        run for run in newest if run.status != "completed" and number_of(run.external_id) == subject and not forced
    ]
    for run in (fitting or begun)[:1]:
        if run.status == "completed" and run.conclusion in VERDICTS:
            return Choice(Use.KEEP, run.id, run.conclusion)
        if run.status != "completed" or not run.annotations_count:
            return Choice(Use.TAKE, run.id, held=run.annotations_count)
    return Choice(Use.CREATE)


def _fits(found: str, key: str, forced: bool) -> bool:
    """Whether a run answers ``key``: a re-run only by its own, an ordinary check also by a re-run on the same base."""
    return found == key or (not forced and found.startswith(f"{key}:"))
