"""Rules on single points: disclosure, load pattern, streaming, duration, passes, steady state, warm-up."""

from __future__ import annotations

from typing import Any

import pytest

from tests.checks.endpoints.one_curve import SYSTEM, all_of, curve_tree, line_of
from tests.checks.support import places
from tests.trees.endpoints import CONCURRENCIES, EndpointsTree
from tests.trees.storage_files import GONE, FileTree

CURVE = f"{SYSTEM}/llama3_1-8b"
POINT = f"{CURVE}/r256/point.yaml"
SUMMARY = f"{CURVE}/r256/result_summary.json"
CONFIG = f"{CURVE}/r256/config.yaml"
DATASET = 13368
NS = 1_000_000_000


def edited(changes: dict[str, Any], path: str = POINT) -> FileTree:
    tree, _ = curve_tree()
    return tree.edit_yaml(path, changes) if path.endswith(".yaml") else tree.edit_json(path, changes)


def one(tree: FileTree, rule: str, level: str, path: str, at: str | None) -> None:
    """The rule finds exactly one thing, at the line of `at`."""
    line = 1 if at is None else line_of(tree, path, at)
    assert places(all_of(tree, rule)) == [(rule, level, path, line)]


@pytest.mark.parametrize(
    ("changes", "at"),
    [
        ({"/concurrency": "256"}, "concurrency"),
        ({"/concurrency": 256.5}, "concurrency"),
        ({"/concurrency": GONE}, None),
        ({"/runtime_settings/runtime": GONE}, "runtime_settings"),
        ({"/runtime_settings/min_duration_ms": "1200000"}, "min_duration_ms"),
        ({"/model_name": 7}, "model_name"),
        ({"/division": "Closed"}, "division"),
        ({"/division": "standardized"}, "division"),
        ({"/dataset_type": "Training"}, "dataset_type"),
        ({"/warmup": []}, "warmup"),
        ({"/warmup/initialization_steps": GONE}, "warmup"),
        ({"/warmup/duration_s": 86400.5}, "duration_s"),
        ({"/warmup/duration_s": -1}, "duration_s"),
        ({"/warmup/requests_issued": True}, "requests_issued"),
        ({"/warmup/requests_completed": 11}, "requests_completed"),
        ({"/warmup/data_source": ""}, "data_source"),
        ({"/warmup/data_source": "  "}, "data_source"),
        ({"/warmup/concurrency": 0}, "concurrency: 0"),
        ({"/steady_state/window/duration_s": "1200"}, "duration_s: '1200'"),
    ],
)
def test_a_point_of_the_wrong_shape(changes: dict[str, Any], at: str | None) -> None:
    one(edited(changes), "point-config-valid", "error", POINT, at)


@pytest.mark.parametrize(
    "changes",
    [
        {"/concurrency": 256.0},
        {"/anything_else": [1]},
        {"/warmup/duration_s": 86400},
        {"/warmup/requests_completed": 10},
        {"/warmup/initialization_steps": []},
        {
            "/warmup/concurrency": 0,
            "/warmup/requests_issued": 0,
            "/warmup/requests_completed": 0,
            "/warmup/duration_s": 0,
        },
        {"/dataset_type": "Accuracy + Performance"},
        {"/model_notes": None},
    ],
)
def test_a_point_of_the_right_shape(changes: dict[str, Any]) -> None:
    assert all_of(edited(changes), "point-config-valid") == []


@pytest.mark.parametrize("key", ["division", "max_supported_concurrency", "dataset_link", "seed_set", "target_cohort"])
def test_something_is_not_disclosed(key: str) -> None:
    one(edited({f"/{key}": GONE}), "point-disclosure-complete", "error", POINT, None)
    tree = edited({f"/{key}": None})
    line = line_of(tree, POINT, f"\n{key}:") + 1
    assert places(all_of(tree, "point-disclosure-complete")) == [("point-disclosure-complete", "error", POINT, line)]


