"""Rules on a curve: regions, coverage, number of points, Offline, what its points have in common."""

from __future__ import annotations

from typing import Any

import pytest

from tests.checks.endpoints.one_curve import SYSTEM, all_of, curve_tree, facts, line_of
from tests.checks.support import places
from tests.trees.endpoints import CONCURRENCIES, Curve, EndpointsTree, spread
from tests.trees.storage_files import GONE, FileTree

CURVE = f"{SYSTEM}/llama3_1-8b"
POINT = f"{CURVE}/r256/point.yaml"


def built(concurrencies: list[int], c_max: int = 1000, **curve: Any) -> tuple[FileTree, Curve]:
    tree = EndpointsTree()
    made = tree.submission().system("sys_000").curve("llama3_1-8b", concurrencies, c_max=c_max, **curve)
    return tree, made


def edited(changes: dict[str, Any], path: str = POINT) -> FileTree:
    return curve_tree()[0].edit_yaml(path, changes)


def everywhere(changes: dict[str, Any], name: str = "system_desc.json") -> FileTree:
    tree, _ = curve_tree()
    for path in tree.find(f"*/{name}"):
        _ = tree.edit_yaml(path, changes) if name.endswith(".yaml") else tree.edit_json(path, changes)
    return tree


def test_bounds_of_the_regions_are_facts() -> None:
    tree, _ = curve_tree()
    assert facts(tree, "c_min") == {CURVE: 16}
    assert facts(tree, "c_max") == {CURVE: 1000}
    assert facts(tree, "region_low_concurrency") == {CURVE: "17–26"}
    assert facts(tree, "region_med_concurrency") == {CURVE: "27–115"}
    assert facts(tree, "region_high_concurrency") == {CURVE: "116–1000"}
    assert facts(tree, "region_margin") == {CURVE: "1001–1100"}


def test_an_empty_region_is_covered_at_its_boundary() -> None:
    tree, _ = built([1, 8, 16, 31, 32, 33, 34], c_max=33)
    tree.remove(f"{CURVE}/r1").remove(f"{CURVE}/r8").remove(f"{CURVE}/r16").remove(f"{CURVE}/r31")
    assert [finding.level for finding in all_of(tree, "region-basis")] == ["notice", "notice"]
    for rule in ("low", "med", "high"):
        assert all_of(tree, f"{rule}-concurrency-coverage") == []


COVERAGE = {
    "ultra-low-concurrency-coverage": ([33, 34, 88, 256, 512, 768, 1000], [32, 34, 88, 256, 512, 768, 1000]),
    "low-concurrency-coverage": ([16, 27, 88, 256, 512, 768, 1000], [16, 26, 88, 256, 512, 768, 1000]),
    "med-concurrency-coverage": ([16, 20, 116, 256, 512, 768, 1000], [16, 20, 115, 256, 512, 768, 1000]),
    "high-concurrency-coverage": ([16, 20, 88, 100, 115, 1001, 1100], [16, 20, 88, 100, 116, 1001, 1100]),
}


@pytest.mark.parametrize("rule", COVERAGE)
def test_a_region_without_a_point(rule: str) -> None:
    uncovered, covered = COVERAGE[rule]
    assert places(all_of(built(uncovered)[0], rule)) == [(rule, "error", CURVE, None)]
    assert all_of(built(covered)[0], rule) == []


def test_coverage_names_the_range_and_the_nearest_points() -> None:
    (finding,) = all_of(built([16, 20, 116, 256, 512, 768, 1000])[0], "med-concurrency-coverage")
    assert "27–115 between C_min 16 and C_max 1,000; the nearest are at 20 and 116" in finding.message


def test_a_dedicated_run_covers_no_region() -> None:
    tree, _ = built([16, 20, 88, 100, 101, 102, 103], c_max=20_000, offline="dedicated")
    assert len(all_of(tree, "high-concurrency-coverage")) == 1


@pytest.mark.parametrize(
    ("value", "is_right"),
    [(16, True), (15, False), (0, False), (33, False), (None, False), ("16", False), (16.0, False)],
)
def test_a_declared_c_min(value: object, is_right: bool) -> None:
    tree = everywhere({"/c_min_override": value})
    told = all_of(tree, "c-min-override")
    first = f"{CURVE}/r16/system_desc.json"
    assert places(told) == (
        [] if is_right else [("c-min-override", "error", first, line_of(tree, first, "c_min_override"))]
    )


