"""Contents of files that were lately read, kept for the next rule that asks."""

from __future__ import annotations

from collections import OrderedDict


class Contents:
    """Contents lately read, so that a file that several rules of a scope read is read once; the least used go first."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, tuple[bytes, bool]] = OrderedDict()
        self._bytes = 0

    def get(self, key: str, cap: int) -> bytes | None:
        """The first ``cap`` bytes, or more, of what is kept under ``key``; None when that is not kept."""
        found = self._kept.get(key)
        if found is None or not (found[1] or len(found[0]) >= cap):
            return None
        self._kept.move_to_end(key)
        return found[0]

    def keep(self, key: str, data: bytes, cap: int, limit: int) -> None:
        """Keeps what a read of up to ``cap`` bytes gave, ``limit`` bytes in all."""
        self._bytes -= len(self._kept.pop(key, (b"", False))[0])
        self._kept[key] = (data, len(data) < cap)
        self._bytes += len(data)
        while self._bytes > limit:
            self._bytes -= len(self._kept.popitem(last=False)[1][0])
