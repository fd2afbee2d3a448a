"""Captured copies of the benchmark's source: the tree hash, `.code-hash.json`, pools and pointers (2.1.6)."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Literal

from tests.trees.storage_files import FileTree, json_bytes

Exclusion = Literal["any-depth", "document", "top-level"]
"""Which names the hash leaves out: the newest reading, the document's words, the reading of the first tools."""

CodeLayout = Literal["folders", "org-pool", "root-pool"]
"""`closed/<org>/code` and a `code` in every OPEN leaf; `<Org>/code-<hash8>`; `code-images/code-<hash8>`."""

TOOL_FOLDERS = frozenset(
    {
        ".git",
        ".idea",
        ".vscode",
        ".claude",
        ".agent",
        ".agents",
        ".roo",
        ".planning",
        ".gsd-tmp",
        "__pycache__",
        ".pytest_cache",
        ".venv",
        "node_modules",
        "build",
        "dist",
        ".tox",
        "test",
        "tests",
    }
)
TOOL_FILES = (".code-hash.json", ".DS_Store", "Thumbs.db", "*.pyc", "*.pyo")
DOCUMENT_FOLDERS = frozenset({"test", "tests", "__pycache__"})

SOURCE: Mapping[str, bytes] = {
    "README.md": b"# MLPerf Storage\n",
    "pyproject.toml": b'[project]\nname = "mlpstorage"\nversion = "3.0.46"\n',
    "uv.lock": b"version = 1\n",
    "configs/dlio/workload/unet3d_b200.yaml": b"model:\n  name: unet3d\n",
    "kv_cache_benchmark/config.yaml": b"qos_profiles: {}\n",
    "mlpstorage_py/__init__.py": b"",
    "mlpstorage_py/config.py": b'VDB_INDEX_TYPES_CLOSED = ["DISKANN", "HNSW", "AISAQ"]\n',
    "mlpstorage_py/main.py": b"def main() -> int:\n    return 0\n",
}
"""A small stand-in for the captured source tree."""


def tree_hash(files: Mapping[str, bytes], exclusion: Exclusion = "any-depth") -> str:
    """MD5 over path and content of every file, in the byte order of the paths; no separators (2.1.6)."""
    digest = hashlib.md5(usedforsecurity=False)
    for path in sorted((name for name in files if not _left_out(name, exclusion)), key=str.encode):
        digest.update(path.encode())
        digest.update(files[path])
    return digest.hexdigest()


def _left_out(path: str, exclusion: Exclusion) -> bool:
    *folders, name = path.split("/")
    if exclusion == "document":
        dotted = any(part.startswith(".") for part in (*folders, name))
        return dotted or any(map(_document_folder, folders)) or name.endswith(".pyc")
    judged = folders if exclusion == "any-depth" else folders[:1]
    eggs = any(part.endswith(".egg-info") for part in folders)
    return eggs or not TOOL_FOLDERS.isdisjoint(judged) or any(fnmatchcase(name, pattern) for pattern in TOOL_FILES)


def _document_folder(name: str) -> bool:
    return name in DOCUMENT_FOLDERS or name.endswith(".egg-info")


@dataclass(frozen=True)
class CodeImage:
    """One captured source tree and what its `.code-hash.json` says."""

    files: Mapping[str, bytes] = field(default_factory=lambda: SOURCE)
    algorithm: str = "md5-tree-v2"
    version: str = "3.0.46"
    captured_at: str = "2026-07-05T15:42:11Z"
    git_sha: str | None = "1a236dc3e00b0578a8c03d7ed81b3f54d0329637"

    @property
    def hash(self) -> str:
        return tree_hash(self.files)

    @property
    def folder(self) -> str:
        """Name of the image in a pool."""
        return f"code-{self.hash[:8]}"

    @property
    def pointer(self) -> str:
        """Content of `.mlps-code-image`: always the pool's algorithm, no newline."""
        return f"md5-tree-v2:{self.hash}"

    def write(self, tree: FileTree, folder: str) -> str:
        """Put the files and `.code-hash.json` under `folder`; return the path of the latter."""
        for path, content in self.files.items():
            tree.put(f"{folder}/{path}", content)
        record = {
            "hash": self.hash,
            "algorithm": self.algorithm,
            "captured_at": self.captured_at,
            "mlpstorage_version": self.version,
            "git_sha": self.git_sha,
        }
        return tree.put(f"{folder}/.code-hash.json", json_bytes(record) + b"\n")

    def write_pooled(self, tree: FileTree, pool: str) -> str:
        """Put the image and the pool's marker under `pool`; return the folder of the image."""
        marker = f"mlpstorage_version={self.version}\nmigration_completed_at={self.captured_at}\n"
        tree.put(f"{pool}/.mlps-image-pool", marker)
        self.write(tree, f"{pool}/{self.folder}")
        return f"{pool}/{self.folder}"
