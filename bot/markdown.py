"""Markdown within GitHub's limits: links, cutting by bytes, fitting blocks. Escaping is in :mod:`checks.markdown`."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from checks.markdown import escape

ELLIPSIS = "…"


def link(text: str, address: str) -> str:
    """A link. ``address`` comes from settings or configuration; one that is not http(s) is shown as text."""
    if not re.fullmatch(r"https?://[^\s\x00-\x1f]+", address):
        return escape(text)
    safe = re.sub(r"[\\<>()\[\]|`*_~]", lambda match: f"%{ord(match.group()):02X}", address)
    return f"[{escape(text)}](<{safe}>)"


def size(text: str) -> int:
    """Length in bytes of UTF-8, which is what GitHub counts."""
    return len(text.encode("utf-8", "surrogatepass"))


def clipped(text: str, limit: int) -> str:
    """``text`` in at most ``limit`` bytes, cut between characters and then marked by an ellipsis.

    For text before it is escaped: cutting Markdown could open a span or a fence.
    """
    raw = text.encode("utf-8", "replace")
    if len(raw) <= limit:
        return raw.decode()
    room = max(0, limit - size(ELLIPSIS))
    return (raw[:room].decode("utf-8", "ignore") + ELLIPSIS) if room else ""


@dataclass(frozen=True, slots=True)
class Block:
    """A part of a text: ``head`` and whole ``lines``, of which as many stand as there is room for.

    ``more`` says how many lines were left out. Blocks of a lower ``rank`` get their room first, each at most ``share``
    of the whole. A block without lines is its head alone.
    """

    head: str
    lines: Sequence[str] = ()
    more: Callable[[int], str] = "{} more".format
    rank: int = 0
    share: float = 1.0

    def within(self, room: int) -> str:
        """The block in at most ``room`` bytes; empty when not even its head has room."""
        taken = [self.head] if self.head else []
        used = size(self.head) + bool(self.head)
        for index, line in enumerate(self.lines):
            left = len(self.lines) - index
            rest = size(self.more(left - 1)) + 1 if left > 1 else 0
            if used + size(line) + rest > room:
                taken.append(self.more(left))
                break
            taken.append(line)
            used += size(line) + 1
        text = "\n".join(taken)
        return text if size(text) <= room else ""


def fitted(blocks: Sequence[Block], limit: int) -> str:
    """All ``blocks`` in their order, parted by empty lines, in at most ``limit`` bytes; only whole lines are cut."""
    texts = [""] * len(blocks)
    room = limit
    for index in sorted(range(len(blocks)), key=lambda at: blocks[at].rank):
        block = blocks[index]
        texts[index] = block.within(min(room, int(block.share * limit)))
        room = max(0, room - size(texts[index]) - 2)
    return "\n\n".join(filter(None, texts))
