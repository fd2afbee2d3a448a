"""The work that a webhook, the sweep or a maintainer asks for: plain data that travels through the queue as JSON."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, ClassVar


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
    """Check the merge queue's commit ``head_sha``, which holds pull requests merged onto ``base_sha``."""

    kind: ClassVar[str] = "check-group"
    place: Place
    head_sha: str
    base_sha: str
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


Work = CheckPull | CheckHead | CheckGroup | Installed
KINDS: Mapping[str, type[Work]] = {work.kind: work for work in (CheckPull, CheckHead, CheckGroup, Installed)}


def encode(work: Work) -> dict[str, Any]:
    """``work`` as a JSON object."""
    return {"kind": work.kind, **asdict(work)}


def decode(document: Mapping[str, Any]) -> Work:
    """The work that ``encode`` wrote."""
    values = dict(document)
    kind = KINDS[values.pop("kind")]
    if "place" in values:
        values["place"] = Place(**values["place"])
    if "places" in values:
        values["places"] = tuple(Place(**place) for place in values["places"])
    if "access" in values:
        values["access"] = Access(values["access"])
    if "numbers" in values:
        values["numbers"] = tuple(values["numbers"])
    return kind(**values)


def installation_of(work: Work) -> int:
    """The installation of the App that the work belongs to."""
    return work.installation_id if isinstance(work, Installed) else work.place.installation_id


def partition(work: Work) -> str:
    """Work of one partition is done one after another: a repository's, or an installation's own."""
    if isinstance(work, Installed):
        return f"installation:{work.installation_id}"
    return f"repository:{work.place.repository_id}"
