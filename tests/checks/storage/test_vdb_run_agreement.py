"""Rules 5.1.2 to 5.6.5 where one record of a vector-database run says otherwise than the others."""

from __future__ import annotations

from typing import Any

import pytest

from tests.checks.storage.edits import line_of
from tests.checks.support import found, places
from tests.trees.storage import StorageTree
from tests.trees.storage_files import GONE
from tests.trees.storage_vectors import VectorDatabase


def built(division: str = "closed", **options: Any) -> tuple[StorageTree, VectorDatabase]:
    tree = StorageTree("v3")
    return tree, tree.submitter("Acme", division).system("S1").vector_database(**options)


@pytest.mark.parametrize("edition", ["2.0", "3.0"])
def test_a_copied_run_is_no_run_of_its_own(edition: str) -> None:
    tree, vdb = built()
    tree.remove(vdb.runs[3].path).duplicate(vdb.runs[1].path, vdb.runs[3].path)
    (finding,) = found(tree, "5.3.1", edition)
    assert places([finding]) == [("5.3.1", "error", vdb.runs[3].path, None)]
    assert "2 runs report the same figures to the last digit" in finding.message


def test_runs_that_differ_in_one_figure_are_two() -> None:
    tree, vdb = built()
    tree.remove(vdb.runs[3].path).duplicate(vdb.runs[1].path, vdb.runs[3].path)
    tree.edit_json(vdb.runs[3].summary, {"/p999_latency_ms": 167.3000001})
    assert found(tree, "5.3.1") == []


@pytest.mark.parametrize("key", ["throughput_qps", "mean_latency_ms", "p95_latency_ms", "query_count", "recall"])
@pytest.mark.parametrize(("factor", "count"), [(1.01, 1), (1 + 2e-6, 1), (1 + 1e-9, 0)])
def test_an_edited_summary_differs_from_the_native_statistics(key: str, factor: float, count: int) -> None:
    tree, vdb = built(recall=0.5)
    tree.edit_json(vdb.runs[2].summary, {f"/{key}": tree.json(vdb.runs[2].summary)[key] * factor})
    findings = found(tree, "5.3.4")
    line = line_of(tree, vdb.runs[2].summary, f'"{key}"')
    assert places(findings) == [("5.3.4", "warning", vdb.runs[2].summary, line)] * count
    assert all(f"`{key}` is" in item.message for item in findings)


def test_native_statistics_of_the_mpi_launcher_lie_deeper() -> None:
    tree, vdb = built()
    run = vdb.runs[0]
    tree.rename(run.file("statistics.json"), run.file("vectordb/simple/statistics.json"))
    assert found(tree, "5.3.4") == []
    tree.edit_json(run.file("vectordb/simple/statistics.json"), {"/p99_latency_ms": 200.0})
    assert places(found(tree, "5.3.4")) == [
        ("5.3.4", "warning", run.summary, line_of(tree, run.summary, '"p99_latency_ms"'))
    ]
    tree.remove(run.summary)
    (finding,) = found(tree, "5.3.1", "3.0")
    assert places([finding]) == [("5.3.1", "warning", run.path, None)]


@pytest.mark.parametrize("changes", [{"/recall": GONE}, {"/query_count": None}])
def test_what_the_summary_leaves_out_is_not_compared(changes: dict[str, Any]) -> None:
    tree, vdb = built()
    tree.edit_json(vdb.runs[0].summary, changes)
    assert found(tree, "5.3.4") == []


@pytest.mark.parametrize(("factor", "count"), [(0.98, 1), (0.995, 0), (1.005, 0), (1.02, 1)])
def test_the_number_of_queries_follows_from_rate_and_time(factor: float, count: int) -> None:
    tree, vdb = built()
    run = vdb.runs[1]
    tree.remove(run.file("statistics.json"))
    tree.edit_json(run.summary, {"/throughput_qps": tree.json(run.summary)["throughput_qps"] * factor})
    line = line_of(tree, run.summary, '"query_count"')
    assert places(found(tree, "5.3.3")) == [("5.3.3", "warning", run.summary, line)] * count


@pytest.mark.parametrize(
    ("file", "pointer"),
    [("config.json", "/database"), ("metadata", "/args/vdb_engine")],
)
@pytest.mark.parametrize(("division", "rule"), [("closed", "5.6.2"), ("open", "5.6.5")])
def test_every_record_of_a_run_names_an_allowed_database(file: str, pointer: str, division: str, rule: str) -> None:
    tree, vdb = built(division)
    run = vdb.runs[0]
    path = run.metadata if file == "metadata" else run.file(file)
    tree.edit_json(path, {pointer: {"database": "qdrant"} if file == "config.json" else "qdrant"})
    findings = found(tree, rule)
    assert [(item.level, item.path) for item in findings] == [("error", path)]
    assert "`qdrant`" in findings[0].message


@pytest.mark.parametrize(("file", "pointer"), [("config.json", "/index_type"), ("metadata", "/args/vdb_index")])
@pytest.mark.parametrize("used", ["IVF_FLAT", "HNSW"])
def test_every_record_of_a_closed_run_names_the_index_type_of_its_folder(file: str, pointer: str, used: str) -> None:
    tree, vdb = built()
    run = vdb.runs[0]
    path = run.metadata if file == "metadata" else run.file(file)
    tree.edit_json(path, {pointer: used})
    findings = found(tree, "5.6.3")
    assert [(item.level, item.path) for item in findings] == [("error", path)]
    assert f"`{used}`" in findings[0].message


@pytest.mark.parametrize(("file", "pointer"), [("config.json", "/vector_dim"), ("metadata", "/args/vector_dim")])
@pytest.mark.parametrize(("value", "count"), [(768, 1), ("1536", 0), (None, 0)])
def test_every_record_of_a_run_gives_the_dimension_of_the_load(file: str, pointer: str, value: Any, count: int) -> None:
    tree, vdb = built()
    run = vdb.runs[0]
    path = run.metadata if file == "metadata" else run.file(file)
    tree.edit_json(path, {pointer: value})
    assert [(item.level, item.path) for item in found(tree, "5.1.2")] == [("error", path)] * count


@pytest.mark.parametrize(("inserted", "count"), [(999_999, 1), (1_000_000, 0), (1_000_001, 0)])
def test_a_run_whose_own_summary_tells_of_fewer_vectors(inserted: int, count: int) -> None:
    tree, vdb = built()
    tree.edit_json(vdb.runs[0].summary, {"/inserted_vectors": inserted})
    line = line_of(tree, vdb.runs[0].summary, '"inserted_vectors"')
    assert places(found(tree, "5.2.1")) == [("5.2.1", "error", vdb.runs[0].summary, line)] * count
