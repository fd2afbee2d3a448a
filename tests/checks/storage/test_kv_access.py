"""Rules 6.4.1 and 6.5.1 on trees with one thing broken."""

from __future__ import annotations

from typing import Any

import pytest

from tests.checks.storage.kv_trees import built, edit_commands, lines
from tests.checks.support import found, places
from tests.trees.storage_bench import RESULTS_DIR
from tests.trees.storage_files import GONE
from tests.trees.storage_kvcache import CACHE_DIR


@pytest.mark.parametrize("value", [None, "", GONE])
@pytest.mark.parametrize("name", ["cache_dir", "results_dir"])
def test_a_folder_that_is_not_set(name: str, value: Any) -> None:
    tree, kv = built(shape="document")
    tree.edit_json(kv.run.metadata, {f"/args/{name}": value})
    (finding,) = found(tree, "6.4.1")
    assert (finding.level, finding.path) == ("error", kv.run.metadata)
    assert f"`args.{name}` is not set" in finding.message


@pytest.mark.parametrize(("results", "count"), [(CACHE_DIR, 1), (f"{CACHE_DIR}/", 1), (f"{CACHE_DIR}2", 0)])
def test_cache_and_results_in_one_folder(results: str, count: int) -> None:
    tree, kv = built(shape="document")
    tree.edit_json(kv.run.metadata, {"/args/results_dir": results})
    tree.edit_json(kv.run.separation, {"/results_path": results})
    line = lines(tree, kv.run.metadata, '    "cache_dir"')[-1]
    assert places(found(tree, "6.4.1")) == [("6.4.1", "error", kv.run.metadata, line)] * count


def test_cache_and_results_on_one_filesystem() -> None:
    tree, kv = built(shape="document")
    tree.edit_json(kv.run.separation, {"/same_filesystem": True})
    assert places(found(tree, "6.4.1")) == [("6.4.1", "error", kv.run.separation, 8)]


def test_no_evidence_is_a_notice() -> None:
    tree, kv = built()
    assert places(found(tree, "6.4.1")) == [("6.4.1", "notice", kv.run.path, None)]


def test_evidence_by_df_in_a_log() -> None:
    tree, kv = built()
    log = kv.run.file(f"kvcache_opt1_trial0_{kv.run.stamp}.stdout.log")
    table = (
        "Filesystem Size Used Avail Use% Mounted on\n"
        "nas:/kv 9T 1T 8T 12% /mnt/storage\n"
        f"{{}} 1T 1G 1T 1% {RESULTS_DIR}\n"
    )
    tree.put(log, table.format("/dev/sda1"))
    assert found(tree, "6.4.1") == []
    tree.put(log, table.format("nas:/kv"))
    assert places(found(tree, "6.4.1")) == [("6.4.1", "error", log, 1)]


@pytest.mark.parametrize("path", ["s3://bucket/kv", "gs://b", "file:///mnt/kv"])
def test_an_address_is_no_cache_folder(path: str) -> None:
    tree, kv = built()
    tree.edit_json(kv.run.metadata, {"/args/cache_dir": path})
    line = lines(tree, kv.run.metadata, '"cache_dir"')[1]
    assert places(found(tree, "6.5.1")) == [("6.5.1", "error", kv.run.metadata, line)]


def test_an_address_in_a_command() -> None:
    tree, kv = built()
    line = edit_commands(tree, kv, f"--rank-cache-base {CACHE_DIR}", "--rank-cache-base s3://bucket/kv")
    assert places(found(tree, "6.5.1")) == [("6.5.1", "error", kv.run.metadata, line)]


@pytest.mark.parametrize("path", ["/mnt/s3fs/kv", "/mnt/s3:/kv", "kv"])
def test_a_mount_is_a_folder(path: str) -> None:
    tree, kv = built(api="object")
    tree.edit_json(kv.run.metadata, {"/args/cache_dir": path})
    assert found(tree, "6.5.1") == []


@pytest.mark.parametrize(("path", "count"), [("/tmp/kv", 1), (f"{CACHE_DIR}/", 0), (f"{CACHE_DIR}2", 1)])
def test_the_commands_use_the_cache_that_is_recorded(path: str, count: int) -> None:
    tree, kv = built(shape="document")
    line = edit_commands(tree, kv, f"--rank-cache-base {CACHE_DIR} ", f"--rank-cache-base {path} ", option=1, trial=0)
    assert places(found(tree, "6.4.1")) == [("6.4.1", "warning", kv.run.metadata, line)] * count
