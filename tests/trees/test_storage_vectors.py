"""Vector-database results agree between load, runs and ground truth (section 5)."""

from __future__ import annotations

import pytest

from tests.trees.storage_asserts import system
from tests.trees.storage_bench import Shape


@pytest.mark.parametrize(("shape", "path"), [("document", "HNSW"), ("v3", "milvus/HNSW")])
def test_vector_runs_agree_with_the_load_and_with_themselves(shape: Shape, path: str) -> None:
    site = system(shape)
    built = site.vector_database("HNSW")
    tree = site.bench.tree
    assert built.path == f"closed/Acme/results/S1/vector_database/{path}"
    load = tree.json(built.datagen.summary)
    assert load["inserted_vectors"] == load["num_vectors"] == 1_000_000
    assert len(built.runs) == 5
    for run in built.runs:
        summary = tree.json(run.summary)
        assert {key: summary[key] for key in load} == load
        queries = summary["throughput_qps"] * summary["total_time_seconds"]
        assert queries == pytest.approx(summary["query_count"])
        order = [summary[f"{name}_latency_ms"] for name in ("mean", "p95", "p99", "p999")]
        assert order == sorted(order)
        assert summary["recall"] == tree.json(run.file("recall_stats.json"))["mean_recall"]
        setup = tree.json(run.file("result_verdict.json"))["flat_setup"]
        assert setup["copied_vectors"] == setup["total_vectors"] == summary["num_vectors"]
        arguments = tree.json(run.metadata)["args"]
        assert arguments["storage_root"] != arguments["results_dir"]


def test_object_api_names_its_backend_and_needs_no_path() -> None:
    site = system(api="object")
    built = site.vector_database()
    tree = site.bench.tree
    assert tree.yaml(site.yaml)["system_under_test"]["solution"]["architecture"]["benchmark_API"] == "object"
    assert tree.json(built.runs[0].summary)["database"] == {"database": "milvus", "storage_backend": "minio"}
    assert tree.json(built.runs[0].metadata)["args"]["storage_root"] is None
    training = site.training("unet3d")
    assert tree.json(training.runs[0].metadata)["args"]["data_dir"].startswith("s3://")
