"""Rules on result_summary.json: its shape, and figures that must follow from each other."""

from typing import Any

import pytest

from tests.checks.endpoints.one_curve import all_of, curve_tree, facts, heavy, line_of
from tests.checks.support import places
from tests.trees.endpoints import Curve
from tests.trees.storage_files import GONE, FileTree

AGENTIC = "kimi-k3"


def summary_tree(changes: dict[str, Any], model: str = "llama3_1-8b") -> tuple[FileTree, str]:
    """A valid tree but for the changes to one summary, and the path of that."""
    tree, curve = curve_tree(model)
    path = curve.file(256, "result_summary.json")
    tree.edit_json(path, changes)
    return tree, path


def expect(rule: str, changes: dict[str, Any], keys: str | None, model: str = "llama3_1-8b") -> None:
    """`rule` makes one error, at the line of the last of the `keys` (""; the first line; None: no error)."""
    tree, path = summary_tree(changes, model)
    expected = [] if keys is None else [(rule, "error", path, line_of(tree, path, *keys.split()))]
    assert places(all_of(tree, rule)) == expected


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"/n_samples_completed": GONE}, ""),
        ({"/duration_ns": GONE}, ""),
        ({"/duration_ns": "1200"}, '"duration_ns"'),
        ({"/n_samples_completed": True}, '"n_samples_completed"'),
        ({"/n_samples_completed": 10.5}, '"n_samples_completed"'),
        ({"/n_samples_issued": -1}, '"n_samples_issued"'),
        ({"/system_tps": "abc"}, '"system_tps"'),
        ({"/tps_per_user": []}, '"tps_per_user"'),
        ({"/ttft": 7}, '"ttft"'),
        ({"/latency": None}, '"latency"'),
        ({"/ttft/percentiles/50": "7"}, '"50"'),
        ({"/tpot/percentiles/90.0": 1}, '"tpot" "percentiles"'),
        ({"/ttft/percentiles": {"p90": 1}}, '"ttft" "percentiles"'),
        ({"/ttft/percentiles": {"101": 1}}, '"ttft" "percentiles"'),
    ],
)
def test_a_summary_of_the_wrong_shape_is_an_error(changes: dict[str, Any], key: str) -> None:
    expect("result-file-valid", changes, key)


@pytest.mark.parametrize(
    "changes",
    [
        {"/n_samples_issued": GONE},
        {"/n_samples_completed": 26736.0},
        {"/latency": GONE},
        {"/more": {"of": "this"}},
        {"/ttft/percentiles": {"50.0": 4, "9e1": 8, "99.9": 9}},
    ],
)
def test_what_the_client_may_write_passes(changes: dict[str, Any]) -> None:
    expect("result-file-valid", changes, None)


def test_a_spelling_twice_with_one_value_passes() -> None:
    tree, path = summary_tree({})
    p90 = tree.json(path)["tpot"]["percentiles"]["90"]
    tree.edit_json(path, {"/tpot/percentiles/90.0": p90})
    assert all_of(tree, "result-file-valid") == []


@pytest.mark.parametrize(("p90", "fails"), [(8, False), (8.0, False), (7.9, True)])
def test_a_percentile_is_not_below_a_lower_one(p90: float, fails: bool) -> None:
    key = '"tpot" "percentiles"' if fails else None
    expect("result-file-valid", {"/tpot/percentiles": {"90.0": p90, "50": 8, "99": 9}}, key)


@pytest.mark.parametrize("document", ["[]", "7", '"text"', "null"])
def test_a_summary_that_is_no_object_is_told_once(document: str) -> None:
    tree, path = summary_tree({})
    tree.put(path, document)
    assert places(all_of(tree, "result-file-valid")) == [("result-file-valid", "error", path, 1)]
    for rule in ("metric-consistency-duration", "metric-consistency-system-tps", "metric-consistency-tpot-p90"):
        assert all_of(tree, rule) == []


