"""An in-memory folder tree (POSIX path -> bytes) with the small edits that tests make to it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Self

import yaml

Json = dict[str, Any]

GONE: Any = object()
"""As a value in `edit_json` or `edit_yaml`: take the key or the element away."""


def json_bytes(value: Any) -> bytes:
    """JSON as the benchmark tool writes it: indented by two, no newline at the end."""
    return json.dumps(value, indent=2).encode()


def yaml_bytes(value: Any) -> bytes:
    """Block-style YAML in insertion order."""
    text: str = yaml.safe_dump(value, sort_keys=False, allow_unicode=True)
    return text.encode()


class FileTree:
    """Files by their path relative to the root of the tree; folders exist only through their files, as in git."""

    def __init__(self, files: Mapping[str, bytes] | None = None) -> None:
        self.files: dict[str, bytes] = dict(files or {})

    def put(self, path: str, content: bytes | str) -> str:
        """Write one file and return its path."""
        self.files[path] = content.encode() if isinstance(content, str) else content
        return path

    def put_json(self, path: str, value: Any) -> str:
        return self.put(path, json_bytes(value))

    def put_yaml(self, path: str, value: Any) -> str:
        return self.put(path, yaml_bytes(value))

    def json(self, path: str) -> Any:
        return json.loads(self.files[path])

    def yaml(self, path: str) -> Any:
        return yaml.safe_load(self.files[path])

    def find(self, pattern: str) -> list[str]:
        """Paths that match a shell pattern (`*` crosses `/`), sorted."""
        return sorted(path for path in self.files if fnmatchcase(path, pattern))

    def edit_json(self, path: str, changes: Mapping[str, Any]) -> Self:
        """Set values by JSON pointer (RFC 6901; `-` appends); `GONE` removes. Raises KeyError for an unknown parent."""
        self.put_json(path, _edited(self.json(path), changes))
        return self

    def edit_yaml(self, path: str, changes: Mapping[str, Any]) -> Self:
        """As `edit_json`, for a YAML file."""
        self.put_yaml(path, _edited(self.yaml(path), changes))
        return self

    def remove(self, path: str) -> Self:
        """Take away a file, or a folder with all below it. Raises KeyError when nothing is there."""
        for found in self._at(path):
            del self.files[found]
        return self

    def rename(self, old: str, new: str) -> Self:
        """Move a file or a folder. Raises KeyError when nothing is at `old`."""
        for found in self._at(old):
            self.files[new + found.removeprefix(old)] = self.files.pop(found)
        return self

    def duplicate(self, old: str, new: str) -> Self:
        """Copy a file or a folder to another place. Raises KeyError when nothing is at `old`."""
        for found in self._at(old):
            self.files[new + found.removeprefix(old)] = self.files[found]
        return self

    def copy(self) -> FileTree:
        """An independent tree with the same files."""
        return FileTree(self.files)

    def under(self, folder: str) -> FileTree:
        """The same files one or more levels deeper, as in a package with a root folder of its own."""
        return FileTree({f"{folder}/{path}": content for path, content in self.files.items()})

    def write(self, folder: Path) -> Path:
        """Write all files below `folder` on disk and return it."""
        for path, content in self.files.items():
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        return folder

    def _at(self, path: str) -> list[str]:
        found = [name for name in self.files if name == path or name.startswith(f"{path}/")]
        if not found:
            raise KeyError(path)
        return found


def _edited(document: Any, changes: Mapping[str, Any]) -> Any:
    for pointer, value in changes.items():
        *parents, last = [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]
        parent = document
        for part in parents:
            parent = parent[int(part)] if isinstance(parent, list) else parent[part]
        _set(parent, last, value)
    return document


def _set(parent: Any, key: str, value: Any) -> None:
    place: Any = int(key) if isinstance(parent, list) and key != "-" else key
    if value is GONE:
        del parent[place]
    elif isinstance(parent, list) and key == "-":
        parent.append(value)
    else:
        parent[place] = value
