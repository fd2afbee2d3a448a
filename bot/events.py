"""Webhook payload -> what to do. Pure, and it asks a payload for nothing but the fields that it uses.

Fields of the events: https://docs.github.com/webhooks/webhook-events-and-payloads. Real payloads hold nulls where the
documentation promises objects (a deleted fork), and lists that are empty for forks (`pull_requests`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, TypeVar

T = TypeVar("T")
Payload = Mapping[str, Any]

SHA = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
NO_COMMIT = re.compile(r"0+")
FULL_NAME = re.compile(r"[A-Za-z0-9._-]+/[A-Za-z0-9._-]+")


class Unusable(Exception):
    """A payload of a known event lacks a field that is needed; the text names it."""


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
    """Check pull request ``number``. ``head_sha`` and ``updated_at`` are the event's, to tell a stale answer of the API.

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
    """Check the merge queue's commit ``head_sha`` against ``base_sha``."""

    kind: ClassVar[str] = "check-group"
    place: Place
    head_sha: str
    base_sha: str
    cause: str


@dataclass(frozen=True, slots=True)
class BranchMoved:
    """``branch`` now points to ``head_sha``: open pull requests onto it may get another verdict."""

    kind: ClassVar[str] = "branch-moved"
    place: Place
    branch: str
    before_sha: str
    head_sha: str
    cause: str


@dataclass(frozen=True, slots=True)
class Installed:
    """The App may (``active``) or may no longer work on these repositories; empty means all of the installation."""

    kind: ClassVar[str] = "installed"
    installation_id: int
    places: tuple[Place, ...]
    active: bool
    cause: str


Work = CheckPull | CheckHead | CheckGroup | BranchMoved | Installed
KINDS: Mapping[str, type[Work]] = {
    work.kind: work for work in (CheckPull, CheckHead, CheckGroup, BranchMoved, Installed)
}


def route(event: str, payload: Payload, app_id: str) -> Work | Pong | Ignored:
    """What the delivery ``payload`` of ``event`` asks for. Raises Unusable when a field that is needed is missing."""
    if event == "ping":
        return Pong()
    action = payload.get("action")
    handler = TABLE.get((event, action if isinstance(action, str) else ""))
    if handler is None:
        return Ignored("this event or action asks for nothing")
    return handler(payload, app_id)


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
    if "numbers" in values:
        values["numbers"] = tuple(values["numbers"])
    return kind(**values)


def partition(work: Work) -> str:
    """Work of one partition is done one after another: a repository's, or an installation's own."""
    if isinstance(work, Installed):
        return f"installation:{work.installation_id}"
    return f"repository:{work.place.repository_id}"


def _pull_request(cause: str) -> Callable[[Payload, str], CheckPull]:
    def read(payload: Payload, _app_id: str) -> CheckPull:
        pull = _field(payload, dict, "pull_request")
        return CheckPull(
            place=_place(payload),
            number=_field(pull, int, "number"),
            head_sha=_sha(_field(pull, str, "head", "sha")),
            cause=f"pull_request.{cause}",
            updated_at=_optional(pull, str, "updated_at"),
        )

    return read


def _pull_request_edited(payload: Payload, app_id: str) -> Work | Ignored:
    # Only a change of base changes what is compared; titles and descriptions are edited all the time.
    if _optional(payload, dict, "changes", "base") is None:
        return Ignored("an edit that does not change the base")
    return _pull_request("edited")(payload, app_id)


def _rerequested(subject: str) -> Callable[[Payload, str], Work | Ignored]:
    def read(payload: Payload, app_id: str) -> Work | Ignored:
        run = _field(payload, dict, subject)
        if str(_field(run, int, "app", "id")) != app_id:
            return Ignored("a check of another App")
        place = _place(payload)
        pulls = _optional(run, list, "pull_requests") or []
        return CheckHead(
            place=place,
            head_sha=_sha(_field(run, str, "head_sha")),
            numbers=tuple(number for pull in pulls if (number := _number_of(pull, place)) is not None),
            cause=f"{subject}.rerequested",
        )

    return read


def _number_of(pull: object, place: Place) -> int | None:
    """The number of a pull request in a check's list, unless its base is another repository's."""
    if not isinstance(pull, Mapping):
        return None
    base = _optional(pull, int, "base", "repo", "id")
    return _optional(pull, int, "number") if base in (None, place.repository_id) else None


