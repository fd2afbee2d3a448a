"""Rules 6.3.4.1 to 6.3.4.3: aggregates computed again, against figures computed by hand."""

from __future__ import annotations

from typing import Any

import pytest

from checks.findings import Fact
from tests.checks.storage.kv_trees import built, lines
from tests.checks.support import checked, found, places
from tests.trees.storage import StorageTree
from tests.trees.storage_files import GONE
from tests.trees.storage_kvcache import KvCache

STATS = "/summary/cache_stats"
READ, WRITE = "aggregated_read_bandwidth_gbps", "aggregated_write_bandwidth_gbps"
TOKENS = "aggregated_storage_throughput_tokens_per_sec"
DEVICE_READ, DEVICE_WRITE = "aggregated_device_read_p95_ms", "aggregated_device_write_p95_ms"


def figures(tree: StorageTree) -> dict[str, Fact]:
    return {fact.name: fact for fact in checked(tree).facts if fact.name.startswith("kv_option_")}


def by_hand(tree: StorageTree, kv: KvCache) -> None:
    """Option 1 of two clients with figures that are easy to add up; the summary as it follows from them."""
    for (option, trial, rank), path in kv.rank_files.items():
        if option == 1:
            changes = {
                f"{STATS}/tier_storage_read_bandwidth_gbps": [10.0, 20.0, 33.0][trial] + rank,
                f"{STATS}/tier_storage_write_bandwidth_gbps": [1, 2, 3][trial],
                "/summary/storage_throughput_tokens_per_sec": str(100 * (trial + 1)),
                f"{STATS}/storage_read_device_p95_ms": 5.0 + trial if rank else 900.0 - trial,
                f"{STATS}/storage_write_device_p95_ms": 5.0 + trial if rank else 1.0,
            }
            tree.edit_json(path, changes)
    values = {READ: 43.0, WRITE: 4.0, TOKENS: 400.0, DEVICE_READ: 900.0, DEVICE_WRITE: 7.0}
    tree.edit_json(kv.summary, {f"/options/1/{name}": value for name, value in values.items()})


def test_sums_over_clients_means_over_trials_and_maxima() -> None:
    tree, kv = built(ranks=2)
    by_hand(tree, kv)
    assert [item for item in found(tree) if item.rule.startswith("6.3.4")] == []
    facts = figures(tree)
    assert facts[f"kv_option_1_{READ}"].value == pytest.approx(43.0)  # (21 + 41 + 67) / 3
    assert facts[f"kv_option_1_{WRITE}"].value == pytest.approx(4.0)
    assert facts[f"kv_option_1_{TOKENS}"].value == pytest.approx(400.0)
    assert facts[f"kv_option_1_{DEVICE_READ}"].value == 900.0
    assert facts[f"kv_option_1_{DEVICE_WRITE}"].value == 7.0
    assert {fact.unit for fact in facts.values()} == {"GB/s", "tokens/s", "ms"}
    assert {fact.path for fact in facts.values()} == {kv.summary}
    assert len(facts) == 15


@pytest.mark.parametrize(
    ("rule", "name"),
    [
        ("6.3.4.1", READ),
        ("6.3.4.1", WRITE),
        ("6.3.4.2", TOKENS),
        ("6.3.4.3", DEVICE_READ),
        ("6.3.4.3", DEVICE_WRITE),
    ],
)
@pytest.mark.parametrize(("factor", "count"), [(1 + 0.9e-6, 0), (1 - 0.9e-6, 0), (1 + 1.1e-6, 1), (1 - 1.1e-6, 1)])
def test_the_tolerance_between_recorded_and_computed(rule: str, name: str, factor: float, count: int) -> None:
    tree, kv = built(ranks=2)
    recorded = tree.json(kv.summary)["options"]["2"][name]
    tree.edit_json(kv.summary, {f"/options/2/{name}": recorded * factor})
    line = lines(tree, kv.summary, f'"{name}"')[1]
    findings = [item for item in found(tree) if item.rule.startswith("6.3.4")]
    assert places(findings) == [(rule, "error", kv.summary, line)] * count


def test_both_values_stand_in_the_message() -> None:
    tree, kv = built(ranks=2)
    by_hand(tree, kv)
    tree.edit_json(kv.summary, {f"/options/1/{READ}": 99.5})
    (finding,) = found(tree, "6.3.4.1")
    assert finding.message == (f"`{READ}` of Option 1 is 99.5 GB/s; 6 rank results give 43 GB/s.")


@pytest.mark.parametrize(("rule", "name"), [("6.3.4.1", READ), ("6.3.4.2", TOKENS)])
@pytest.mark.parametrize("value", [GONE, None])
def test_an_aggregate_that_is_not_given(rule: str, name: str, value: Any) -> None:
    tree, kv = built()
    tree.edit_json(kv.summary, {f"/options/3/{name}": value})
    (finding,) = found(tree, rule)
    assert (finding.level, finding.path) == ("error", kv.summary)
    assert "the rank results give" in finding.message


