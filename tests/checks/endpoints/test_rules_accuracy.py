"""Rules on accuracy: where results have to be, what they hold, whether they pass."""

import json
from typing import Any

import pytest

from checks.endpoints.accuracy_file import read_accuracy
from tests.checks.endpoints.one_curve import all_of, curve_tree, facts, heavy, line_of, not_run
from tests.checks.support import places
from tests.trees.endpoints import ACCURACY_AT, Curve, EndpointsTree
from tests.trees.storage_files import GONE, FileTree

LLAMA, GPT, KIMI = "llama3_1-8b", "gpt-oss-120b", "kimi-k3"
FILE = "accuracy_results.json"


def edited(concurrency: int, changes: dict[str, Any], model: str = GPT) -> tuple[FileTree, str]:
    """A valid tree but for the changes to the accuracy file of one point, and the path of that."""
    tree, curve = curve_tree(model)
    path = curve.file(concurrency, FILE)
    tree.edit_json(path, changes)
    return tree, path


def without(concurrencies: Any, model: str = GPT) -> tuple[FileTree, Curve]:
    """A valid tree but for the accuracy files of some points."""
    tree, curve = curve_tree(model)
    for concurrency in concurrencies:
        tree.remove(curve.file(concurrency, FILE))
    return tree, curve


def moved(old: int, new: int) -> tuple[FileTree, Curve]:
    """A valid tree but for one accuracy file at another point."""
    tree, curve = curve_tree(GPT)
    tree.rename(curve.file(old, FILE), curve.file(new, FILE))
    return tree, curve


# accuracy-present


def test_a_curve_without_any_result_is_one_error() -> None:
    tree, curve = without(ACCURACY_AT)
    assert places(heavy(tree, "accuracy-present")) == [("accuracy-present", "error", curve.path, None)]
    assert heavy(tree, "accuracy-coverage") == []
    assert not_run(tree, "accuracy-coverage") == ["the curve has no accuracy results (see accuracy-present)"]


def test_one_result_is_not_none() -> None:
    tree, _ = without(ACCURACY_AT[1:])
    assert heavy(tree, "accuracy-present") == []


def test_a_legacy_file_counts_where_it_has_scores() -> None:
    tree, curve = without(ACCURACY_AT[1:])
    path = tree.files.pop(curve.file(16, FILE))
    legacy = curve.file(16, "results.json")
    tree.put_json(legacy, {"accuracy_scores": json.loads(path)})
    assert heavy(tree, "accuracy-present") == []
    tree.put_json(legacy, {"throughput": 7})
    assert len(heavy(tree, "accuracy-present")) == 1


# accuracy-valid


@pytest.mark.parametrize(
    ("changes", "keys"),
    [
        ({"/accuracy/score": GONE}, '"accuracy"'),
        ({"/accuracy/score": {}}, '"score"'),
        ({"/accuracy/score": None}, '"score"'),
        ({"/accuracy/score/exact_match": "nan"}, '"exact_match"'),
        ({"/accuracy/score/exact_match": None}, '"exact_match"'),
        ({"/accuracy/score/exact_match": True}, '"exact_match"'),
        ({"/accuracy/score/exact_match": [83.5]}, '"exact_match"'),
        ({"/accuracy/num_samples": "many"}, '"num_samples"'),
        ({"/accuracy/num_samples": True}, '"num_samples"'),
        ({"/accuracy/num_samples": -1}, '"num_samples"'),
        ({"/accuracy/n_repeats": 1.5}, '"n_repeats"'),
        ({"/accuracy/unit_samples": 7}, '"num_samples"'),
        ({"/accuracy/complete": False}, '"complete"'),
        ({"/accuracy": 83.5}, '"accuracy"'),
        ({"/accuracy": GONE}, ""),
    ],
)
def test_a_result_without_a_usable_score_or_count_is_an_error(changes: dict[str, Any], keys: str) -> None:
    tree, path = edited(88, changes)
    line = line_of(tree, path, *keys.split())
    assert places(heavy(tree, "accuracy-valid")) == [("accuracy-valid", "error", path, line)]


def test_the_score_nan_is_no_json_and_fails() -> None:
    tree, path = edited(88, {})
    tree.put(path, tree.files[path].replace(b"83.5", b"NaN"))
    assert places(heavy(tree, "input.json")) == [("input.json", "error", path, line_of(tree, path, "NaN"))]


