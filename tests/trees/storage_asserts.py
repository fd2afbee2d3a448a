"""Small helpers of the builders' own tests."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from tests.trees.storage import StorageTree, System
from tests.trees.storage_bench import Leaf, Shape
from tests.trees.storage_files import FileTree

DLIO_CONFIG = {"config.yaml", "hydra.yaml", "overrides.yaml"}


def system(shape: Shape = "document", division: str = "closed", **options: Any) -> System:
    """One system of one submitter."""
    return StorageTree(shape).submitter("Acme", division).system("S1", **options)


def when(text: str) -> datetime:
    return datetime.fromisoformat(text)


def inside(tree: FileTree, folder: str) -> set[str]:
    return {path.removeprefix(f"{folder}/") for path in tree.find(f"{folder}/*")}


def assert_dlio_leaf(tree: FileTree, leaf: Leaf, stem: str) -> None:
    names = inside(tree, leaf.path)
    assert {f"{stem}.stdout.log", f"{stem}.stderr.log", "dlio.log"} <= names
    assert {name.removeprefix("dlio_config/") for name in names if name.startswith("dlio_config/")} == DLIO_CONFIG
    for end in ("output.json", "per_epoch_stats.json", "summary.json"):
        assert any(name.endswith(end) for name in names)
