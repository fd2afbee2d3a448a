"""Rules 6.6.1 to 6.6.3 on trees with one thing broken."""

from __future__ import annotations

from typing import Any

import pytest

from tests.checks.storage.kv_trees import built, edit_commands, lines
from tests.checks.support import found, places
from tests.trees.storage_files import GONE

MODE = "--generation-mode none"
READ, WRITE = "aggregated_read_bandwidth_gbps", "aggregated_write_bandwidth_gbps"


@pytest.mark.parametrize(
    ("extra", "word"),
    [
        ("--enable-rag", "--enable-rag"),
        ("--rag-num-docs 10", "--rag-num-docs"),
        ("--enable-latency-tracing", "--enable-latency-tracing"),
        ("--num-u 5", "--num-u"),
        ("--performance-profile throughput", "--performance-profile"),
        ("surplus", "surplus"),
    ],
)
def test_an_argument_that_closed_does_not_know(extra: str, word: str) -> None:
    tree, kv = built()
    line = edit_commands(tree, kv, MODE, f"{MODE} {extra}", option=2)
    (finding,) = found(tree, "6.6.1")
    assert places([finding]) == [("6.6.1", "error", kv.run.metadata, line)]
    assert finding.message.startswith(f"3 commands ran with `{word}`")


def test_a_misspelt_argument_is_told_with_what_was_meant() -> None:
    tree, kv = built()
    edit_commands(tree, kv, "--seed-base", "--seed_base")
    (finding,) = found(tree, "6.6.1")
    assert finding.hint and finding.hint.endswith("Did you mean `--seed-base`?")


def test_open_may_pass_them() -> None:
    tree, kv = built("open")
    edit_commands(tree, kv, MODE, f"{MODE} --enable-rag --rag-num-docs 10")
    assert found(tree, "6.6.1") == []


@pytest.mark.parametrize(
    ("name", "value", "count"),
    [
        ("kvcache_bin_path", "/home/a/kv-cache.py", 1),
        ("kvcache_bin_path", None, 0),
        ("kvcache_bin_path", GONE, 0),
        ("params", ["num_users=5"], 1),
        ("params", [], 0),
        ("mpi_params", ["--mca", "btl", "tcp"], 0),
        ("enable_rag", True, 0),
        ("max_concurrent_allocs", 64, 1),
        ("max_concurrent_allocs", None, 0),
        ("enable_latency_tracing", True, 1),
        ("enable_latency_tracing", False, 0),
        ("allow_invalid_params", True, 1),
    ],
)
def test_arguments_of_the_tool(name: str, value: Any, count: int) -> None:
    tree, kv = built()
    if not (value is GONE and name not in tree.json(kv.run.metadata)["args"]):
        tree.edit_json(kv.run.metadata, {f"/args/{name}": value})
    assert [(item.level, item.path) for item in found(tree, "6.6.1")] == [("error", kv.run.metadata)] * count


def test_an_open_run_that_moved_no_data() -> None:
    tree, kv = built("open")
    tree.edit_json(kv.summary, {f"/options/1/{READ}": 0.0, f"/options/1/{WRITE}": 0})
    (finding,) = found(tree, "6.6.2")
    assert places([finding]) == [("6.6.2", "warning", kv.summary, 9)]
    assert "defaults" not in finding.message
    edit_commands(tree, kv, "--cpu-mem-gb 0", "", option=1)
    (finding,) = found(tree, "6.6.2")
    assert "leave memory tiers at their defaults" in finding.message


@pytest.mark.parametrize("changes", [{READ: 0}, {WRITE: 0}, {READ: 0.001, WRITE: 0}])
def test_an_open_run_that_moved_some_data(changes: dict[str, float]) -> None:
    tree, kv = built("open")
    tree.edit_json(kv.summary, {f"/options/1/{name}": value for name, value in changes.items()})
    assert found(tree, "6.6.2") == []


def test_closed_is_not_judged_by_the_rule_of_open() -> None:
    tree, kv = built()
    tree.edit_json(kv.summary, {f"/options/1/{READ}": 0, f"/options/1/{WRITE}": 0})
    assert found(tree, "6.6.2") == []


@pytest.mark.parametrize(("division", "count"), [("open", 1), ("closed", 0)])
def test_an_open_run_records_its_invocation(division: str, count: int) -> None:
    tree, kv = built(division)
    tree.edit_json(kv.run.metadata, {"/command_output_files": [], "/executed_command": "bash run.sh"})
    line = lines(tree, kv.run.metadata, '"executed_command"')[0]
    assert places(found(tree, "6.6.3")) == [("6.6.3", "error", kv.run.metadata, line)] * count


def test_a_direct_call_is_an_invocation() -> None:
    tree, kv = built("open")
    call = "sudo python kv-cache.py --config config.yaml --model llama3.1-8b"
    tree.edit_json(kv.run.metadata, {"/command_output_files": [], "/executed_command": call})
    assert found(tree, "6.6.3") == []
