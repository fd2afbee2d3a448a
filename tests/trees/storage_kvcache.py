"""KV-cache workloads: three options of three trials each, every rank's results and their aggregates (section 6)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import fmean

from tests.trees.storage_bench import RESULTS_DIR, Bench, Leaf
from tests.trees.storage_files import Json
from tests.trees.storage_options import OPTIONS, SEED, TRIALS, cli_defaults, rank_results
from tests.trees.storage_records import TOOL, Invocation, put_logs, put_metadata

OPTION_DELAY = 90
TRIAL_OVERHEAD = 5
CACHE_DIR = "/mnt/storage/kvcache"
GATEWAY_CACHE_DIR = "/mnt/s3fs/kvcache"
PROBE = "2af31f746fc5"


@dataclass(frozen=True)
class KvCache:
    """Where the parts of one KV-cache workload are."""

    path: str
    run: Leaf
    summary: str
    rank_files: dict[tuple[int, int, int], str]
    """Path of every rank's results by (option 1..3, trial 0..2, rank)."""


def build(bench: Bench, model: str, *, ranks: int) -> KvCache:
    """Write the workload and return its places; `ranks` over all hosts, a multiple of their number."""
    literal = bench.literal
    folder = bench.workload("kv_cache" if literal else f"kv_cache/{model}")
    busy = TRIALS * sum(option.duration + TRIAL_OVERHEAD for option in OPTIONS.values())
    leaf = bench.leaf(f"{folder}/run", "kv_cache", busy + OPTION_DELAY * (len(OPTIONS) - 1))
    job = _Job(bench, leaf, model, ranks)
    rank_files = job.trials()
    put_metadata(bench, leaf, job.call())
    job.cluster_files()
    name = "kvcache_run_summary.json" if literal else "summary.json"
    summary = bench.tree.put_json(leaf.file(name), job.summary(rank_files))
    return KvCache(folder, leaf, summary, rank_files)


