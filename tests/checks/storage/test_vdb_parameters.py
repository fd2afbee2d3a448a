"""Rules 5.6.2 to 5.6.5 on trees with one thing broken."""

from __future__ import annotations

from typing import Any

import pytest

from tests.checks.support import found, places
from tests.trees.storage import StorageTree
from tests.trees.storage_files import GONE
from tests.trees.storage_vectors import VectorDatabase


def built(division: str = "closed", **options: Any) -> tuple[StorageTree, VectorDatabase]:
    tree = StorageTree("v3")
    return tree, tree.submitter("Acme", division).system("S1").vector_database(**options)


@pytest.mark.parametrize(("name", "count"), [("milvus", 0), ("Milvus", 0), ("milvus-lite", 1), ("elasticsearch", 1)])
def test_the_database_of_closed(name: str, count: int) -> None:
    tree, vdb = built()
    tree.edit_json(vdb.runs[1].summary, {"/database/database": name})
    assert places(found(tree, "5.6.2")) == [("5.6.2", "error", vdb.runs[1].summary, 7)] * count


def test_another_database_in_all_runs_is_told_once() -> None:
    tree, vdb = built(database="pgvector")
    (finding,) = found(tree, "5.6.2")
    assert places([finding]) == [("5.6.2", "error", vdb.runs[0].summary, 7)]
    assert finding.count == 5


def test_a_run_that_names_no_database() -> None:
    tree, vdb = built()
    tree.edit_json(vdb.runs[1].summary, {"/database": GONE})
    assert found(tree, "5.6.2") == []  # args.vdb_engine says it
    tree.edit_json(vdb.runs[1].metadata, {"/args/vdb_engine": None})
    assert places(found(tree, "5.6.2")) == [("5.6.2", "error", vdb.runs[1].summary, 1)]


def test_the_folder_of_another_database() -> None:
    tree, vdb = built()
    other = vdb.path.replace("/milvus/", "/elasticsearch/")
    tree.rename(vdb.path, other)
    assert places(found(tree, "5.6.2")) == [("5.6.2", "error", other, None)]


@pytest.mark.parametrize("index", ["DISKANN", "HNSW", "AISAQ"])
def test_the_index_types_of_closed(index: str) -> None:
    assert found(built(index=index)[0], "5.6.3") == []


def test_an_index_type_of_open_in_closed() -> None:
    tree, vdb = built(index="IVF_FLAT")
    assert places(found(tree, "5.6.3")) == [
        ("5.6.3", "error", vdb.path, None),
        ("5.6.3", "error", vdb.runs[0].summary, 5),
    ]
    assert found(built("open", index="IVF_FLAT")[0], "5.6.3") == []


def test_an_index_folder_in_lower_case() -> None:
    tree, vdb = built()
    other = vdb.path.removesuffix("milvus/DISKANN") + "diskann"
    tree.rename(vdb.path, other)
    findings = found(tree, "5.6.3")
    assert places(findings)[0] == ("5.6.3", "error", other, None)
    assert findings[0].hint == "Did you mean `DISKANN`? Names are case-sensitive."


@pytest.mark.parametrize("shape", ["document", "v3"])
def test_a_run_in_the_folder_of_another_index_type(shape: Any) -> None:
    tree = StorageTree(shape)
    vdb = tree.submitter("Acme").system("S1").vector_database()
    tree.edit_json(vdb.runs[4].summary, {"/index_type": "HNSW"})
    assert places(found(tree, "5.6.3")) == [("5.6.3", "error", vdb.runs[4].summary, 5)]


@pytest.mark.parametrize(
    ("key", "count"), [("search.search_ef", 0), ("search_ef", 0), ("dataset.num_shards", 0), ("index.nlist", 1)]
)
def test_overrides_of_closed(key: str, count: int) -> None:
    tree, vdb = built()
    tree.edit_json(vdb.runs[0].metadata, {"/override_parameters": {key: "64"}})
    findings = found(tree, "5.6.4")
    assert [(item.level, item.path) for item in findings] == [("error", vdb.runs[0].metadata)] * count
    assert all("`index.nlist` was changed" in item.message for item in findings)


def test_parameters_given_by_hand() -> None:
    tree, vdb = built()
    tree.edit_json(vdb.runs[0].metadata, {"/args/params": ["dataset.num_shards=2", "dataset.vector_count=5"]})
    (finding,) = found(tree, "5.6.4")
    assert "`dataset.vector_count`" in finding.message


@pytest.mark.parametrize(("edition", "level"), [("2.0", "error"), ("3.0", "warning")])
@pytest.mark.parametrize(
    ("name", "value"),
    [("seed", 43), ("search_limit", 1), ("recall_k", 100), ("host", "10.0.0.7"), ("port", 443), ("seed", True)],
)
def test_arguments_outside_the_table(edition: str, level: str, name: str, value: Any) -> None:
    tree, vdb = built()
    tree.edit_json(vdb.runs[0].metadata, {f"/args/{name}": value})
    (finding,) = found(tree, "5.6.4", edition)
    assert (finding.level, finding.path) == (level, vdb.runs[0].metadata)
    assert finding.message.startswith(f"`args.{name}` is ")


