"""Edits of trees, and the system descriptions in them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.trees.storage_files import GONE, FileTree
from tests.trees.storage_hosts import Hosts
from tests.trees.storage_system import Product


def test_edits_reach_into_documents() -> None:
    tree = FileTree()
    tree.put_json("a.json", {"x": {"y/z": [1, 2]}, "gone": 1})
    tree.put_yaml("b.yaml", {"top": {"key": "old"}})
    tree.edit_json("a.json", {"/x/y~1z/0": 9, "/x/y~1z/-": 3, "/gone": GONE}).edit_yaml("b.yaml", {"/top/key": "new"})
    assert tree.json("a.json") == {"x": {"y/z": [9, 2, 3]}}
    assert tree.yaml("b.yaml") == {"top": {"key": "new"}}
    with pytest.raises(KeyError):
        tree.edit_json("a.json", {"/nowhere/at/all": 1})


def test_edits_move_files_and_folders(tmp_path: Path) -> None:
    tree = FileTree({"a/b/c": b"1", "a/bc": b"2"})
    copy = tree.copy().rename("a/b", "z")
    assert copy.files == {"z/c": b"1", "a/bc": b"2"}
    assert copy.duplicate("z", "y").remove("z").files == {"y/c": b"1", "a/bc": b"2"}
    assert tree.files == {"a/b/c": b"1", "a/bc": b"2"}
    with pytest.raises(KeyError):
        tree.remove("a/b/")
    assert (tree.write(tmp_path) / "a/b/c").read_bytes() == b"1"


@pytest.mark.parametrize("deployment", ["onprem", "cloud"])
def test_rack_units_and_power_appear_on_premises_only(deployment: Any) -> None:
    block = Product("S1", Hosts(4), deployment=deployment).description("system_under_test")["system_under_test"]
    chassis = [node["chassis"] for node in (*block["product_nodes"], *block["clients"])]
    if deployment == "cloud":
        assert not any({"rack_units", "power"} & set(one) for one in chassis)
        assert "total_rack_units" not in block
    else:
        parts = [*block["product_nodes"], *block["product_switches"]]
        total = sum(part["quantity"] * part["chassis"]["rack_units"] for part in parts)
        assert block["total_rack_units"] == total
    assert sum(client["quantity"] for client in block["clients"]) == 4


@pytest.mark.parametrize(("remap", "simultaneous"), [(0, True), (15, False)])
def test_remapping_time_is_zero_exactly_with_simultaneous_access(remap: int, simultaneous: bool) -> None:
    product = Product("S1", Hosts(), remap_seconds=remap)
    new = product.description("system_under_test")["system_under_test"]["solution"]["capabilities"]
    assert (new["simultaneous_write"], new["simultaneous_read"]) == (simultaneous, simultaneous)
    assert new["remap_time_in_seconds"] == remap
    old = product.description("shared_capabilities")["System"]["shared_capabilities"]
    assert (old["simultaneous_write_support"], old["simultaneous_read__support"]) == (simultaneous, simultaneous)
