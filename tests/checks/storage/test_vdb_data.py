"""Rules 5.1.1 to 5.2.2 on trees with one thing broken."""

from __future__ import annotations

import pytest

from tests.checks.support import found, places
from tests.trees.storage import StorageTree
from tests.trees.storage_bench import Shape
from tests.trees.storage_files import GONE
from tests.trees.storage_vectors import VectorDatabase

EDITIONS = ("2.0", "3.0")


def built(shape: Shape = "v3", **options: object) -> tuple[StorageTree, VectorDatabase]:
    tree = StorageTree(shape)
    return tree, tree.submitter("Acme").system("S1").vector_database(**options)  # type: ignore[arg-type]


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("shape", ["document", "v3"])
@pytest.mark.parametrize("api", ["file", "object"])
@pytest.mark.parametrize("division", ["closed", "open"])
def test_a_valid_workload_has_no_finding_of_section_five(edition: str, shape: Shape, api: str, division: str) -> None:
    tree = StorageTree(shape)
    system = tree.submitter("Acme", division).system("S1", api=api)  # type: ignore[arg-type]
    for index in ("DISKANN", "HNSW", "AISAQ"):
        system.vector_database(index)
    assert [item for item in found(tree, edition=edition) if item.rule.startswith("5.")] == []


def test_a_scale_that_is_not_defined_is_told_once_for_all_runs() -> None:
    tree, vdb = built(vectors=1_000_001)
    (finding,) = found(tree, "5.1.1")
    assert places([finding]) == [("5.1.1", "warning", vdb.runs[0].summary, 2)]
    assert "1,000,001 vectors of 1,536 dimensions" in finding.message
    assert "4 other runs" in finding.message


@pytest.mark.parametrize("vectors", [1_000_000, 10_000_000])
def test_the_defined_scales_pass(vectors: int) -> None:
    assert found(built(vectors=vectors)[0], "5.1.1") == []


def test_a_run_without_its_scale_is_an_error_where_config_json_has_none_either() -> None:
    tree, vdb = built()
    tree.edit_json(vdb.runs[2].summary, {"/num_vectors": GONE, "/dimension": GONE})
    (finding,) = found(tree, "5.1.1")
    assert places([finding]) == [("5.1.1", "error", vdb.runs[2].summary, 1)]
    assert "`num_vectors`" in finding.message
    assert "`dimension`" not in finding.message  # config.json holds it as vector_dim


def test_the_scale_may_stand_in_config_json() -> None:
    tree, vdb = built()
    tree.edit_json(vdb.runs[2].summary, {"/num_vectors": GONE})
    tree.edit_json(vdb.runs[2].file("config.json"), {"/num_vectors": "1000000"})
    assert found(tree, "5.1.1") == []


def test_another_dimension_at_run_time() -> None:
    tree, vdb = built()
    tree.edit_json(vdb.runs[1].summary, {"/dimension": 1535})
    (finding,) = found(tree, "5.1.2")
    assert places([finding]) == [("5.1.2", "error", vdb.runs[1].summary, 3)]
    assert "1,535" in finding.message and "1,536" in finding.message


def test_a_load_without_dimension_can_not_be_compared() -> None:
    tree, vdb = built()
    tree.edit_json(vdb.datagen.summary, {"/dimension": GONE})
    assert places(found(tree, "5.1.2")) == [("5.1.2", "error", vdb.datagen.summary, 1)]


@pytest.mark.parametrize(("inserted", "count"), [(999_999, 1), (1_000_000, 0), (1_000_001, 0)])
def test_only_a_shortfall_of_inserted_vectors_fails(inserted: int, count: int) -> None:
    tree, vdb = built()
    tree.edit_json(vdb.datagen.summary, {"/inserted_vectors": inserted})
    findings = found(tree, "5.2.1")
    assert places(findings) == [("5.2.1", "error", vdb.datagen.summary, 4)] * count
    assert all("1 short of the 1,000,000 declared" in item.message for item in findings)


def test_a_load_smaller_than_what_the_runs_record() -> None:
    tree, vdb = built()
    tree.edit_json(vdb.runs[0].summary, {"/num_vectors": 10_000_000, "/inserted_vectors": GONE})
    (finding,) = found(tree, "5.2.1")
    assert places([finding]) == [("5.2.1", "error", vdb.datagen.summary, 4)]
    assert "9,000,000 short of the 10,000,000 that the runs record" in finding.message


def test_inserted_vectors_that_are_no_number() -> None:
    tree, vdb = built()
    tree.edit_json(vdb.datagen.summary, {"/inserted_vectors": True})
    assert places(found(tree, "5.2.1")) == [("5.2.1", "error", vdb.datagen.summary, 4)]


@pytest.mark.parametrize(("edition", "level"), [("2.0", "error"), ("3.0", "warning")])
def test_no_load_on_record(edition: str, level: str) -> None:
    tree, vdb = built()
    tree.remove(vdb.datagen.path)
    findings = found(tree, edition=edition)
    assert places([item for item in findings if item.rule == "5.2.1"]) == [("5.2.1", level, vdb.path, None)]
    assert not [item for item in findings if item.rule in ("5.1.2", "5.2.2")]


@pytest.mark.parametrize(("edition", "level"), [("2.0", "error"), ("3.0", "warning")])
def test_a_load_without_summary(edition: str, level: str) -> None:
    tree, vdb = built()
    tree.remove(vdb.datagen.summary)
    findings = found(tree, edition=edition)
    assert places([item for item in findings if item.rule == "5.2.1"]) == [("5.2.1", level, vdb.datagen.path, None)]
    assert not [item for item in findings if item.rule == "input.missing"]


def test_an_index_that_the_load_did_not_build() -> None:
    tree, vdb = built("document")
    for run in vdb.runs[:2]:
        tree.edit_json(run.summary, {"/index_type": "HNSW"})
    (finding,) = [item for item in found(tree, "5.2.2") if item.level == "error"]
    assert places([finding]) == [("5.2.2", "error", vdb.runs[0].summary, 5)]
    assert "`HNSW`" in finding.message and "1 other run" in finding.message


def test_a_load_without_an_index_on_record() -> None:
    tree, vdb = built()
    tree.edit_json(vdb.datagen.summary, {"/index_type": None})
    assert places(found(tree, "5.2.2")) == [("5.2.2", "error", vdb.datagen.summary, 5)]


@pytest.mark.parametrize(("division", "rule"), [("closed", "5.6.3"), ("open", "5.2.2")])
def test_a_run_may_record_its_index_in_config_json(division: str, rule: str) -> None:
    tree = StorageTree("v3")
    vdb = tree.submitter("Acme", division).system("S1").vector_database()
    tree.edit_json(vdb.runs[0].summary, {"/index_type": GONE})
    assert [item for item in found(tree) if item.rule in ("5.2.2", "5.6.3")] == []
    tree.edit_json(vdb.runs[0].file("config.json"), {"/index_type": GONE})
    findings = [item for item in found(tree) if item.rule in ("5.2.2", "5.6.3")]
    assert places(findings) == [(rule, "error", vdb.runs[0].summary, 1)]


def test_runs_on_a_collection_that_no_load_filled() -> None:
    tree, vdb = built()
    for run in vdb.runs:
        tree.edit_json(run.metadata, {"/args/collection": "mlpsc_1m_diskann_cl1pq8"})
    (finding,) = found(tree, "5.2.2")
    assert (finding.level, finding.path) == ("warning", vdb.runs[0].metadata)
    assert "mlpsc_1m_diskann_cl1pq8" in finding.message and "4 other runs" in finding.message
