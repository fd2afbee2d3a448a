"""Small edits and places that tests of storage rules share."""

from __future__ import annotations

from tests.trees.storage_bench import Leaf
from tests.trees.storage_files import FileTree


def line_of(tree: FileTree, path: str, text: str, *, last: bool = False) -> int:
    """The number of the first (or last) line that holds ``text``. Raises IndexError when none does."""
    lines = [number for number, line in enumerate(tree.files[path].decode().splitlines(), 1) if text in line]
    return lines[-1 if last else 0]


def resize(tree: FileTree, run: Leaf, files: int) -> None:
    """Let a training run have used and been told to use so many files."""
    tree.edit_json(run.summary, {"/num_files_train": files})
    tree.edit_json(run.metadata, {"/parameters/dataset/num_files_train": str(files)})
