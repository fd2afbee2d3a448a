"""Rules 6.3.1.1, 6.3.2.1 and 6.3.2.2 on trees with one thing broken."""

from __future__ import annotations

from typing import Any

import pytest

from tests.checks.storage.kv_trees import built, command_line, edit_commands, lines
from tests.checks.support import found, places
from tests.trees.storage_bench import Shape
from tests.trees.storage_files import GONE


@pytest.mark.parametrize("edition", ["2.0", "3.0"])
@pytest.mark.parametrize("shape", ["document", "v3"])
@pytest.mark.parametrize("division", ["closed", "open"])
@pytest.mark.parametrize(("hosts", "ranks"), [(1, 1), (1, 4), (4, 20)])
def test_a_valid_run_has_nothing_above_notice(
    edition: str, shape: Shape, division: str, hosts: int, ranks: int
) -> None:
    tree, _ = built(division, hosts, ranks, shape)
    findings = [item for item in found(tree, edition=edition) if item.rule.startswith("6.")]
    assert {(item.rule, str(item.level)) for item in findings} <= {("6.4.1", "notice")}


@pytest.mark.parametrize(
    ("option", "old", "new"),
    [
        (1, "--model llama3.1-8b", "--model tiny-1b"),
        (1, "--num-users 200", "--num-users 199"),
        (2, "--num-users 100", "--num-users 101"),
        (3, "--num-users 70", "--num-users 70.5"),
        (1, "--duration 300", "--duration 299"),
        (2, "--gpu-mem-gb 0", "--gpu-mem-gb 16"),
        (2, "--cpu-mem-gb 4", "--cpu-mem-gb 0"),
        (3, "--cpu-mem-gb 0", "--cpu-mem-gb 4"),
        (3, "--max-concurrent-allocs 4", "--max-concurrent-allocs 16"),
        (1, "--generation-mode none", "--generation-mode realistic"),
        (1, "--generation-mode none", ""),
        (1, "--num-users 200", "--num-users 200 --num-users 50"),
    ],
)
def test_a_value_that_is_not_the_tables(option: int, old: str, new: str) -> None:
    tree, kv = built()
    line = edit_commands(tree, kv, old, new, option=option)
    (finding,) = found(tree, "6.3.1.1")
    assert places([finding]) == [("6.3.1.1", "error", kv.run.metadata, line)]
    assert f"Option {option} ran with" in finding.message
    assert finding.message.endswith("Trials 0, 1, 2.")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("--gpu-mem-gb 0", "--gpu-mem-gb 0.0"),
        ("--num-users 200", "--num-users=200"),
        ("--duration 300", "--duration 3e2"),
    ],
)
def test_the_tables_value_in_another_spelling(old: str, new: str) -> None:
    tree, kv = built()
    edit_commands(tree, kv, old, new, option=1)
    assert found(tree, "6.3.1.1") == []


def test_one_trial_alone_is_told_alone() -> None:
    tree, kv = built()
    edit_commands(tree, kv, "--num-users 100", "--num-users 99", option=2, trial=1)
    (finding,) = found(tree, "6.3.1.1")
    assert places([finding]) == [("6.3.1.1", "error", kv.run.metadata, command_line(tree, kv, 4))]
    assert "Trials" not in finding.message


def test_defaults_of_the_command_line_in_the_record_are_no_fault() -> None:
    tree, kv = built()
    changes = {f"/{place}/num_users": 7 for place in ("args", "parameters")}
    tree.edit_json(kv.run.metadata, changes | {"/num_users": 7, "/args/duration": 60})
    assert [item for item in found(tree) if item.rule.startswith("6.3")] == []


def test_an_option_that_was_not_run() -> None:
    tree, kv = built()
    record = tree.json(kv.run.metadata)
    record["command_output_files"] = record["command_output_files"][:6]
    tree.put_json(kv.run.metadata, record)
    (finding,) = found(tree, "6.3.1.1")
    assert places([finding]) == [
        ("6.3.1.1", "error", kv.run.metadata, lines(tree, kv.run.metadata, '"command_output_files"')[0])
    ]
    assert finding.message.startswith("No command of Option 3 is recorded")


