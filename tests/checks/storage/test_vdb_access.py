"""Rules 5.4.1, 5.4.2 and 5.5.1 on trees with one thing broken."""

from __future__ import annotations

from typing import Any

import pytest

from tests.checks.support import found, places
from tests.trees.storage import StorageTree, System
from tests.trees.storage_bench import RESULTS_DIR, Api, Shape
from tests.trees.storage_files import GONE
from tests.trees.storage_vectors import STORAGE_ROOT, VectorDatabase


def built(api: Api = "file", shape: Shape = "v3") -> tuple[StorageTree, VectorDatabase, System]:
    tree = StorageTree(shape)
    system = tree.submitter("Acme").system("S1", api=api)
    return tree, system.vector_database(), system


@pytest.mark.parametrize(("edition", "level"), [("2.0", "error"), ("3.0", "warning")])
def test_an_unset_storage_root_is_told_once(edition: str, level: str) -> None:
    tree, vdb, _ = built()
    for run in vdb.runs:
        tree.edit_json(run.metadata, {"/args/storage_root": None})
    (finding,) = found(tree, "5.4.1", edition)
    assert (finding.level, finding.path) == (level, vdb.runs[0].metadata)
    assert "storage_root" in finding.message and "4 other runs" in finding.message


@pytest.mark.parametrize("name", ["data_dir", "vdb_data_path"])
def test_older_names_of_the_storage_root_count(name: str) -> None:
    tree, vdb, _ = built()
    tree.edit_json(vdb.runs[0].metadata, {"/args/storage_root": GONE, f"/args/{name}": STORAGE_ROOT})
    assert found(tree, "5.4.1") == []


@pytest.mark.parametrize(
    ("results", "count"), [(STORAGE_ROOT, 1), (f"{STORAGE_ROOT}/./", 1), (f"{STORAGE_ROOT}2", 0), (RESULTS_DIR, 0)]
)
def test_data_and_results_in_one_folder(results: str, count: int) -> None:
    tree, vdb, _ = built()
    tree.edit_json(vdb.runs[0].metadata, {"/args/results_dir": results})
    findings = found(tree, "5.4.1")
    assert [(item.level, item.path) for item in findings] == [("error", vdb.runs[0].metadata)] * count


def test_the_object_api_needs_no_storage_root_and_no_filesystems() -> None:
    tree, _, _ = built("object")
    assert [item for item in found(tree) if item.rule in ("5.4.1", "5.4.2")] == []


@pytest.mark.parametrize("shape", ["document", "v3"])
def test_data_and_results_on_one_filesystem(shape: Shape) -> None:
    tree, vdb, _ = built(shape=shape)
    if shape == "v3":
        tree.edit_json(vdb.runs[3].separation, {"/same_filesystem": True})
        expected = (vdb.runs[3].separation, 8)
    else:
        log = vdb.runs[3].file("vector_database_run.stdout.log")
        tree.put(log, tree.files[log].replace(b"/dev/nvme0n1p2", b"10.1.0.1:/vol0"))
        expected = (log, 2)
    assert places(found(tree, "5.4.2")) == [("5.4.2", "error", *expected)]


@pytest.mark.parametrize(("edition", "level"), [("2.0", "error"), ("3.0", "warning")])
def test_no_evidence_of_two_filesystems(edition: str, level: str) -> None:
    tree, vdb, _ = built()
    for run in vdb.runs[:2]:
        tree.remove(run.separation)
    (finding,) = found(tree, "5.4.2", edition)
    assert places([finding]) == [("5.4.2", level, vdb.runs[0].path, None)]
    assert "1 other run" in finding.message


@pytest.mark.parametrize(
    ("backend", "count"),
    [("minio", 0), ("MinIO", 0), ("s3-nebius", 0), ("S3", 0), ("local_fs", 1), ("s3fs", 1), ("azure-blob", 1)],
)
def test_the_backend_of_an_object_submission(backend: str, count: int) -> None:
    tree, vdb, _ = built("object")
    tree.edit_json(vdb.runs[0].summary, {"/database/storage_backend": backend})
    assert places(found(tree, "5.5.1")) == [("5.5.1", "error", vdb.runs[0].summary, 8)] * count


@pytest.mark.parametrize(("storage_type", "count"), [("s3", 0), ("local_fs", 1), (None, 1)])
def test_without_a_backend_the_tools_argument_counts(storage_type: Any, count: int) -> None:
    tree, vdb, _ = built("object")
    tree.edit_json(vdb.runs[0].summary, {"/database/storage_backend": GONE})
    tree.edit_json(vdb.runs[0].metadata, {"/args/storage_type": storage_type})
    assert [(item.level, item.path) for item in found(tree, "5.5.1")] == [("error", vdb.runs[0].metadata)] * count


def test_a_declared_object_api_with_runs_by_files() -> None:
    tree, vdb, system = built()
    tree.edit_yaml(system.yaml, {"/system_under_test/solution/architecture/benchmark_API": "object"})
    (finding,) = found(tree, "5.5.1")
    assert (finding.level, finding.path, finding.count) == ("error", vdb.runs[0].metadata, 5)


def test_s3_under_the_file_api_is_a_warning() -> None:
    tree, vdb, _ = built()
    tree.edit_json(vdb.runs[0].metadata, {"/args/storage_type": "s3"})
    assert [(item.level, item.path) for item in found(tree, "5.5.1")] == [("warning", vdb.runs[0].metadata)]