def test_an_aggregate_that_is_no_number_leaves_the_others_judged() -> None:
    tree, kv = built()
    tree.edit_json(kv.summary, {f"/options/1/{READ}": "fast", f"/options/1/{WRITE}": 0})
    read, write = (lines(tree, kv.summary, f'"{name}"')[0] for name in (READ, WRITE))
    assert places(found(tree, "6.3.4.1")) == [
        ("6.3.4.1", "error", kv.summary, read),
        ("6.3.4.1", "error", kv.summary, write),
    ]


def test_a_client_without_the_figure_is_told_at_its_result() -> None:
    tree, kv = built(ranks=2)
    path = kv.rank_files[2, 1, 0]
    tree.edit_json(path, {f"{STATS}/tier_storage_read_bandwidth_gbps": GONE})
    line = lines(tree, path, '"cache_stats"')[0]
    assert places(found(tree, "6.3.4.1")) == [("6.3.4.1", "error", path, line)]
    assert f"kv_option_2_{READ}" not in figures(tree)
    assert f"kv_option_2_{WRITE}" in figures(tree)


def test_an_option_that_lacks_a_client_is_not_computed() -> None:
    tree, kv = built(ranks=2)
    tree.remove(kv.rank_files[2, 1, 0])
    report = checked(tree)
    assert {item.rule for item in report.findings if item.rule.startswith("6.3")} == {"6.3.3.3"}
    assert not [fact for fact in report.facts if fact.name.startswith("kv_option_2")]
    reasons = {item.reason for item in report.not_run if item.rule == "6.3.4.1"}
    assert reasons == {"option_2 lacks 1 of 6 rank results (see 6.3.3.3)"}


def test_a_result_that_can_not_be_read_spoils_its_option_only() -> None:
    tree, kv = built(ranks=2)
    tree.put(kv.rank_files[2, 1, 0], b'{"summary": {')
    report = checked(tree)
    assert {item.rule for item in report.findings if item.rule.startswith(("6.3", "input"))} == {"input.json"}
    assert {fact.name[:11] for fact in report.facts if fact.name.startswith("kv_option")} == {
        "kv_option_1",
        "kv_option_3",
    }
    assert "6.3.4.2" in {item.rule for item in report.not_run}


def test_absent_device_latencies_are_one_warning_with_what_they_are() -> None:
    tree, kv = built(ranks=2)
    by_hand(tree, kv)
    names = (DEVICE_READ, DEVICE_WRITE)
    tree.edit_json(kv.summary, {f"/options/{option}/{name}": GONE for option in "123" for name in names})
    (finding,) = found(tree, "6.3.4.3")
    assert places([finding]) == [("6.3.4.3", "warning", kv.summary, 9)]
    assert "Options 1, 2, 3" in finding.message
    assert f"`{DEVICE_READ}` 900 ms (Option 1)" in finding.message
    assert figures(tree)[f"kv_option_1_{DEVICE_WRITE}"].value == 7.0


def test_one_absent_device_latency_leaves_the_other_judged() -> None:
    tree, kv = built()
    tree.edit_json(kv.summary, {f"/options/1/{DEVICE_READ}": None, f"/options/1/{DEVICE_WRITE}": 1.0})
    read, write = (lines(tree, kv.summary, f'"{name}"')[0] for name in (DEVICE_READ, DEVICE_WRITE))
    first = lines(tree, kv.summary, '"1": {')[0]
    assert first < read
    assert places(found(tree, "6.3.4.3")) == [
        ("6.3.4.3", "warning", kv.summary, first),
        ("6.3.4.3", "error", kv.summary, write),
    ]


def test_a_client_that_never_touched_storage_counts_nought() -> None:
    tree, kv = built(ranks=2)
    by_hand(tree, kv)
    path = kv.rank_files[1, 0, 1]
    tree.edit_json(path, {f"{STATS}/storage_entries": 0, f"{STATS}/storage_read_device_p95_ms": GONE})
    tree.edit_json(kv.summary, {"/options/1/cpu_tier_ranks": [path]})
    assert [item for item in found(tree) if item.rule.startswith("6.3.4")] == []
    tree.edit_json(path, {f"{STATS}/storage_entries": 1})
    line = lines(tree, path, '"cache_stats"')[0]
    assert ("6.3.4.3", "error", path, line) in places(found(tree, "6.3.4.3"))


@pytest.mark.parametrize("value", [1.7e308, "9" * 400, "1" + "0" * 308])
def test_figures_beyond_any_measurement_are_a_finding(value: Any) -> None:
    tree, kv = built(ranks=2)
    for path in kv.rank_files.values():
        tree.edit_json(path, {f"{STATS}/tier_storage_read_bandwidth_gbps": value})
    first = kv.rank_files[1, 0, 0]
    assert first in {item.path for item in found(tree, "6.3.4.1")}
