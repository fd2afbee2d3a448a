"""Training results follow from the formulas of section 3."""

from __future__ import annotations

import re
from datetime import timedelta
from itertools import pairwise
from math import ceil

import pytest

from tests.trees.storage_asserts import assert_dlio_leaf, inside, system, when
from tests.trees.storage_hosts import Hosts

GIB = 1024**3


@pytest.mark.parametrize(
    ("name", "accelerators", "hosts", "expected"),
    [
        ("unet3d", 4, Hosts(1, 32), 500 * 7 * 4),
        ("unet3d", 4, Hosts(1, 1024), ceil(5 * 1024 * GIB / 146600628)),
        ("retinanet", 8, Hosts(8, 32), ceil(5 * 8 * 32 * GIB / 322957)),
        ("retinanet", 16, Hosts(8, 1), 500 * 24 * 16),
    ],
)
def test_all_phases_use_exactly_the_size_of_the_rule(name: str, accelerators: int, hosts: Hosts, expected: int) -> None:
    site = system(hosts=hosts)
    built = site.training(name, accelerators=accelerators)
    assert built.files == expected
    for leaf in (built.datasize, built.datagen, *built.runs):
        dataset = site.bench.tree.json(leaf.metadata)["parameters"]["dataset"]
        assert int(dataset["num_files_train"]) == expected
        assert int(dataset["num_subfolders_train"]) == 0
    sizes = site.bench.tree.json(built.datasize.metadata)["parameters"]["dataset"]
    assert sizes["total_disk_bytes"] == expected * sizes["record_length_bytes"]
    for run in built.runs:
        summary = site.bench.tree.json(run.summary)
        assert summary["num_files_train"] == expected
        assert summary["num_accelerators"] % summary["num_hosts"] == 0
        assert sum(summary["host_memory_GB"]) == hosts.count * hosts.memory_gib


@pytest.mark.parametrize("name", ["unet3d", "retinanet"])
def test_utilization_follows_from_the_formula_and_the_recorded_times(name: str) -> None:
    site = system()
    for run in site.training(name).runs:
        summary = site.bench.tree.json(run.summary)
        parameters = site.bench.tree.json(run.metadata)["parameters"]
        step, batch = parameters["train"]["computation_time"], parameters["reader"]["batch_size"]
        total = summary["num_files_train"] / summary["num_accelerators"] / batch * step * summary["epochs"]
        epochs = site.bench.tree.json(run.file("0_per_epoch_stats.json"))
        measured = [(when(epoch["end"]) - when(epoch["start"])).total_seconds() for epoch in epochs.values()]
        metric = summary["metric"]
        assert len(measured) == summary["epochs"] == len(metric["train_au_percentage"])
        for seconds, level in zip(measured, metric["train_au_percentage"], strict=True):
            assert 100 * total / summary["epochs"] / seconds == pytest.approx(level, rel=1e-6)
        wall = (when(summary["end"]) - when(summary["start"])).total_seconds()
        assert metric["train_au_mean_percentage"] == pytest.approx(100 * total / wall, abs=0.5)
        assert metric["train_au_mean_percentage"] >= 100 * parameters["metric"]["au"]
        assert metric["train_au_meet_expectation"] == "success"
        rate = metric["train_throughput_mean_samples_per_second"]
        assert rate * step / batch / summary["num_accelerators"] * 100 == pytest.approx(
            metric["train_au_mean_percentage"]
        )


def test_low_utilization_is_recorded_as_a_failure() -> None:
    site = system()
    run = site.training("unet3d", au=80.0).runs[0]
    assert site.bench.tree.json(run.summary)["metric"]["train_au_meet_expectation"] == "fail"


def test_six_runs_follow_each_other_with_less_idle_time_than_a_run() -> None:
    site = system()
    built = site.training("unet3d")
    tree = site.bench.tree
    spans = [[when(tree.json(run.summary)[key]) for key in ("start", "end")] for run in built.runs]
    shortest = min(end - start for start, end in spans)
    assert len(spans) == 6
    assert all(timedelta(0) < later[0] - earlier[1] < shortest for earlier, later in pairwise(spans))
    assert {path.split("/")[7] for path in tree.find(f"{built.path}/run/*")} == {
        "results.json",
        *(run.stamp for run in built.runs),
    }


def test_document_leaves_hold_the_lists_of_the_document() -> None:
    site = system()
    built = site.training("retinanet")
    assert inside(site.bench.tree, built.path).isdisjoint({"code"})
    assert_dlio_leaf(site.bench.tree, built.datagen, "training_datagen")
    for run in built.runs:
        assert_dlio_leaf(site.bench.tree, run, "training_run")
        log = site.bench.tree.files[run.file("training_run.stdout.log")].decode()
        mounts = [line.split()[-1] for line in log.splitlines() if re.search(r"% +/", line)]
        assert mounts == ["/mnt/storage", "/"]
        assert run.separation not in site.bench.tree.files


def test_published_leaves_hold_the_sidecar_instead() -> None:
    site = system("v3")
    built = site.training("unet3d")
    assert not any(
        name.endswith(("output.json", "summary.json")) for name in inside(site.bench.tree, built.datagen.path)
    )
    assert built.results not in site.bench.tree.files
    for leaf in (built.datagen, *built.runs):
        assert site.bench.tree.json(leaf.separation)["same_filesystem"] is False