@pytest.mark.parametrize("duration", [0, -1, -0.5])
def test_a_duration_has_to_be_above_zero(duration: float) -> None:
    expect("metric-consistency-duration", {"/duration_ns": duration}, '"duration_ns"')


def test_the_shortest_duration_is_above_zero() -> None:
    expect("metric-consistency-duration", {"/duration_ns": 1}, None)
    tree, path = summary_tree({"/duration_ns": 1_500_000_000})
    assert facts(tree, "duration_s")[path] == 1.5


@pytest.mark.parametrize(
    ("issued", "completed", "failed", "fails"),
    [(100, 99, 0, True), (100, 99, 2, True), (100, 99, 1, False), (0, 99, 0, False), (100, 100, None, False)],
)
def test_completed_and_failed_samples_are_the_issued(issued: int, completed: int, failed: Any, fails: bool) -> None:
    changes = {"/n_samples_issued": issued, "/n_samples_completed": completed, "/n_samples_failed": failed}
    expect("metric-consistency-accounting", changes, '"n_samples_issued"' if fails else None)


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"/output_sequence_lengths/total": -1}, '"output_sequence_lengths" "total"'),
        ({"/output_sequence_lengths/total": GONE}, '"output_sequence_lengths"'),
        ({"/output_sequence_lengths": GONE}, ""),
        ({"/output_sequence_lengths/total": -0.5}, None),
        ({"/output_sequence_lengths/total": 0}, None),
        ({"/output_sequence_lengths": 7}, None),
    ],
    ids=["negative", "no total", "no block", "counts as 0", "zero", "reported as shape"],
)
def test_output_tokens_are_stated_and_not_negative(changes: dict[str, Any], key: str | None) -> None:
    expect("metric-consistency-output-tokens", changes, key)


@pytest.mark.parametrize("total", [GONE, -1])
def test_nothing_is_computed_from_a_token_total_that_is_not_there(total: Any) -> None:
    tree, _ = summary_tree({"/output_sequence_lengths/total": total})
    for rule in ("metric-consistency-system-tps", "metric-consistency-tps-per-kw", "tps-utilization"):
        assert all_of(tree, rule) == []


@pytest.mark.parametrize(
    "pointer", ["/n_samples_dropped", "/output_sequence_lengths_full_run/output_sequence_lengths/avg"]
)
def test_a_figure_in_quotes_is_none(pointer: str) -> None:
    tree, path = summary_tree({}, AGENTIC)
    tree.edit_json(path, {pointer: "472"})
    line = line_of(tree, path, f'"{pointer.rpartition("/")[2]}"')
    assert places(all_of(tree, "result-file-valid")) == [("result-file-valid", "error", path, line)]
    assert all_of(tree, "agentic-osl-range") == []


def scaled(name: str, factor: float, model: str = "llama3_1-8b") -> dict[str, Any]:
    tree, path = summary_tree({}, model)
    return {f"/{name}": tree.json(path)[name] * factor}


@pytest.mark.parametrize(
    ("rule", "name", "model"),
    [
        ("metric-consistency-system-tps", "system_tps", "llama3_1-8b"),
        ("metric-consistency-tps-per-user", "tps_per_user", "llama3_1-8b"),
        ("agentic-metric-consistency", "e2e_avg_interactivity", AGENTIC),
    ],
)
def test_stored_figures_agree_within_one_percent(rule: str, name: str, model: str) -> None:
    for factor in (0.0, 0.98, 1.02):
        expect(rule, scaled(name, factor, model), f'"{name}"', model)
    for factor in (0.9901, 1.0, 1.0099):
        expect(rule, scaled(name, factor, model), None, model)
    expect(rule, {f"/{name}": GONE}, None, model)


