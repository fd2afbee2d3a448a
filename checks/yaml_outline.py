"""What the lines of a plain YAML text spell together, whatever their values are.

The form of a line is its indentation, its key (or the sign of a list's item), and an ending that tells of a value which
is not in the line: :data:`OPEN` or an empty collection. A line without content has the empty form. Files of one
benchmark have few sequences of forms, so that where each value belongs is found out once for thousands of files.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from operator import itemgetter
from typing import Any, Final

Collection = dict[str, Any] | list[Any]

ITEM: Final = "- "
OPEN: Final = ":"
"""Ends the form of a key whose value stands in the lines below it, or nowhere."""

EMPTY: Final[dict[str | None, type[Collection]]] = {"[]": list, "{}": dict}
"""What ends the form of a line whose value is an empty collection."""

DEEPEST: Final = 40
"""Levels of nesting; deeper texts are left to the general reader."""

MOST_LINES: Final = 2_000
"""Lines of a text whose outline is remembered; longer ones are no files of which there are many."""


class _NotPlainError(ValueError):
    """The lines spell something that is left to the general reader."""


class _Group:
    """A collection in the making: the lines whose values it holds, by their numbers, and the line of its own key."""

    def __init__(self, indent: int, kind: type[Collection], owner: int | None) -> None:
        self.indent = indent
        self.kind = kind
        self.owner = owner
        self.keys: dict[str, int] = {}
        self.items: list[int] = []

    def add(self, key: str, number: int) -> None:
        """The line ``number`` adds its value. Raises _NotPlainError for a key that is there already."""
        if self.kind is list:
            self.items.append(number)
        elif key in self.keys:
            raise _NotPlainError
        else:
            self.keys[key] = number


class Outline:
    """Where the value of each line belongs."""

    def __init__(self, groups: Sequence[_Group], empty: Sequence[tuple[int, type[Collection]]]) -> None:
        self._empty = tuple(empty)
        inner_first = reversed(groups)
        self._steps = [
            (_picker(group), tuple(map(sys.intern, group.keys)) or None, group.owner) for group in inner_first
        ]

    def filled(self, values: list[Any]) -> dict[str, Any]:
        """The mapping that lines with these ``values`` spell; uses ``values`` up."""
        for number, kind in self._empty:
            values[number] = kind()
        found: Any = {}
        for pick, keys, owner in self._steps:
            found = list(pick(values)) if keys is None else dict(zip(keys, pick(values), strict=True))
            if owner is not None:
                values[owner] = found
        assert isinstance(found, dict)  # the outermost, which comes last
        return found


def _picker(group: _Group) -> Any:
    """What takes the values of a group out of those of all lines, as a sequence."""
    numbers = list(group.keys.values()) or group.items
    return itemgetter(*numbers) if len(numbers) > 1 else itemgetter(slice(numbers[0], numbers[0] + 1))


def outline_of(forms: tuple[str, ...]) -> Outline | None:
    """The outline of lines of these forms; None where they spell no mapping, or nothing plain."""
    try:
        return _remembered(forms) if len(forms) <= MOST_LINES else _outline(forms)
    except _NotPlainError:
        return None


def _outline(forms: tuple[str, ...]) -> Outline:
    opened = [_Group(0, dict, None)]  # the collections that a line may add to, outermost first
    groups, empty = list(opened), list[tuple[int, type[Collection]]]()
    waiting: int | None = None  # the line above, where it is a key that has no value yet
    for number, form in enumerate(forms):
        if not form:
            continue
        indent, kind, key, ending = _read(form)
        if waiting is not None and (indent > opened[-1].indent or (kind is list and indent == opened[-1].indent)):
            groups.append(_Group(indent, kind, waiting))
            opened.append(groups[-1])
        else:
            _close(opened, indent, kind)
        opened[-1].add(key, number)
        waiting = number if ending == OPEN else None
        if ending in EMPTY:
            empty.append((number, EMPTY[ending]))
        if len(opened) > DEEPEST:
            raise _NotPlainError
    if not groups[0].keys:
        raise _NotPlainError
    return Outline(groups, empty)


_remembered = lru_cache(maxsize=1 << 8)(_outline)


def _read(form: str) -> tuple[int, type[Collection], str, str]:
    """Indentation, kind of the collection that the line adds to, key, and ending of a form."""
    ending = next((mark for mark in chain([OPEN], EMPTY) if mark and form.endswith(mark)), "")
    text = form.removesuffix(ending).lstrip(" ")
    indent = len(form) - len(ending) - len(text)
    return indent, list if text == ITEM else dict, text, ending


def _close(opened: list[_Group], indent: int, kind: type[Collection]) -> None:
    """Closes the collections that a line of that indentation does not go on with."""
    while opened and (opened[-1].indent > indent or (opened[-1].indent == indent and opened[-1].kind is not kind)):
        opened.pop()
    if not opened or opened[-1].indent != indent:
        raise _NotPlainError
