"""Checkpointing results fit Table 2 and the phases of 4.7.1."""

from __future__ import annotations

from statistics import fmean
from typing import Any

import pytest

from tests.trees.storage_asserts import assert_dlio_leaf, system, when
from tests.trees.storage_bench import Leaf
from tests.trees.storage_files import FileTree
from tests.trees.storage_hosts import Hosts


@pytest.mark.parametrize(
    ("model", "hosts", "processes", "size"),
    [
        ("llama3-8b", 1, 8, 105),
        ("llama3-70b", 8, 64, 912),
        ("llama3-405b", 32, 512, 5290),
        ("llama3-1t", 64, 1024, 18e3),
    ],
)
def test_checkpoints_fit_table_2(model: str, hosts: int, processes: int, size: float) -> None:
    site = system(hosts=Hosts(hosts))
    (run,) = site.checkpointing(model).runs
    tree = site.bench.tree
    summary, metadata = tree.json(run.summary), tree.json(run.metadata)
    assert summary["num_accelerators"] == metadata["args"]["num_processes"] == processes
    assert summary["metric"]["checkpoint_size_GB"] == pytest.approx(size, rel=0.005)
    assert summary["metric"]["checkpoint_size_GB"] / hosts > 3 * summary["host_memory_GB"][0]
    slots = [int(host.partition(":")[2]) for host in metadata["args"]["hosts"]]
    assert sum(slots) == processes
    assert min(slots) > 4
    config = tree.yaml(run.file("dlio_config/config.yaml"))["workload"]
    assert metadata["parameters"]["checkpoint"]["fsync"] is config["checkpoint"]["fsync"] is True
    parallel = config["model"]["parallelism"]
    assert processes % (parallel["tensor"] * parallel["pipeline"]) == 0
    assert_dlio_leaf(tree, run, "checkpointing_run")


def steps(tree: FileTree, run: Leaf) -> list[tuple[str, dict[str, Any]]]:
    epoch = tree.json(run.file("0_per_epoch_stats.json"))["1"]
    return [(name.rstrip("0123456789"), step) for name, step in epoch.items() if isinstance(step, dict)]


def test_one_invocation_writes_ten_and_then_reads_ten_within_its_time() -> None:
    site = system()
    (run,) = site.checkpointing().runs
    done = steps(site.bench.tree, run)
    summary = site.bench.tree.json(run.summary)
    assert [name for name, _ in done] == ["save_ckpt"] * 10 + ["load_ckpt"] * 10
    times = [when(summary["start"])]
    for _, step in done:
        times += [when(step["start"]), when(step["end"])]
        assert step["throughput"] * step["duration"] == pytest.approx(summary["metric"]["checkpoint_size_GB"])
    assert sorted(times) == times
    assert times[-1] <= when(summary["end"])
    for verb in ("save", "load"):
        rates = [step["throughput"] for name, step in done if name.startswith(verb)]
        assert summary["metric"][f"{verb}_checkpoint_io_mean_GB_per_second"] == pytest.approx(fmean(rates))


def test_two_invocations_split_the_phases_with_a_short_gap() -> None:
    site = system(remap_seconds=15)
    write, read = site.checkpointing(invocations=2, gap_seconds=20).runs
    tree = site.bench.tree
    assert {name for name, _ in steps(tree, write)} == {"save_ckpt"}
    assert {name for name, _ in steps(tree, read)} == {"load_ckpt"}
    assert not any(key.startswith("load") for key in tree.json(write.summary)["metric"])
    counts = [
        tuple(tree.json(run.metadata)["args"][f"num_checkpoints_{verb}"] for verb in ("write", "read"))
        for run in (write, read)
    ]
    assert counts == [(10, 0), (0, 10)]
    started = when(tree.json(read.metadata)["invocation_start_time"])
    gap = (started - when(tree.json(write.summary)["end"])).total_seconds()
    assert gap == pytest.approx(21.5)


def test_subset_runs_say_so() -> None:
    site = system(division="open")
    (run,) = site.checkpointing("llama3-70b", subset=True).runs
    metadata = site.bench.tree.json(run.metadata)
    assert metadata["override_parameters"]["checkpoint.mode"] == "subset"
    assert metadata["args"]["num_processes"] == 8
    assert site.bench.tree.json(run.summary)["metric"]["checkpoint_size_GB"] == pytest.approx(114, rel=0.005)
