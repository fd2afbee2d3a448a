"""Rules 3.2.1 and 3.3.1: datasize, datagen and runs speak of one dataset."""

from __future__ import annotations

from typing import Any

import pytest

from tests.checks.storage.edits import line_of, resize
from tests.checks.support import checked, found, places
from tests.trees.storage_asserts import system
from tests.trees.storage_files import GONE, FileTree
from tests.trees.storage_training import Training

FILES = "/parameters/dataset/num_files_train"
LEVELS = [("2.0", "error"), ("3.0", "warning")]


@pytest.fixture
def built() -> tuple[FileTree, Training]:
    site = system("v3")
    return site.bench.tree, site.training("unet3d", accelerators=4)


Built = tuple[FileTree, Training]


@pytest.mark.parametrize("edition", ["2.0", "3.0"])
def test_datagen_makes_at_least_what_datasize_said(built: Built, edition: str) -> None:
    tree, training = built
    path = training.datagen.metadata
    tree.edit_json(path, {FILES: "14001"})
    assert found(tree, "3.2.1", edition) == []
    tree.edit_json(path, {FILES: "13999"})
    (finding,) = found(tree, "3.2.1", edition)
    assert places([finding]) == [("3.2.1", "error", path, line_of(tree, path, '"num_files_train"'))]
    assert "13,999 files were generated" in finding.message
    assert "14,000 files required by datasize" in finding.message


def test_datagen_is_compared_in_bytes(built: Built) -> None:
    tree, training = built
    tree.edit_json(training.datagen.metadata, {FILES: "7000", "/parameters/dataset/num_samples_per_file": 2})
    assert found(tree, "3.2.1") == []
    tree.edit_json(training.datagen.metadata, {"/parameters/dataset/record_length_bytes": 146600627})
    assert len(found(tree, "3.2.1")) == 1


@pytest.mark.parametrize(("edition", "level"), LEVELS)
def test_a_datasize_leaf_without_its_record(built: Built, edition: str, level: str) -> None:
    tree, training = built
    tree.remove(training.datasize.metadata)
    assert places(found(tree, "3.3.1", edition)) == [("3.3.1", level, training.datasize.path, None)]


@pytest.mark.parametrize(
    ("pointer", "value", "line"),
    [
        ("/parameters/dataset/num_files_train", GONE, '"dataset": {'),
        ("/parameters/dataset/num_subfolders_train", None, '"dataset": {'),
        ("/parameters/dataset/total_disk_bytes", GONE, '"dataset": {'),
        ("/args/max_accelerators", GONE, '"args": {'),
        ("/args/client_host_memory_in_gb", None, '"args": {'),
        ("/args/data_dir", GONE, '"args": {'),
    ],
)
def test_a_record_that_lacks_a_value(built: Built, pointer: str, value: Any, line: str) -> None:
    tree, training = built
    path = training.datasize.metadata
    tree.edit_json(path, {pointer: value})
    name = pointer.strip("/").replace("/", ".")
    lacking = [item for item in found(tree, "3.3.1") if f"lacks `{name}`" in item.message]
    assert places(lacking) == [("3.3.1", "error", path, line_of(tree, path, line))]


@pytest.mark.parametrize("edition", ["2.0", "3.0"])
def test_a_record_may_name_no_folder(built: Built, edition: str) -> None:
    tree, training = built
    tree.edit_json(training.datasize.metadata, {"/args/data_dir": None})
    assert found(tree, "3.3.1", edition) == []


def second_record(tree: FileTree, training: Training, changes: dict[str, Any]) -> str:
    """A datasize record one day later, changed."""
    old = training.datasize.stamp
    new = f"20260707_{old.partition('_')[2]}"
    tree.duplicate(training.datasize.path, training.datasize.path.replace(old, new))
    path = training.datasize.path.replace(old, new) + f"/training_{new}_metadata.json"
    tree.rename(path.replace(f"training_{new}", f"training_{old}"), path)
    tree.edit_json(path, changes)
    return path


def test_two_records_for_one_folder(built: Built) -> None:
    tree, training = built
    path = second_record(tree, training, {})
    assert places(found(tree, "3.3.1")) == [("3.3.1", "error", path, line_of(tree, path, '"data_dir"'))]
    tree.edit_json(path, {"/accelerator": "h100"})
    assert found(tree, "3.3.1") == []


def test_records_of_other_folders_alone(built: Built) -> None:
    tree, training = built
    tree.edit_json(training.datasize.metadata, {"/args/data_dir": "/elsewhere"})
    assert found(tree, "3.3.1") == []  # a single record fits any run
    path = second_record(tree, training, {"/args/data_dir": "/mnt/storage/data"})
    assert found(tree, "3.3.1") == []
    tree.edit_json(path, {"/args/data_dir": "/somewhere"})
    (finding,) = found(tree, "3.3.1")
    assert finding.path == training.runs[0].metadata
    assert finding.count == 6
    assert "`/elsewhere`, `/somewhere`" in finding.message
    tree.edit_json(path, {"/args/data_dir": None})
    assert found(tree, "3.3.1") == []


def test_a_run_is_compared_with_the_record_of_its_folder(built: Built) -> None:
    tree, training = built
    second_record(tree, training, {"/args/data_dir": "/other", FILES: 20_000})
    assert found(tree, "3.3.1") == []
    second = second_record(tree, training, {"/args/data_dir": None, FILES: 20_000})
    assert found(tree, "3.3.1") == []
    tree.edit_json(training.datasize.metadata, {"/args/data_dir": "/other"})
    assert [item.count for item in found(tree, "3.3.1")] == [6]
    tree.remove(second)


