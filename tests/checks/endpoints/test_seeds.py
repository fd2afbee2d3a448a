"""Cohort arithmetic, adoption, binding and the runtime seeds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checks.endpoints.seeds import (
    Binding,
    Cohort,
    SeedMismatch,
    adoption_window,
    bind,
    has_lead_time,
    has_legacy_seeds,
    legacy_names,
    may_adopt,
    runtime_mismatches,
)
from checks.endpoints.tables import load_tables

TABLES = load_tables("2026-10")
SET_A = TABLES.seed_sets["A"]
PUBLISHED = Cohort.parse(SET_A.published_for)

cohorts = st.builds(Cohort, st.integers(1000, 9000), st.integers(1, 12), st.integers(0, 1))


def test_the_registry_keeps_seeds_beyond_2_to_the_63_exactly() -> None:
    assert SET_A.seeds == {
        "scheduler_rng_seed": 10487924139932647040,
        "sample_index_rng_seed": 586478644936801402,
        "model_seed": 9315206023656308754,
    }


def test_set_a_may_be_adopted_by_four_cohorts() -> None:
    window = adoption_window(PUBLISHED, TABLES.limits.adoption_cohorts)
    assert [str(cohort) for cohort in window] == ["2026-10-C1", "2026-11-C0", "2026-11-C1", "2026-12-C0"]


@pytest.mark.parametrize(
    ("target", "allowed"),
    [
        ("2026-10-C0", False),
        ("2026-10-C1", True),
        ("2026-11-C0", True),
        ("2026-12-C0", True),
        ("2026-12-C1", False),
        ("2027-10-C1", False),
    ],
)
def test_adoption(target: str, allowed: bool) -> None:
    assert may_adopt(PUBLISHED, Cohort.parse(target), TABLES.limits.adoption_cohorts) is allowed


def test_cohorts_cross_the_year() -> None:
    assert str(Cohort.parse("2026-12-C1").after(1)) == "2027-01-C0"
    assert str(Cohort.parse("2027-01-C0").after(-1)) == "2026-12-C1"


@pytest.mark.parametrize(
    "text",
    [
        "2026-10",
        "2026-10-C2",
        "2026-1-C0",
        "26-10-C0",
        " 2026-10-C0",
        "2026-10-C0\n",
        "2026-10-c0",
        "",
        None,
        2026,
        True,
    ],
)
def test_what_is_no_cohort_is_refused_with_an_example(text: object) -> None:
    with pytest.raises(ValueError, match="2026-10-C1"):
        Cohort.parse(text)


@pytest.mark.parametrize("text", ["2026-00-C0", "2026-13-C0"])
def test_a_month_that_does_not_exist_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="months run from 01 to 12"):
        Cohort.parse(text)


@pytest.mark.parametrize(("target", "enough"), [("2026-09-C1", False), ("2026-10-C0", False), ("2026-10-C1", True)])
def test_a_drafter_needs_two_cohorts_of_lead(target: str, enough: bool) -> None:
    assert has_lead_time(Cohort.parse("2026-09-C1"), Cohort.parse(target), TABLES.limits.drafter_lead_cohorts) is enough


def test_the_published_seeds_match() -> None:
    assert runtime_mismatches(SET_A.seeds, SET_A) == ()


@pytest.mark.parametrize(
    "wrong",
    [
        10487924139932647041,
        10487924139932647039,
        float(10487924139932647040),
        "10487924139932647040",
        None,
        True,
        [10487924139932647040],
    ],
)
def test_a_seed_that_is_not_exactly_the_published_integer_is_a_mismatch(wrong: object) -> None:
    runtime = {**SET_A.seeds, "scheduler_rng_seed": wrong}
    assert runtime_mismatches(runtime, SET_A) == (SeedMismatch("scheduler_rng_seed", wrong, 10487924139932647040),)


def test_an_absent_seed_is_a_mismatch() -> None:
    runtime = {name: seed for name, seed in SET_A.seeds.items() if name != "model_seed"}
    assert runtime_mismatches(runtime, SET_A) == (SeedMismatch("model_seed", None, SET_A.model_seed),)


def test_names_of_v0_7_are_read_and_told() -> None:
    runtime = {
        "scheduler_random_seed": SET_A.scheduler_rng_seed,
        "dataloader_random_seed": SET_A.sample_index_rng_seed,
        "model_seed": SET_A.model_seed,
    }
    assert runtime_mismatches(runtime, SET_A) == ()
    assert legacy_names(runtime) == ("scheduler_random_seed", "dataloader_random_seed")
    assert legacy_names(SET_A.seeds) == ()


@pytest.mark.parametrize(
    ("seeds", "expected"), [((42, 42), True), ((42, 43), False), ((42.0, 42), False), ((42, None), False)]
)
def test_the_fixed_seeds_of_v0_7(seeds: tuple[object, object], expected: bool) -> None:
    runtime = dict(zip(("scheduler_random_seed", "dataloader_random_seed"), seeds, strict=True))
    assert has_legacy_seeds(runtime) is expected


@pytest.mark.parametrize(
    ("declared", "base", "expected"),
    [
        (["A", "A"], [], Binding("A", (), is_amendment=False)),
        (["A", "B"], [], Binding(None, ("A", "B"), is_amendment=False)),
        ([], [], Binding(None, (), is_amendment=False)),
        (["A"], ["A"], Binding("A", (), is_amendment=True)),
        (["B", "A"], ["A"], Binding("A", ("B",), is_amendment=True)),
        (["B"], ["A", "A"], Binding("A", ("B",), is_amendment=True)),
        (["A"], ["A", "B"], Binding("A", (), is_amendment=False)),
    ],
)
def test_one_set_binds_a_submission_for_life(declared: list[str], base: list[str], expected: Binding) -> None:
    assert bind(declared, base) == expected


@given(cohorts, st.integers(-500, 500))
def test_moving_on_and_back_returns(cohort: Cohort, steps: int) -> None:
    assert cohort.after(steps).index == cohort.index + steps
    assert cohort.after(steps).after(-steps) == cohort
    assert Cohort.parse(str(cohort)) == cohort


@given(cohorts, cohorts)
def test_the_order_is_that_of_the_calendar(one: Cohort, other: Cohort) -> None:
    assert (one < other) == (one.index < other.index) == (str(one) < str(other))


@given(cohorts, st.integers(-6, 6))
def test_the_window_and_the_test_agree(published: Cohort, steps: int) -> None:
    target = published.after(steps)
    assert may_adopt(published, target, 4) == (target in adoption_window(published, 4))
