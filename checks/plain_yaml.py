"""A quick reader for the plainest YAML: nested mappings and lists of scalars, as tools write them.

Thousands of measurement points come as such files, and a general reader takes most of a check's time for them. What is
read here means the same to every YAML reader; at the first line beyond it the whole text is left to
:mod:`checks.yaml_text` (quotes with escapes, flow style, values over several lines, anchors, tags, a key given twice).
"""

from __future__ import annotations

import re
from functools import lru_cache
from operator import itemgetter
from typing import Any, Final

from checks import yaml_text

_PLAIN: Final = (
    r"(?:[A-Za-z0-9_./+]|-(?=[A-Za-z0-9.]))"
    r"(?:[A-Za-z0-9_./+@%=(),;~$^-]|:(?=[A-Za-z0-9_/.])| +(?=[^ \n:]))*"
)
"""A scalar without quotes: no sign in it that means anything to YAML, a colon only inside a word."""

_LINE: Final = re.compile(
    r"(( *)(?:(- )|([A-Za-z_][A-Za-z0-9_]{0,99}):(?: |(?=\n)))"  # 1 all, 2 indentation, 3 an item of a list, or 4 a key
    rf"({_PLAIN}|'[ -&(-~]*'|\"[ !#-\[\]-~]*\"|\[\]|{{}})?\n"  # 5 plain, in quotes, or an empty collection
    r"| *(?:#[ -~]*)?\n)",  # nothing, or a comment
    re.ASCII,
)

_WHOLE: Final = itemgetter(0)

LONGEST: Final = 1 << 20
"""Characters; longer texts are left to the general reader, which counts what it builds."""

DEEPEST: Final = 40
"""Levels of nesting."""


Collection = dict[str, Any] | list[Any]
_DICT: Final[type[Collection]] = dict
_LIST: Final[type[Collection]] = list


class _NotPlainError(ValueError):
    """The text holds something that is left to the general reader."""


def read(text: str) -> dict[str, Any] | None:
    """The mapping that ``text`` spells; None where the text is not plain enough, faulty texts among them."""
    if len(text) > LONGEST:
        return None
    whole = text if text.endswith("\n") else text + "\n"
    lines = _LINE.findall(whole)
    if sum(map(len, map(_WHOLE, lines))) != len(whole):
        return None
    try:
        return _mapping(lines) or None
    except _NotPlainError:
        return None


def _mapping(lines: list[tuple[str, ...]]) -> dict[str, Any]:
    root: dict[str, Any] = {}
    opened: list[tuple[int, Collection]] = [(0, root)]  # the collections that a line may add to, outermost first
    waiting = ""  # the key of the line above, which has no value yet
    for _, spaces, dash, key, token in lines:
        if not (dash or key):
            continue
        indent = len(spaces)
        kind = _LIST if dash else _DICT
        above, place = opened[-1]
        if waiting and (indent > above or (dash and indent == above)):
            place = _begun(opened, indent, kind, waiting)
        elif indent != above or type(place) is not kind:
            place = _closed(opened, indent, kind)
        waiting = ""
        if isinstance(place, list):
            place.append(_value(token) if token else _beyond())
        elif key in place:
            raise _NotPlainError
        elif token:
            place[key] = _value(token)
        else:
            place[key], waiting = None, key
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


def _value(token: str) -> Any:
    if token == "[]":
        return []
    return {} if token == "{}" else _scalar(token)


@lru_cache(maxsize=1 << 16)
def _scalar(token: str) -> Any:
    """The value of a scalar, as the general reader takes it."""
    if token[0] in "'\"":
        return token[1:-1]
    found, _, fault = yaml_text.parse(token)
    return _beyond() if fault is not None or isinstance(found, dict | list) else found


def _beyond() -> Any:
    raise _NotPlainError
