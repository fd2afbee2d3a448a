"""Strict tests of the names and numbers that come from outside, before they go near an address, a path or a command.

Each function gives its argument back or raises ValueError; nothing is mended.
"""

from __future__ import annotations

import re

_SHA = re.compile(r"[0-9a-f]{40}")
_OWNER = r"[A-Za-z0-9](?:[A-Za-z0-9_-]{0,99})"
_NAME = r"[A-Za-z0-9._-]{1,100}"
_FULL_NAME = re.compile(rf"{_OWNER}/(?!\.{{1,2}}\Z){_NAME}")
_LOGIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}(?:\[bot\])?")
_HIGHEST_ID = 1 << 62


def sha(text: object) -> str:
    """A full SHA-1 object id: 40 lower-case hex digits."""
    return _matched(_SHA, text, "an object id of 40 hex digits")


def full_name(text: object) -> str:
    """A repository's ``owner/name`` as GitHub allows them."""
    return _matched(_FULL_NAME, text, "a repository's owner/name")


def login(text: object) -> str:
    """An account's name; an App's ends in ``[bot]``."""
    return _matched(_LOGIN, text, "an account's name")


def number(value: object) -> int:
    """An id or number that GitHub gave: whole and positive."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 < value < _HIGHEST_ID:
        raise ValueError(f"{value!r} is not a positive whole number")
    return value


def _matched(pattern: re.Pattern[str], text: object, wanted: str) -> str:
    if not isinstance(text, str) or not pattern.fullmatch(text):
        raise ValueError(f"{text!r:.120} is not {wanted}")
    return text
