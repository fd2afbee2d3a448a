"""Vector-database workloads: a load and five query runs for one index type (section 5)."""

from __future__ import annotations

from dataclasses import dataclass

from tests.trees.storage_bench import DATA_DIR, Bench, Leaf
from tests.trees.storage_files import Json
from tests.trees.storage_records import TOOL, Invocation, put_logs, put_metadata

RUNS = 5
LOAD_SECONDS = 1290.0
QUERY_SECONDS = 62.5
STORAGE_ROOT = f"{DATA_DIR}/vdb"
OBJECT_BACKEND = "minio"
RECALL_K = 10
QUERIES_EVALUATED = 1000


@dataclass(frozen=True)
class VectorDatabase:
    """Where the parts of one index type are."""

    path: str
    datagen: Leaf
    runs: tuple[Leaf, ...]


def build(
    bench: Bench,
    index: str,
    *,
    database: str,
    engine_level: bool,
    vectors: int,
    dimension: int,
    recall: float,
    queries_per_second: float,
) -> VectorDatabase:
    """Write the workload and return its places; `recall` in 0..1."""
    job = _Job(bench, index, database, vectors, dimension, recall, queries_per_second)
    levels = [database, index] if engine_level else [index]
    folder = bench.workload("/".join(["vector_database", *levels]))
    datagen = job.load(folder)
    return VectorDatabase(folder, datagen, tuple(job.query(folder, number) for number in range(RUNS)))


@dataclass
class _Job:
    bench: Bench
    index: str
    database: str
    vectors: int
    dimension: int
    recall: float
    queries_per_second: float

    @property
    def collection(self) -> str:
        return f"mlps_{self.vectors}_{self.index.lower()}"

    def load(self, folder: str) -> Leaf:
        leaf = self.bench.leaf(f"{folder}/datagen", "vector_database", LOAD_SECONDS)
        command = f"uv run load-vdb {self._connection()} --num-vectors {self.vectors} --index-type {self.index} --force"
        args = self._args() | {
            "dimension": self.dimension,
            "num_shards": 1,
            "vector_dtype": "FLOAT_VECTOR",
            "num_vectors": self.vectors,
            "distribution": "uniform",
            "batch_size": 1000,
            "chunk_size": 10000,
            "index_type": self.index,
            "force": True,
        }
        call = self._call("datagen", args, command, "vector_database_datagen")
        call.inventory = False
        put_metadata(self.bench, leaf, call)
        log = f"Inserted {self.vectors} vectors\nCompaction completed\nIndex build completed: {self.index}\n"
        put_logs(self.bench, leaf, "vector_database_datagen", log, "")
        self.bench.tree.put_json(leaf.summary, self._scale())
        return leaf

    def query(self, folder: str, number: int) -> Leaf:
        leaf = self.bench.leaf(f"{folder}/run", "vector_database", QUERY_SECONDS + number / 8)
        put_metadata(self.bench, leaf, self._query_call())
        evidence = self.bench.separate_filesystems(leaf, STORAGE_ROOT)
        put_logs(self.bench, leaf, "vector_database_run", evidence + "Benchmark completed\n", "")
        figures = self._figures(leaf)
        self.bench.tree.put_json(leaf.summary, self._scale() | figures | {"recall": self.recall})
        self.bench.tree.put_json(leaf.file("config.json"), self._config())
        total = {"total_queries": figures["query_count"], "failed_batches": 0, "recall": self._recall()}
        self.bench.tree.put_json(leaf.file("statistics.json"), figures | total)
        self.bench.tree.put_json(leaf.file("recall_stats.json"), self._recall())
        self.bench.tree.put_json(leaf.file("result_verdict.json"), self._verdict())
        return leaf

    def _query_call(self) -> Invocation:
        flags = f"--processes 128 --batch-size 100 --vector-dim {self.dimension} --search-limit {RECALL_K} --runtime 60"
        args = self._args() | {
            "num_query_processes": 128,
            "batch_size": 100,
            "report_count": 100,
            "benchmark_mode": "timed",
            "vector_dim": self.dimension,
            "search_limit": RECALL_K,
            "search_ef": 100,
            "gt_collection": None,
            "num_query_vectors": QUERIES_EVALUATED,
            "recall_k": RECALL_K,
            "runtime": 60,
            "queries": None,
        }
        return self._call("run", args, f"uv run vdbbench {self._connection()} {flags}", "vector_database_run")

    def _call(self, command: str, args: Json, line: str, stem: str) -> Invocation:
        extras = {"vdb_engine": self.database, "vdb_index": self.index, "collection": self.collection}
        model = f"{self.database}_{self.index}"
        return Invocation("vectordb", model, command, args, commands=[(line, stem)], extras=extras)

    def _connection(self) -> str:
        config = f"{TOOL}/configs/vectordbbench/default.yaml"
        return f"--config {config} --host 127.0.0.1 --port 19530 --collection-name {self.collection}"

    def _args(self) -> Json:
        file_api = self.bench.api == "file"
        return {
            "vdb_engine": self.database,
            "vdb_index": self.index,
            "host": "127.0.0.1",
            "port": 19530,
            "config": "default",
            "collection": self.collection,
            "storage_root": STORAGE_ROOT if file_api else None,
            "storage_type": "local_fs" if file_api else "s3",
            "seed": 42,
            "params": "",
        }

    def _scale(self) -> Json:
        backend = {"storage_backend": OBJECT_BACKEND} if self.bench.api == "object" else {}
        return {
            "num_vectors": self.vectors,
            "dimension": self.dimension,
            "inserted_vectors": self.vectors,
            "index_type": self.index,
            "database": {"database": self.database, **backend},
        }

    def _figures(self, leaf: Leaf) -> Json:
        queries = round(self.queries_per_second * leaf.seconds)
        return {
            "throughput_qps": queries / leaf.seconds,
            "total_time_seconds": leaf.seconds,
            "query_count": queries,
            "mean_latency_ms": 6.1,
            "p95_latency_ms": 18.0,
            "p99_latency_ms": 112.9,
            "p999_latency_ms": 167.3,
        }

    def _config(self) -> Json:
        return {
            "index_type": self.index,
            "metric_type": "COSINE",
            "vector_dim": self.dimension,
            "search_limit": RECALL_K,
            "recall_k": RECALL_K,
        }

    def _recall(self) -> Json:
        return {
            "mean_recall": self.recall,
            "median_recall": self.recall,
            "min_recall": self.recall,
            "max_recall": self.recall,
            "num_queries_evaluated": QUERIES_EVALUATED,
        }

    def _verdict(self) -> Json:
        setup = {
            "ok": True,
            "coverage": 1.0,
            "total_vectors": self.vectors,
            "copied_vectors": self.vectors,
            "had_recoverable_error": False,
            "reason": None,
            "reused": False,
        }
        return {
            "result": "valid",
            "valid": True,
            "num_queries_evaluated": QUERIES_EVALUATED,
            "flat_setup": setup,
            "recall_summary": self._recall(),
        }