@pytest.mark.parametrize("value", ["", "   "])
def test_blanks_disclose_nothing(value: str) -> None:
    tree = edited({"/link_to_model": value, "/dataset_link": GONE})
    (finding,) = all_of(tree, "point-disclosure-complete")
    assert "`link_to_model`, `dataset_link`" in finding.message


PATTERN = "/runtime_settings/load_pattern"


@pytest.mark.parametrize("pattern", ["poisson", "max_throughput", "Concurrency", 3, ["concurrency"]])
def test_another_load_pattern(pattern: object) -> None:
    one(edited({PATTERN: pattern}), "load-pattern", "error", POINT, "load_pattern")


def test_the_default_load_pattern() -> None:
    one(edited({PATTERN: GONE}), "load-pattern", "notice", POINT, "runtime_settings")


@pytest.mark.parametrize(("pattern", "is_right"), [("max_throughput", True), ("concurrency", True), ("poisson", False)])
def test_the_load_pattern_of_a_dedicated_run(pattern: str, is_right: bool) -> None:
    tree = EndpointsTree()
    tree.submission().system("sys_000").curve("llama3_1-8b", CONCURRENCIES, offline="dedicated")
    path = f"{CURVE}/r13368/point.yaml"
    tree.edit_yaml(path, {PATTERN: pattern})
    assert [finding.path for finding in all_of(tree, "load-pattern")] == ([] if is_right else [path])


@pytest.mark.parametrize(("concurrency", "is_right"), [(0, False), (-1, False), (1, True)])
def test_concurrency_is_positive(concurrency: int, is_right: bool) -> None:
    tree = edited({"/concurrency": concurrency})
    assert [finding.line for finding in all_of(tree, "load-pattern")] == ([] if is_right else [1])


@pytest.mark.parametrize(
    ("config", "is_right"),
    [
        ("load_pattern: poisson\n", False),
        ("settings:\n  load_pattern:\n    type: poisson\n", False),
        ("settings:\n  load_pattern:\n    type: concurrency\n", True),
        ("settings:\n  load_pattern: {}\n", True),
    ],
)
def test_the_client_records_another_load_pattern(config: str, is_right: bool) -> None:
    tree, _ = curve_tree()
    tree.put(CONFIG, config)
    line = line_of(tree, CONFIG, "load_pattern")
    assert places(all_of(tree, "load-pattern")) == ([] if is_right else [("load-pattern", "error", CONFIG, line)])


def test_the_client_records_another_pattern_than_the_default() -> None:
    tree = edited({PATTERN: GONE})
    tree.put(CONFIG, "load_pattern: poisson\n")
    assert ("load-pattern", "error", CONFIG, 1) in places(all_of(tree, "load-pattern"))


def test_streaming() -> None:
    key = "/runtime_settings/stream_all_chunks"
    one(edited({key: False}), "streaming-config", "error", POINT, "stream_all_chunks")
    one(edited({key: GONE}), "streaming-config", "notice", POINT, "runtime_settings")
    assert all_of(curve_tree()[0], "streaming-config") == []


WINDOW = "/steady_state/window/duration_s"


@pytest.mark.parametrize(
    ("concurrency", "seconds", "is_right"),
    [(16, 600, True), (16, 599.9, False), (20, 600, True), (256, 1200, True), (256, 1199.9, False), (256, 900, False)],
)
def test_the_window_is_long_enough(concurrency: int, seconds: float, is_right: bool) -> None:
    path = f"{CURVE}/r{concurrency}/point.yaml"
    tree = edited({WINDOW: seconds}, path)
    line = line_of(tree, path, f"duration_s: {seconds}")
    assert places(all_of(tree, "point-duration")) == ([] if is_right else [("point-duration", "warning", path, line)])


