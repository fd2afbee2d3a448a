"""A quick reader for the plainest YAML: nested mappings and lists of scalars, as tools write them.

Thousands of measurement points come as such files, and a general reader takes most of a check's time for them. What is
read here means the same to every YAML reader; at the first line beyond it the whole text is left to
:mod:`checks.yaml_text` (quotes with escapes, flow style, values over several lines, anchors, tags, a key given twice).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, Final, NamedTuple

from checks import yaml_text

_PLAIN: Final = (
    r"(?:[A-Za-z0-9_./+]|-(?=[A-Za-z0-9.]))"
    r"(?:[A-Za-z0-9_./+@%=(),;~$^-]|:(?=[A-Za-z0-9_/.])| +(?=[^ \n:]))*"
)
"""A scalar without quotes: no sign in it that means anything to YAML, a colon only inside a word."""

_LINE: Final = re.compile(
    r"( *)(?:(- )|([A-Za-z_][A-Za-z0-9_]{0,99}):(?: |\Z))"  # 1 indentation, 2 an item of a list, or 3 a key
    rf"({_PLAIN}|'[ -&(-~]*'|\"[ !#-\[\]-~]*\"|\[\]|{{}})?"  # 4 plain, in quotes, or an empty collection
    r"| *(?:#[ -~]*)?",  # nothing, or a comment
    re.ASCII,
)

LONGEST: Final = 1 << 20
"""Characters; longer texts are left to the general reader, which counts what it builds."""

DEEPEST: Final = 40
"""Levels of nesting."""

Collection = dict[str, Any] | list[Any]


class _Line(NamedTuple):
    """A line by itself: its indentation, the kind of collection that it adds to (None: to none), and what it adds.

    ``token`` is the text of the value, empty without one; of an empty collection ``value`` is the class.
    """

    indent: int
    kind: type[Collection] | None
    key: str
    token: str
    value: Any


class _NotPlainError(ValueError):
    """The text holds something that is left to the general reader."""


def read(text: str) -> dict[str, Any] | None:
    """The mapping that ``text`` spells; None where the text is not plain enough, faulty texts among them."""
    if len(text) > LONGEST:
        return None
    spelt = text.split("\n")
    lines = [line for line in map(_line, spelt) if line is not None]
    if len(lines) != len(spelt):
        return None
    try:
        return _mapping(lines) or None
    except _NotPlainError:
        return None


@lru_cache(maxsize=1 << 16)
def _line(line: str) -> _Line | None:
    """The line that ``line`` spells, None where it is beyond plain; files of one benchmark share most of theirs."""
    found = _LINE.fullmatch(line)
    if found is None:
        return None
    spaces, dash, key, token = found.groups()
    if not (dash or key):
        return _Line(0, None, "", "", None)
    if dash and not token:
        return None
    if token in _EMPTY:
        return _Line(len(spaces), list if dash else dict, key, token, _EMPTY[token])
    value, _, fault = _scalar(token or "")
    plain = fault is None and not isinstance(value, dict | list)
    return _Line(len(spaces), list if dash else dict, key, token or "", value) if plain else None


_EMPTY: Final[dict[str | None, type[Collection]]] = {"[]": list, "{}": dict}


_WORDS: Final = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})
"""Words that YAML takes for something else than text."""

_WHOLE: Final = re.compile(r"-?[1-9][0-9]{0,17}|0")
_FRACTION: Final = re.compile(r"-?[0-9]{1,15}\.[0-9]{1,17}")


def _scalar(token: str) -> tuple[Any, Any, Any]:
    """The value of a scalar, as the general reader takes it, which is asked for all but the plainest."""
    if not token or token[0] in "'\"":
        return token[1:-1] if token else None, None, None
    if token[0].isalpha() and token.lower() not in _WORDS:
        return token, None, None
    if _WHOLE.fullmatch(token):
        return int(token), None, None
    if _FRACTION.fullmatch(token):
        return float(token), None, None
    return yaml_text.parse(token)


def _mapping(lines: list[_Line]) -> dict[str, Any]:
    root: dict[str, Any] = {}
    opened: list[tuple[int, Collection]] = [(0, root)]  # the collections that a line may add to, outermost first
    above, place = opened[0]
    waiting = ""  # the key of the line above, which has no value yet
    for indent, kind, key, token, value in lines:
        if kind is None:
            continue
        if waiting and (indent > above or (kind is list and indent == above)):
            above, place = indent, _begun(opened, indent, kind, waiting)
        elif indent != above or type(place) is not kind:
            above, place = indent, _closed(opened, indent, kind)
        found = value() if token in _EMPTY else value
        waiting = ""
        if isinstance(place, list):
            place.append(found)
        elif key in place:
            raise _NotPlainError
        else:
            place[key] = found
            if not token:
                waiting = key
    return root


def _begun(opened: list[tuple[int, Collection]], indent: int, kind: type[Collection], key: str) -> Collection:
    """A new collection, the value of ``key``."""
    place = opened[-1][1]
    if isinstance(place, list) or len(opened) > DEEPEST:
        raise _NotPlainError
    found = place[key] = kind()
    opened.append((indent, found))
    return found


def _closed(opened: list[tuple[int, Collection]], indent: int, kind: type[Collection]) -> Collection:
    """The collection that a line of that indentation goes on with, those inside it closed."""
    while opened and (opened[-1][0] > indent or (opened[-1][0] == indent and type(opened[-1][1]) is not kind)):
        opened.pop()
    if not opened or opened[-1][0] != indent:
        raise _NotPlainError
    return opened[-1][1]