@pytest.mark.parametrize(("edition", "level"), LEVELS)
def test_a_run_with_fewer_files_than_datasize_said(built: Built, edition: str, level: str) -> None:
    tree, training = built
    run = training.runs[3]
    resize(tree, run, 13_999)
    line = line_of(tree, run.summary, '"num_files_train"')
    assert places(found(tree, "3.3.1", edition)) == [("3.3.1", level, run.summary, line)]


@pytest.mark.parametrize(("edition", "expected"), [("2.0", ["warning"]), ("3.0", [])])
def test_a_run_with_more_files_than_datasize_said(built: Built, edition: str, expected: list[str]) -> None:
    tree, training = built
    tree.edit_json(training.datagen.metadata, {FILES: "14001"})
    resize(tree, training.runs[3], 14_001)
    assert [str(item.level) for item in found(tree, "3.3.1", edition)] == expected


@pytest.mark.parametrize(("edition", "level"), LEVELS)
def test_a_run_with_more_files_than_were_generated(built: Built, edition: str, level: str) -> None:
    tree, training = built
    tree.edit_json(training.datasize.metadata, {FILES: 14_001})
    run = training.runs[0]
    for other in training.runs[1:]:
        resize(tree, other, 14_000)
    resize(tree, run, 14_001)
    generated = [item for item in found(tree, "3.3.1", edition) if "generated" in item.message]
    assert places(generated) == [("3.3.1", level, run.summary, line_of(tree, run.summary, '"num_files_train"'))]
    assert "used 14,001 training files" in generated[0].message


@pytest.mark.parametrize(("edition", "level"), LEVELS)
@pytest.mark.parametrize("name", ["num_subfolders_train", "num_subfolders_eval"])
def test_subfolders_are_those_of_the_dataset(built: Built, edition: str, level: str, name: str) -> None:
    tree, training = built
    run = training.runs[0]
    tree.edit_json(run.metadata, {f"/parameters/dataset/{name}": "2"})
    line = line_of(tree, run.metadata, f'"{name}"')
    assert places(found(tree, "3.3.1", edition)) == [("3.3.1", level, run.metadata, line)]
    tree.edit_json(training.datagen.metadata, {f"/parameters/dataset/{name}": 2})
    for other in training.runs[1:]:
        tree.edit_json(other.metadata, {f"/parameters/dataset/{name}": 2})
    assert found(tree, "3.3.1", edition) == []


@pytest.mark.parametrize("edition", ["2.0", "3.0"])
def test_a_summary_without_its_evaluation_files_is_a_warning(built: Built, edition: str) -> None:
    tree, training = built
    run = training.runs[0]
    tree.edit_json(run.summary, {"/num_files_eval": GONE})
    assert places(found(tree, "3.3.1", edition)) == [("3.3.1", "warning", run.summary, 1)]


@pytest.mark.parametrize(("edition", "level"), [("2.0", "error"), ("3.0", "warning")])
def test_an_empty_datasize_phase_shows_nothing(built: Built, edition: str, level: str) -> None:
    tree, training = built
    phase = training.datasize.path.rpartition("/")[0]
    tree.remove(phase).put(f"{phase}/README.md", "later")
    report = checked(tree, edition)
    assert [(item.rule, str(item.level), item.path) for item in report.findings if item.rule == "3.1.1"] == [
        ("3.1.1", level, phase)
    ]
    assert {(item.rule, item.reason) for item in report.not_run} == {
        (rule, "there is no datasize run (see 3.1.1)") for rule in ("3.1.1", "3.2.1", "3.3.1")
    }


@pytest.mark.parametrize(("empty", "see"), [(True, "2.1.13"), (False, "2.1.12")])
def test_what_a_missing_generation_leaves_unjudged_names_the_rule_that_tells_of_it(
    built: Built, empty: bool, see: str
) -> None:
    tree, training = built
    phase = training.datagen.path.rpartition("/")[0]
    tree.remove(phase)
    if empty:
        tree.put(f"{phase}/README.md", "later")
    report = checked(tree)
    assert see in {item.rule for item in report.findings}
    assert {item.reason for item in report.not_run} == {f"there is no datagen run (see {see})"}


@pytest.mark.parametrize(("empty", "see"), [(True, "2.1.17"), (False, "2.1.12")])
def test_rules_on_runs_are_listed_when_there_is_none(built: Built, empty: bool, see: str) -> None:
    tree, training = built
    phase = training.runs[0].path.rpartition("/")[0]
    tree.remove(phase)
    if empty:
        tree.put_json(f"{phase}/results.json", {})
    report = checked(tree)
    assert see in {item.rule for item in report.findings}
    listed = {item.rule for item in report.not_run if item.reason == f"there is no run (see {see})"}
    assert listed >= {"2.1.18", "3.1.2", "3.3.1", "3.3.2", "3.4.1", "3.4.2", "3.6.2"}


def test_a_generation_of_another_folder_than_every_record_is_told(built: Built) -> None:
    tree, training = built
    later = training.datasize.path.replace("20260706", "20260705")
    tree.duplicate(training.datasize.path, later)
    tree.edit_json(tree.find(f"{later}/*_metadata.json")[0], {"/args/data_dir": "/mnt/a"})
    tree.edit_json(training.datagen.metadata, {"/args/data_dir": "/mnt/b"})
    (finding,) = found(tree, "3.2.1")
    line = line_of(tree, training.datagen.metadata, '"data_dir"')
    assert places([finding]) == [("3.2.1", "error", training.datagen.metadata, line)]


def test_a_record_without_its_number_of_files_is_told_of_once_by_each_rule(built: Built) -> None:
    tree, training = built
    tree.edit_json(training.datasize.metadata, {FILES: GONE})
    assert [item.rule for item in found(tree) if item.level == "error" and item.rule[0] == "3"] == ["3.2.1", "3.3.1"]
