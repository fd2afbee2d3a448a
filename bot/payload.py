"""Reads fields of a webhook's payload: the ones that are used, and strictly."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from bot import identifiers
from bot.work import Place

T = TypeVar("T")
Payload = Mapping[str, Any]

SURROGATE = re.compile(r"[\ud800-\udfff]")
LARGEST = 1 << 63


class UnusableError(Exception):
    """A payload of a known event lacks a field that is needed; the text names it."""


def place_of(payload: Payload) -> Place:
    """The repository that the event is about. Raises UnusableError."""
    return Place(
        repository_id=field(payload, int, "repository", "id"),
        repository=_full_name(field(payload, str, "repository", "full_name")),
        installation_id=field(payload, int, "installation", "id"),
    )


def places_of(listed: list[Any], installation: int) -> tuple[Place, ...]:
    """The repositories of an installation event's list. Raises UnusableError."""
    return tuple(
        Place(field(entry, int, "id"), _full_name(field(entry, str, "full_name")), installation)
        for entry in listed
        if isinstance(entry, Mapping)
    )


def sha_of(text: str) -> str:
    """``text``, which must be a full object id. Raises UnusableError."""
    return _strict(identifiers.sha, text)


def login_of(text: str) -> str:
    """``text``, which must be an account's name. Raises UnusableError."""
    return _strict(identifiers.login, text)


def _full_name(text: str) -> str:
    # The name becomes part of API and clone addresses, so it is held to GitHub's own alphabet.
    return _strict(identifiers.full_name, text)


def _strict(test: Callable[[str], str], text: str) -> str:
    try:
        return test(text)
    except ValueError as error:
        raise UnusableError(str(error)) from error


def field(payload: Payload, kind: type[T], *keys: str) -> T:
    """The value at the path ``keys``, which must be of type ``kind``. Raises UnusableError."""
    value = optional(payload, kind, *keys)
    if value is None:
        raise UnusableError(f"{'.'.join(keys)} is missing or not of type {kind.__name__}")
    return value


def optional(payload: Payload, kind: type[T], *keys: str) -> T | None:
    """The value at the path ``keys``; None when it is not there, of another type, or nothing that a database takes."""
    value: object = payload
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value if isinstance(value, kind) and _storable(value) else None


def _storable(value: object) -> bool:
    """Whether a database takes the value: no lone surrogate or NUL, no number beyond 64 bits, and no true for 1."""
    if isinstance(value, str):
        return "\0" not in value and not SURROGATE.search(value)
    return not isinstance(value, bool) and (not isinstance(value, int) or abs(value) < LARGEST)
