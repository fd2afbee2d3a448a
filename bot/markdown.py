"""Markdown within GitHub's limits: links, cutting by bytes, fitting blocks. Escaping is in :mod:`checks.markdown`."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from checks.markdown import escape

ELLIPSIS = "…"
GAP = "\n\n"
"""Between two blocks."""


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
    """A part of a text: ``head`` and whole ``lines``, of which as many stand as there is room for, at most ``most``.

    ``more`` says how many lines were left out. Blocks of a lower ``rank`` get their room first, each at most ``share``
    of the whole. ``heaviest`` are the same lines in the order in which they are kept where not all can be; empty means
    the order of ``lines``. A block without lines is its head alone.
    """

    head: str
    lines: Sequence[str] = ()
    more: Callable[[int], str] = "{} more".format
    rank: int = 0
    share: float = 1.0
    most: int | None = None
    heaviest: Sequence[str] = ()

    def within(self, room: int) -> str:
        """The block in at most ``room`` bytes; empty when not even its head has room."""
        whole = self._text(self.lines)
        if size(whole) <= room and (self.most is None or len(self.lines) <= self.most):
            return whole
        kept = self._kept(self.heaviest or self.lines, room) if self.lines else []
        text = self._text([*kept, self.more(len(self.lines) - len(kept))])
        return text if size(text) <= room else ""

    def least(self) -> int:
        """Bytes of the head with the word on how much is left out, or of the whole block where that is less."""
        return min(size(self._text(self.lines)), size(self._text([self.more(len(self.lines))])))

    def _kept(self, lines: Sequence[str], room: int) -> list[str]:
        """As many of ``lines`` as stand beside the word on how many more there are."""
        kept: list[str] = []
        used = size(self.head) + bool(self.head)
        for line in lines[: self.most]:
            used += size(line) + 1
            if used + size(self.more(len(lines) - len(kept) - 1)) > room:
                break
            kept.append(line)
        return kept

    def _text(self, lines: Sequence[str]) -> str:
        return "\n".join([self.head, *lines] if self.head else lines)


def fitted(blocks: Sequence[Block], limit: int) -> str:
    """All ``blocks`` in their order, parted by empty lines, in at most ``limit`` bytes; only whole lines are cut.

    None vanishes without a word as long as the heads and the words on what is left out have room beside each other.
    """
    texts = [""] * len(blocks)
    room = limit
    kept_back = sum(block.least() + len(GAP) for block in blocks)
    for index in sorted(range(len(blocks)), key=lambda at: blocks[at].rank):
        block = blocks[index]
        kept_back -= block.least() + len(GAP)
        texts[index] = block.within(max(0, min(room - kept_back, int(block.share * limit))))
        room = max(0, room - size(texts[index]) - len(GAP))
    return GAP.join(filter(None, texts))