def _merge_group(payload: Payload, _app_id: str) -> CheckGroup:
    group = _field(payload, dict, "merge_group")
    return CheckGroup(
        place=_place(payload),
        head_sha=_sha(_field(group, str, "head_sha")),
        base_sha=_sha(_field(group, str, "base_sha")),
        cause="merge_group.checks_requested",
    )


def _push(payload: Payload, _app_id: str) -> BranchMoved | Ignored:
    kind, _, branch = _field(payload, str, "ref").removeprefix("refs/").partition("/")
    head = _sha(_field(payload, str, "after"))
    if kind != "heads" or NO_COMMIT.fullmatch(head):
        return Ignored("a tag, or a branch that was deleted")
    return BranchMoved(_place(payload), branch, _sha(_field(payload, str, "before")), head, "push")


def _installation(active: bool, cause: str) -> Callable[[Payload, str], Installed]:
    def read(payload: Payload, _app_id: str) -> Installed:
        installation = _field(payload, int, "installation", "id")
        listed = _optional(payload, list, "repositories") or []
        return Installed(installation, _places(listed, installation), active, f"installation.{cause}")

    return read


def _installation_repositories(active: bool, cause: str) -> Callable[[Payload, str], Work | Ignored]:
    def read(payload: Payload, _app_id: str) -> Work | Ignored:
        installation = _field(payload, int, "installation", "id")
        places = _places(_optional(payload, list, f"repositories_{cause}") or [], installation)
        if not places:
            return Ignored("no repository was named")
        return Installed(installation, places, active, f"installation_repositories.{cause}")

    return read


def _repository(cause: str) -> Callable[[Payload, str], Installed]:
    def read(payload: Payload, _app_id: str) -> Installed:
        place = _place(payload)
        return Installed(place.installation_id, (place,), True, f"repository.{cause}")

    return read


TABLE: Mapping[tuple[str, str], Callable[[Payload, str], Work | Ignored]] = {
    ("pull_request", "opened"): _pull_request("opened"),
    ("pull_request", "synchronize"): _pull_request("synchronize"),
    ("pull_request", "reopened"): _pull_request("reopened"),
    ("pull_request", "ready_for_review"): _pull_request("ready_for_review"),
    ("pull_request", "edited"): _pull_request_edited,
    ("check_run", "rerequested"): _rerequested("check_run"),
    ("check_suite", "rerequested"): _rerequested("check_suite"),
    ("merge_group", "checks_requested"): _merge_group,
    ("push", ""): _push,
    ("installation", "created"): _installation(True, "created"),
    ("installation", "unsuspend"): _installation(True, "unsuspend"),
    ("installation", "suspend"): _installation(False, "suspend"),
    ("installation", "deleted"): _installation(False, "deleted"),
    ("installation_repositories", "added"): _installation_repositories(True, "added"),
    ("installation_repositories", "removed"): _installation_repositories(False, "removed"),
    ("repository", "renamed"): _repository("renamed"),
}
"""Every event and action that asks for work; push has no action."""


def _place(payload: Payload) -> Place:
    return Place(
        repository_id=_field(payload, int, "repository", "id"),
        repository=_full_name(_field(payload, str, "repository", "full_name")),
        installation_id=_field(payload, int, "installation", "id"),
    )


def _places(listed: list[Any], installation: int) -> tuple[Place, ...]:
    return tuple(
        Place(_field(entry, int, "id"), _full_name(_field(entry, str, "full_name")), installation)
        for entry in listed
        if isinstance(entry, Mapping)
    )


def _sha(text: str) -> str:
    if not SHA.fullmatch(text):
        raise Unusable("a commit id is not 40 or 64 hexadecimal digits")
    return text


def _full_name(text: str) -> str:
    # The name becomes part of API and clone addresses, so it is held to GitHub's own alphabet.
    if not FULL_NAME.fullmatch(text):
        raise Unusable("repository.full_name is not owner/name")
    return text


def _field(payload: Payload, kind: type[T], *keys: str) -> T:
    value = _optional(payload, kind, *keys)
    if value is None:
        raise Unusable(f"{'.'.join(keys)} is missing or not of type {kind.__name__}")
    return value


def _optional(payload: Payload, kind: type[T], *keys: str) -> T | None:
    value: object = payload
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else None
    # True is an int in Python, but no number in JSON.
    return value if isinstance(value, kind) and not (kind is int and isinstance(value, bool)) else None
