"""Rules 6.3.4, 6.3.4.4 and 6.3.4.5 on trees with one thing broken."""

from __future__ import annotations

from typing import Any

import pytest

from tests.checks.storage.kv_trees import built, lines
from tests.checks.support import checked, found, places
from tests.trees.storage_bench import Shape
from tests.trees.storage_files import GONE

ENTRIES = "/summary/cache_stats/storage_entries"
HEADLINE = (
    "aggregated_read_bandwidth_gbps",
    "aggregated_device_read_p95_ms",
    "aggregated_device_write_p95_ms",
    "aggregated_storage_throughput_tokens_per_sec",
)


@pytest.mark.parametrize("edition", ["2.0", "3.0"])
def test_a_missing_summary(edition: str) -> None:
    tree, kv = built()
    tree.remove(kv.summary)
    report = checked(tree, edition)
    assert places([item for item in report.findings if item.rule == "6.3.4"]) == [("6.3.4", "error", kv.run.path, None)]
    assert {item.rule for item in report.not_run} >= {"6.3.3.1", "6.3.3.3", "6.3.4.1", "6.3.4.4", "6.3.4.5"}
    assert all("see 6.3.4" in item.reason for item in report.not_run if item.rule == "6.3.4.1")


@pytest.mark.parametrize("shape", ["document", "v3"])
def test_the_name_of_an_older_tool_is_read_and_should_be_changed(shape: Shape) -> None:
    tree, kv = built(shape=shape)
    old = kv.run.file("kvcache_run_summary_20260702_101010.json")
    tree.rename(kv.summary, old)
    (finding,) = found(tree, "6.3.4")
    assert places([finding]) == [("6.3.4", "warning", old, None)]
    assert finding.hint and "Rename it to `summary.json`" in finding.hint
    assert "kv_total_ranks" in {fact.name for fact in checked(tree).facts}


@pytest.mark.parametrize("name", ["Summary.json", "sumary.json"])
def test_a_summary_of_nearly_the_right_name(name: str) -> None:
    tree, kv = built()
    tree.rename(kv.summary, kv.run.file(name))
    (finding,) = found(tree, "6.3.4")
    assert places([finding]) == [("6.3.4", "error", kv.run.path, None)]
    assert finding.hint == f"`{name}` is there: rename it to `summary.json`."


def test_a_folder_with_a_pointer_and_nothing_else() -> None:
    tree, kv = built()
    empty = kv.run.path[:-1] + str((int(kv.run.path[-1]) + 1) % 10)
    tree.put(f"{empty}/.mlps-code-image", tree.files[kv.run.pointer])
    (finding,) = [item for item in found(tree, "6.3.4") if item.path == empty]
    assert finding.hint and finding.hint.startswith("The folder holds no run.")


@pytest.mark.parametrize(("division", "level"), [("closed", "error"), ("open", "warning")])
def test_a_run_that_failed_in_part(division: str, level: str) -> None:
    tree, kv = built(division)
    changes = {"/partial_failure": True, "/options/2/partial_failure": True, "/options/2/missing_files": ["a", "b"]}
    tree.edit_json(kv.summary, changes)
    (finding,) = found(tree, "6.3.4")
    line = lines(tree, kv.summary, '"partial_failure": true')[-1]
    assert places([finding]) == [("6.3.4", level, kv.summary, line)]
    assert finding.message == "The run failed in part: `partial_failure` is true; Option 2 lacks 2 rank results."


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"/options/1/partial_failure": True, "/options/1/missing_files": GONE}, '"1": {'),
        ({"/trial_failures": {"1": {"2": "exit 1"}}}, '"trial_failures"'),
        ({"/trial_failures": ["option 1 trial 2"]}, '"trial_failures"'),
        ({"/partial_failure": True}, '"partial_failure": true'),
        ({"/partial_failure": "True"}, '"partial_failure": "True"'),
        ({"/options/1/partial_failure": "true"}, '"1": {'),
        ({"/options/1/missing_files": ["option_1/trial_0/rank_0"]}, '"1": {'),
    ],
)
def test_each_sign_of_a_failure_counts(changes: dict[str, Any], key: str) -> None:
    tree, kv = built()
    tree.edit_json(kv.summary, changes)
    assert places(found(tree, "6.3.4")) == [("6.3.4", "error", kv.summary, lines(tree, kv.summary, key)[0])]


@pytest.mark.parametrize("changes", [{"/trial_failures": GONE}, {"/trial_failures": None}, {"/partial_failure": GONE}])
def test_older_summaries_lack_the_signs(changes: dict[str, Any]) -> None:
    tree, kv = built()
    tree.edit_json(kv.summary, changes)
    assert found(tree, "6.3.4") == []


def test_two_summaries_of_one_run() -> None:
    tree, kv = built()
    other = kv.run.file("kvcache_run_summary.json")
    tree.duplicate(kv.summary, other)
    assert places(found(tree, "6.3.4")) == [("6.3.4", "warning", other, None)]


def test_no_option_at_all() -> None:
    tree, kv = built("open")
    tree.edit_json(kv.summary, {"/options": {}})
    assert [item.message for item in found(tree, "6.3.4.5")] == ["The summary has no result of any Option."]


