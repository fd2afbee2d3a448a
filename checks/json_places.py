"""Where the values of a JSON text stand: their lines, worked out only when a finding needs one."""

from __future__ import annotations

import bisect
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\],:]|[^\s{}\[\],:"]+', re.DOTALL)


@dataclass(frozen=True, slots=True)
class Repeated:
    """A name given twice in one object: where it stands (JSON pointer), and the lines of both."""

    pointer: str
    first_line: int
    line: int


class Lines:
    """Offsets of a text as line numbers, starting at 1."""

    def __init__(self, text: str) -> None:
        self._starts = [match.end() for match in re.finditer("\n", text)]

    def of(self, offset: int) -> int:
        """The line of the character at ``offset``."""
        return bisect.bisect_right(self._starts, offset) + 1


def tokens(text: str) -> Iterator[tuple[str, int]]:
    """The tokens of a JSON text with their offsets."""
    for match in _TOKEN.finditer(text):
        yield match.group(), match.start()


def escaped(part: str) -> str:
    """A name as one part of a JSON pointer (RFC 6901)."""
    return part.replace("~", "~0").replace("/", "~1")


def locate(text: str) -> tuple[dict[str, int], list[Repeated]]:
    """The line of every value by JSON pointer (of its name, where it has one), and the names given twice.

    ``text`` must have been read by :func:`checks.json_text.parse` without a fault.
    """
    lines = Lines(text)
    found: dict[str, int] = {"": 1}
    repeated: list[Repeated] = []
    stack: list[tuple[str, int | None]] = []  # pointer of each open value; next index, None in an object
    given: list[set[str]] = []  # the names so far of each open object, or nothing of an array
    name: str | None = None
    here, after_colon = "", False
    for token, at in tokens(text):
        if token in "}]":
            stack.pop()
            given.pop()
        elif token == ":":
            after_colon = True
        elif token == ",":
            name, after_colon = None, False
        elif stack and stack[-1][1] is None and not after_colon:
            name = f"{stack[-1][0]}/{escaped(json.loads(token))}"
            line = lines.of(at)
            if name in given[-1]:
                repeated.append(Repeated(name, found[name], line))
            given[-1].add(name)
            found[name] = line
        else:
            here, stack, line = _value(stack, name, lines.of(at))
            found.setdefault(here, line)
            if token in "{[":
                stack.append((here, None if token == "{" else 0))
                given.append(set())
                name, after_colon = None, False
    return found, repeated


def _value(
    stack: list[tuple[str, int | None]], name: str | None, line: int
) -> tuple[str, list[tuple[str, int | None]], int]:
    """The pointer of the value that begins here; an array's next index moves on."""
    if not stack:
        return "", stack, line
    pointer, index = stack[-1]
    if index is None:
        return name or "", stack, line
    stack[-1] = (pointer, index + 1)
    return f"{pointer}/{index}", stack, line
