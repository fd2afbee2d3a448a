"""Markdown that stays what it is whatever a submitter's file is called: escaping, code spans, fences.

GitHub renders check runs as GitHub Flavored Markdown (https://github.github.com/gfm/) and afterwards links mentions,
issue numbers and addresses in the rendered text, outside code. So text is escaped for the first and broken up with an
invisible mark for the second.
"""

from __future__ import annotations

import re

from checks import names

BREAK = "\u200b"
"""Zero-width space: keeps GitHub from seeing a mention, an issue number or an address."""

_SPECIAL = re.compile(r"[\\`*_{}\[\]()<>#!|~&$]")
_BLOCK_START = re.compile(r"\A(\d{0,9})([-+.=:])(?=[\s:=-]|\Z)")
"""What begins a list, underlines a heading or rules a table when it stands first in a line."""

_LINKED = re.compile(r"@(?=\w)|#(?=\d)|GH-(?=\d)|(?:https?|ftp|mailto|xmpp):|www(?=\.)", re.IGNORECASE)
"""Whatever stands before: GitHub's Markdown links an address also after ``_`` or a digit."""

_TICKS = re.compile("`+")


def escape(text: str) -> str:
    """``text`` as one line of plain words: no Markdown, no HTML, no mention, no link. Fits into a table's cell."""
    line = names.shown(" ".join(text.split()))
    broken = _LINKED.sub(lambda match: match.group() + BREAK, line)
    special = _SPECIAL.sub(r"\\\g<0>", broken)
    return _BLOCK_START.sub(r"\1\\\2", special)


def code(text: str) -> str:
    """``text`` as a code span, outside tables; nothing in it is rendered or linked."""
    line = names.shown(text) or " "
    fence = "`" * (1 + max((len(run) for run in _TICKS.findall(line)), default=0))
    pad = " " if line[0] in "` " or line[-1] in "` " else ""
    return f"{fence}{pad}{line}{pad}{fence}"


def fenced(text: str, language: str = "") -> str:
    """``text`` as a code block that its own content can't end."""
    fence = "`" * max(3, 1 + max((len(run) for run in _TICKS.findall(text)), default=0))
    return f"{fence}{language}\n{text}\n{fence}"
