"""Rules 4.3.1 to 4.3.5: size, fsync, model, accelerators and subsets of checkpointing runs."""

from __future__ import annotations

from typing import Any

import pytest

from tests.checks.storage.edits import line_of
from tests.checks.support import checked, found, places
from tests.trees.storage_asserts import system
from tests.trees.storage_bench import Leaf
from tests.trees.storage_files import GONE, FileTree
from tests.trees.storage_hosts import Hosts

EDITIONS = ["2.0", "3.0"]


def built(model: str = "llama3-8b", division: str = "closed", hosts: int = 1, **options: Any) -> tuple[FileTree, Leaf]:
    site = system("v3", division, hosts=Hosts(hosts))
    return site.bench.tree, site.checkpointing(model, **options).runs[0]


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_checkpoint_is_more_than_three_times_the_memory(edition: str) -> None:
    tree, run = built()
    for size, levels in ((96, ["warning"]), (96.001, []), (30, ["warning"])):
        tree.edit_json(run.summary, {"/metric/checkpoint_size_GB": size})
        assert [str(item.level) for item in found(tree, "4.3.1", edition)] == levels
    (finding,) = found(tree, "4.3.1", edition)
    line = line_of(tree, run.summary, '"checkpoint_size_GB"')
    assert places([finding]) == [("4.3.1", "warning", run.summary, line)]
    assert "30 GiB of a checkpoint and 32 GiB of memory" in finding.message


def test_one_ratio_is_told_once_for_both_phases() -> None:
    tree, run = built(invocations=2)
    folder = run.path.rpartition("/")[0]
    for path in tree.find(f"{folder}/*/summary.json"):
        tree.edit_json(path, {"/metric/checkpoint_size_GB": 50})
    (finding,) = found(tree, "4.3.1")
    assert finding.count == 2


def test_the_ratio_is_a_fact() -> None:
    tree, run = built()
    facts = {fact.name: fact.value for fact in checked(tree).facts if fact.path == run.summary}
    assert facts["checkpoint_over_memory"] == pytest.approx(104.7045 / 32, abs=1e-4)


@pytest.mark.parametrize(("value", "number"), [(False, 1), ("False", 1), ("true", 0), (None, 1), ("yes", 1)])
def test_the_record_says_fsync(value: Any, number: int) -> None:
    tree, run = built()
    tree.edit_json(run.metadata, {"/parameters/checkpoint/fsync": value})
    findings = found(tree, "4.3.2")
    assert len(findings) == number
    assert all(
        place == ("4.3.2", "error", run.metadata, line_of(tree, run.metadata, '"fsync"')) for place in places(findings)
    )


def test_the_configuration_says_fsync() -> None:
    tree, run = built()
    path = run.file("dlio_config/config.yaml")
    tree.edit_yaml(path, {"/workload/checkpoint/fsync": False})
    assert places(found(tree, "4.3.2")) == [("4.3.2", "error", path, line_of(tree, path, "fsync"))]
    tree.edit_yaml(path, {"/workload/checkpoint/fsync": GONE})
    assert places(found(tree, "4.3.2")) == [("4.3.2", "error", path, line_of(tree, path, "checkpoint_folder") - 1)]


@pytest.mark.parametrize(
    ("model", "words"),
    [
        ("llama3-8B", "Did you mean `llama3-8b`?"),
        ("gpt-4", "is none of"),
        ("llama3-70b", "lies in the folder `llama3-8b`"),
    ],
)
def test_the_model_is_one_of_four_and_in_its_folder(model: str, words: str) -> None:
    tree, run = built()
    tree.edit_json(run.metadata, {"/args/model": model})
    (finding,) = found(tree, "4.3.3")
    line = line_of(tree, run.metadata, f'    "model": "{model}"')
    assert places([finding]) == [("4.3.3", "error", run.metadata, line)]
    assert words in finding.message