def test_a_declared_c_min_moves_ultra_low() -> None:
    tree = everywhere({"/c_min_override": 20})
    assert facts(tree, "c_min") == {CURVE: 20}
    tree.remove(f"{CURVE}/r16")
    assert all_of(tree, "ultra-low-concurrency-coverage") == []


def test_a_c_min_that_only_some_points_declare() -> None:
    tree, _ = curve_tree()
    tree.edit_json(f"{CURVE}/r256/system_desc.json", {"/c_min_override": 16})
    assert "1 of 7 points" in all_of(tree, "c-min-override")[0].message


@pytest.mark.parametrize(("concurrency", "wrong"), [(0, True), (-4, True), (1, False)])
def test_regions_can_not_be_computed(concurrency: int, wrong: bool) -> None:
    tree = edited({"/concurrency": concurrency}, f"{CURVE}/r16/point.yaml")
    assert places(all_of(tree, "region-computation")) == (
        [("region-computation", "error", CURVE, None)] if wrong else []
    )


@pytest.mark.parametrize(("concurrency", "is_right"), [(1100, True), (1101, False)])
def test_concurrency_in_range(concurrency: int, is_right: bool) -> None:
    tree, _ = built([*CONCURRENCIES, concurrency])
    path = f"{CURVE}/r{concurrency}/point.yaml"
    assert places(all_of(tree, "concurrency-in-range")) == (
        [] if is_right else [("concurrency-in-range", "error", path, line_of(tree, path, "concurrency: 1101"))]
    )


def test_a_dedicated_run_may_be_out_of_range() -> None:
    tree, _ = built(list(CONCURRENCIES), offline="dedicated")
    assert all_of(tree, "concurrency-in-range") == []


@pytest.mark.parametrize("word", ["high", "High_Concurrency", 3, ["high_concurrency"]])
def test_a_region_of_an_unknown_word(word: object) -> None:
    tree = edited({"/region": word})
    place = ("region-declared", "error", POINT, line_of(tree, POINT, "region:"))
    assert places(all_of(tree, "region-declared")) == [place]
    assert all_of(tree, "region-placement") == []


@pytest.mark.parametrize(
    ("concurrency", "word", "is_right"),
    [
        (256, "high_concurrency", True),
        (256, "submitters_choice", True),
        (256, "med_concurrency", False),
        (88, "med_concurrency", True),
        (20, "low_concurrency", True),
        (20, "low_latency", True),
        (88, "low_latency", False),
    ],
)
def test_a_region_that_is_not_the_computed_one(concurrency: int, word: str, is_right: bool) -> None:
    path = f"{CURVE}/r{concurrency}/point.yaml"
    tree = edited({"/region": word}, path)
    place = ("region-placement", "warning", path, line_of(tree, path, "region:"))
    assert places(all_of(tree, "region-placement")) == ([] if is_right else [place])
    assert all_of(tree, "region-declared") == []


@pytest.mark.parametrize(("points", "offline", "is_right"), [(6, "elected", False), (7, "elected", True)])
def test_number_of_points(points: int, offline: str, is_right: bool) -> None:
    tree, _ = built(list(CONCURRENCIES)[7 - points :], offline=offline)
    assert places(all_of(tree, "point-count")) == ([] if is_right else [("point-count", "error", CURVE, None)])


def test_a_dedicated_run_asks_for_one_point_more() -> None:
    assert all_of(built(list(CONCURRENCIES), offline="dedicated")[0], "point-count") == []
    (finding,) = all_of(built(list(CONCURRENCIES)[1:], offline="dedicated")[0], "point-count")
    assert "at least 8 required" in finding.message


@pytest.mark.parametrize(("points", "is_right"), [(32, True), (33, False)])
def test_at_most_32_points(points: int, is_right: bool) -> None:
    tree, curve = built(spread(32), offline="elected")
    if points > 32:
        curve.add(17)
    assert places(all_of(tree, "point-cap")) == ([] if is_right else [("point-cap", "error", CURVE, None)])


@pytest.mark.parametrize("word", ["yes", "Elected", True])
def test_an_unknown_word_for_offline(word: object) -> None:
    tree = edited({"/offline": word})
    assert places(all_of(tree, "offline-declared")) == [
        ("offline-declared", "error", POINT, line_of(tree, POINT, "offline:"))
    ]


def test_offline_none_is_a_word_of_the_rules() -> None:
    assert all_of(edited({"/offline": "none"}), "offline-declared") == []


