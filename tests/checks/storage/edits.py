"""Small edits and places that tests of storage rules share."""

from __future__ import annotations

from tests.trees.storage_bench import Leaf
from tests.trees.storage_files import FileTree


def line_of(tree: FileTree, path: str, text: str) -> int:
    """The number of the first line that holds ``text``. Raises StopIteration when none does."""
    return next(number for number, line in enumerate(tree.files[path].decode().splitlines(), 1) if text in line)


def resize(tree: FileTree, run: Leaf, files: int) -> None:
    """Let a training run have used and been told to use so many files."""
    tree.edit_json(run.summary, {"/num_files_train": files})
    tree.edit_json(run.metadata, {"/parameters/dataset/num_files_train": str(files)})