@pytest.mark.parametrize(("seconds", "is_right"), [(1200, True), (1199, False)])
def test_without_a_window_the_run_counts(seconds: int, is_right: bool) -> None:
    tree = edited({"/steady_state": GONE}).edit_json(SUMMARY, {"/duration_ns": seconds * NS})
    line = line_of(tree, SUMMARY, "duration_ns")
    place = ("point-duration", "warning", SUMMARY, line)
    assert places(all_of(tree, "point-duration")) == ([] if is_right else [place])


@pytest.mark.parametrize(("seconds", "is_right"), [(2400, True), (2399, False)])
def test_multi_turn_runs_are_longer(seconds: int, is_right: bool) -> None:
    tree, curve = curve_tree("kimi-k3")
    tree.edit_yaml(curve.file(256, "point.yaml"), {WINDOW: seconds})
    assert bool(all_of(tree, "point-duration")) is not is_right


@pytest.mark.parametrize(("seconds", "is_right"), [(1212, True), (1213, False)])
def test_the_window_is_within_the_run(seconds: int, is_right: bool) -> None:
    tree = edited({WINDOW: seconds})
    assert [finding.level for finding in all_of(tree, "steady-state-consistency")] == ([] if is_right else ["warning"])


@pytest.mark.parametrize(("completed", "is_right"), [(DATASET, True), (DATASET - 1, False)])
def test_one_pass_is_completed(completed: int, is_right: bool) -> None:
    tree = edited({"/n_samples_completed": completed}, SUMMARY)
    line = line_of(tree, SUMMARY, "n_samples_completed")
    place = ("min-query-count", "error", SUMMARY, line)
    assert places(all_of(tree, "min-query-count")) == ([] if is_right else [place])


@pytest.mark.parametrize(("concurrency", "is_right"), [(16, True), (256, False)])
def test_a_subset_counts_at_ultra_low_only(concurrency: int, is_right: bool) -> None:
    folder = f"{CURVE}/r{concurrency}"
    tree = edited({"/n_samples_from_dataset": 1000}, f"{folder}/point.yaml")
    tree.edit_json(f"{folder}/result_summary.json", {"/n_samples_completed": 1000, "/n_samples_issued": 1000})
    for rule in ("min-query-count", "samples-issued"):
        paths = [finding.path for finding in all_of(tree, rule) if finding.level == "error"]
        assert paths == ([] if is_right else [f"{folder}/result_summary.json"])


def test_a_subset_is_for_reviewers_to_approve() -> None:
    path, key = f"{CURVE}/r16/point.yaml", "n_samples_from_dataset"
    one(edited({f"/{key}": DATASET - 1}, path), "min-query-count", "warning", path, key)
    assert all_of(edited({f"/{key}": DATASET}, path), "min-query-count") == []


def test_a_data_set_that_is_not_declared_is_taken_from_its_disclosed_name() -> None:
    tree = edited({"/n_samples_completed": DATASET - 1}, SUMMARY)
    for path in tree.find("*/point.yaml"):
        tree.edit_yaml(path, {"/dataset": GONE})
    first = f"{CURVE}/r16/point.yaml"
    assert places(all_of(tree, "min-query-count")) == [
        ("min-query-count", "warning", first, 1),
        ("min-query-count", "error", SUMMARY, line_of(tree, SUMMARY, "n_samples_completed")),
    ]


def test_samples_that_the_client_did_not_count_are_told_once() -> None:
    tree = edited({"/n_samples_issued": 0}, SUMMARY)
    tree.edit_json(f"{CURVE}/r512/result_summary.json", {"/n_samples_issued": GONE})
    (finding,) = all_of(tree, "samples-issued")
    assert (finding.level, finding.path, finding.line) == (
        "notice",
        SUMMARY,
        line_of(tree, SUMMARY, "n_samples_issued"),
    )
    assert "`r512`" in finding.message


def test_a_data_set_of_unknown_size_is_told() -> None:
    tree = edited({"/dataset": "own"})
    (finding,) = all_of(tree, "min-query-count")
    assert (finding.level, finding.path, finding.line) == ("notice", POINT, line_of(tree, POINT, "dataset: own"))
    assert all_of(tree, "samples-issued") == []


