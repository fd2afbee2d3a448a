"""Rules on system_desc.json: shape, agreement of the copies, C_max, utilization, names of models."""

from __future__ import annotations

from typing import Any

import pytest

from checks.endpoints.tables import load_tables
from checks.json_schema import shipped
from tests.checks.endpoints.one_curve import SYSTEM, all_of, curve_tree, line_of, not_run
from tests.checks.support import places
from tests.trees.endpoints import EndpointsTree
from tests.trees.storage_files import GONE, FileTree

CURVE = f"{SYSTEM}/llama3_1-8b"
DESC = f"{CURVE}/r256/system_desc.json"
POINT = f"{CURVE}/r256/point.yaml"


def edited(changes: dict[str, Any], path: str = DESC) -> FileTree:
    tree, _ = curve_tree()
    return tree.edit_yaml(path, changes) if path.endswith(".yaml") else tree.edit_json(path, changes)


def everywhere(changes: dict[str, Any], name: str = "system_desc.json") -> FileTree:
    tree, _ = curve_tree()
    for path in tree.find(f"*/{name}"):
        _ = tree.edit_yaml(path, changes) if name.endswith(".yaml") else tree.edit_json(path, changes)
    return tree


def two_models() -> FileTree:
    tree = EndpointsTree()
    system = tree.submission().system("sys_000")
    system.curve("llama3_1-8b", offline="elected")
    system.curve("gpt-oss-120b", offline="elected")
    return tree


@pytest.mark.parametrize(
    ("changes", "at"),
    [
        ({"/system_name": GONE}, None),
        ({"/shortened_system_name": "x" * 21}, "shortened_system_name"),
        ({"/system_size": 8}, "system_size"),
        ({"/system_node_ensemble_count": "1"}, "system_node_ensemble_count"),
        ({"/system_node_ensemble_total": True}, "system_node_ensemble_total"),
        ({"/node_types": []}, "node_types"),
        ({"/node_types/0/driver": GONE}, "{\n      "),
        ({"/node_types/0/host_processor_core_count": GONE}, "{\n      "),
        ({"/max_supported_concurrency": "1000"}, "max_supported_concurrency"),
        ({"/system_availability_status": "Soon"}, "system_availability_status"),
        ({"/system_availability_status": GONE}, None),
        ({"/publication_status": "Preview"}, "system_availability_status"),
        ({"/availability_url": " "}, "system_availability_status"),
        ({"/system_availability_status": "Preview"}, "system_availability_status"),
        (
            {"/system_availability_status": "Preview", "/target_availability_date": "2027-02-30"},
            "target_availability_date",
        ),
    ],
)
def test_a_copy_of_the_wrong_shape(changes: dict[str, Any], at: str | None) -> None:
    tree = edited(changes)
    line = 1 if at is None else line_of(tree, DESC, at)
    assert places(all_of(tree, "system-description-valid")) == [("system-description-valid", "error", DESC, line)]


@pytest.mark.parametrize(
    "changes",
    [
        {"/shortened_system_name": "x" * 20},
        {"/anything_else": {"a": 1}},
        {"/system_availability_status": "available"},
        {"/system_availability_status": GONE, "/publication_status": "RDI"},
        {"/system_availability_status": "Preview", "/target_availability_date": "2027-02-28"},
        {"/node_types/0/host_processor_core_count": GONE, "/node_types/0/host_processor_vcpu_count": 96},
        {"/max_supported_concurrency": 1000.0},
    ],
)
def test_a_copy_of_the_right_shape(changes: dict[str, Any]) -> None:
    assert all_of(edited(changes), "system-description-valid") == []


def test_a_fault_of_all_copies_is_told_once() -> None:
    (finding,) = all_of(everywhere({"/system_size": GONE}), "system-description-valid")
    assert finding.path == f"{CURVE}/r16/system_desc.json"
    assert "The same in 6 other points of this curve" in finding.message


def test_the_schema_agrees_with_the_table_of_limits() -> None:
    shape = shipped("checks.endpoints", "system_desc")
    longest = shape["properties"]["shortened_system_name"]["maxLength"]
    assert longest == load_tables("2026-10").limits.shortened_name_maximum


def test_one_copy_differs() -> None:
    tree = edited({"/node_types/0/driver": "999.1"})
    (finding,) = all_of(tree, "system-description-consistency")
    assert (finding.level, finding.path, finding.line) == ("error", DESC, line_of(tree, DESC, "999.1"))
    assert "999.1" in finding.message
    assert "570.1" in finding.message


def test_the_odd_copy_is_told_also_when_it_is_the_first() -> None:
    first = f"{CURVE}/r16/system_desc.json"
    tree, _ = curve_tree()
    tree.edit_json(first, {"/system_size": "9 accelerators"})
    assert [finding.path for finding in all_of(tree, "system-description-consistency")] == [first]


@pytest.mark.parametrize("key", ["tensor_parallel", "batch", "config_summary", "tps_utilization"])
def test_what_may_differ_from_point_to_point(key: str) -> None:
    assert all_of(edited({f"/{key}": 4}), "system-description-consistency") == []


def test_copies_of_one_system_under_two_models() -> None:
    tree = two_models()
    other = f"{SYSTEM}/gpt-oss-120b"
    for path in tree.find(f"{other}/*/system_desc.json"):
        tree.edit_json(path, {"/node_types/0/cooling": "Liquid"})
    (finding,) = all_of(tree, "system-description-consistency")
    assert "Liquid" in finding.message
    assert finding.line is not None


