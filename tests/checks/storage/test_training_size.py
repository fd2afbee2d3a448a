"""Rules 3.1.1 and 3.1.2: the size that a training dataset must have."""

from __future__ import annotations

import pytest

from tests.checks.storage.edits import line_of, resize
from tests.checks.support import checked, found, places
from tests.trees.storage_asserts import system
from tests.trees.storage_files import GONE, FileTree
from tests.trees.storage_hosts import Hosts
from tests.trees.storage_training import Training

EDITIONS = ["2.0", "3.0"]


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("shape", ["document", "v3"])
def test_a_valid_workload_has_no_finding(edition: str, shape: str) -> None:
    site = system(shape, hosts=Hosts(8))  # type: ignore[arg-type]
    site.training("retinanet", accelerators=16)
    site.training("unet3d", accelerators=8)
    tree = site.bench.tree
    assert not [item for item in found(tree, edition=edition) if item.rule.startswith(("3.1", "3.2", "3.3.1"))]


def test_the_record_is_of_the_datasize_command() -> None:
    site = system()
    built = site.training()
    tree = site.bench.tree
    tree.edit_json(built.datasize.metadata, {"/command": "run"})
    line = line_of(tree, built.datasize.metadata, '"command": "run"')
    assert places(found(tree, "3.1.1")) == [("3.1.1", "error", built.datasize.metadata, line)]
    tree.edit_json(built.datasize.metadata, {"/command": "datasize", "/parameters": {}})
    assert [item.path for item in found(tree, "3.1.1")] == [built.datasize.metadata]


def test_without_a_datasize_phase_the_rules_that_need_it_are_told_as_not_run() -> None:
    site = system()
    built = site.training()
    site.bench.tree.remove(f"{built.path}/datasize")
    report = checked(site.bench.tree)
    assert {"3.1.1", "3.2.1", "3.3.1"} <= {item.rule for item in report.not_run}
    assert all("2.1.12" in item.reason for item in report.not_run)
    assert not [item for item in report.findings if item.rule in ("3.1.1", "3.2.1", "3.3.1")]


def by_steps() -> tuple[FileTree, Training]:
    """500 steps × batch 7 × 4 accelerators = 14,000 files; memory asks for less."""
    site = system()
    return site.bench.tree, site.training("unet3d", accelerators=4)


def by_memory() -> tuple[FileTree, Training]:
    """5 × 1,024 GiB ÷ 146,600,628 bytes = 37,500.2 files; steps ask for less."""
    site = system(hosts=Hosts(1, 1024))
    return site.bench.tree, site.training("unet3d", accelerators=4)


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_shortfall_in_steps_is_an_error_from_the_first_file_on(edition: str) -> None:
    tree, built = by_steps()
    run = built.runs[2]
    resize(tree, run, 13_999)
    (finding,) = found(tree, "3.1.2", edition)
    assert places([finding]) == [("3.1.2", "error", run.summary, line_of(tree, run.summary, '"num_files_train"'))]
    assert "13,999 training files, at least 14,000 required (500 steps × batch 7 × 4 accelerators" in finding.message
    resize(tree, run, 14_000)
    assert found(tree, "3.1.2", edition) == []


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_file_lost_by_rounding_down_is_a_warning_and_two_are_an_error(edition: str) -> None:
    tree, built = by_memory()
    assert built.files == 37_501
    for files, expected in ((37_501, []), (37_500, ["warning"]), (37_499, ["error"])):
        resize(tree, built.runs[0], files)
        assert [str(item.level) for item in found(tree, "3.1.2", edition)] == expected


def test_memory_is_the_sum_of_the_list_wherever_it_stands() -> None:
    site = system(hosts=Hosts(4, 256))
    built = site.training("unet3d", accelerators=4)
    tree, run = site.bench.tree, built.runs[0]
    for memory, expected in (([1024.0, 0, 0, 0], 0), ([1024.1, 0, 0, 0], 1)):
        tree.edit_json(run.summary, {"/host_memory_GB": memory})
        assert len(found(tree, "3.1.2")) == expected


@pytest.mark.parametrize(("edition", "expected"), [("2.0", ["notice"]), ("3.0", [])])
def test_a_surplus_is_no_more_than_told(edition: str, expected: list[str]) -> None:
    tree, built = by_steps()
    for run in built.runs:
        resize(tree, run, 14_001)
    assert [str(item.level) for item in found(tree, "3.1.2", edition)] == expected


def test_the_lower_of_told_and_used_is_judged() -> None:
    tree, built = by_steps()
    run = built.runs[0]
    tree.edit_json(run.metadata, {"/parameters/dataset/num_files_train": "13000"})
    assert [item.path for item in found(tree, "3.1.2")] == [run.metadata]


def test_samples_per_file_divide_the_samples() -> None:
    tree, built = by_steps()
    run = built.runs[0]
    tree.edit_json(run.metadata, {"/parameters/dataset/num_samples_per_file": 3})
    for files, expected in ((4_667, []), (4_666, ["warning"]), (4_665, ["error"])):
        resize(tree, run, files)
        findings = found(tree, "3.1.2")
        assert [str(item.level) for item in findings if item.level != "notice"] == expected
    tree.edit_json(run.metadata, {"/parameters/dataset/num_samples_per_file": GONE})
    resize(tree, run, 14_000)
    assert found(tree, "3.1.2") == []


@pytest.mark.parametrize(
    ("document", "pointer", "value"),
    [
        ("metadata", "/parameters/dataset/record_length_bytes", 0),
        ("metadata", "/parameters/dataset/record_length_bytes", GONE),
        ("metadata", "/parameters/reader/batch_size", "seven"),
        ("metadata", "/parameters/dataset/num_files_train", "13.5"),
        ("metadata", "/parameters/dataset/num_samples_per_file", -1),
        ("summary", "/num_accelerators", True),
        ("summary", "/host_memory_GB", []),
        ("summary", "/host_memory_GB", [32.0, None]),
        ("summary", "/host_memory_GB", 32.0),
    ],
)
def test_figures_that_are_no_figures_are_findings_of_that_run_alone(document: str, pointer: str, value: object) -> None:
    tree, built = by_steps()
    path = getattr(built.runs[1], document)
    tree.edit_json(path, {pointer: value})
    resize(tree, built.runs[5], 100)
    findings = found(tree, "3.1.2")
    assert [item.path for item in findings] == [path, built.runs[5].summary]
    assert all(item.line is not None for item in findings)


def test_required_sizes_are_facts() -> None:
    tree, built = by_memory()
    facts = {(fact.name, fact.path): fact.value for fact in checked(tree).facts}
    assert facts["required_files", built.runs[0].summary] == 37_501
    assert facts["required_samples", built.runs[5].summary] == 37_501


@pytest.mark.parametrize("edition", ["2.0", "3.0"])
def test_memory_must_be_listed_for_every_host(edition: str) -> None:
    site = system("v3", hosts=Hosts(4))
    tree, run = site.bench.tree, site.training().runs[1]
    listed = tree.json(run.summary)["host_memory_GB"]
    tree.edit_json(run.summary, {"/host_memory_GB": [sum(listed), 0, 0, 0]})
    assert found(tree, "3.1.2", edition) == []
    tree.edit_json(run.summary, {"/host_memory_GB": listed[:3]})
    (finding,) = found(tree, "3.1.2", edition)
    assert places([finding]) == [("3.1.2", "error", run.summary, line_of(tree, run.summary, '"host_memory_GB"'))]
    assert "lists 3 hosts, `num_hosts` says 4" in finding.message