@pytest.mark.parametrize(
    "changes",
    [
        {"/accuracy/score/exact_match": "83.5"},
        {"/accuracy/score": 83.5},
        {"/accuracy/n_repeats": GONE},
        {"/accuracy/unit_samples": 4395},
        {"/accuracy/num_samples": 4395.0},
        {"/accuracy/score/tokens_per_sample": 3886},
    ],
)
def test_what_the_client_may_write_passes(changes: dict[str, Any]) -> None:
    tree, _ = edited(88, changes)
    assert [heavy(tree, rule) for rule in ("accuracy-valid", "accuracy-gate", "accuracy-sample-count")] == [[], [], []]


def test_a_data_set_with_two_results_is_an_error() -> None:
    tree, path = edited(88, {})
    entry = tree.json(path)["accuracy"]
    tree.put_json(path, {"one": entry, "two": entry})
    (finding,) = heavy(tree, "accuracy-valid")
    assert (finding.path, finding.line) == (path, line_of(tree, path, '"two"'))
    tree.put_json(path, {"one": entry, "two": {**entry, "dataset_name": "other"}})
    assert heavy(tree, "accuracy-valid") == []


@pytest.mark.parametrize("data", [[], None, 7, {"accuracy_scores": 7}, {"accuracy_scores": [[]]}, {}, {"a": []}])
def test_any_json_is_read_without_an_exception(data: Any) -> None:
    content = read_accuracy(data)
    assert content.results == ()
    assert content.faults


# accuracy-coverage


@pytest.mark.parametrize("concurrency", [16, 20, 88])
def test_a_region_without_a_result_is_an_error_on_the_curve(concurrency: int) -> None:
    tree, curve = without([concurrency])
    (finding,) = heavy(tree, "accuracy-coverage")
    assert (finding.level, finding.path) == ("error", curve.path)
    assert "No accuracy result for " in finding.message


def test_another_point_of_the_region_serves_as_well() -> None:
    tree, _ = moved(1000, 512)
    # the elected Offline point needs a result of its own
    (finding,) = heavy(tree, "accuracy-coverage")
    assert finding.path.endswith("r1000")
    assert "elected" in finding.message


def test_one_point_below_32_does_not_stand_for_two_bands() -> None:
    tree, curve = without([20])
    (finding,) = heavy(tree, "accuracy-coverage")
    assert finding.path == curve.path
    assert "`r20`" in finding.message or "`r16`" in finding.message


def test_a_surplus_result_is_a_warning_at_its_file() -> None:
    tree, curve = curve_tree(GPT)
    tree.duplicate(curve.file(88, FILE), curve.file(256, FILE))
    tree.duplicate(curve.file(88, FILE), curve.file(512, FILE))
    assert places(heavy(tree, "accuracy-coverage")) == [
        ("accuracy-coverage", "warning", curve.file(512, FILE), 1),
    ]


def test_the_elected_point_is_never_surplus() -> None:
    tree, curve = curve_tree(GPT)
    tree.duplicate(curve.file(88, FILE), curve.file(512, FILE))
    assert heavy(tree, "accuracy-coverage") == []


def test_a_dedicated_offline_run_has_a_result_and_counts_for_no_region() -> None:
    tree, curve = curve_tree(GPT, offline="dedicated")
    assert heavy(tree, "accuracy-coverage") == []
    tree.remove(curve.file(6396, FILE))
    assert places(heavy(tree, "accuracy-coverage")) == [
        ("accuracy-coverage", "error", curve.point(6396), None),
    ]


def test_a_score_of_the_performance_run_is_no_accuracy_run() -> None:
    tree, path = edited(88, {}, KIMI)
    tree.edit_json(path, {"/accuracy_scores/1": GONE})
    (finding,) = heavy(tree, "accuracy-coverage")
    assert "Medium Concurrency" in finding.message


def test_a_file_that_can_not_be_read_is_told_once() -> None:
    tree, path = edited(88, {})
    tree.put(path, b"{")
    assert [found.path for found in heavy(tree, "input.json")] == [path]
    assert heavy(tree, "accuracy-coverage") == []


# accuracy-sample-count


@pytest.mark.parametrize(
    ("samples", "repeats", "fails"),
    [(4394, 1, True), (4395, 1, False), (2197, 2, True), (2198, 2, False), (0, 1, True)],
)
def test_samples_times_repeats_reach_the_models_number(samples: int, repeats: int, fails: bool) -> None:
    tree, path = edited(88, {"/accuracy/num_samples": samples, "/accuracy/n_repeats": repeats})
    line = line_of(tree, path, '"accuracy"')
    expected = [("accuracy-sample-count", "error", path, line)] if fails else []
    assert places(heavy(tree, "accuracy-sample-count")) == expected


