"""The 16-byte text that the v3.0 round's staff put in place of files over GitHub's size limit."""

from __future__ import annotations

from checks.documents import PRUNED
from checks.tree import Kind, Tree, blob_id

_CONTENTS = (PRUNED, PRUNED + b"\n", PRUNED + b"\r\n")
_BLOB_IDS = frozenset(blob_id(content) for content in _CONTENTS)
_LONGEST = max(len(content) for content in _CONTENTS)


def is_placeholder(tree: Tree, path: str) -> bool:
    """Whether the file at ``path`` is the placeholder. In a git tree its object id tells: nothing is read."""
    entry = tree.entry(path)
    if entry is None or entry.kind is not Kind.FILE:
        return False
    if entry.oid is not None:
        return entry.oid in _BLOB_IDS
    size = tree.size(path)
    return size is not None and size <= _LONGEST and tree.read(path) in _CONTENTS
