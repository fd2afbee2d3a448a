"""Table KVCache-1 and the figures that one client of an option leaves."""

from __future__ import annotations

from dataclasses import dataclass

from tests.trees.storage_files import Json

TRIALS = 3
SEED = 42


@dataclass(frozen=True)
class Option:
    """One row of Table KVCache-1, and the bandwidths in GB/s that one client reaches here."""

    model: str
    users: int
    duration: int
    gpu_gb: int
    cpu_gb: int
    allocs: int
    mode: str
    read_gbps: float
    write_gbps: float

    @property
    def flags(self) -> str:
        return (
            f"--model {self.model} --num-users {self.users} --duration {self.duration} --gpu-mem-gb {self.gpu_gb} "
            f"--cpu-mem-gb {self.cpu_gb} --max-concurrent-allocs {self.allocs} --generation-mode {self.mode}"
        )


OPTIONS = {
    1: Option("llama3.1-8b", 200, 300, 0, 0, 16, "none", 14.4, 3.2),
    2: Option("llama3.1-8b", 100, 300, 0, 4, 16, "none", 4.5, 3.5),
    3: Option("llama3.1-70b-instruct", 70, 300, 0, 0, 4, "none", 14.2, 2.6),
}


def cli_defaults() -> Json:
    """What a CLOSED metadata file shows: the tool's defaults, not the values of the options that ran."""
    return {
        "num_users": 100,
        "duration": 60,
        "gpu_mem_gb": 16.0,
        "cpu_mem_gb": 32.0,
        "generation_mode": "realistic",
        "performance_profile": "throughput",
    }


def rank_results(number: int, trial: int, rank: int) -> Json:
    """The results file of one rank; bandwidths grow by 1 % a trial and about 0.1 % a rank: no two are equal."""
    option = OPTIONS[number]
    factor = 1 + trial / 100 + rank / 1009
    tokens = 266824 + 100 * trial + rank
    return {
        "requests_completed": 1629,
        "total_tokens_generated": tokens,
        "end_to_end_latencies": [0.35, 0.41],
        "storage_latencies": [],
        "seed": SEED + rank,
        "summary": {
            "total_requests": 1629,
            "total_tokens": tokens,
            "elapsed_time": float(option.duration),
            "avg_throughput_tokens_per_sec": tokens / option.duration,
            "storage_throughput_tokens_per_sec": 22.6 * factor,
            "storage_io_latency_ms": {"mean": 7245.0 * factor, "p50": 5593.6 * factor, "p95": 19682.9 * factor},
            "cache_stats": {
                "cache_hit_rate": 0.91,
                "gpu_entries": 0,
                "cpu_entries": 12 if option.cpu_gb else 0,
                "storage_entries": 1631,
                "tier_storage_read_bandwidth_gbps": option.read_gbps * factor,
                "tier_storage_write_bandwidth_gbps": option.write_gbps * factor,
                "storage_read_device_p95_ms": 1482.7 * factor,
                "storage_write_device_p95_ms": 100.4 * factor,
            },
        },
    }