def test_parts_of_the_data_set_add_up() -> None:
    tree, path = edited(88, {})
    entry = tree.json(path)["accuracy"]
    parts = {name: {**entry, "dataset_name": name, "num_samples": count} for name, count in (("a", 4000), ("b", 395))}
    tree.put_json(path, parts)
    assert heavy(tree, "accuracy-sample-count") == []
    tree.edit_json(path, {"/b/num_samples": 394})
    assert len(heavy(tree, "accuracy-sample-count")) == 1


def test_samples_that_are_not_stated_are_a_warning() -> None:
    tree, path = edited(88, {"/accuracy/num_samples": GONE})
    assert places(heavy(tree, "accuracy-sample-count")) == [("accuracy-sample-count", "warning", path, 2)]


# accuracy-gate


@pytest.mark.parametrize(
    ("score", "fails"),
    [(82.2986, True), (82.2987, False), (0.822986, True), (0.822987, False), (-1, True), ("82.29", True), (0, True)],
)
def test_the_target_has_no_tolerance(score: Any, fails: bool) -> None:
    tree, path = edited(88, {"/accuracy/score/exact_match": score})
    line = line_of(tree, path, '"exact_match"')
    expected = [("accuracy-gate", "error", path, line)] if fails else []
    assert places(heavy(tree, "accuracy-gate")) == expected


@pytest.mark.parametrize(
    ("name", "score", "fails"),
    [
        ("rouge1", 38.39, True),
        ("rougeL", 24.25, True),
        ("rougeLsum", 35.4, True),
        ("gen_len", 7_350_879, True),
        ("gen_len", 7_350_880, False),
        ("gen_len", 8_984_408, False),
        ("gen_len", 8_984_409, True),
    ],
)
def test_every_metric_of_a_model_is_gated(name: str, score: float, fails: bool) -> None:
    tree, path = edited(88, {f"/accuracy/score/{name}": score}, LLAMA)
    expected = [("accuracy-gate", "error", path, line_of(tree, path, f'"{name}"'))] if fails else []
    assert places(heavy(tree, "accuracy-gate")) == expected


def test_a_metric_of_unknown_name_fails() -> None:
    tree, path = edited(88, {"/accuracy/score": {"exactmatch": 99.0}})
    (finding,) = heavy(tree, "accuracy-gate")
    assert (finding.level, finding.path) == ("error", path)
    assert finding.line == line_of(tree, path, '"exactmatch"')
    assert "Did you mean `exact_match`?" in (finding.hint or "")


def test_an_unknown_metric_in_place_of_one_of_several_fails() -> None:
    tree, path = edited(88, {"/accuracy/score/rouge1": GONE, "/accuracy/score/rouge_one": 99.0}, LLAMA)
    assert places(heavy(tree, "accuracy-gate")) == [
        ("accuracy-gate", "error", path, line_of(tree, path, '"rouge_one"')),
    ]


def test_some_metrics_missing_is_one_warning_for_the_curve() -> None:
    tree, curve = curve_tree(LLAMA)
    for concurrency in ACCURACY_AT:
        tree.edit_json(curve.file(concurrency, FILE), {"/accuracy/score/gen_len": GONE})
    assert places(heavy(tree, "accuracy-gate")) == [("accuracy-gate", "warning", curve.file(16, FILE), 2)]


def test_an_unnamed_score_counts_where_the_model_has_one_metric_only() -> None:
    tree, path = edited(88, {"/accuracy/score": 82.0})
    assert places(heavy(tree, "accuracy-gate")) == [("accuracy-gate", "error", path, line_of(tree, path, '"score"'))]
    tree, path = edited(88, {"/accuracy/score": 99.0}, LLAMA)
    assert [found.level for found in heavy(tree, "accuracy-gate")] == ["error"]


