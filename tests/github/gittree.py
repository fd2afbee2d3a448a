"""Edits a git tree in memory and writes what changed, one folder at a time and without recursion."""

from dataclasses import dataclass

import pygit2

from tests.github.gitpack import Pack, tree_line

DIRECTORY = 0o040000
Node = dict[bytes, "tuple[int, str] | Node"]


@dataclass
class _Opened:
    """A folder that was opened for a change, and where it hangs."""

    node: Node
    parent: Node | None
    name: bytes


class TreeEditor:
    """A base tree (or none) with changes. Folders of the base are opened only where something under them changes."""

    def __init__(self, repository: pygit2.Repository, base: str | None) -> None:
        self._repository = repository
        root = {} if base is None else self._children(str(repository[base].peel(pygit2.Tree).id))
        self._opened = [_Opened(root, None, b"")]

    def put(self, path: bytes, mode: int, oid: str) -> None:
        """Set an entry, replacing what was there."""
        *folders, name = path.split(b"/")
        self._folder(folders)[name] = (mode, oid)

    def remove(self, path: bytes) -> None:
        """Take out a file or a whole folder. Raises KeyError when there is none."""
        *folders, name = path.split(b"/")
        node = self._folder(folders)
        if name not in node:
            raise KeyError(f"nothing to remove at {path!r}")
        del node[name]

    def write(self, pack: Pack) -> str:
        """Write all opened folders, deepest first, and give the root's id; empty folders vanish as they do in git."""
        for folder in reversed(self._opened[1:]):
            assert folder.parent is not None
            if folder.parent.get(folder.name) is not folder.node:
                continue  # replaced or taken out after it was opened
            if folder.node:
                folder.parent[folder.name] = (DIRECTORY, _write(pack, folder.node))
            else:
                del folder.parent[folder.name]
        return _write(pack, self._opened[0].node)

    def _folder(self, names: list[bytes]) -> Node:
        node = self._opened[0].node
        for name in names:
            child = node.get(name)
            if not isinstance(child, dict):
                opened = self._children(child[1]) if child and child[0] == DIRECTORY else {}
                self._opened.append(_Opened(opened, node, name))
                node[name] = child = opened
            node = child
        return node

    def _children(self, tree: str) -> Node:
        found = self._repository[tree]
        assert isinstance(found, pygit2.Tree)
        return {entry.raw_name or b"": (int(entry.filemode), str(entry.id)) for entry in found}


def _write(pack: Pack, node: Node) -> str:
    """Write one folder whose children are all written; git sorts a folder as if its name ended in a slash."""
    lines: dict[bytes, bytes] = {}
    for name, child in node.items():
        assert isinstance(child, tuple)
        mode, oid = child
        lines[name + b"/" if mode == DIRECTORY else name] = tree_line(mode, name, oid)
    return pack.add(b"tree", b"".join(lines[key] for key in sorted(lines)))