@pytest.mark.parametrize("key", ["max_supported_concurrency", "serving_framework"])
def test_what_may_differ_from_model_to_model(key: str) -> None:
    tree = two_models()
    for path in tree.find(f"{SYSTEM}/gpt-oss-120b/*/system_desc.json"):
        tree.edit_json(path, {f"/{key}": 1001 if key.startswith("max") else "vLLM 0.9.3"})
    assert all_of(tree, "system-description-consistency") == []


@pytest.mark.parametrize("value", [GONE, None, 32, 0, -1])
def test_c_max_is_missing_or_too_low(value: object) -> None:
    tree = everywhere({"/max_supported_concurrency": value})
    (finding,) = all_of(tree, "max-concurrency-declared")
    first = f"{CURVE}/r16/system_desc.json"
    line = 1 if value is GONE else line_of(tree, first, "max_supported_concurrency")
    assert (finding.level, finding.path, finding.line) == ("error", first, line)
    assert any("max-concurrency-declared" in reason for reason in not_run(tree, "high-concurrency-coverage"))
    assert all_of(tree, "region-computation") == []


def test_c_max_above_32_is_declared() -> None:
    assert all_of(everywhere({"/max_supported_concurrency": 33}), "max-concurrency-declared") == []
    assert len(all_of(edited({"/max_supported_concurrency": GONE}), "max-concurrency-declared")) == 1


@pytest.mark.parametrize(
    ("changes", "level", "at"),
    [
        ({"/max_supported_concurrency": 1001}, "error", "max_supported_concurrency"),
        ({"/division": "RDI"}, "warning", "division"),
    ],
)
def test_point_and_system_declare_different_things(changes: dict[str, Any], level: str, at: str) -> None:
    tree = edited(changes, POINT)
    place = ("point-declaration-consistency", level, POINT, line_of(tree, POINT, at))
    assert places(all_of(tree, "point-declaration-consistency")) == [place]


@pytest.mark.parametrize("changes", [{"/max_supported_concurrency": 1000.0}, {"/division": "standardized"}])
def test_point_and_system_declare_the_same(changes: dict[str, Any]) -> None:
    assert all_of(edited(changes, POINT), "point-declaration-consistency") == []


@pytest.mark.parametrize(("off_by", "is_right"), [(0.0999, True), (-0.0999, True), (0.101, False), (-0.101, False)])
def test_utilization_within_a_tenth(off_by: float, is_right: bool) -> None:
    tree, _ = curve_tree()
    true = tree.json(DESC)["tps_utilization"]
    tree.edit_json(DESC, {"/tps_utilization": true + off_by})
    place = ("tps-utilization", "error", DESC, line_of(tree, DESC, "tps_utilization"))
    assert places(all_of(tree, "tps-utilization")) == ([] if is_right else [place])


def test_utilization_that_is_missing_is_warned_of() -> None:
    (finding,) = all_of(everywhere({"/tps_utilization": GONE}), "tps-utilization")
    assert (finding.level, finding.path) == ("warning", f"{CURVE}/r16/system_desc.json")


@pytest.mark.parametrize(
    ("name", "meant"), [("LLAMA3_1-8B", "llama3_1-8b"), ("meta/llama3.1-8b", "llama3_1-8b"), ("other", None)]
)
def test_a_model_that_is_no_benchmark(name: str, meant: str | None) -> None:
    tree = edited({"/model_name": name}, POINT)
    (finding,) = all_of(tree, "model-name-valid")
    assert (finding.level, finding.path, finding.line) == ("error", POINT, line_of(tree, POINT, "model_name"))
    assert (f"Did you mean `{meant}`" in (finding.hint or "")) is (meant is not None)


def test_the_folder_has_another_models_name() -> None:
    tree, _ = curve_tree()
    tree.rename(CURVE, f"{SYSTEM}/llama")
    place = ("model-name-consistency", "error", f"{SYSTEM}/llama", None)
    assert places(all_of(tree, "model-name-consistency")) == [place]
    assert all_of(tree, "model-name-valid") == []


def test_one_point_of_another_model_is_no_fault_of_the_folder() -> None:
    tree = edited({"/model_name": "gpt-oss-120b"}, POINT)
    assert all_of(tree, "model-name-consistency") == []
    assert [finding.path for finding in all_of(tree, "config-consistency-model")] == [POINT]


def test_no_point_names_the_model() -> None:
    tree = everywhere({"/model_name": GONE}, "point.yaml")
    assert places(all_of(tree, "model-name-consistency")) == [("model-name-consistency", "warning", CURVE, None)]


def test_the_same_difference_in_all_points_is_told_once() -> None:
    tree, _ = curve_tree()
    for path in tree.find("*/point.yaml"):
        tree.edit_yaml(path, {"/max_supported_concurrency": 2000})
    (finding,) = all_of(tree, "point-declaration-consistency")
    assert "6 other points" in finding.message


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [
        ("division", "  ", "nothing but blanks"),
        ("division", "Standard", "Did you mean `Standardized`"),
        ("system_name", " ", "nothing but blanks"),
        ("shortened_system_name", "  ", "nothing but blanks"),
        ("node_types/0/system_node_ensemble_id", "decode", "whole number"),
        ("node_types/0/system_node_ensemble_id", "", "whole number"),
    ],
)
def test_words_that_say_nothing(key: str, value: str, told: str) -> None:
    tree = everywhere({f"/{key}": value})
    found = [finding for finding in all_of(tree, "system-description-valid") if finding.level == "error"]
    assert len(found) == 1
    assert told in found[0].message + str(found[0].hint)
    assert found[0].line == line_of(tree, found[0].path, f'"{key.rpartition("/")[2]}"')


def test_numbers_of_node_sets_may_be_text() -> None:
    assert all_of(everywhere({"/node_types/0/system_node_ensemble_id": "0"}), "system-description-valid") == []