@pytest.mark.parametrize(
    ("issued", "is_right"),
    [(DATASET, True), (3 * DATASET, True), (DATASET + 1, False), (DATASET - 1, False)],
)
def test_whole_passes_are_issued(issued: int, is_right: bool) -> None:
    tree = edited({"/n_samples_issued": issued}, SUMMARY)
    place = ("samples-issued", "error", SUMMARY, line_of(tree, SUMMARY, "n_samples_issued"))
    assert places(all_of(tree, "samples-issued")) == ([] if is_right else [place])


@pytest.mark.parametrize(
    ("changes", "level", "at"),
    [
        ({"/complete": False}, "error", '"complete"'),
        ({"/complete": "no"}, "error", '"complete"'),
        ({"/state": "INTERRUPTED"}, "error", '"state"'),
        ({"/state": "interrupted"}, "error", '"state"'),
        ({"/n_samples_dropped": 3}, "warning", "n_samples_dropped"),
    ],
)
def test_a_run_that_broke_off(changes: dict[str, Any], level: str, at: str) -> None:
    one(edited(changes, SUMMARY), "result-complete", level, SUMMARY, at)


@pytest.mark.parametrize("changes", [{"/complete": GONE}, {"/state": "COMPLETE"}, {"/n_samples_dropped": 0}])
def test_a_run_that_ended(changes: dict[str, Any]) -> None:
    assert all_of(edited(changes, SUMMARY), "result-complete") == []


@pytest.mark.parametrize(
    ("changes", "at"),
    [
        ({"/steady_state/status": "Windowable"}, "status"),
        ({"/steady_state/verdict": "steady"}, "verdict"),
        ({"/steady_state/state/tpot_p90": "Rising"}, "tpot_p90"),
        ({"/steady_state/status": 4}, "status"),
    ],
)
def test_words_of_the_steady_state(changes: dict[str, Any], at: str) -> None:
    one(edited(changes), "steady-state-valid", "error", POINT, at)
    assert all_of(curve_tree()[0], "steady-state-valid") == []


@pytest.mark.parametrize(
    ("status", "last", "state", "wrong_at"),
    [
        ("windowable", 4, "Plateau", None),
        ("windowable", 3, "Plateau", "window"),
        ("windowable", 4, "Drifting Up", "state:"),
        ("insufficient_passes", 3, "Plateau", None),
        ("insufficient_passes", 4, "Plateau", "window"),
        ("insufficient_duration", 4, "Drifting Down", None),
    ],
)
def test_the_status_agrees_with_the_window(status: str, last: int, state: str, wrong_at: str | None) -> None:
    changes = {"status": status, "window/super_pass_end": last, "state/tpot_p90": state}
    tree = edited({f"/steady_state/{key}": value for key, value in changes.items()})
    if wrong_at is None:
        assert all_of(tree, "steady-state-consistency") == []
    else:
        at = "  state:" if wrong_at == "state:" else "  window:"
        one(tree, "steady-state-consistency", "error", POINT, at)


@pytest.mark.parametrize(
    ("changes", "at"),
    [
        ({"/steady_state": GONE}, None),
        ({"/steady_state/status": "insufficient_passes"}, "status"),
        ({"/steady_state/verdict": "drifting_up"}, "verdict"),
    ],
)
def test_figures_that_are_not_official(changes: dict[str, Any], at: str | None) -> None:
    one(edited(changes), "steady-state-basis", "warning", POINT, at)
    assert all_of(curve_tree()[0], "steady-state-basis") == []


def test_the_warm_up_is_declared() -> None:
    one(edited({"/warmup": GONE}), "warmup-present", "error", POINT, None)
    one(edited({"/warmup": None}), "warmup-present", "error", POINT, None)
    assert all_of(edited({"/warmup": {}}), "warmup-present") == []


