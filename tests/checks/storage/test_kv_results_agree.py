"""Rules 6.3.3.3, 6.3.4 and 6.3.4.3 on results that are copied, miscounted or below 0."""

from __future__ import annotations

from typing import Any

import pytest

from tests.checks.storage.kv_trees import built, lines
from tests.checks.support import found, places
from tests.trees.storage_files import GONE

STATS = "/summary/cache_stats"


@pytest.mark.parametrize("edition", ["2.0", "3.0"])
@pytest.mark.parametrize("division", ["closed", "open"])
def test_a_copied_rank_result_is_no_result_of_its_own(edition: str, division: str) -> None:
    tree, kv = built(division, ranks=2)
    tree.remove(kv.rank_files[1, 1, 1]).duplicate(kv.rank_files[1, 1, 0], kv.rank_files[1, 1, 1])
    (finding,) = found(tree, "6.3.3.3", edition)
    line = lines(tree, kv.rank_files[1, 1, 1], '"summary"')[0]
    assert places([finding]) == [("6.3.3.3", "error", kv.rank_files[1, 1, 1], line)]
    assert "`option_1/trial_1/rank_0`, `option_1/trial_1/rank_1`" in finding.message


def test_a_copied_trial_is_told_once() -> None:
    tree, kv = built(ranks=4)
    for rank in range(4):
        tree.duplicate(kv.rank_files[1, 0, rank], kv.rank_files[1, 2, rank])
    (finding,) = found(tree, "6.3.3.3")
    assert "So do 3 other groups of results." in finding.message


@pytest.mark.parametrize(
    "changes", [{f"{STATS}/storage_read_device_p95_ms": 1480.0}, {f"{STATS}/tier_storage_read_bandwidth_gbps": 0}]
)
def test_results_that_differ_or_measured_nothing_are_no_copies(changes: dict[str, Any]) -> None:
    tree, kv = built(ranks=2)
    tree.duplicate(kv.rank_files[1, 1, 0], kv.rank_files[1, 1, 1])
    tree.edit_json(kv.rank_files[1, 1, 1], changes)
    assert found(tree, "6.3.3.3") == []


@pytest.mark.parametrize(("division", "level"), [("closed", "error"), ("open", "warning")])
@pytest.mark.parametrize(("key", "value"), [("rank_count", 3), ("rank_count", "5"), ("trial_count", 2)])
def test_an_option_that_counts_otherwise_than_the_run(division: str, level: str, key: str, value: Any) -> None:
    tree, kv = built(division, ranks=4)
    tree.edit_json(kv.summary, {f"/options/2/{key}": value})
    (finding,) = found(tree, "6.3.4")
    assert places([finding]) == [("6.3.4", level, kv.summary, lines(tree, kv.summary, f'"{key}"')[1])]


@pytest.mark.parametrize(("key", "value"), [("rank_count", "4"), ("trial_count", 3.0), ("rank_count", GONE)])
def test_an_option_that_counts_as_the_run(key: str, value: Any) -> None:
    tree, kv = built(ranks=4)
    tree.edit_json(kv.summary, {f"/options/2/{key}": value})
    assert found(tree, "6.3.4") == []


def test_an_option_that_failed_in_part_is_told_once() -> None:
    tree, kv = built(ranks=4)
    tree.edit_json(kv.summary, {"/options/2/rank_count": 3, "/options/2/missing_files": ["option_2/trial_0/rank_3"]})
    assert len(found(tree, "6.3.4")) == 1


@pytest.mark.parametrize(
    ("rule", "pointer"),
    [
        ("6.3.4.1", f"{STATS}/tier_storage_write_bandwidth_gbps"),
        ("6.3.4.2", "/summary/storage_throughput_tokens_per_sec"),
        ("6.3.4.3", f"{STATS}/storage_read_device_p95_ms"),
    ],
)
def test_nothing_that_is_measured_is_below_nought(rule: str, pointer: str) -> None:
    tree, kv = built(ranks=2)
    path = kv.rank_files[3, 0, 1]
    tree.edit_json(path, {pointer: -1.0})
    line = lines(tree, path, f'"{pointer.rpartition("/")[2]}"')[0]
    assert places(found(tree, rule)) == [(rule, "error", path, line)]


@pytest.mark.parametrize(("listed", "count"), [(GONE, 1), ([], 1), (["option_2/trial_0/rank_1"], 0)])
def test_a_client_that_served_from_memory_is_listed(listed: Any, count: int) -> None:
    tree, kv = built(ranks=2)
    tree.edit_json(kv.rank_files[2, 0, 1], {f"{STATS}/storage_entries": 0})
    tree.edit_json(kv.summary, {"/options/2/cpu_tier_ranks": listed})
    assert [item.level for item in found(tree, "6.3.4.4")] == ["warning"] * count
