"""Rules 3.6.2, 3.6.3 and 4.6.3: what a run may change, by the division it stands in."""

from __future__ import annotations

from typing import Any

import pytest

from tests.checks.storage.edits import line_of
from tests.checks.support import found, places
from tests.trees.storage import StorageTree
from tests.trees.storage_asserts import system
from tests.trees.storage_bench import Leaf
from tests.trees.storage_files import FileTree

RULES = ("3.6.2", "3.6.3", "4.6.3")
EDITIONS = ["2.0", "3.0"]


def training(division: str, **options: Any) -> tuple[FileTree, Leaf]:
    site = system("v3", division, **options)
    return site.bench.tree, site.training("unet3d").runs[1]


def checkpointing(division: str, **options: Any) -> tuple[FileTree, Leaf]:
    site = system("v3", division, **options)
    return site.bench.tree, site.checkpointing().runs[0]


def about_parameters(tree: FileTree, edition: str = "2.0") -> list[tuple[str, str, str, int | None]]:
    return places([item for item in found(tree, edition=edition) if item.rule in RULES])


@pytest.mark.parametrize("division", ["closed", "open"])
@pytest.mark.parametrize("api", ["file", "object"])
@pytest.mark.parametrize("workload", [training, checkpointing])
def test_what_the_tool_and_the_tables_allow(division: str, api: str, workload: Any) -> None:
    tree, _ = workload(division, api=api)
    assert [item for item in about_parameters(tree) if item[1] != "notice"] == []


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(("division", "rule"), [("closed", "3.6.2"), ("open", "3.6.3")])
@pytest.mark.parametrize("verification", ["CLOSED", "OPEN", None])
def test_the_folder_decides_the_division(edition: str, division: str, rule: str, verification: str | None) -> None:
    tree, run = training(division)
    tree.edit_json(run.metadata, {"/verification": verification, "/override_parameters/train.epochs": "3"})
    line = line_of(tree, run.metadata, '"train.epochs"')
    assert about_parameters(tree, edition) == [(rule, "error", run.metadata, line)]


@pytest.mark.parametrize("name", ["framework", "dataset.format", "dataset.num_samples_per_file", "reader.data_loader"])
def test_open_allows_four_more(name: str) -> None:
    tree, run = training("closed")
    tree.edit_json(run.metadata, {f"/override_parameters/{name}": "other"})
    assert [item[0] for item in about_parameters(tree)] == ["3.6.2"]
    tree, run = training("open")
    tree.edit_json(run.metadata, {f"/override_parameters/{name}": "other"})
    assert about_parameters(tree) == []


@pytest.mark.parametrize("name", ["storage.storage_options.prefetch_window", "reader.odirect", "reader.prefetch_size"])
def test_what_closed_lists_is_free(name: str) -> None:
    tree, run = training("closed")
    tree.edit_json(run.metadata, {f"/override_parameters/{name}": "2"})
    assert about_parameters(tree) == []


def test_a_near_miss_is_hinted() -> None:
    tree, run = training("closed")
    tree.edit_json(run.metadata, {"/override_parameters/reader.read_thread": "2"})
    (finding,) = found(tree, "3.6.2")
    assert "Did you mean `reader.read_threads`?" in finding.message


@pytest.mark.parametrize("params", [["++workload.train.epochs=3"], "train.epochs=3 reader.read_threads=4"])
def test_what_the_submitter_asked_for_counts_where_it_is_recorded(params: Any) -> None:
    tree, run = training("closed")
    tree.edit_json(run.metadata, {"/args/params": params})
    ((rule, level, path, line),) = about_parameters(tree)
    assert (rule, level, path) == ("3.6.2", "error", run.metadata)
    assert line in (line_of(tree, run.metadata, '"params"'), line_of(tree, run.metadata, '"params"') + 1)


def test_what_the_executed_command_changed_counts_though_no_list_names_it() -> None:
    tree, run = training("closed")
    command = tree.json(run.metadata)["executed_command"]
    tree.edit_json(run.metadata, {"/executed_command": f"{command} ++workload.train.epochs=1"})
    line = line_of(tree, run.metadata, '"executed_command"')
    assert about_parameters(tree) == [("3.6.2", "error", run.metadata, line)]


@pytest.mark.parametrize("params", [None, "", []])
def test_no_parameters_in_every_form(params: Any) -> None:
    tree, run = training("closed")
    tree.edit_json(run.metadata, {"/args/params": params})
    assert about_parameters(tree) == []


def test_what_the_tool_sets_by_itself_is_a_notice_when_set_by_hand() -> None:
    tree, run = training("closed")
    tree.edit_json(run.metadata, {"/override_parameters/dataset.skip_listing": "True"})
    assert about_parameters(tree) == []
    tree.edit_json(run.metadata, {"/args/params/-": "dataset.skip_listing=True"})
    line = line_of(tree, run.metadata, '"dataset.skip_listing=True"')
    assert about_parameters(tree) == [("3.6.2", "notice", run.metadata, line)]