def test_the_mean_is_weighted_by_samples() -> None:
    tree, path = edited(88, {})
    entry = tree.json(path)["accuracy"]

    def part(name: str, samples: int, score: float) -> dict[str, Any]:
        return {**entry, "dataset_name": name, "num_samples": samples, "score": {"exact_match": score}}

    tree.put_json(path, {"a": part("a", 4000, 80.0), "b": part("b", 8000, 90.0)})
    assert heavy(tree, "accuracy-gate") == []
    assert facts(tree, "accuracy_exact_match")[path] == pytest.approx((4000 * 80 + 8000 * 90) / 12000)
    tree.put_json(path, {"a": part("a", 8000, 80.0), "b": part("b", 4000, 85.0)})
    assert [found.level for found in heavy(tree, "accuracy-gate")] == ["error"]


def test_a_model_without_a_target_gets_a_notice() -> None:
    tree, curve = curve_tree(GPT)
    other = curve.path.replace(GPT, "other-model")
    tree.rename(curve.path, other)
    for path in tree.find("*/point.yaml"):
        tree.edit_yaml(path, {"/model_name": "other-model"})
    assert places(all_of(tree, "accuracy-gate")) == [("accuracy-gate", "notice", other, None)]


def test_under_a_wrong_folder_the_declared_model_is_gated() -> None:
    tree, curve = curve_tree(GPT)
    tree.edit_json(curve.file(88, FILE), {"/accuracy/score/exact_match": 1.5})
    tree.rename(curve.path, curve.path.replace(GPT, "gpt_oss"))
    assert [found.level for found in heavy(tree, "accuracy-gate")] == ["error"]


@pytest.mark.parametrize(("score", "fails"), [(100, False), (100.1, True), (8350, True)])
def test_a_score_in_percent_is_at_most_100(score: float, fails: bool) -> None:
    tree, path = edited(88, {"/accuracy/score/exact_match": score})
    expected = [("accuracy-gate", "error", path, line_of(tree, path, "exact_match"))] if fails else []
    assert places(heavy(tree, "accuracy-gate")) == expected


def test_a_score_that_is_no_number_is_told_once() -> None:
    tree, path = edited(88, {"/accuracy/score/rouge2": "NaN"}, LLAMA)
    assert [finding.path for finding in heavy(tree, "accuracy-valid")] == [path]
    assert heavy(tree, "accuracy-gate") == []


@pytest.mark.parametrize(
    ("complete", "fails"), [(True, False), (None, False), (False, True), ("false", True), (0, True)]
)
def test_a_run_that_was_not_completed_is_an_error(complete: Any, fails: bool) -> None:
    tree, path = edited(88, {"/accuracy/complete": complete})
    expected = [("accuracy-valid", "error", path, line_of(tree, path, '"complete"'))] if fails else []
    assert places(heavy(tree, "accuracy-valid")) == expected


# multi-turn


@pytest.mark.parametrize(
    ("score", "told"), [({"a": 0.99, "b": 0.1}, "2 scores"), (990.0, "fraction"), (59, "fraction")]
)
@pytest.mark.parametrize(
    ("entry", "name", "rule"),
    [(0, "performance", "agentic-accuracy-inline"), (1, "swe_bench", "agentic-accuracy-swebench")],
)
def test_a_multi_turn_score_is_one_fraction(entry: int, name: str, rule: str, score: Any, told: str) -> None:
    tree, path = edited(88, {f"/accuracy_scores/{entry}/score": score}, KIMI)
    (finding,) = heavy(tree, rule)
    assert (finding.level, finding.path) == ("error", path)
    assert finding.line == line_of(tree, path, name, '"score"')
    assert told in finding.message


def with_another_result(name: str, score: float) -> tuple[FileTree, str]:
    """A curve whose point r88 has another accuracy result beside its own."""
    tree, curve = curve_tree(KIMI)
    path = curve.file(88, FILE)
    scores = tree.json(path)["accuracy_scores"]
    tree.edit_json(path, {"/accuracy_scores": [*scores, {**scores[1], "dataset_name": name, "score": score}]})
    return tree, path


def test_several_swe_bench_results_of_a_point_are_a_warning_and_the_lowest_counts() -> None:
    tree, path = with_another_result("SWE-bench", 0.93)
    (finding,) = heavy(tree, "agentic-accuracy-swebench")
    assert (finding.level, finding.path) == ("warning", path)
    assert finding.line == line_of(tree, path, "SWE-bench") - 1  # the result begins above its name
    assert "lowest" in finding.message
    tree, path = with_another_result("SWE-bench", 0.5)
    assert [finding.level for finding in heavy(tree, "agentic-accuracy-swebench")] == ["error", "warning"]