def test_options_that_were_not_run_are_one_finding() -> None:
    tree, kv = built()
    record = tree.json(kv.run.metadata)
    record["command_output_files"] = record["command_output_files"][:3]
    tree.put_json(kv.run.metadata, record)
    (finding,) = found(tree, "6.3.1.1")
    assert finding.message == "No command of Options 2, 3 is recorded; Options 1, 2, 3 are required."


def test_the_same_deviation_in_several_options_is_one_finding() -> None:
    tree, kv = built()
    for option in (1, 2, 3):
        edit_commands(tree, kv, "--gpu-mem-gb 0", "--gpu-mem-gb 16", option=option)
    (finding,) = found(tree, "6.3.1.1")
    assert finding.message.startswith("Options 1, 2, 3 ran with `--gpu-mem-gb 16`; `--gpu-mem-gb 0` is fixed")


def test_without_arguments_the_record_is_one_finding() -> None:
    tree, kv = built()
    tree.edit_json(kv.run.metadata, {"/args": GONE})
    (finding,) = [item for item in found(tree) if item.path == kv.run.metadata]
    assert finding.message.startswith("`args` is missing; an object is required here. Rule")


def test_an_option_that_the_table_does_not_have() -> None:
    tree, kv = built()
    record = tree.json(kv.run.metadata)
    extra = record["command_output_files"][0]["command"].replace("option_1", "option_4")
    record["command_output_files"].append({"command": extra})
    tree.put_json(kv.run.metadata, record)
    assert places(found(tree, "6.3.1.1")) == [("6.3.1.1", "error", kv.run.metadata, command_line(tree, kv, 9))]


def test_no_command_on_record() -> None:
    tree, kv = built()
    tree.edit_json(kv.run.metadata, {"/command_output_files": [], "/executed_command": None})
    assert [(item.level, item.path) for item in found(tree, "6.3.1.1")] == [("error", kv.run.metadata)]


def test_open_may_run_another_workload() -> None:
    tree, kv = built("open")
    edit_commands(tree, kv, "--num-users 200", "--num-users 5 --enable-autoscaling --enable-rag", option=1)
    tree.edit_json(kv.run.metadata, {"/args/seed": 7, "/args/trials": 1, "/args/config_file": "/home/x.yaml"})
    assert {item.rule for item in found(tree)} & {"6.3.1.1", "6.3.2.1", "6.3.2.2", "6.6.1"} == set()


@pytest.mark.parametrize(
    ("name", "value"),
    [("seed", 41), ("seed", 43), ("trials", 2), ("trials", 4), ("inter_option_delay", 89), ("inter_option_delay", 91),
     ("seed", None), ("trials", True), ("seed", "x")],
)  # fmt: skip
def test_a_lock_that_is_open(name: str, value: Any) -> None:
    tree, kv = built()
    tree.edit_json(kv.run.metadata, {f"/args/{name}": value})
    line = lines(tree, kv.run.metadata, f'    "{name}": ')[-1]
    assert places(found(tree, "6.3.2.1")) == [("6.3.2.1", "error", kv.run.metadata, line)]


def test_a_lock_that_is_not_recorded() -> None:
    tree, kv = built()
    tree.edit_json(kv.run.metadata, {"/args/seed": GONE})
    (finding,) = found(tree, "6.3.2.1")
    assert finding.message == "`args.seed` is not recorded; CLOSED fixes it at 42."


def test_a_lock_written_as_text_or_as_a_float() -> None:
    tree, kv = built()
    tree.edit_json(kv.run.metadata, {"/args/seed": "42", "/args/inter_option_delay": 90.0})
    assert found(tree, "6.3.2.1") == []


def test_another_seed_in_a_command() -> None:
    tree, kv = built()
    line = edit_commands(tree, kv, "--seed-base 42", "--seed-base 43", option=3, trial=2)
    assert places(found(tree, "6.3.2.1")) == [("6.3.2.1", "error", kv.run.metadata, line)]


def test_a_trial_that_was_run_twice() -> None:
    tree, kv = built()
    edit_commands(tree, kv, "/option_1/trial_2 ", "/option_1/trial_1 ", option=1, trial=2)
    (finding,) = found(tree, "6.3.2.1")
    assert places([finding]) == [("6.3.2.1", "error", kv.run.metadata, command_line(tree, kv, 2))]
    assert "trials 0, 1, 1" in finding.message


