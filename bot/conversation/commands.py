"""The first line of a comment as a command. Pure; what is not understood is told with the form that would be."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from checks import names

_COMMAND = re.compile(r"/([a-z][a-z-]{0,30})(?:[ \t]+(.*))?\Z", re.DOTALL)
_WAIVE = re.compile(r"(?P<rule>\S+)\s+(?P<path>\S.*?)\s+until\s+(?P<until>\S+)(?:\s+because\b\s*(?P<reason>.*))?\Z")
_PATH = re.compile(r"[^/*?]")

RECHECK_FORM = "/recheck [SCOPE]"
WAIVE_FORM = "/waive RULE PATH until YYYY-MM-DD because REASON"
UNWAIVE_FORM = "/unwaive RULE PATH"
EXPLAIN_FORM = "/explain RULE"
FORMS = (RECHECK_FORM, WAIVE_FORM, UNWAIVE_FORM, EXPLAIN_FORM)


class MisusedError(Exception):
    """A known command without what it needs; the text says what and in which form."""


class MisusedExplainError(MisusedError):
    """The one of a command that is for the author of the pull request too, and so is its answer."""


@dataclass(frozen=True, slots=True)
class Recheck:
    """Check the pull request again. ``scope`` is the system that the person has in mind, None for all."""

    scope: str | None


@dataclass(frozen=True, slots=True)
class Waive:
    """Set findings of ``rule`` on ``path`` (a glob) aside up to the day ``until``, for ``reason``."""

    rule: str
    path: str
    until: datetime.date
    reason: str


@dataclass(frozen=True, slots=True)
class Unwaive:
    """Take back what :class:`Waive` of the same rule and path did."""

    rule: str
    path: str


@dataclass(frozen=True, slots=True)
class Explain:
    """Say what a rule demands."""

    rule: str


@dataclass(frozen=True, slots=True)
class Unknown:
    """A word that is no command of this bot; it may be another bot's."""

    word: str


Command = Recheck | Waive | Unwaive | Explain | Unknown


def first_line(text: str) -> str | None:
    """The line of a comment that may be a command; None where it is none, or shown as code by its indentation."""
    first = next((line for line in text.split("\n") if line.strip()), "")
    if first.startswith(("    ", "\t")):
        return None
    line = first.strip()
    return line if _COMMAND.match(line) else None


def parse(line: str) -> Command:
    """The command of a :func:`first_line`. Raises MisusedError."""
    found = _COMMAND.match(line)
    assert found is not None, "first_line gives nothing else"
    word, rest = found[1], (found[2] or "").strip()
    reader = READERS.get(word)
    return reader(rest) if reader else Unknown(word)


def _recheck(rest: str) -> Recheck:
    return Recheck(names.inside_path(rest) or None)


def _waive(rest: str) -> Waive:
    found = _WAIVE.match(rest)
    if found is None:
        raise MisusedError(f"The form is {WAIVE_FORM}.")
    if not (found["reason"] or "").strip():
        raise MisusedError(f"A waiver needs a reason, which stands in every check: {WAIVE_FORM}.")
    return Waive(found["rule"], _path(found["path"]), _day(found["until"]), " ".join(found["reason"].split()))


def _unwaive(rest: str) -> Unwaive:
    rule, _, path = rest.partition(" ")
    if not rule or not path.strip():
        raise MisusedError(f"The form is {UNWAIVE_FORM}.")
    return Unwaive(rule, _path(path.strip()))


def _explain(rest: str) -> Explain:
    if not rest or " " in rest:
        raise MisusedExplainError(f"The form is {EXPLAIN_FORM}.")
    return Explain(rest)


def _path(text: str) -> str:
    bare = text.strip("`")
    path = names.inside_path(bare)  # looked at in this form, or `./**` would begin with a dot and be for everything
    if bare.startswith("/") or not _PATH.match(path):
        raise MisusedError("The path must begin with a name, so that a waiver is not for everything.")
    return path


def _day(text: str) -> datetime.date:
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        raise MisusedError(f"{text} is not a day of the calendar (YYYY-MM-DD).") from None


READERS: Mapping[str, Callable[[str], Command]] = {
    "recheck": _recheck,
    "waive": _waive,
    "unwaive": _unwaive,
    "explain": _explain,
}
"""What reads the words after each command."""
