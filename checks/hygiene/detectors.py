"""Secrets in a text: plugins of detect-secrets, told by cheap marks where to look. Imported only when a scan runs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from detect_secrets.filters.heuristic import is_sequential_string, is_templated_secret
from detect_secrets.plugins import (
    aws,
    azure_storage_key,
    basic_auth,
    github_token,
    gitlab_token,
    jwt,
    npm,
    private_key,
    pypi_token,
    sendgrid,
    slack,
    stripe,
)
from detect_secrets.plugins.base import RegexBasedDetector

from checks.hygiene.limits import limits
from checks.hygiene.own_detectors import OWN

BEFORE, AFTER = 200, 2000
"""Bytes of a line that are looked at before and after a mark: lines of logs may be as long as the log."""

LARGEST_RECORD = 64 << 10
"""Bytes of a text whose lines are remembered; larger ones are logs, whose lines differ by their times."""

CLEAN_LINES = 1 << 17
"""Lines that are remembered at once."""

AWS_SECRET = 40
"""Characters of a secret key of AWS, which may begin like a path."""

_MODULES = (
    aws, azure_storage_key, basic_auth, github_token, gitlab_token, jwt, npm, private_key, pypi_token, sendgrid, slack,
    stripe,
)  # fmt: skip


_PATH = re.compile(r"(~|\.{1,2})?/[^/]")

_KINDS = {
    "AWS Access Key": "AWS key",
    "Basic Auth Credentials": "password in an address",
    "Private Key": "private key",
    "GitHub Token": "GitHub token",
}
"""Names of the library's kinds, as people know them."""


class Secret(NamedTuple):
    """Something that looks like a secret: its kind, its line, and the text itself, which is never shown."""

    kind: str
    line: int
    value: str

    @property
    def hint_of_value(self) -> str:
        """At most the first two characters, of values that are long enough to keep the rest."""
        return f" that begins with `{self.value[:2]}`" if len(self.value) >= 16 else ""


@cache
def detectors() -> tuple[tuple[RegexBasedDetector, tuple[bytes, ...]], ...]:
    """The detectors with their marks."""
    own = {kind.__name__: kind for kind in OWN}
    classes = {name: getattr(module, name) for module in _MODULES for name in dir(module)} | own
    return tuple((classes[name](), marks) for name, marks in limits().detectors.items())


def secrets_in(content: bytes) -> Iterator[Secret]:
    """Everything in ``content`` that looks like a secret and is not plainly harmless, kind by kind, each under one.

    Secrets stand in single lines, and records of one benchmark are alike: lines that gave nothing are not gone over
    again in the next file.
    """
    if len(content) > LARGEST_RECORD:
        yield from _scanned(content)
        return
    fresh = set(content.split(b"\n")) - _clean
    lines = b"\n".join(fresh)
    if any(next(_scanned_by(number, lines), None) for number in _concerned(lines)):
        yield from _scanned(content)
        return
    if len(_clean) > CLEAN_LINES:
        _clean.clear()
    _clean.update(fresh)


_clean: set[bytes] = set()
"""Lines without a secret."""


def _scanned(content: bytes) -> Iterator[Secret]:
    kinds: dict[str, str] = {}
    for number, (_, marks) in enumerate(detectors()):
        if any(mark in content for mark in marks):
            for secret in _scanned_by(number, content):
                if kinds.setdefault(secret.value, secret.kind) == secret.kind:
                    yield secret


def _scanned_by(number: int, content: bytes) -> Iterator[Secret]:
    detector, marks = detectors()[number]
    kind = _KINDS.get(detector.secret_type, detector.secret_type)
    for start, window in _windows(content, marks):
        for value in _found(number, window):
            yield Secret(kind, content.count(b"\n", 0, start) + 1, value)


def _concerned(content: bytes) -> frozenset[int]:
    """The detectors that may have a mark in ``content``, found in one pass, which pays for short texts."""
    over = _marks_over()
    return frozenset().union(*(over[mark] for mark in set(_pattern(tuple(over)).findall(content))))


@cache
def _marks_over() -> dict[bytes, frozenset[int]]:
    """For each mark the detectors that have it, or a mark that a match of it may lie over and so hide."""
    owners = [(mark, number) for number, (_, marks) in enumerate(detectors()) for mark in marks]
    return {one: frozenset(number for other, number in owners if _meet(one, other)) for one, _ in owners}


def _meet(one: bytes, other: bytes) -> bool:
    """Whether two marks can stand in a text so that they have a character in common."""
    ends = range(1, min(len(one), len(other)))
    chained = any(one.endswith(other[:size]) or other.endswith(one[:size]) for size in ends)
    return chained or one in other or other in one


def _windows(content: bytes, marks: tuple[bytes, ...]) -> Iterator[tuple[int, str]]:
    """Pieces of lines around the marks, none looked at twice, with their offsets."""
    done = 0
    for found in _pattern(marks).finditer(content):
        if found.start() < done:
            continue
        least = max(found.start() - BEFORE, done)
        start = max(content.rfind(b"\n", least, found.start()) + 1, least)
        end = content.find(b"\n", found.end(), found.end() + AFTER)
        done = end if end >= 0 else min(found.end() + AFTER, len(content))
        yield start, content[start:done].decode("utf-8", "replace")


@lru_cache(maxsize=1 << 12)
def _found(number: int, window: str) -> tuple[str, ...]:
    """What a detector finds that is not plainly harmless; the same lines come again in every run and point."""
    return tuple(value for value in detectors()[number][0].analyze_string(window) if not harmless(value))


@cache
def _pattern(marks: tuple[bytes, ...]) -> re.Pattern[bytes]:
    return re.compile(b"|".join(re.escape(mark) for mark in marks))


def harmless(value: str) -> bool:
    """Whether a value gives nothing away: a placeholder, a template, a path, one character repeated, a sequence."""
    plain = value.strip("'\"").casefold()
    return (
        plain in limits().harmless
        or len(set(plain)) <= 2
        or is_templated_secret(value)
        or (len(plain) != AWS_SECRET and _PATH.match(plain) is not None)
        or (len(plain) < 64 and is_sequential_string(value))
    )
