"""Metrics recomputed from a result summary, percentile keys, tolerances."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checks.endpoints import metrics
from checks.endpoints.numbers import is_number, number_fault

SUMMARY: dict[str, object] = {
    "duration_ns": 600_000_000_000,
    "output_sequence_lengths": {"total": 158340.9492927473, "percentiles": {}},
    "tpot": {"total": 1e9, "percentiles": {"50": 928000.0, "90": 1160000.0}},
    "latency": {"total": 2_000_000_000_000.0},
    "n_samples_failed": 0,
}


def test_system_tps_counts_whole_tokens() -> None:
    assert metrics.summary_system_tps(SUMMARY) == 158340 / 600


def test_tps_per_user_is_the_inverse_of_the_90th_percentile() -> None:
    assert metrics.summary_tps_per_user(SUMMARY) == pytest.approx(1000 / 1.16)


@pytest.mark.parametrize("key", ["90", "90.0", "90.00", "9e1"])
def test_spellings_of_a_percentile_are_one(key: str) -> None:
    assert metrics.percentile({"tpot": {"percentiles": {key: 5}}}, "tpot", 90) == 5.0


def test_two_spellings_with_one_value_agree() -> None:
    assert metrics.normalized_percentiles({"90": 5, "90.0": 5.0}) == {90.0: 5}


def test_two_spellings_that_differ_are_a_conflict() -> None:
    with pytest.raises(metrics.PercentileError, match=r"'90' and '90\.0'"):
        metrics.normalized_percentiles({"90": 5, "90.0": 6})


@pytest.mark.parametrize("key", ["p90", "", "101", "-1", "nan", "inf"])
def test_a_key_that_is_no_percentile_is_named(key: str) -> None:
    with pytest.raises(metrics.PercentileError, match="not a percentile"):
        metrics.normalized_percentiles({key: 5})


@pytest.mark.parametrize("value", [None, "5", True, math.nan, math.inf, [5], 10**400])
def test_a_percentile_that_is_no_number_is_not_read(value: object) -> None:
    assert metrics.percentile({"tpot": {"percentiles": {"90": value}}}, "tpot", 90) is None


@pytest.mark.parametrize("block", [None, [], "x", {"percentiles": []}, {}])
def test_a_metric_of_another_shape_is_not_read(block: object) -> None:
    assert metrics.percentile({"tpot": block}, "tpot", 90) is None


def test_nothing_is_divided_by_zero() -> None:
    assert metrics.system_tps(100, 0) is None
    assert metrics.system_tps(100, -5) is None
    assert metrics.tps_per_user(0) is None
    assert metrics.tps_per_kw(5, 0) is None
    assert metrics.utilization_agrees(0.5, 1, 0, 0.1) is None


def test_interactivity_prefers_the_totals_per_turn() -> None:
    turns = {"output_tokens_per_turn_total": 300, "e2e_turn_time_seconds_total": 60}
    assert metrics.interactivity({**SUMMARY, **turns}) == 5.0
    assert metrics.interactivity(SUMMARY) == pytest.approx(158340.9492927473 / 2000)


def test_interactivity_needs_all_requests_without_the_totals_per_turn() -> None:
    assert metrics.interactivity({**SUMMARY, "n_samples_failed": 1}) is None
    assert metrics.interactivity({}) is None


@pytest.mark.parametrize(
    ("stored", "agrees"), [(100, True), (101, True), (99, True), (101.01, False), (98.9, False), (-100, False)]
)
def test_one_percent(stored: float, agrees: bool) -> None:
    assert metrics.agrees(stored, 100, 0.01) is agrees


def test_nothing_agrees_with_infinity() -> None:
    assert not metrics.agrees(5, math.inf, 0.01)


@pytest.mark.parametrize(("declared", "agrees"), [(0.5, True), (0.6, True), (0.4, True), (0.61, False), (0.39, False)])
def test_utilization_may_differ_by_a_tenth(declared: float, agrees: bool) -> None:
    assert metrics.utilization_agrees(declared, 50, 100, 0.1) is agrees


@pytest.mark.parametrize(
    ("issued", "completed", "failed", "balanced"),
    [(10, 9, 1, True), (10, 9, 0, False), (10, 11, -1, True), (0, 7, 0, True)],
)
def test_accounting(issued: int, completed: int, failed: int, balanced: bool) -> None:
    assert metrics.accounts_for_all(issued, completed, failed) is balanced


@pytest.mark.parametrize("value", [0, -1, 1.5, 10**18, 1e308])
def test_finite_numbers_are_numbers(value: float) -> None:
    assert is_number(value)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (True, "true, not a number"),
        ("350", "without quotes"),
        (None, "null"),
        ([], "a list"),
        ({}, "an object"),
        (math.nan, "nan, which is not a finite number"),
        (-math.inf, "-inf"),
        (10**400, "larger than"),
    ],
)
def test_what_is_no_number_says_why(value: object, said: str) -> None:
    assert said in (number_fault(value) or "")


@pytest.mark.parametrize(("value", "is_whole"), [(2, True), (2.0, True), (2.5, False)])
def test_whole_numbers(value: float, is_whole: bool) -> None:
    assert (number_fault(value, whole=True) is None) is is_whole


@given(st.floats(min_value=1, max_value=1e15), st.floats(min_value=1, max_value=1e15))
def test_rates_are_positive_and_finite(tokens: float, duration: float) -> None:
    tps = metrics.system_tps(tokens, duration)
    assert tps is not None
    assert 0 < tps < math.inf
