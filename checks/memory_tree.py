"""The view over files that are in memory already."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from checks import names
from checks.tree import DEFAULT_LIMITS, Entry, Kind, Limits, Tree


class MemoryTree(Tree):
    """The view over a mapping of paths to contents: what a builder made, or a browser unpacked."""

    def __init__(self, files: Mapping[str, bytes], limits: Limits = DEFAULT_LIMITS) -> None:
        super().__init__()
        self.files = files
        self.limits = limits
        self._folders: dict[str, dict[str, Entry]] = {"": {}}
        for path in files:
            self._add(path, Kind.FILE)

    def _add(self, path: str, kind: Kind) -> None:
        folder = names.parent(path)
        if folder not in self._folders:
            self._folders[folder] = {}
            self._add(folder, Kind.DIRECTORY)
        self._folders[folder][names.basename(path)] = Entry(names.basename(path), kind)

    def listing(self, path: str) -> Iterable[Entry]:
        """See :meth:`Tree.listing`."""
        return self._folders.get(path, {}).values()

    def size(self, path: str) -> int | None:
        """Bytes of the file."""
        content = self.files.get(path)
        return None if content is None else len(content)

    def _read(self, path: str, entry: Entry, cap: int) -> bytes:
        return self.files[path][:cap]
