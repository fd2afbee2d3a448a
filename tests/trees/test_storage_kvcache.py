"""KV-cache results follow Table KVCache-1 and the aggregation of 6.3.4."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.trees.storage_asserts import system
from tests.trees.storage_hosts import Hosts

TABLE = {
    "1": "llama3.1-8b 200 300 0 0 16 none",
    "2": "llama3.1-8b 100 300 0 4 16 none",
    "3": "llama3.1-70b-instruct 70 300 0 0 4 none",
}
FLAGS = ("model", "num-users", "duration", "gpu-mem-gb", "cpu-mem-gb", "max-concurrent-allocs", "generation-mode")
SUMS = {
    "aggregated_read_bandwidth_gbps": "tier_storage_read_bandwidth_gbps",
    "aggregated_write_bandwidth_gbps": "tier_storage_write_bandwidth_gbps",
}
MAXIMA = {
    "aggregated_device_read_p95_ms": "storage_read_device_p95_ms",
    "aggregated_device_write_p95_ms": "storage_write_device_p95_ms",
}


@pytest.mark.parametrize(("hosts", "ranks"), [(1, 1), (1, 4), (4, 4), (2, 8)])
def test_aggregates_follow_from_the_rank_files(hosts: int, ranks: int) -> None:
    site = system(hosts=Hosts(hosts))
    built = site.kv_cache(ranks=ranks)
    tree = site.bench.tree
    summary = tree.json(built.summary)
    assert (summary["npernode"] * summary["host_count"], summary["total_ranks"]) == (ranks, ranks)
    assert len(built.rank_files) == len(set(built.rank_files.values())) == 9 * ranks
    assert len(tree.find(f"{built.run.path}/option_*/kvcache_results_*.json")) == 9 * ranks
    for option, figures in summary["options"].items():
        found: dict[str, list[dict[str, Any]]] = {}
        for path in tree.find(f"{built.run.path}/option_{option}/*"):
            found.setdefault(path.split("/trial_")[1][0], []).append(tree.json(path)["summary"])
        trials = list(found.values())
        for key, source in SUMS.items():
            total = sum(rank["cache_stats"][source] for trial in trials for rank in trial) / len(trials)
            assert figures[key] == pytest.approx(total, rel=1e-12)
        tokens = sum(rank["storage_throughput_tokens_per_sec"] for trial in trials for rank in trial) / 3
        assert figures["aggregated_storage_throughput_tokens_per_sec"] == pytest.approx(tokens, rel=1e-12)
        for key, source in MAXIMA.items():
            assert figures[key] == max(rank["cache_stats"][source] for trial in trials for rank in trial)


def test_commands_follow_the_table_of_options() -> None:
    site = system("v3")
    built = site.kv_cache(ranks=4)
    assert built.path == "closed/Acme/results/S1/kv_cache/llama3.1-8b"
    commands = site.bench.tree.json(built.run.metadata)["command_output_files"]
    seen = []
    for entry in commands:
        words = entry["command"].split()
        value = {word: words[place + 1] for place, word in enumerate(words[:-1]) if word.startswith("--")}
        option, trial = re.findall(r"option_(\d)/trial_(\d)$", value["--rank-output-base"])[0]
        assert " ".join(value[f"--{flag}"] for flag in FLAGS) == TABLE[option]
        assert value["--seed-base"] == "42"
        seen.append((option, trial))
        log = entry["stdout"].removeprefix("/results/")
        assert log in site.bench.tree.files
    assert seen == [(option, trial) for option in "123" for trial in "012"]


def test_document_kv_cache_has_the_documents_names() -> None:
    site = system()
    built = site.kv_cache()
    assert built.summary == f"closed/Acme/results/S1/kv_cache/run/{built.run.stamp}/kvcache_run_summary.json"
