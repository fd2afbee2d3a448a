"""Accuracy results matched to bands: as many bands as possible, each point once."""

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from checks.endpoints.matching import accuracy_coverage, maximum_matching
from checks.endpoints.regions import HIGH, LOW, MEDIUM, ULTRA_LOW, compute_regions
from checks.endpoints.tables import load_tables

BANDS = (ULTRA_LOW, LOW, MEDIUM, HIGH)
REGIONS = compute_regions(16, 1000, load_tables("2026-10").limits)


def candidates(*concurrencies: int) -> dict[int, tuple[str, ...]]:
    return {concurrency: REGIONS.bands_of(concurrency) for concurrency in concurrencies}


def test_one_result_in_each_band() -> None:
    found = accuracy_coverage(candidates(16, 20, 88, 1000), BANDS)
    assert found.assigned == {ULTRA_LOW: 16, LOW: 20, MEDIUM: 88, HIGH: 1000}
    assert (found.missing, found.surplus) == ((), ())


def test_a_point_never_stands_for_two_bands() -> None:
    found = accuracy_coverage(candidates(20, 88, 1000), BANDS)
    assert found.missing in ((ULTRA_LOW,), (LOW,))
    assert len(found.assigned) == 3


def test_a_point_moves_to_its_other_band_where_that_helps() -> None:
    """20 could be Ultra Low or Low, 24 too, 30 Ultra Low or Medium: a greedy choice loses one of them."""
    found = accuracy_coverage(candidates(20, 24, 30, 500), BANDS)
    assert found.missing == ()
    assert found.assigned[MEDIUM] == 30


def test_a_missing_band_and_a_surplus_point_are_named() -> None:
    found = accuracy_coverage(candidates(16, 20, 500, 1000, 1050), BANDS)
    assert found.missing == (MEDIUM,)
    assert found.surplus == (1000, 1050)


def test_an_elected_offline_point_is_used_last_and_never_surplus() -> None:
    found = accuracy_coverage(candidates(16, 20, 88, 512, 1000), BANDS, exempt={1000})
    assert found.assigned[HIGH] == 512
    assert found.surplus == ()
    assert accuracy_coverage(candidates(16, 20, 88, 1000), BANDS, exempt={1000}).assigned[HIGH] == 1000


def brute_force(points: dict[int, tuple[str, ...]]) -> int:
    choices = [(None, *bands) for bands in points.values()]
    sizes = [
        len(taken) for choice in product(*choices) if len(taken := [band for band in choice if band]) == len(set(taken))
    ]
    return max(sizes)


@given(st.dictionaries(st.integers(1, 40), st.lists(st.sampled_from(BANDS), unique=True).map(tuple), max_size=6))
def test_no_assignment_covers_more_bands(points: dict[int, tuple[str, ...]]) -> None:
    assigned = maximum_matching(points)
    assert len(assigned) == brute_force(points)
    assert len(set(assigned.values())) == len(assigned)
    assert all(band in points[point] for band, point in assigned.items())


@given(st.dictionaries(st.integers(1, 1100), st.lists(st.sampled_from(BANDS), unique=True).map(tuple), max_size=6))
def test_bands_and_points_are_all_accounted_for(points: dict[int, tuple[str, ...]]) -> None:
    found = accuracy_coverage(points, BANDS)
    assert set(found.assigned) | set(found.missing) == set(BANDS)
    assert set(found.assigned.values()) | set(found.surplus) == set(points)
    assert not set(found.assigned.values()) & set(found.surplus)
