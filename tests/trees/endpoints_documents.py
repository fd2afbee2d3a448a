"""The files of one measurement point, as plain values that satisfy every rule."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]

SEED_SET = "A"
SEEDS = {
    "scheduler_rng_seed": 10487924139932647040,
    "sample_index_rng_seed": 586478644936801402,
    "model_seed": 9315206023656308754,
}
TARGET_COHORT = "2026-10-C1"
NS_PER_S = 1_000_000_000
ULTRA_LOW = 32


@dataclass(frozen=True)
class Benchmark:
    """A benchmark model with its data set (None for the size: not in the published table) and scores that pass."""

    model: str
    dataset: str
    dataset_size: int | None
    scores: Mapping[str, float]
    accuracy_samples: int
    is_agentic: bool = False
    swe_bench_score: float = 0.0
    mean_output_tokens: int = 0

    @property
    def samples(self) -> int:
        """Samples of a performance run: two whole passes over the data set."""
        return 2 * (self.dataset_size or 2500)


def _agentic(model: str, inline: float, swe_bench: float, tokens: int) -> Benchmark:
    scores = {"score": inline}
    return Benchmark(model, "agentic_coding", None, scores, 500, True, swe_bench, tokens)


_ROUGE = {"rouge1": 45.12, "rouge2": 22.01, "rougeL": 30.45, "rougeLsum": 40.2, "gen_len": 8_000_000}

BENCHMARKS: Mapping[str, Benchmark] = {
    benchmark.model: benchmark
    for benchmark in (
        Benchmark("llama3_1-8b", "cnn_dailymail", 13368, _ROUGE, 13368),
        Benchmark("gpt-oss-120b", "mlperf_gpt_oss_performance", 6396, {"exact_match": 83.5}, 4395),
        Benchmark("deepseek-r1", "math500", 500, {"exact_match": 81.9}, 4388),
        _agentic("kimi-k3", 0.59, 94.8, 472),
        _agentic("qwen3_6-35b-a3b", 0.57, 71.7, 383),
        _agentic("deepseek-v4_1-flash", 0.54, 97.5, 882),
    )
}


@dataclass(frozen=True)
class Point:
    """What a point measures. ``max_tps`` is the highest system_tps of its curve.

    ``kw`` the power it is normalised by.
    """

    benchmark: Benchmark
    concurrency: int
    c_max: int
    division: str
    offline: str | None
    max_tps: float
    kw: float

    @property
    def is_dedicated(self) -> bool:
        return self.offline == "dedicated"

    @property
    def seconds(self) -> int:
        """The shortest steady state that the rules allow."""
        if self.concurrency <= ULTRA_LOW:
            return 600
        return 2400 if self.benchmark.is_agentic else 1200

    @property
    def tokens(self) -> int:
        """Output tokens of the run; the rate is that of :func:`system_tps`."""
        return round(system_tps(self.concurrency, self.c_max) * self.seconds)

    @property
    def tps(self) -> float:
        return self.tokens / self.seconds

    @property
    def tpot_ns(self) -> int:
        return 1_000_000 + 10_000 * self.concurrency


def system_tps(concurrency: int, c_max: int) -> float:
    """A rate that grows with concurrency up to C_max and stays there."""
    return 20 * min(concurrency, c_max) ** 0.8


def point_yaml(point: Point) -> Json:
    """The disclosure of one point (rules 8.3)."""
    benchmark = point.benchmark
    pattern = "agentic_inference" if benchmark.is_agentic else "concurrency"
    document = {
        "concurrency": point.concurrency,
        "dataset": benchmark.dataset,
        "runtime_settings": {
            "load_pattern": "max_throughput" if point.is_dedicated else pattern,
            "min_duration_ms": point.seconds * 1000,
            "stream_all_chunks": True,
            "runtime": dict(SEEDS),
        },
        "warmup": _warmup(point.concurrency),
        "division": point.division,
        "max_supported_concurrency": point.c_max,
        "model_name": benchmark.model,
        "model_precision": "FP8",
        "link_to_model": "https://vendor.example/model",
        "dataset_name": benchmark.dataset,
        "dataset_type": "Performance",
        "dataset_link": "https://vendor.example/dataset",
        "shared_src": "src",
        "shared_docs": "docs",
        "seed_set": SEED_SET,
        "target_cohort": TARGET_COHORT,
        "steady_state": _steady_state(point.seconds),
    }
    return document if point.offline is None else {**document, "offline": point.offline}


def _warmup(concurrency: int) -> Json:
    return {
        "duration_s": 60.0,
        "requests_issued": 10,
        "requests_completed": 10,
        "data_source": "synthetic prompts",
        "concurrency": concurrency,
        "initialization_steps": ["engine loaded"],
        "logs_retained": True,
        "link_logs": "https://vendor.example/warmup",
    }


def _steady_state(seconds: int) -> Json:
    return {
        "status": "windowable",
        "verdict": "STEADY STATE",
        "state": {"tpot_p50": "Plateau", "tpot_p90": "Plateau"},
        "window": {
            "super_pass_start": 1,
            "super_pass_end": 4,
            "super_pass_size": 1000,
            "n_samples": 4000,
            "duration_s": float(seconds),
        },
    }


def result_summary(point: Point) -> Json:
    """What the reference client measured (nanoseconds and tokens), with the derived metrics stored beside it."""
    samples = point.benchmark.samples
    document: Json = {
        "n_samples_issued": samples,
        "n_samples_completed": samples,
        "n_samples_failed": 0,
        "complete": True,
        "duration_ns": point.seconds * NS_PER_S,
        "latency": {"total": samples * 20 * NS_PER_S},
        "output_sequence_lengths": {"total": point.tokens, "percentiles": {}},
        "system_tps": point.tps,
        "system_tps_per_kw": point.tps / point.kw,
    }
    if not point.is_dedicated:
        document["ttft"] = {"total": NS_PER_S, "percentiles": {"50": 40_000_000, "90": 80_000_000}}
        document["tpot"] = {"total": NS_PER_S, "percentiles": {"50": point.tpot_ns * 0.8, "90": point.tpot_ns}}
        document["tps_per_user"] = NS_PER_S / point.tpot_ns
    if point.benchmark.is_agentic:
        lengths = {"avg": point.benchmark.mean_output_tokens}
        document["output_sequence_lengths_full_run"] = {"output_sequence_lengths": lengths}
        document["output_tokens_per_turn_total"] = point.tokens
        document["e2e_turn_time_seconds_total"] = samples * 20
        document["e2e_avg_interactivity"] = point.tokens / (samples * 20)
    return document


def accuracy_results(benchmark: Benchmark, *, is_required: bool) -> Json | None:
    """The accuracy file of a point; None where it has none. Agentic points always have the score of the run itself."""
    if not benchmark.is_agentic:
        entry = {"dataset_name": "accuracy", "num_samples": benchmark.accuracy_samples, "n_repeats": 1}
        return {"accuracy": {**entry, "score": dict(benchmark.scores)}} if is_required else None
    inline = {
        "dataset_name": "performance",
        "dataset_type": "performance",
        "score": benchmark.scores["score"],
        "unit_samples": benchmark.samples,
        "num_repeats": 1,
        "complete": True,
    }
    swe_bench = {
        "dataset_name": "swe_bench",
        "dataset_type": "accuracy",
        "score": benchmark.swe_bench_score / 100,
        "unit_samples": benchmark.accuracy_samples,
        "num_repeats": 1,
        "complete": True,
    }
    return {"accuracy_scores": [inline, swe_bench] if is_required else [inline]}


def system_desc(
    name: str, point: Point, *, nodes: Mapping[int, int], cooling: str, data_parallel: int, availability: Json
) -> Json:
    """The system description of one point: `nodes` gives the number of nodes of every ensemble."""
    return {
        "division": point.division,
        "system_name": name,
        "shortened_system_name": name[:20],
        **availability,
        "system_size": f"{8 * sum(nodes.values())} accelerators",
        "system_node_ensemble_count": len(nodes),
        "system_node_ensemble_total": sum(nodes.values()),
        "max_supported_concurrency": point.c_max,
        "serving_framework": "vLLM 0.9.2",
        "node_types": [_node_type(ensemble, count, cooling) for ensemble, count in nodes.items()],
        "node_config": "one rack",
        "tensor_parallel": 8,
        "pipeline_parallel": 1,
        "expert_parallel": 1,
        "data_parallel": data_parallel,
        "tps_utilization": round(point.tps / point.max_tps, 6),
    }


def _node_type(ensemble: int, nodes: int, cooling: str) -> Json:
    return {
        "system_node_ensemble_id": ensemble,
        "number_of_nodes": nodes,
        "host_processor_model_name": "AMD EPYC 9654",
        "host_processors_per_node": 2,
        "host_processor_core_count": 96,
        "host_memory_capacity": "768 GB",
        "host_memory_configuration": "24x32GB DDR5",
        "host_network_card_count": "4x 400G",
        "cooling": cooling,
        "operating_system": "Ubuntu 22.04",
        "driver": "570.1",
        "filesystem": "ext4",
        "accelerator_info": [
            {
                "accelerator_model_name": "NVIDIA H100 SXM5 80GB",
                "accelerators_per_node": 8,
                "accelerator_memory_capacity": "80 GB",
                "accelerator_memory_type": "HBM3",
            }
        ],
    }