@dataclass
class _Job:
    bench: Bench
    leaf: Leaf
    model: str
    ranks: int

    @property
    def per_host(self) -> int:
        return self.ranks // self.bench.hosts.count

    @property
    def cache_dir(self) -> str:
        return CACHE_DIR if self.bench.api == "file" else GATEWAY_CACHE_DIR

    def trials(self) -> dict[tuple[int, int, int], str]:
        """Write logs and rank files of all trials in the order they ran."""
        written = {}
        start = self.leaf.start
        for number, option in OPTIONS.items():
            for trial in range(TRIALS):
                put_logs(self.bench, self.leaf, self._stem(number, trial), "Benchmark completed\n", "")
                for rank in range(self.ranks):
                    written[number, trial, rank] = self._rank_file(number, trial, rank, start)
                start += timedelta(seconds=option.duration + TRIAL_OVERHEAD)
            start += timedelta(seconds=OPTION_DELAY)
        return written

    def call(self) -> Invocation:
        commands = [
            (self._command(number, trial), self._stem(number, trial)) for number in OPTIONS for trial in range(TRIALS)
        ]
        return Invocation(
            benchmark="kvcache",
            model=self.model,
            command="run",
            args=self._args(),
            processes=self.ranks,
            parameters={"model": self.model, **cli_defaults(), "cache_dir": self.cache_dir},
            commands=commands,
            timeseries=False,
            extras={"kvcache_model": self.model, **cli_defaults(), "cache_dir": self.cache_dir},
        )

    def cluster_files(self) -> None:
        """Write the host list, the probe markers of a shared results folder, and the sidecar where it has a place."""
        tree, leaf, hosts = self.bench.tree, self.leaf, self.bench.hosts
        tree.put_json(leaf.file("kv_cache_cluster_info.json"), hosts.inventory(leaf.invoked))
        if hosts.count > 1:
            for number, host in enumerate(hosts.names):
                tree.put(leaf.file(f".fs_probe/{PROBE}__rank{number}__{host}.ok"), "ok\n")
        if self.bench.literal:
            self.bench.put_separation(leaf, self.cache_dir)

    def summary(self, rank_files: dict[tuple[int, int, int], str]) -> Json:
        return {
            "schema_version": "1.0",
            "run_datetime": self.leaf.stamp,
            "npernode": self.per_host,
            "host_count": self.bench.hosts.count,
            "total_ranks": self.ranks,
            "trials_per_option": TRIALS,
            "options": {str(number): self._aggregate(number, rank_files) for number in OPTIONS},
            "partial_failure": False,
            "trial_failures": {},
        }

    def _aggregate(self, number: int, rank_files: dict[tuple[int, int, int], str]) -> Json:
        """6.3.4.1 to 6.3.4.3 over the rank files as written."""
        trials = [
            [self.bench.tree.json(rank_files[number, trial, rank])["summary"] for rank in range(self.ranks)]
            for trial in range(TRIALS)
        ]
        flat = [summary for trial in trials for summary in trial]
        stats = [[summary["cache_stats"] for summary in trial] for trial in trials]
        every = [stat for trial in stats for stat in trial]
        return {
            "option": number,
            "aggregated_read_bandwidth_gbps": _mean_of_sums(stats, "tier_storage_read_bandwidth_gbps"),
            "aggregated_write_bandwidth_gbps": _mean_of_sums(stats, "tier_storage_write_bandwidth_gbps"),
            "aggregated_avg_throughput_tokens_per_sec": _mean_of_sums(trials, "avg_throughput_tokens_per_sec"),
            "aggregated_storage_throughput_tokens_per_sec": _mean_of_sums(trials, "storage_throughput_tokens_per_sec"),
            "aggregated_p95_latency_ms": max(summary["storage_io_latency_ms"]["p95"] for summary in flat),
            "aggregated_device_read_p95_ms": max(stat["storage_read_device_p95_ms"] for stat in every),
            "aggregated_device_write_p95_ms": max(stat["storage_write_device_p95_ms"] for stat in every),
            "rank_count": self.ranks,
            "trial_count": TRIALS,
            "partial_failure": False,
            "missing_files": [],
            "cpu_tier_ranks": [],
        }

    def _rank_file(self, number: int, trial: int, rank: int, start: datetime) -> str:
        name = f"option_{number}/trial_{trial}/rank_{rank}/kvcache_results_{start:%Y%m%d_%H%M%S}.json"
        return self.bench.tree.put_json(self.leaf.file(name), rank_results(number, trial, rank))

    def _stem(self, number: int, trial: int) -> str:
        return f"kvcache_opt{number}_trial{trial}_{self.leaf.stamp}"

    def _command(self, number: int, trial: int) -> str:
        return (
            f"mpirun -n {self.ranks} -host {','.join(self.bench.hosts.slots(self.ranks))} --npernode {self.per_host} "
            f"--bind-to none --map-by socket --mca orte_abort_on_non_zero_status 0 {TOOL}/.venv/bin/python3 "
            f"{TOOL}/kv_cache_benchmark/mlperf_wrapper.py "
            f"--rank-output-base {RESULTS_DIR}/{self.leaf.path}/option_{number}/trial_{trial} "
            f"--rank-cache-base {self.cache_dir} --seed-base {SEED} "
            f"--config {TOOL}/kv_cache_benchmark/config.yaml {OPTIONS[number].flags}"
        )

    def _args(self) -> Json:
        return {
            "cache_dir": self.cache_dir,
            "npernode": self.per_host,
            "kvcache_bin_path": None,
            **{key: value for key, value in cli_defaults().items() if key != "num_users"},
            "disable_multi_turn": False,
            "disable_prefix_caching": False,
            "enable_rag": False,
            "rag_num_docs": 10,
            "enable_autoscaling": False,
            "autoscaler_mode": "qos",
            "seed": SEED,
            "trials": TRIALS,
            "inter_option_delay": OPTION_DELAY,
            "params": "",
            "max_concurrent_allocs": None,
            "enable_latency_tracing": False,
        }


def _mean_of_sums(trials: list[list[Json]], key: str) -> float:
    return fmean(sum(record[key] for record in trial) for trial in trials)
