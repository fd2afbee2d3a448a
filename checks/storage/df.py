"""The output of ``df`` in a log: which filesystem holds a path.

All blocks of a log count, with or without ``-T``, with a prefix before every line, and with device names so long that
the row is wrapped.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

_HEADER = re.compile(r"Filesystem\s+(?P<type>Type\s+)?\S+\s+Used\s+Avail\w*\s+(?:Use%|Capacity|%Used)\s+Mounted on")
_NUMBER = r"-?[\d.,]*\d[KMGTPEZY]?(?:i?B)?|-"
_ROW = re.compile(
    rf"(?P<head>.*?)(?:^|\s)(?:{_NUMBER})\s+(?:{_NUMBER})\s+(?:{_NUMBER})\s+(?:\d+%|-)\s+(?P<mount>/.*?)\s*\Z"
)
_COMMAND = re.compile(r"(?:^|[\s/])df(?P<arguments>(?:\s+\S+)+)\s*\Z")


@dataclass(frozen=True, slots=True)
class Mount:
    """One row of ``df``."""

    device: str
    path: str

    @property
    def identity(self) -> str:
        """What tells filesystems apart: a block device or an export by its name, anything nameless by its mount."""
        return self.device if "/" in self.device else self.path

    def holds(self, path: str) -> bool:
        """Whether ``path`` lies at or below the mount point."""
        return path == self.path or path.startswith(self.path.rstrip("/") + "/")


@dataclass
class Block:
    """One output of ``df``: the line of its header, the paths that the command above it names, its rows."""

    line: int
    indent: int
    typed: bool
    asked: tuple[str, ...] = ()
    mounts: list[Mount] = field(default_factory=list)
    _device: str = ""

    def take(self, line: str) -> bool:
        """Reads one more line of the log; False when the block has ended."""
        text = line[self.indent :]
        if row := _ROW.match(text):
            head = row["head"].split()
            own = head[:-1] if self.typed else head
            self.mounts.append(Mount(" ".join(own) or self._device, row["mount"]))
            self._device = ""
            return True
        if self._device or len(text.split()) != 1:
            return False
        self._device = text.strip()
        return True


def df_blocks(lines: Iterable[tuple[int, str]]) -> list[Block]:
    """Every block of ``df`` output among numbered lines of a log."""
    found: list[Block] = []
    current: Block | None = None
    above = ""
    for number, line in lines:
        if header := _HEADER.search(line):
            current = Block(number, header.start(), bool(header["type"]), _asked(above))
            found.append(current)
        elif current is not None and not current.take(line):
            current = None
        above = line if line.strip() else above
    return [block for block in found if block.mounts]


def _asked(line: str) -> tuple[str, ...]:
    command = _COMMAND.search(line)
    words = command["arguments"].split() if command else []
    return tuple(plain_path(word) for word in words if not word.startswith("-"))


def filesystem_of(path: str, blocks: Sequence[Block]) -> Mount | None:
    """The filesystem that holds ``path``: the one row of the ``df`` asked for it, else the longest mount above it."""
    wanted = plain_path(path)
    for block in blocks:
        if wanted in block.asked and len(block.mounts) == 1:
            return block.mounts[0]
    holders = [mount for block in blocks for mount in block.mounts if mount.holds(wanted)]
    return max(holders, key=lambda mount: len(mount.path), default=None)


def plain_path(path: str) -> str:
    """The path without doubled, trailing or dotted parts; no link is followed, the machine it speaks of is not here."""
    plain = posixpath.normpath(path)
    return plain[1:] if plain.startswith("//") else plain