def test_two_runs_of_one_workload() -> None:
    tree, kv = built()
    tree.duplicate(kv.run.path, f"{kv.path}/run/20260801_080000")
    findings = [item for item in found(tree, "6.3.4") if "one is published" in item.message]
    assert places(findings) == [("6.3.4", "warning", f"{kv.path}/run", None)]


def test_every_client_served_from_memory() -> None:
    tree, kv = built(ranks=2)
    for (option, _, _), path in kv.rank_files.items():
        if option == 2:
            tree.edit_json(path, {ENTRIES: 0})
    line = lines(tree, kv.summary, '"cpu_tier_ranks"')[1]
    assert places(found(tree, "6.3.4.4")) == [("6.3.4.4", "error", kv.summary, line)]


def test_every_client_served_from_memory_in_open_is_flagged() -> None:
    tree, kv = built("open")
    for path in kv.rank_files.values():
        tree.edit_json(path, {ENTRIES: 0})
    assert [item.level for item in found(tree, "6.3.4.4")] == ["warning"] * 3


def test_all_clients_but_one() -> None:
    tree, kv = built(ranks=2)
    idle = [path for (option, _, _), path in kv.rank_files.items() if option == 2][1:]
    for path in idle:
        tree.edit_json(path, {ENTRIES: 0})
    (finding,) = found(tree, "6.3.4.4")
    assert (finding.level, finding.path) == ("warning", kv.summary)
    assert "lists 0 rank results; 5 of 6 have no storage entries" in finding.message
    tree.edit_json(kv.summary, {"/options/2/cpu_tier_ranks": idle})
    assert found(tree, "6.3.4.4") == []


@pytest.mark.parametrize(("recorded", "count"), [(2, 0), (3, 1)])
def test_without_all_results_the_summarys_list_counts(recorded: int, count: int) -> None:
    tree, kv = built()
    tree.remove(kv.rank_files[2, 0, 0])
    tree.edit_json(kv.summary, {"/options/2/cpu_tier_ranks": [f"r{number}" for number in range(recorded)]})
    assert [item.level for item in found(tree, "6.3.4.4")] == ["error"] * count


def test_a_summary_without_the_number_of_clients() -> None:
    tree, kv = built()
    tree.edit_json(kv.summary, {"/total_ranks": None})
    report = checked(tree)
    assert places(list(report.findings)) == [
        ("6.4.1", "notice", kv.run.path, None),
        ("6.3.4.5", "error", kv.summary, 6),
    ]
    stopped = {"6.3.3.1", "6.3.4", "6.3.3.3", "6.3.4.1", "6.3.4.2", "6.3.4.3", "6.3.4.4"}
    assert {item.rule for item in report.not_run if "(see 6.3.4.5)" in item.reason} == stopped


def test_a_value_that_several_rules_need_is_told_once() -> None:
    tree, kv = built()
    tree.edit_json(kv.summary, {"/trials_per_option": GONE})
    report = checked(tree)
    (finding,) = [item for item in report.findings if item.path == kv.summary]
    assert finding.message.startswith("`trials_per_option` is missing; a number is required here. Rules 6.3.")
    named = {"6.3.2.1", "6.3.3.3", "6.3.4", "6.3.4.1", "6.3.4.2", "6.3.4.3", "6.3.4.4"} - {finding.rule}
    assert all(rule in finding.message for rule in named)
    assert {item.rule for item in report.not_run} == named
    assert {item.reason for item in report.not_run} == {
        f"`trials_per_option` is missing; a number is required here (see {finding.rule})"
    }


@pytest.mark.parametrize("value", [GONE, [], "none"])
def test_options_that_are_no_object_are_told_once(value: Any) -> None:
    tree, kv = built()
    tree.edit_json(kv.summary, {"/options": value})
    assert [item.rule for item in found(tree) if item.path == kv.summary] == ["6.3.4"]


def test_an_option_that_is_no_object_is_told_once() -> None:
    tree, kv = built()
    tree.edit_json(kv.summary, {"/options/2": "fast"})
    assert [item.rule for item in found(tree) if item.path == kv.summary] == ["6.3.4.5"]


@pytest.mark.parametrize(("division", "count"), [("closed", 1), ("open", 0)])
def test_an_option_that_the_summary_lacks(division: str, count: int) -> None:
    tree, kv = built(division)
    tree.edit_json(kv.summary, {"/options/3": GONE})
    tree.remove(f"{kv.run.path}/option_3")
    assert places(found(tree, "6.3.4.5")) == [("6.3.4.5", "error", kv.summary, 8)] * count


def test_a_run_that_measured_nothing() -> None:
    tree, kv = built()
    tree.edit_json(kv.summary, {f"/options/1/{name}": None for name in HEADLINE})
    (finding,) = found(tree, "6.3.4.5")
    assert places([finding]) == [("6.3.4.5", "error", kv.summary, 9)]
    tree.edit_json(kv.summary, {f"/options/1/{HEADLINE[0]}": 0.001})
    assert found(tree, "6.3.4.5") == []


def test_the_number_of_clients_is_a_fact() -> None:
    tree, kv = built(hosts=2, ranks=6)
    facts = [(fact.value, fact.unit, fact.path) for fact in checked(tree).facts if fact.name == "kv_total_ranks"]
    assert facts == [(6, "clients", kv.summary)]