def test_a_curve_without_an_offline_point_is_warned_of() -> None:
    tree = edited({"/offline": GONE}, f"{CURVE}/r1000/point.yaml")
    assert places(all_of(tree, "offline-point-present")) == [("offline-point-present", "warning", CURVE, None)]


def test_two_offline_points() -> None:
    tree = edited({"/offline": "elected"})
    assert places(all_of(tree, "offline-point-present")) == [("offline-point-present", "error", CURVE, None)]


def test_only_the_point_at_c_max_can_be_elected() -> None:
    tree = edited({"/offline": "elected"}).edit_yaml(f"{CURVE}/r1000/point.yaml", {"/offline": GONE})
    place = ("offline-point-present", "error", POINT, line_of(tree, POINT, "offline:"))
    assert places(all_of(tree, "offline-point-present")) == [place]


def test_a_multi_turn_curve_has_no_offline_point() -> None:
    tree, curve = curve_tree("kimi-k3")
    assert all_of(tree, "offline-point-present") == []
    path = curve.file(1000, "point.yaml")
    tree.edit_yaml(path, {"/offline": "elected"})
    place = ("offline-point-present", "error", path, line_of(tree, path, "offline:"))
    assert places(all_of(tree, "offline-point-present")) == [place]


@pytest.mark.parametrize(("share", "is_right"), [(0.981, True), (0.979, False)])
def test_the_dedicated_run_is_as_fast_as_c_max(share: float, is_right: bool) -> None:
    tree, _ = built(list(CONCURRENCIES), offline="dedicated")
    folder = f"{CURVE}/r13368"
    tokens = tree.json(f"{folder}/result_summary.json")["output_sequence_lengths"]["total"]
    tree.edit_json(f"{folder}/result_summary.json", {"/output_sequence_lengths/total": round(tokens * share)})
    line = line_of(tree, f"{folder}/point.yaml", "offline:")
    place = ("offline-ordering", "warning", f"{folder}/point.yaml", line)
    assert places(all_of(tree, "offline-ordering")) == ([] if is_right else [place])


def test_the_dedicated_run_is_below_c_max_and_c_max_has_no_point() -> None:
    tree, _ = built(list(CONCURRENCIES), c_max=20_000, offline="dedicated")
    assert [finding.level for finding in all_of(tree, "offline-ordering")] == ["warning", "notice"]


def test_a_curve_of_two_kinds_of_benchmark() -> None:
    tree = edited({"/runtime_settings/load_pattern": "agentic_inference"})
    told = all_of(tree, "benchmark-type-consistency")
    assert {(finding.path, finding.line) for finding in told} == {(POINT, line_of(tree, POINT, "load_pattern"))}


def test_the_dedicated_run_has_a_pattern_of_its_own() -> None:
    assert all_of(built(list(CONCURRENCIES), offline="dedicated")[0], "benchmark-type-consistency") == []


def test_a_multi_turn_model_run_as_single_turn() -> None:
    tree, curve = curve_tree("kimi-k3")
    for path in tree.find("*/point.yaml"):
        tree.edit_yaml(path, {"/runtime_settings/load_pattern": "concurrency"})
    (finding,) = all_of(tree, "benchmark-type-consistency")
    assert finding.path == curve.file(CONCURRENCIES[0], "point.yaml")
    assert "The same in 6 other points" in finding.message


@pytest.mark.parametrize(
    ("rule", "key"),
    [
        ("config-consistency-dataset", "dataset"),
        ("config-consistency-dataset", "dataset_name"),
        ("config-consistency-model", "model_name"),
        ("config-consistency-model", "model_precision"),
        ("config-consistency-model", "link_to_model"),
    ],
)
def test_points_of_one_curve_differ(rule: str, key: str) -> None:
    tree = edited({f"/{key}": "other"})
    assert places(all_of(tree, rule)) == [(rule, "error", POINT, line_of(tree, POINT, f"\n{key}:") + 1)]
    assert all_of(everywhere({f"/{key}": "other"}, "point.yaml"), rule) == []


@pytest.mark.parametrize("value", [GONE, "", None])
def test_a_point_without_the_data_set_that_the_others_name_differs(value: Any) -> None:
    found = all_of(edited({"/dataset": value}), "config-consistency-dataset")
    assert [(item.level, item.path) for item in found] == [("error", POINT)]
    assert all_of(everywhere({"/dataset": value}, "point.yaml"), "config-consistency-dataset") == []