@pytest.mark.parametrize("value", [False, GONE, None])
def test_logs_of_the_warm_up_are_kept(value: object) -> None:
    tree = edited({"/warmup/logs_retained": value})
    at = "warmup:" if value is GONE else "logs_retained"
    one(tree, "warmup-logs-retained", "warning", POINT, at)
    none = {"/warmup/requests_issued": 0, "/warmup/requests_completed": 0, "/warmup/logs_retained": value}
    assert all_of(edited(none), "warmup-logs-retained") == []


def test_a_warm_up_with_the_data_set_is_salted() -> None:
    for source in ("CNN DailyMail, shuffled", "first 10 of CNN_DailyMail"):
        used = {"/warmup/data_source": source}
        one(edited(used), "warmup-salt", "warning", POINT, "data_source")
    salted = {**used, "/runtime_settings/warmup": {"salt": True}}
    one(edited(salted), "warmup-salt", "notice", POINT, "salt")
    assert all_of(edited({"/warmup/data_source": "random words"}), "warmup-salt") == []


def test_a_pattern_that_all_points_have_wrong_is_told_once() -> None:
    tree, _ = curve_tree()
    for path in tree.find("*/point.yaml"):
        tree.edit_yaml(path, {"/runtime_settings/load_pattern": "poisson"})
    (finding,) = all_of(tree, "load-pattern")
    assert "6 other points" in finding.message


def test_the_default_pattern_is_not_that_of_a_multi_turn_model() -> None:
    tree, _ = curve_tree("kimi-k3")
    for path in tree.find("*/point.yaml"):
        tree.edit_yaml(path, {"/runtime_settings/load_pattern": GONE})
    (finding,) = all_of(tree, "benchmark-type-consistency")
    assert (finding.level, finding.path) == ("error", f"{SYSTEM}/kimi-k3/r16/point.yaml")


@pytest.mark.parametrize("duration", [0, -1])
def test_a_window_is_not_compared_with_a_run_of_no_time(duration: int) -> None:
    tree = edited({"/duration_ns": duration}, SUMMARY)
    assert all_of(tree, "steady-state-consistency") == []


def test_a_figure_of_many_digits_is_shown_in_part() -> None:
    tree = edited({"/concurrency": 10**400, "/max_supported_concurrency": 10**400})
    tree.edit_json(SUMMARY, {"/n_samples_issued": 10**300})
    rules = ("concurrency-in-range", "point-dirname-concurrency", "point-declaration-consistency", "samples-issued")
    for finding in [finding for rule in rules for finding in all_of(tree, rule)]:
        assert len(finding.message) < 200
        assert len(finding.hint or "") < 200


def test_a_subset_above_ultra_low_is_told_and_not_counted() -> None:
    path = f"{CURVE}/r256/point.yaml"
    one(edited({"/n_samples_from_dataset": 10}, path), "min-query-count", "warning", path, "n_samples_from_dataset")


def test_a_subset_of_an_unknown_data_set_leaves_it_unknown() -> None:
    tree, _ = curve_tree()
    for path in tree.find("*/point.yaml"):
        tree.edit_yaml(path, {"/dataset": "foo", "/n_samples_from_dataset": 1})
    (finding,) = all_of(tree, "min-query-count")
    assert finding.level == "notice"
    assert "by the 1 samples that the point declares" in finding.message


def test_a_load_pattern_that_is_null_is_none() -> None:
    path = f"{CURVE}/r16/point.yaml"
    one(edited({"/runtime_settings/load_pattern": None}, path), "load-pattern", "error", path, "load_pattern")


@pytest.mark.parametrize(
    ("pointer", "value", "rule"),
    [
        ("/runtime_settings/load_pattern", "concurrency ", "load-pattern"),
        ("/division", "Standardized ", "point-config-valid"),
    ],
)
def test_words_have_no_blanks_around_them(pointer: str, value: str, rule: str) -> None:
    path = f"{CURVE}/r16/point.yaml"
    one(edited({pointer: value}, path), rule, "error", path, pointer.rpartition("/")[2])