def test_computed_figures_are_listed_as_facts() -> None:
    tree, path = summary_tree({})
    summary = tree.json(path)
    assert facts(tree, "system_tps")[path] == pytest.approx(summary["system_tps"])
    assert facts(tree, "tps_per_user")[path] == pytest.approx(summary["tps_per_user"])


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"/tpot/percentiles/90": 0}, '"tpot" "percentiles"'),
        ({"/tpot/percentiles/90": GONE}, '"tpot" "percentiles"'),
        ({"/tpot": GONE}, ""),
        ({"/tpot/percentiles": {"90.0": 5}}, None),
        ({"/tpot/percentiles": {"90": 1e-9}}, None),
    ],
    ids=["zero", "no percentile", "no block", "another spelling", "smallest"],
)
def test_the_time_per_output_token_has_its_90th_percentile(changes: dict[str, Any], key: str | None) -> None:
    expect("metric-consistency-tpot-p90", changes, key)


def test_a_dedicated_offline_run_has_no_time_per_output_token() -> None:
    tree, curve = curve_tree("gpt-oss-120b", offline="dedicated")
    assert heavy(tree, "metric-consistency-tpot-p90") == []
    _without_tpot(tree, curve, 1000)
    assert len(heavy(tree, "metric-consistency-tpot-p90")) == 1


def _without_tpot(tree: FileTree, curve: Curve, concurrency: int) -> None:
    tree.edit_json(curve.file(concurrency, "result_summary.json"), {"/tpot": GONE, "/tps_per_user": GONE})


def test_interactivity_without_a_basis_is_an_error() -> None:
    changes = {"/e2e_turn_time_seconds_total": GONE, "/latency": GONE}
    tree, path = summary_tree(changes, AGENTIC)
    line = line_of(tree, path, '"e2e_avg_interactivity"')
    assert places(all_of(tree, "agentic-metric-consistency")) == [
        ("agentic-metric-consistency", "error", path, line),
    ]


def test_interactivity_falls_back_to_the_totals_of_all_requests() -> None:
    lost = {"/output_tokens_per_turn_total": GONE, "/e2e_turn_time_seconds_total": GONE}
    tree, path = summary_tree(lost, AGENTIC)
    assert all_of(tree, "agentic-metric-consistency") == []
    tree.edit_json(path, {"/latency/total": 1})
    assert [item.level for item in all_of(tree, "agentic-metric-consistency")] == ["error"]


def test_interactivity_says_nothing_of_single_turn_points() -> None:
    expect("agentic-metric-consistency", {"/e2e_avg_interactivity": 1}, None)


@pytest.mark.parametrize(
    ("changes", "rule", "key"),
    [
        ({"/duration_ns": 5e-324}, "metric-consistency-duration", "duration_ns"),
        ({"/duration_ns": 0.5}, "metric-consistency-duration", "duration_ns"),
        ({"/tpot/percentiles": {"50": 0, "90": 5e-324}}, "metric-consistency-tpot-p90", "percentiles"),
        (
            {"/duration_ns": 1, "/output_sequence_lengths/total": 1e308, "/system_tps": GONE},
            "metric-consistency-output-tokens",
            "output_sequence_lengths",
        ),
    ],
)
def test_figures_too_small_or_too_large_to_compute_with(changes: dict[str, Any], rule: str, key: str) -> None:
    tree, path = summary_tree(changes)
    (finding,) = heavy(tree, rule)
    assert (finding.level, finding.path) == ("error", path)
    assert finding.line is not None
    assert finding.line >= line_of(tree, path, key)


def test_a_multi_turn_time_too_small_to_divide_by() -> None:
    lost = dict.fromkeys(("/e2e_turn_time_seconds_total", "/output_tokens_per_turn_total"), GONE)
    tree, path = summary_tree({**lost, "/latency/total": 5e-324}, AGENTIC)
    assert [finding.path for finding in heavy(tree, "agentic-metric-consistency")] == [path]


@pytest.mark.parametrize(
    ("total", "value"),
    [("e2e_turn_time_seconds_total", GONE), ("e2e_turn_time_seconds_total", 0), ("output_tokens_per_turn_total", GONE)],
)
def test_one_total_of_the_turns_alone_is_no_basis(total: str, value: Any) -> None:
    tree, path = summary_tree({f"/{total}": value}, AGENTIC)
    assert [finding.path for finding in heavy(tree, "agentic-metric-consistency")] == [path]
