"""Where a text may hold a secret: told by the marks without one of which no detector can match.

Nearly all texts have none in lines that were not seen before; only for the others are the detectors loaded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from checks.hygiene.limits import limits

if TYPE_CHECKING:
    from checks.hygiene.detectors import Secret

LARGEST_RECORD = 64 << 10
"""Bytes of a text whose lines are remembered; larger ones are logs, whose lines differ by their times."""

CLEAN_LINES = 1 << 17
"""Lines that are remembered at once."""

_clean: set[bytes] = set()
"""Lines without a secret."""


def secrets_in(content: bytes) -> Iterator[Secret]:
    """Everything in ``content`` that looks like a secret and is not plainly harmless, kind by kind, each under one.

    Secrets stand in single lines, and records of one benchmark are alike: lines that gave nothing are not gone over
    again in the next file.
    """
    if len(content) > LARGEST_RECORD:
        yield from _scanned(content)
        return
    fresh = set(content.split(b"\n")) - _clean
    if _holds_secret(b"\n".join(fresh)):
        yield from _scanned(content)
        return
    if len(_clean) > CLEAN_LINES:
        _clean.clear()
    _clean.update(fresh)


def _scanned(content: bytes) -> Iterator[Secret]:
    from checks.hygiene.detectors import scanned

    return scanned(content)


def _holds_secret(lines: bytes) -> bool:
    concerned = _concerned(lines)
    if not concerned:
        return False
    from checks.hygiene.detectors import scanned_by

    return any(next(scanned_by(number, lines), None) for number in concerned)


def _concerned(content: bytes) -> frozenset[int]:
    """The detectors that may have a mark in ``content``, found in one pass, which pays for short texts."""
    over, any_mark = _marks_over()
    return frozenset().union(*(over[mark] for mark in set(any_mark.findall(content))))


@cache
def _marks_over() -> tuple[dict[bytes, frozenset[int]], re.Pattern[bytes]]:
    """For each mark the detectors that have it, or a mark that a match of it may lie over and so hide; and what finds
    any mark.
    """
    owners = [(mark, number) for number, marks in enumerate(limits().detectors.values()) for mark in marks]
    over = {one: frozenset(number for other, number in owners if _meet(one, other)) for one, _ in owners}
    return over, pattern(tuple(over))


def _meet(one: bytes, other: bytes) -> bool:
    """Whether two marks can stand in a text so that they have a character in common."""
    ends = range(1, min(len(one), len(other)))
    chained = any(one.endswith(other[:size]) or other.endswith(one[:size]) for size in ends)
    return chained or one in other or other in one


@cache
def pattern(marks: tuple[bytes, ...]) -> re.Pattern[bytes]:
    """What finds any of ``marks``."""
    return re.compile(b"|".join(re.escape(mark) for mark in marks))