@pytest.mark.parametrize("division", ["closed", "open"])
def test_the_model_has_the_configuration_of_table_2(division: str) -> None:
    tree, run = built(division=division)
    tree.edit_json(run.metadata, {"/parameters/model/transformer/hidden_size": "4096"})
    assert found(tree, "4.3.3") == []
    tree.edit_json(run.metadata, {"/parameters/model/transformer/hidden_size": 4095})
    line = line_of(tree, run.metadata, '"hidden_size"')
    assert places(found(tree, "4.3.3")) == [("4.3.3", "error", run.metadata, line)]


@pytest.mark.parametrize("edition", EDITIONS)
def test_unnamed_accelerators_have_the_least_memory_known(edition: str) -> None:
    tree, run = built()
    for size, number in ((640, 0), (640.001, 1)):
        tree.edit_json(run.summary, {"/metric/checkpoint_size_GB": size})
        assert len(found(tree, "4.3.4", edition)) == number
    (finding,) = found(tree, "4.3.4", edition)
    line = line_of(tree, run.summary, '"num_accelerators"')
    assert places([finding]) == [("4.3.4", "error", run.summary, line)]
    assert "8 × 80 GB" in finding.message


@pytest.mark.parametrize(("kind", "memory"), [("h100", 80), ("B200", 180), ("mi355", 288)])
def test_named_accelerators_have_theirs(kind: str, memory: int) -> None:
    tree, run = built(accelerator=kind)
    for size, number in ((8 * memory, 0), (8 * memory + 1, 1)):
        tree.edit_json(run.summary, {"/metric/checkpoint_size_GB": size})
        assert len(found(tree, "4.3.4")) == number


def test_unknown_accelerators_fail_in_edition_3() -> None:
    tree, run = built()
    tree.edit_json(run.metadata, {"/accelerator": "x999"})
    assert found(tree, "4.3.4", "2.0") == []
    line = line_of(tree, run.metadata, '"accelerator": "x999"')
    assert places(found(tree, "4.3.4", "3.0")) == [("4.3.4", "error", run.metadata, line)]
    tree.edit_json(run.summary, {"/metric/checkpoint_size_GB": 641})
    assert len(found(tree, "4.3.4", "2.0")) == 1


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("division", ["closed", "open"])
def test_a_subset_of_the_8b_model_on_eight(edition: str, division: str) -> None:
    tree, run = built(division=division, subset=True)
    assert found(tree, "4.3.5", edition) == []
    for count, number in ((7, 1), (9, 1), (8, 0)):
        tree.edit_json(run.summary, {"/num_accelerators": count})
        assert len(found(tree, "4.3.5", edition)) == number
    tree.edit_json(run.summary, {"/num_accelerators": 16})
    line = line_of(tree, run.summary, '"num_accelerators"')
    assert places(found(tree, "4.3.5", edition)) == [("4.3.5", "error", run.summary, line)]


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("model", ["llama3-70b", "llama3-405b", "llama3-1t"])
def test_a_subset_of_another_model_is_for_open(edition: str, model: str) -> None:
    tree, run = built(model, subset=True)
    (finding,) = found(tree, "4.3.5", edition)
    line = line_of(tree, run.metadata, '"checkpoint.mode"')
    assert places([finding]) == [("4.3.5", "error", run.metadata, line)]
    assert 'the reading "is not 8B"' in finding.message
    tree, run = built(model, "open", subset=True)
    assert found(tree, "4.3.5", edition) == []


@pytest.mark.parametrize(
    "changes",
    [
        {"/override_parameters/checkpoint.mode": GONE, "/args/checkpoint_subset": "True"},
        {"/override_parameters/checkpoint.mode": GONE, "/args/checkpoint_subset": GONE},
    ],
)
def test_a_subset_is_recognised_by_every_record(changes: dict[str, Any]) -> None:
    tree, run = built("llama3-70b", subset=True)
    tree.edit_json(run.metadata, changes)
    assert len(found(tree, "4.3.5")) == 1  # at last by the parameters
    tree.edit_json(run.metadata, {"/args/checkpoint_subset": False, "/parameters/checkpoint/mode": "default"})
    assert found(tree, "4.3.5") == []
