"""Rules on names: safe to check out everywhere, readable, and distinct on systems that ignore case."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from checks import names
from checks.entries import Entries, Owner
from checks.findings import Finding, Level
from checks.hygiene import telling
from checks.hygiene.limits import limits
from checks.rules import Outcome
from checks.units import listed

_GIT = re.compile(r"(\.git|git~\d+)\Z")
"""What file systems take for git's own folder: any case, as a short name, with what they ignore (git-fsck)."""

_IGNORED = re.compile("[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]")
"""Characters that HFS+ ignores in names (git's own list, core.protectHFS)."""


class _Fault(NamedTuple):
    """A kind of fault: what it says of a name, what to do, and a level where it weighs less than the rule."""

    message: str
    hint: str
    level: Level | None = None


_RENAME = "Rename it; plain letters, digits, dot, dash and underscore are safe everywhere."
_NO_NAME = _Fault("{name} is no name that a folder can hold.", "Rename or remove it; such an entry was made by hand.")
_GIT_NAME = _Fault("{name} is taken for git's own folder on some systems.", "Rename or remove it.")
_NOT_UTF8 = _Fault("{name} is not UTF-8; other systems show or lose it differently.", _RENAME)
_INVISIBLE = _Fault("{name} holds control characters or invisible ones.", _RENAME)
_BACKSLASH = _Fault("{name} holds a backslash, which separates folders on Windows.", _RENAME)
_WINDOWS = _Fault("{name} can't be checked out on Windows.", _RENAME, Level.WARNING)
_APPLE_DOUBLE = _Fault("{name} is a macOS resource file (AppleDouble).", "Remove it.", Level.NOTICE)
_BLANK = _Fault("{name} holds a blank.", "Prefer a dash or underscore; tools and links break at blanks.", Level.NOTICE)


def portable_names(owner: Owner, entries: Entries) -> Outcome:
    """Names are UTF-8 and safe on every system: no control or invisible characters, no backslash, no name that git or
    Windows keeps for itself.

    Why: A tree with such names can't be checked out everywhere, and some attack those who try.
    Mend: Rename the entry; plain letters, digits, dot, dash and underscore are safe everywhere.
    """
    found: dict[_Fault, list[str]] = {}
    for path, entry in entries:
        if (fault := name_fault(entry.name)) is not None:
            found.setdefault(fault, []).append(path)
    for fault, paths in found.items():
        yield from telling.each(owner, paths, fault.message, fault.hint, fault.level)


@lru_cache(maxsize=1 << 16)
def name_fault(name: str) -> _Fault | None:
    """What is wrong with a name (inside form), the gravest first; None when nothing is."""
    return next((fault for fault, holds in _CHECKS if holds(name)), None)


def _taken_for_git(name: str) -> bool:
    plain = _IGNORED.sub("", name).casefold().partition(":")[0].rstrip(" .")
    return bool(_GIT.match(plain))


def _not_utf8(name: str) -> bool:
    return any("\ud800" <= letter <= "\udfff" for letter in name)


def _not_on_windows(name: str) -> bool:
    bounds = limits()
    stem = name.partition(".")[0].rstrip(" ").casefold()
    return stem in bounds.reserved_names or name[-1] in " ." or not bounds.forbidden_characters.isdisjoint(name)


_CHECKS = (
    (_NO_NAME, lambda name: name in ("", ".", "..") or "/" in name),
    (_GIT_NAME, _taken_for_git),
    (_NOT_UTF8, _not_utf8),
    (_INVISIBLE, lambda name: names.shown(name) != name),
    (_BACKSLASH, lambda name: "\\" in name),
    (_WINDOWS, _not_on_windows),
    (_APPLE_DOUBLE, lambda name: name.startswith("._")),
    (_BLANK, lambda name: any(letter.isspace() for letter in name)),
)


def distinct_names(owner: Owner, entries: Entries) -> Outcome:
    """No two names in a folder differ only by case or by the form of their accents, and none stands there twice.

    Why: On macOS and Windows one of the two overwrites the other, unseen.
    Mend: Rename or remove one of them.
    """
    for folder, found in entries.folders.items():
        for same in _collisions(found):
            message = f"{listed(same)} differ only by case or by the form of an accent: one file on macOS and Windows."
            yield Finding(names.join(folder, same[-1]), message, "Rename or remove one of them.")
        for name in owner.tree.twice.get(folder, []):
            message = f"{listed([name])} stands in this folder more than once; git itself refuses such a tree."
            yield Finding(names.join(folder, name), message, "Make the commit anew with git's own commands.")


def _collisions(found: list[str]) -> Iterator[list[str]]:
    alike: dict[str, list[str]] = {}
    for name in found:
        alike.setdefault(_folded(name), []).append(name)
    return (same for same in alike.values() if len(same) > 1)


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())