@pytest.mark.parametrize(
    ("pointer", "value", "levels"),
    [
        ("/parameters/train/computation_time", 0.1, ["3.6.2"]),
        ("/parameters/train/computation_time", "0.162", []),
        ("/parameters/reader/batch_size", 8, ["3.6.2"]),
        ("/parameters/dataset/record_length_bytes", 146600627, ["3.6.2"]),
        ("/parameters/reader/read_threads", 99, []),
        ("/accelerator", "h100", ["3.6.2"]),
        ("/accelerator", "mi355", []),
    ],
)
def test_settings_differ_from_the_shipped_configuration(pointer: str, value: Any, levels: list[str]) -> None:
    tree, run = training("closed")
    tree.edit_json(run.metadata, {pointer: value})
    assert [item[0] for item in about_parameters(tree)] == levels


def test_open_may_differ_in_what_it_may_change() -> None:
    tree, run = training("open")
    tree.edit_json(run.metadata, {"/parameters/dataset/num_samples_per_file": 2})
    assert about_parameters(tree) == []
    tree.edit_json(run.metadata, {"/parameters/metric/au": 0.5})
    assert about_parameters(tree) == [("3.6.3", "error", run.metadata, line_of(tree, run.metadata, '"au": 0.5'))]


@pytest.mark.parametrize("edition", EDITIONS)
def test_closed_checkpointing_changes_the_folder_and_the_counts(edition: str) -> None:
    tree, run = checkpointing("closed")
    tree.edit_json(run.metadata, {"/override_parameters/checkpoint.time_between_checkpoints": 1})
    line = line_of(tree, run.metadata, '"checkpoint.time_between_checkpoints"')
    assert about_parameters(tree, edition) == [("4.6.3", "error", run.metadata, line)]


def test_closed_checkpointing_keeps_the_shipped_settings() -> None:
    tree, run = checkpointing("closed")
    tree.edit_json(run.metadata, {"/parameters/model/model_datatype": "fp8"})
    line = line_of(tree, run.metadata, '"model_datatype"')
    assert about_parameters(tree) == [("4.6.3", "error", run.metadata, line)]


def test_open_checkpointing_is_free() -> None:
    tree, run = checkpointing("open")
    tree.edit_json(run.metadata, {"/override_parameters/checkpoint.time_between_checkpoints": 1})
    assert about_parameters(tree) == []


@pytest.mark.parametrize(
    ("workload", "division", "rule"),
    [(training, "closed", "3.6.2"), (training, "open", "3.6.3"), (checkpointing, "closed", "4.6.3")],
)
def test_what_only_the_benchmarks_own_list_changes_counts(workload: Any, division: str, rule: str) -> None:
    tree, run = workload(division)
    path = run.file("dlio_config/overrides.yaml")
    tree.put(path, tree.files[path] + b"- ++workload.train.epochs=1\n")
    assert about_parameters(tree) == [(rule, "error", path, line_of(tree, path, "train.epochs"))]
    (finding,) = found(tree, rule)
    assert '`train.epochs` was changed (the text "1")' in finding.message


def test_a_list_of_overrides_that_is_none() -> None:
    tree, run = training("closed")
    path = run.file("dlio_config/overrides.yaml")
    tree.put(path, "workload: unet3d_b200\n")
    assert {(rule, place) for rule, _, place, _ in about_parameters(tree)} == {("3.6.2", path)}


def test_the_value_and_not_the_whole_command_is_shown() -> None:
    tree, run = training("closed")
    tree.edit_json(run.metadata, {"/executed_command": "/home/ada/mpirun ++workload.train.epochs=1 -n 4"})
    (finding,) = found(tree, "3.6.2")
    assert finding.message.startswith('`train.epochs` was changed (the text "1")')
    assert "/home" not in finding.message


def test_the_value_of_a_secret_parameter_is_never_shown() -> None:
    secret = "wJalr7XUtnFEMI" + "/K7MDENG"
    tree = StorageTree("v3")
    run = tree.submitter("Acme").system("S1").training("unet3d").runs[0]
    overrides = {"storage.storage_options.secret_access_key": secret}
    folder = f"s3://bob:{secret[:10]}@store/x"
    tree.edit_json(
        run.metadata, {"/override_parameters": overrides, "/args/results_dir": folder, "/args/data_dir": folder}
    )
    findings = found(tree)
    assert {"3.4.1", "3.6.2"} <= {item.rule for item in findings}
    assert not [item for item in findings if secret[:8] in f"{item.message} {item.hint}"]
    assert "its value is not shown" in next(item.message for item in findings if item.rule == "3.6.2")
