"""Rules 5.3.1, 5.3.3 and 5.3.4 on trees with one thing broken."""

from __future__ import annotations

from typing import Any

import pytest

from checks.documents import described
from checks.findings import Level
from tests.checks.support import checked, found, places
from tests.trees.storage import StorageTree
from tests.trees.storage_files import GONE
from tests.trees.storage_vectors import VectorDatabase


def built() -> tuple[StorageTree, VectorDatabase]:
    tree = StorageTree("v3")
    return tree, tree.submitter("Acme").system("S1").vector_database()


def test_four_runs_are_too_few() -> None:
    tree, vdb = built()
    tree.remove(vdb.runs[4].path)
    (finding,) = found(tree, "5.3.1")
    assert places([finding]) == [("5.3.1", "error", f"{vdb.path}/run", None)]
    assert finding.message.startswith("4 run folders, 5 required.")


def test_six_runs_are_too_many() -> None:
    tree, vdb = built()
    more = f"{vdb.path}/run/20260801_080000"
    tree.duplicate(vdb.runs[4].path, more)
    tree.edit_json(f"{more}/summary.json", {"/mean_latency_ms": 6.2})
    assert places(found(tree, "5.3.1")) == [("5.3.1", "error", f"{vdb.path}/run", None)]


def test_no_run_at_all() -> None:
    tree, vdb = built()
    tree.remove(f"{vdb.path}/run")
    (finding,) = found(tree, "5.3.1")
    assert places([finding]) == [("5.3.1", "error", vdb.path, None)]
    assert finding.message == "0 run folders, 5 required."


def test_the_count_is_for_runs_and_not_for_loads() -> None:
    tree, vdb = built()
    tree.duplicate(vdb.datagen.path, f"{vdb.path}/datagen/20260801_080000")
    assert found(tree, "5.3.1") == []


def test_a_folder_that_is_no_time_counts_for_no_run() -> None:
    tree, vdb = built()
    tree.rename(vdb.runs[0].path, f"{vdb.path}/run/first")
    assert places(found(tree, "5.3.1")) == [
        ("5.3.1", "error", f"{vdb.path}/run", None),
        ("5.3.1", "error", f"{vdb.path}/run/first", None),
    ]


def test_a_dot_name_is_judged_like_any_other() -> None:
    tree, vdb = built()
    tree.put(f"{vdb.path}/run/.cache/x", b"")
    findings = [item for item in found(tree, "5.3.1") if "not named by a time" in item.message]
    assert places(findings) == [("5.3.1", "error", f"{vdb.path}/run/.cache", None)]


@pytest.mark.parametrize(("edition", "level"), [("2.0", "error"), ("3.0", "warning")])
def test_a_missing_summary_can_be_recovered_from_the_native_statistics(edition: str, level: str) -> None:
    tree, vdb = built()
    for run in vdb.runs[:3]:
        tree.remove(run.summary)
    report = checked(tree, edition)
    (finding,) = [item for item in report.findings if item.rule == "5.3.1"]
    assert places([finding]) == [("5.3.1", level, vdb.runs[0].path, None)]
    assert finding.message.startswith("3 runs without summary.json")
    assert finding.hint and "statistics.json" in finding.hint
    assert {item.rule for item in report.not_run} >= {"5.1.1", "5.1.2", "5.2.2"}
    assert not [item for item in report.findings if item.rule in ("5.3.2", "5.3.3", "5.3.4", "input.missing")]


@pytest.mark.parametrize("edition", ["2.0", "3.0"])
def test_a_missing_summary_without_statistics_is_an_error(edition: str) -> None:
    tree, vdb = built()
    tree.remove(vdb.runs[0].summary).remove(vdb.runs[0].file("statistics.json"))
    (finding,) = found(tree, "5.3.1", edition)
    assert places([finding]) == [("5.3.1", "error", vdb.runs[0].path, None)]


def test_a_summary_of_nearly_the_right_name_is_hinted_at() -> None:
    tree, vdb = built()
    tree.rename(vdb.runs[0].summary, vdb.runs[0].file("Summary.json")).remove(vdb.runs[0].file("statistics.json"))
    (finding,) = found(tree, "5.3.1")
    assert finding.hint == "`Summary.json` is there: rename it to `summary.json`."


@pytest.mark.parametrize(("queries", "count"), [(0, 1), (1, 0), ("0", 1), ("1", 0)])
def test_a_run_must_issue_a_query(queries: Any, count: int) -> None:
    tree, vdb = built()
    tree.edit_json(vdb.runs[3].summary, {"/query_count": queries, "/total_time_seconds": None})
    assert places(found(tree, "5.3.3")) == [("5.3.3", "error", vdb.runs[3].summary, 11)] * count


def test_the_query_count_may_follow_from_rate_and_time() -> None:
    tree, vdb = built()
    tree.edit_json(vdb.runs[0].summary, {"/query_count": GONE, "/throughput_qps": 1000.0, "/total_time_seconds": 60.0})
    report = checked(tree)
    assert not [item for item in report.findings if item.rule == "5.3.3"]
    facts = {fact.path: fact.value for fact in report.facts if fact.name == "vdb_queries_issued"}
    assert facts[vdb.runs[0].summary] == 60_000


def test_no_query_count_at_all() -> None:
    tree, vdb = built()
    tree.edit_json(vdb.runs[0].summary, {"/query_count": GONE, "/total_time_seconds": None})
    assert places(found(tree, "5.3.3")) == [("5.3.3", "error", vdb.runs[0].summary, 1)]


@pytest.mark.parametrize("key", ["throughput_qps", "mean_latency_ms", "p95_latency_ms", "p99_latency_ms"])
@pytest.mark.parametrize("value", [GONE, None, 0, False, "n/a"])
def test_a_figure_that_is_not_there(key: str, value: Any) -> None:
    tree, vdb = built()
    tree.edit_json(vdb.runs[0].summary, {f"/{key}": value})
    (finding,) = found(tree, "5.3.4")
    assert (finding.level, finding.path) == (Level.ERROR, vdb.runs[0].summary)
    said = "missing" if value is GONE else described(value)
    assert finding.message == f"`{key}` is {said}; a number above 0 is required."


def test_figures_that_are_not_there_are_told_once() -> None:
    tree, vdb = built()
    for run in vdb.runs:
        tree.edit_json(run.summary, {"/p99_latency_ms": GONE, "/p999_latency_ms": 0})
    (finding,) = found(tree, "5.3.4")
    assert places([finding]) == [("5.3.4", "error", vdb.runs[0].summary, 1)]
    assert finding.message.startswith(
        "`p99_latency_ms` is missing, `p999_latency_ms` is the number 0; a number above 0 is required."
    )
    assert "4 other runs" in finding.message


def test_a_small_figure_is_a_figure() -> None:
    tree, vdb = built()
    for name in ("summary.json", "statistics.json"):
        tree.edit_json(vdb.runs[0].file(name), {"/p95_latency_ms": 0.001})
    assert found(tree, "5.3.4") == []


@pytest.mark.parametrize("value", [1.7e308, "9" * 400, "1" + "0" * 308])
def test_a_rate_beyond_any_measurement_is_a_finding(value: Any) -> None:
    tree, vdb = built()
    changes = {"/query_count": GONE, "/throughput_qps": value, "/total_time_seconds": value}
    tree.edit_json(vdb.runs[0].summary, changes)
    assert [item.path for item in found(tree, "5.3.3")] == [vdb.runs[0].summary]