def test_trials_and_options_run_one_after_the_other() -> None:
    tree, kv = built()
    record = tree.json(kv.run.metadata)
    commands = record["command_output_files"]
    tree.edit_json(kv.run.metadata, {"/command_output_files": [*commands[3:6], *commands[:3], *commands[6:]]})
    (finding,) = found(tree, "6.3.2.1")
    assert places([finding]) == [("6.3.2.1", "error", kv.run.metadata, command_line(tree, kv, 0))]
    assert "in the order 2, 1, 3;" in finding.message
    tree.edit_json(kv.run.metadata, {"/command_output_files": [commands[1], commands[0], *commands[2:]]})
    (finding,) = found(tree, "6.3.2.1")
    assert "Option 1 was run in trials 1, 0, 2;" in finding.message


def test_another_number_of_trials_in_the_summary() -> None:
    tree, kv = built()
    tree.edit_json(kv.summary, {"/trials_per_option": 2})
    assert places(found(tree, "6.3.2.1")) == [("6.3.2.1", "error", kv.summary, 7)]


@pytest.mark.parametrize(
    ("path", "count"),
    [("/opt/mlpstorage/kv_cache_benchmark/config.yaml", 0), ("/x/kv_cache_benchmark/config.yaml", 1),
     ("kv_cache_benchmark/config.yaml", 0), ("/x/config.yaml", 1),
     ("/x/my_kv_cache_benchmark/config.yaml", 1),
     ("/x/kv_cache_benchmark/config2.yaml", 1)],
)  # fmt: skip
def test_only_the_shipped_configuration_may_be_passed(path: str, count: int) -> None:
    tree, kv = built()
    line = edit_commands(tree, kv, "/opt/mlpstorage/kv_cache_benchmark/config.yaml", path)
    assert places(found(tree, "6.3.2.1")) == [("6.3.2.1", "error", kv.run.metadata, line)] * count


def test_a_configuration_given_to_the_tool_is_told_once() -> None:
    tree, kv = built()
    edit_commands(tree, kv, "/opt/mlpstorage/kv_cache_benchmark/config.yaml", "/x/mine.yaml")
    tree.edit_json(kv.run.metadata, {"/args/config_file": "/x/mine.yaml"})
    line = lines(tree, kv.run.metadata, '"config_file"')[0]
    assert places(found(tree, "6.3.2.1")) == [("6.3.2.1", "error", kv.run.metadata, line)]


def test_autoscaling_in_commands_is_told_once() -> None:
    tree, kv = built()
    line = edit_commands(tree, kv, "--generation-mode none", "--generation-mode none --enable-autoscaling")
    (finding,) = found(tree, "6.3.2.2")
    assert places([finding]) == [("6.3.2.2", "error", kv.run.metadata, line)]
    assert finding.message.startswith("9 commands")
    assert found(tree, "6.6.1") == []


def test_autoscaling_in_args_alone_is_a_default_and_no_fault() -> None:
    tree, kv = built()
    tree.edit_json(kv.run.metadata, {"/args/enable_autoscaling": True, "/args/enable_rag": True})
    assert [item for item in found(tree) if item.rule in ("6.3.2.2", "6.6.1")] == []


def test_autoscaling_in_a_clients_results() -> None:
    tree, kv = built(ranks=2)
    path = kv.rank_files[3, 0, 1]
    tree.edit_json(path, {"/summary/autoscaling_summary": {"scale_ups": 3}})
    line = lines(tree, path, '"autoscaling_summary"')[0]
    assert places(found(tree, "6.3.2.2")) == [("6.3.2.2", "error", path, line)]
    tree.edit_json(path, {"/summary/autoscaling_summary": None})
    assert found(tree, "6.3.2.2") == []


def test_a_run_without_metadata_is_told_and_its_rules_are_not_run() -> None:
    tree, kv = built()
    tree.remove(kv.run.metadata)
    findings = [item for item in found(tree) if item.rule == "input.missing"]
    assert [item.path for item in findings] == [kv.run.path]
    assert all(rule in findings[0].message for rule in ("6.3.1.1", "6.3.2.1", "6.6.1"))