def test_the_same_result_twice_is_told_by_the_rule_on_the_file() -> None:
    tree, path = with_another_result("swe_bench", 0.94)
    assert [finding.path for finding in heavy(tree, "accuracy-valid")] == [path]
    assert heavy(tree, "agentic-accuracy-swebench") == []


def test_a_result_of_another_data_set_does_not_stand_for_swe_bench() -> None:
    tree, curve = curve_tree(KIMI)
    for concurrency in ACCURACY_AT:
        tree.edit_json(curve.file(concurrency, FILE), {"/accuracy_scores/1/dataset_name": "gpqa"})
    (finding,) = heavy(tree, "agentic-accuracy-swebench")
    path = curve.file(16, FILE)
    assert (finding.level, finding.path) == ("error", path)
    assert "`gpqa`" in finding.message
    assert "`r20`, `r88`, `r1000`" in finding.message


def test_a_multi_turn_model_without_targets_is_a_warning() -> None:
    tree, curve = curve_tree(KIMI)
    other = curve.path.replace(KIMI, "kimi-k9")
    tree.rename(curve.path, other)
    for path in tree.find("*/point.yaml"):
        tree.edit_yaml(path, {"/model_name": "kimi-k9"})
    assert places(heavy(tree, "agentic-accuracy")) == [("agentic-accuracy", "warning", other, None)]
    for rule in ("agentic-accuracy-inline", "agentic-accuracy-swebench", "agentic-osl-range"):
        assert not_run(tree, rule) == ["no accuracy targets are known (see agentic-accuracy)"]


def test_multi_turn_rules_say_nothing_of_a_single_turn_curve() -> None:
    tree, _ = curve_tree(GPT)
    for rule in ("agentic-accuracy", "agentic-accuracy-inline", "agentic-accuracy-swebench", "agentic-osl-range"):
        assert all_of(tree, rule) == []


@pytest.mark.parametrize(("score", "fails"), [(0.5831, True), (0.5832, False), (1, False)])
def test_the_score_of_every_run_reaches_the_floor(score: float, fails: bool) -> None:
    tree, path = edited(512, {"/accuracy_scores/0/score": score}, KIMI)
    line = line_of(tree, path, '"score"')
    expected = [("agentic-accuracy-inline", "error", path, line)] if fails else []
    assert places(heavy(tree, "agentic-accuracy-inline")) == expected


def test_points_without_a_score_of_their_run_are_one_error() -> None:
    tree, curve = without([256, 512], KIMI)
    (finding,) = heavy(tree, "agentic-accuracy-inline")
    assert (finding.level, finding.path) == ("error", curve.path)
    assert "2 points" in finding.message
    assert "`r256`, `r512`" in finding.message


def swe_bench(scores: dict[int, float]) -> tuple[FileTree, Curve]:
    tree, curve = curve_tree(KIMI)
    for concurrency, score in scores.items():
        tree.edit_json(curve.file(concurrency, FILE), {"/accuracy_scores/1/score": score})
    return tree, curve


def test_multi_turn_results_pass_by_their_mean() -> None:
    tree, curve = swe_bench({16: 0.90, 20: 0.97, 88: 0.935, 1000: 0.935})
    assert heavy(tree, "agentic-accuracy-swebench") == []
    assert facts(tree, "accuracy_swe_bench")[curve.path] == pytest.approx(93.5)
    tree, curve = swe_bench({16: 0.90, 20: 0.97, 88: 0.935, 1000: 0.9349})
    (finding,) = heavy(tree, "agentic-accuracy-swebench")
    path = curve.file(16, FILE)
    assert (finding.level, finding.path) == ("error", path)
    assert finding.line == line_of(tree, path, "swe_bench", '"score"')


def test_a_short_set_of_results_is_a_warning() -> None:
    tree, curve = curve_tree(KIMI)
    tree.edit_json(curve.file(88, FILE), {"/accuracy_scores/1": GONE})
    assert places(heavy(tree, "agentic-accuracy-swebench")) == [
        ("agentic-accuracy-swebench", "warning", curve.path, None),
    ]


@pytest.mark.parametrize(("mean", "fails"), [(424.9, True), (425, False), (520, False), (520.1, True), (0, True)])
def test_output_lengths_lie_in_the_models_range(mean: float, fails: bool) -> None:
    tree, curve = curve_tree(KIMI)
    path = curve.file(256, "result_summary.json")
    tree.edit_json(path, {"/output_sequence_lengths_full_run/output_sequence_lengths/avg": mean})
    expected = [("agentic-osl-range", "error", path, line_of(tree, path, '"avg"'))] if fails else []
    assert places(heavy(tree, "agentic-osl-range")) == expected