@pytest.mark.parametrize(
    ("name", "value"),
    [("seed", 42), ("seed", "42"), ("seed", None), ("search_ef", 7), ("batch_size", 1), ("collection", "x")],
)
def test_arguments_that_closed_permits(name: str, value: Any) -> None:
    tree, vdb = built()
    tree.edit_json(vdb.runs[0].metadata, {f"/args/{name}": value})
    assert found(tree, "5.6.4") == []


def test_a_change_of_load_and_runs_is_told_once() -> None:
    tree, vdb = built()
    for leaf in (vdb.datagen, *vdb.runs):
        tree.edit_json(leaf.metadata, {"/args/port": 443})
    (finding,) = found(tree, "5.6.4")
    assert (finding.path, finding.count) == (vdb.datagen.metadata, 6)


@pytest.mark.parametrize(("name", "value"), [("config", "mine"), ("config_file", "/home/a/vdb.yaml")])
def test_a_configuration_of_ones_own_can_not_be_seen_into(name: str, value: str) -> None:
    tree, vdb = built()
    tree.edit_json(vdb.datagen.metadata, {f"/args/{name}": value})
    assert [(item.level, item.path) for item in found(tree, "5.6.4")] == [("warning", vdb.datagen.metadata)]


@pytest.mark.parametrize(("mode", "count"), [("timed", 0), ("query_count", 0), ("sweep", 1)])
@pytest.mark.parametrize(("division", "rule"), [("closed", "5.6.4"), ("open", "5.6.5")])
def test_modes(mode: str, count: int, division: str, rule: str) -> None:
    tree, vdb = built(division)
    tree.edit_json(vdb.runs[0].metadata, {"/args/benchmark_mode": mode})
    assert [(item.level, item.path) for item in found(tree, rule)] == [("error", vdb.runs[0].metadata)] * count


@pytest.mark.parametrize(("name", "count"), [("milvus", 0), ("elasticsearch", 0), ("pgvector", 0), ("qdrant", 1)])
def test_the_databases_of_open(name: str, count: int) -> None:
    tree, vdb = built("open", database=name)
    assert places(found(tree, "5.6.5")) == [("5.6.5", "error", vdb.runs[0].summary, 7)] * count
    assert found(tree, "5.6.2") == []


@pytest.mark.parametrize(("name", "value", "count"), [("host", "10.0.0.7", 0), ("port", 443, 0), ("seed", 1, 1)])
def test_arguments_of_open(name: str, value: Any, count: int) -> None:
    tree, vdb = built("open")
    tree.edit_json(vdb.runs[0].metadata, {f"/args/{name}": value})
    assert [(item.level, item.path) for item in found(tree, "5.6.5")] == [("error", vdb.runs[0].metadata)] * count


@pytest.mark.parametrize(("database", "count"), [("milvus", 1), ("pgvector", 0)])
def test_native_parameters_of_another_database(database: str, count: int) -> None:
    tree, vdb = built("open", database=database)
    tree.edit_json(vdb.runs[0].metadata, {"/override_parameters": {"index.lists": 100}})
    assert len(found(tree, "5.6.5")) == count


def test_a_parameter_that_no_table_of_open_lists() -> None:
    tree, vdb = built("open", database="pgvector")
    tree.edit_json(vdb.runs[0].metadata, {"/override_parameters": {"dataset.num_vectors": 100}})
    assert [(item.level, item.path) for item in found(tree, "5.6.5")] == [("error", vdb.runs[0].metadata)]


def test_without_a_summary_the_database_and_the_index_type_are_judged_by_what_is_left() -> None:
    tree, vdb = built(database="pgvector", index="HNSW")
    for run in vdb.runs:
        tree.remove(run.summary).edit_json(run.file("config.json"), {"/index_type": "IVF_FLAT"})
    (database,) = found(tree, "5.6.2", "3.0")
    assert (database.path, database.count) == (vdb.runs[0].metadata, 5)
    (index,) = found(tree, "5.6.3", "3.0")
    assert (index.path, index.count) == (vdb.runs[0].file("config.json"), 5)


@pytest.mark.parametrize(("division", "count"), [("closed", 1), ("open", 0)])
@pytest.mark.parametrize(("database", "index"), [("milvus", "diskann"), ("pgvector", "IVFFlat")])
def test_an_index_folder_below_an_engine_is_found_whatever_its_case(
    division: str, count: int, database: str, index: str
) -> None:
    tree, vdb = built(division, database=database, index=index)
    assert [item.path for item in found(tree, "5.6.3") if item.line is None] == [vdb.path] * count
    assert found(tree, "5.3.1") == []
