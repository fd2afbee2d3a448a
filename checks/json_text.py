"""JSON read strictly, and found again by line.

Python's own decoder does the reading; what it lets through but JSON (RFC 8259) or other tools do not (NaN, Infinity, a
number beyond a double, a name given twice) is looked for here. Lines are worked out only when a finding needs one.
"""

from __future__ import annotations

import json
import math
import re
import threading
from dataclasses import dataclass
from typing import Any

from checks.json_places import Lines, Repeated, escaped, locate, tokens

__all__ = ["MAX_DEPTH", "MAX_DIGITS", "Lines", "Repeated", "TextFault", "escaped", "locate", "parse"]

_SUSPECT_NUMBER = re.compile(r"[eE]\+?0*[1-9]\d\d|\d{200}")
"""Text that may hold a number beyond a double: by its exponent, or by so many digits that a shorter exponent does; only
then are numbers looked at one by one.
"""

_STEP = 50
_DIGITS = re.compile(r"\d{4}")

MAX_DIGITS = 1000
"""Digits of a whole number beyond which no benchmark figure lies and converting costs time (CPython caps at 4300)."""

MAX_DEPTH = 200
"""Levels of nesting; benchmark files have about ten. Deeper values would exhaust the stack of whoever compares them."""


@dataclass(frozen=True, slots=True)
class TextFault:
    """Why a text can't be read: the rule id (``input.…``), what is wrong, what to do, and the line."""

    rule: str
    message: str
    hint: str
    line: int | None = None


class _NotJson(ValueError):
    """A constant that JSON lacks."""


def _refuse(constant: str) -> Any:
    raise _NotJson(constant)


class _Seen(threading.local):
    """Whether the text that this thread reads gives a name twice, and a number beyond a double."""

    repeated = infinite = False


_seen = _Seen()


def _object(items: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(items)
    if len(found) != len(items):
        _seen.repeated = True
    return found


def _float(token: str) -> float:
    value = float(token)
    if math.isinf(value):
        _seen.infinite = True
    return value


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_float=_float, parse_constant=_refuse)


def parse(text: str) -> tuple[Any, TextFault | None, bool]:
    """The value, or the fault; and whether some object gives a name twice (the last one then stands in the value)."""
    _seen.repeated = _seen.infinite = False
    try:
        if _has_long_number(text) and (fault := _huge_number(text)):
            return None, fault, False
        value = _DECODER.decode(text)
        if _seen.infinite:
            return None, _huge_number(text), False
        if text.count("[") + text.count("{") > MAX_DEPTH and _is_deep(value):
            return None, _DEEP, False
        return value, None, _seen.repeated
    except json.JSONDecodeError as error:
        hint = "It is cut off or was edited by hand: restore the file, or mend it at this line."
        return None, TextFault("input.json", f"Not valid JSON: {_said(error)}.", hint, error.lineno), False
    except _NotJson as error:
        return None, _constant_fault(text, str(error)), False
    except RecursionError:
        return None, _DEEP, False


_DEEP = TextFault(
    "input.json",
    "The values are nested too deeply to be read.",
    "No file of a submission is nested like this; restore it, or write it anew.",
    1,
)


def _is_deep(value: Any) -> bool:
    level = [value]
    for _ in range(MAX_DEPTH):
        inner = (child for item in level for child in (item.values() if isinstance(item, dict) else item))
        level = [child for child in inner if isinstance(child, dict | list)]
        if not level:
            return False
    return True


def _said(error: json.JSONDecodeError) -> str:
    return f"{error.msg[:1].lower()}{error.msg[1:]} (column {error.colno})"


def _constant_fault(text: str, constant: str) -> TextFault:
    lines = Lines(text)
    line = next((lines.of(at) for token, at in tokens(text) if token == constant), None)
    message = f"{constant} is not a JSON value; other tools refuse the file or read it differently."
    return TextFault("input.json", message, "Give a number, or null where nothing was measured.", line)


def _has_long_number(text: str) -> bool:
    """Whether 200 digits may stand in a row, of which at least four stand at whole steps of the text."""
    return _DIGITS.search(text[::_STEP]) is not None


def _huge_number(text: str) -> TextFault | None:
    lines = Lines(text)
    for token, at in tokens(text):
        if token[0] in '"{}[],:' or not _SUSPECT_NUMBER.search(token):
            continue
        shown = token if len(token) <= 24 else f"{token[:20]}… ({len(token):,} characters)"
        message = ""
        if len(token) > MAX_DIGITS:
            message = f"The number {shown} is longer than any measured figure; at most {MAX_DIGITS:,} are read."
        elif _overflows(token):
            message = f"The number {shown} is beyond what a 64-bit floating-point number holds."
        if message:
            return TextFault("input.json", message, "Give the measured figure.", lines.of(at))
    return None


def _overflows(token: str) -> bool:
    try:
        return math.isinf(float(token))
    except ValueError:
        return False