def test_missing_output_lengths_are_one_warning() -> None:
    tree, curve = curve_tree(KIMI)
    for concurrency in (88, 256):
        tree.edit_json(curve.file(concurrency, "result_summary.json"), {"/output_sequence_lengths_full_run": GONE})
    assert places(heavy(tree, "agentic-osl-range")) == [
        ("agentic-osl-range", "warning", curve.file(88, "result_summary.json"), 1),
    ]


# scores that others must not hide


def scored(*results: dict[str, Any], model: str = GPT) -> tuple[FileTree, str]:
    """A valid tree but for the results of one point, each of a data set of its own."""
    tree, curve = curve_tree(model)
    path = curve.file(88, FILE)
    tree.put_json(path, {f"set{number}": result for number, result in enumerate(results)})
    return tree, path


@pytest.mark.parametrize("samples", [10**307, 10**200])
def test_a_mean_is_exact_for_any_number_of_samples(samples: int) -> None:
    tree, path = scored({"num_samples": samples, "n_repeats": samples, "score": {"exact_match": 70}})
    assert [finding.path for finding in heavy(tree, "accuracy-gate")] == [path]
    assert facts(tree, "accuracy_exact_match")[path] == 70


@pytest.mark.parametrize("nothing", [{"num_samples": 0}, {"num_samples": 9, "n_repeats": 0}])
def test_a_result_of_no_samples_has_no_weight(nothing: dict[str, int]) -> None:
    whole = {"num_samples": 4395, "score": {"exact_match": 70}}
    tree, path = scored(whole, {**nothing, "score": {"exact_match": 100}})
    assert [finding.path for finding in heavy(tree, "accuracy-gate")] == [path]
    assert facts(tree, "accuracy_exact_match")[path] == 70


def test_a_result_that_does_not_state_its_samples_is_told() -> None:
    whole = {"num_samples": 4395, "score": {"exact_match": 90}}
    tree, path = scored(whole, {"score": {"exact_match": 90}})
    (finding,) = heavy(tree, "accuracy-sample-count")
    assert (finding.level, finding.path, finding.line) == ("warning", path, line_of(tree, path, "set1"))
    assert "over `set1`" in finding.message


@pytest.mark.parametrize(("other", "fails"), [(90, True), (10, False)])
def test_two_spellings_of_a_metric_agree(other: int, fails: bool) -> None:
    tree, path = scored({"num_samples": 4395, "score": {"exact_match": 10, "Exact_Match": other}})
    expected = [("accuracy-valid", "error", path, line_of(tree, path, "Exact_Match"))] if fails else []
    assert places(heavy(tree, "accuracy-valid")) == expected
    assert len(heavy(tree, "accuracy-gate")) == (0 if fails else 1)


def test_every_result_has_a_score_of_the_benchmark() -> None:
    whole = {"num_samples": 4395, "score": {"exact_match": 90}}
    tree, path = scored(whole, {"num_samples": 9, "score": {"exactmatch": 90}})
    (finding,) = heavy(tree, "accuracy-gate")
    assert (finding.level, finding.path, finding.line) == ("error", path, line_of(tree, path, "exactmatch"))
    assert "`set1`" in finding.message
    assert "Did you mean `exact_match`" in str(finding.hint)
    assert heavy(scored(whole, {"num_samples": 9, "score": 90})[0], "accuracy-gate") == []


def test_a_result_at_the_boundary_stands_for_an_empty_region_too() -> None:
    tree = EndpointsTree()
    concurrencies = range(32, 39)
    tree.submission().system("sys_000").curve(GPT, concurrencies, c_max=34, accuracy_at=(32, 33, 34))
    assert heavy(tree, "accuracy-coverage") == []
    (path,) = tree.find("*/r34/accuracy_results.json")
    tree.remove(path)
    assert len(heavy(tree, "accuracy-coverage")) == 2  # the region of 34, and the empty one above it


def test_only_the_clients_own_word_marks_a_score_of_the_run() -> None:
    tree, _ = edited(88, {"/accuracy_scores/0/dataset_type": "PERFORMANCE"}, KIMI)
    (finding,) = heavy(tree, "agentic-accuracy-inline")
    assert "`r88`" in finding.message
