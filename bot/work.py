"""The work that a webhook, the sweep or a maintainer asks for: plain data that travels through the queue as JSON."""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, get_args


@dataclass(frozen=True, slots=True)
class Pong:
    """GitHub tests whether the address answers."""


@dataclass(frozen=True, slots=True)
class Ignored:
    """Nothing to do, and why."""

    reason: str


@dataclass(frozen=True, slots=True)
class Place:
    """A repository as seen by one installation of the App."""

    repository_id: int
    repository: str
    installation_id: int


@dataclass(frozen=True, slots=True)
class CheckPull:
    """Check pull request ``number``.

    ``head_sha`` and ``updated_at`` are the event's: by them an answer of the API that is older than the event is known.
    ``forced`` asks for a new check run even where this head and base have their verdict.
    """

    kind: ClassVar[str] = "check-pull"
    place: Place
    number: int
    head_sha: str | None
    cause: str
    updated_at: str | None = None
    forced: bool = False


@dataclass(frozen=True, slots=True)
class ClosePull:
    """Pull request ``number`` was closed at ``updated_at``: nobody waits for its check any more."""

    kind: ClassVar[str] = "close-pull"
    place: Place
    number: int
    head_sha: str
    updated_at: str | None
    cause: str


@dataclass(frozen=True, slots=True)
class CheckHead:
    """Check every open pull request whose head is ``head_sha``; ``numbers`` are those that the event names."""

    kind: ClassVar[str] = "check-head"
    place: Place
    head_sha: str
    numbers: tuple[int, ...]
    cause: str
    forced: bool = True


@dataclass(frozen=True, slots=True)
class CheckGroup:
    """Check the merge queue's commit ``head_sha``, which holds pull requests merged onto ``base_sha``; ``forced`` asks
    for a new check run.
    """

    kind: ClassVar[str] = "check-group"
    place: Place
    head_sha: str
    base_sha: str
    base_ref: str
    cause: str
    forced: bool = False


@dataclass(frozen=True, slots=True)
class DropGroup:
    """The merge queue gave up the group of commit ``head_sha``."""

    kind: ClassVar[str] = "drop-group"
    place: Place
    head_sha: str
    cause: str


@dataclass(frozen=True, slots=True)
class BaseMoved:
    """``branch`` went from ``before`` to ``after``: check the open pull requests into it whose verdict can differ."""

    kind: ClassVar[str] = "base-moved"
    place: Place
    branch: str
    before: str
    after: str
    cause: str


@dataclass(frozen=True, slots=True)
class Said:
    """A person gave a command: the first line ``text`` of a comment on pull request ``number``."""

    kind: ClassVar[str] = "said"
    place: Place
    number: int
    comment_id: int
    author: str
    pull_author: str | None
    text: str
    cause: str


@dataclass(frozen=True, slots=True)
class Pressed:
    """A person pressed the button by which the commit ``head_sha`` is checked again."""

    kind: ClassVar[str] = "pressed"
    place: Place
    head_sha: str
    numbers: tuple[int, ...]
    author: str
    cause: str


class Access(enum.StrEnum):
    """What the App may do in a repository: work, wait while the installation is suspended, or nothing more."""

    ACTIVE = "active"
    SUSPENDED = "suspended"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class Installed:
    """The App's ``access`` to these repositories changed; an empty tuple means all that the installation has."""

    kind: ClassVar[str] = "installed"
    installation_id: int
    places: tuple[Place, ...]
    access: Access
    cause: str


Work = CheckPull | ClosePull | CheckHead | CheckGroup | DropGroup | BaseMoved | Said | Pressed | Installed
KINDS: Mapping[str, type[Work]] = {work.kind: work for work in get_args(Work)}


def encode(work: Work) -> dict[str, Any]:
    """``work`` as a JSON object."""
    return {"kind": work.kind, **asdict(work)}


def decode(document: Mapping[str, Any]) -> Work:
    """The work that ``encode`` wrote."""
    values = {name: READ.get(name, _same)(value) for name, value in document.items() if name != "kind"}
    return KINDS[document["kind"]](**values)


def _same(value: Any) -> Any:
    return value


READ: Mapping[str, Callable[[Any], Any]] = {
    "place": lambda value: Place(**value),
    "places": lambda value: tuple(Place(**one) for one in value),
    "access": Access,
    "numbers": tuple,
}
"""Fields that are more than what JSON has."""


def installation_of(work: Work) -> int:
    """The installation of the App that the work belongs to."""
    return work.installation_id if isinstance(work, Installed) else work.place.installation_id


def subject(work: Work) -> str:
    """Which pull request the work is to check, as repository's id and number; empty for all other work."""
    return pull_subject(work.place.repository_id, work.number) if isinstance(work, CheckPull) else ""


def pull_subject(repository_id: int, number: int) -> str:
    """What :func:`subject` calls a pull request."""
    return f"{repository_id}:{number}"


def partition(work: Work) -> str:
    """Work of one partition is done one after another: a repository's, or an installation's own."""
    if isinstance(work, Installed):
        return f"installation:{work.installation_id}"
    return f"repository:{work.place.repository_id}"
