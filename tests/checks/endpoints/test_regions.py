"""Regions: the table of Appendix B and its neighbours, the float arithmetic of the reference, empty regions, C_min."""

import math
import re
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checks.endpoints.regions import (
    HIGH,
    LARGEST_CONCURRENCY,
    LOW,
    LOW_LATENCY,
    MARGIN,
    MEDIUM,
    ULTRA_LOW,
    Band,
    Override,
    RegionError,
    Regions,
    agreed_override,
    compute_regions,
    minimum_concurrency,
)
from checks.endpoints.tables import load_tables

LIMITS = load_tables("2026-10").limits

# C_max, C_min, interval, then the ends of low latency, Low, Medium, High and margin; each starts after the one before.
TABLE = [
    (64, 2, 1.9847, 2, 6, 18, 64, 71),
    (128, 2, 2.3258, 2, 7, 27, 128, 141),
    (256, 2, 2.6629, 2, 8, 42, 256, 282),
    (256, 8, 2.6514, 8, 14, 47, 256, 282),
    (512, 8, 2.9924, 8, 16, 71, 512, 564),
    (1024, 8, 3.3296, 8, 18, 109, 1024, 1127),
    (512, 16, 2.9847, 16, 24, 79, 512, 564),
    (1024, 16, 3.3258, 16, 26, 117, 1024, 1127),
    (2048, 16, 3.6629, 16, 29, 176, 2048, 2253),
    (1024, 32, 3.3181, 32, 42, 131, 1024, 1127),
    (2048, 32, 3.6591, 32, 45, 192, 2048, 2253),
    (4096, 32, 3.9962, 32, 48, 287, 4096, 4506),
    (8192, 32, 4.3315, 32, 52, 437, 8192, 9012),
    (16384, 32, 4.6657, 32, 57, 676, 16384, 18023),
    (256, 1, 2.6648, 1, 7, 41, 256, 282),
    (1000, 16, 3.3142, 16, 26, 115, 1000, 1100),
    (1024, 1, 3.3329, 1, 11, 103, 1024, 1127),
    (33, 32, 0.0, 32, 33, 33, 33, 37),
    (34, 32, 0.3333, 32, 33, 34, 34, 38),
    (36, 32, 0.6667, 32, 34, 35, 36, 40),
    (33, 31, 0.3333, 31, 32, 33, 33, 37),
    (33, 1, 1.6667, 1, 4, 11, 33, 37),
    (40, 32, 1.0, 32, 34, 36, 40, 44),
    (100000, 32, 5.5364, 32, 78, 2186, 100000, 110001),
]


def regions(c_max: int, c_min: int) -> Regions:
    return compute_regions(c_min, c_max, LIMITS)


@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row[0]}-{row[1]}")
def test_bounds_are_those_of_the_published_table(row: tuple[int, int, float, int, int, int, int, int]) -> None:
    c_max, c_min, interval, latency, low, medium, high, margin = row
    found = regions(c_max, c_min)
    assert found.interval == pytest.approx(interval, abs=5e-5)
    assert found.low_latency == Band(LOW_LATENCY, 1, latency)
    assert found.low == Band(LOW, latency + 1, low)
    assert found.medium == Band(MEDIUM, low + 1, medium)
    assert found.high == Band(HIGH, medium + 1, high)
    assert found.margin == Band(MARGIN, high + 1, margin)


def test_the_slip_in_the_prose_of_section_5_4_is_not_followed() -> None:
    """The prose puts 16 into Low and ends Medium at 116; Appendix B starts Low at 17 and ends Medium at 117."""
    found = regions(1024, 16)
    assert found.region_of(16) == LOW_LATENCY
    assert found.region_of(17) == LOW
    assert found.region_of(117) == MEDIUM
    assert found.region_of(118) == HIGH


@pytest.mark.parametrize(("c_max", "highest"), [(50, 56), (100, 111), (1000, 1100), (100000, 110001)])
def test_the_margin_follows_the_binary_float_of_the_reference(c_max: int, highest: int) -> None:
    found = regions(c_max, 32)
    assert found.is_in_range(highest)
    assert not found.is_in_range(highest + 1)


def test_925_margins_differ_from_exact_arithmetic() -> None:
    exact = {c_max: math.ceil(Fraction(11, 10) * c_max) for c_max in range(33, 20001)}
    differing = [c_max for c_max, end in exact.items() if regions(c_max, 32).margin.end != end]
    assert len(differing) == 925
    assert all(regions(c_max, 32).margin.end == exact[c_max] + 1 for c_max in differing)


@pytest.mark.parametrize("concurrency", [0, -1, 1101])
def test_out_of_range_has_no_region(concurrency: int) -> None:
    found = regions(1000, 16)
    assert found.region_of(concurrency) is None
    assert not found.is_in_range(concurrency)


def test_an_empty_region_is_covered_at_its_boundary_value() -> None:
    found = regions(33, 32)
    assert found.medium.is_empty
    assert found.high.is_empty
    assert str(found.medium) == "empty, stands for 33"
    assert found.uncovered([32, 33]) == ()
    assert found.uncovered([32]) == (found.low, found.medium, found.high)


def test_an_empty_high_region_stands_for_the_end_of_medium() -> None:
    found = regions(34, 32)
    assert found.high.is_empty
    assert found.bands_of(34) == (MEDIUM, HIGH)
    assert found.bands_of(33) == (LOW,)


def test_ultra_low_reaches_to_32_whatever_c_min_is() -> None:
    found = regions(1000, 16)
    assert found.bands_of(16) == (ULTRA_LOW,)
    assert found.bands_of(20) == (ULTRA_LOW, LOW)
    assert found.bands_of(32) == (ULTRA_LOW, MEDIUM)
    assert found.bands_of(33) == (MEDIUM,)
    assert found.bands_of(1001) == ()


def test_a_declared_c_min_ends_ultra_low() -> None:
    found = compute_regions(16, 1000, LIMITS, overridden=True)
    assert found.bands_of(16) == (ULTRA_LOW,)
    assert found.bands_of(17) == (LOW,)


@pytest.mark.parametrize(
    ("c_min", "c_max"), [(0, 100), (33, 100), (16, 32), (16, 0), (-1, -1), (1, LARGEST_CONCURRENCY + 1), (1, 10**400)]
)
def test_impossible_bounds_are_refused(c_min: int, c_max: int) -> None:
    with pytest.raises(RegionError, match="C_m"):
        compute_regions(c_min, c_max, LIMITS)


def test_the_largest_c_max_still_has_regions() -> None:
    assert regions(LARGEST_CONCURRENCY, 1).high.end == LARGEST_CONCURRENCY


@pytest.mark.parametrize(
    ("concurrencies", "override", "value", "source"),
    [
        ([16, 64], None, 16, "lowest"),
        ([64, 128], None, 32, "clamped"),
        ([32], None, 32, "lowest"),
        ([8], 16, 16, "declared"),
    ],
)
def test_c_min(concurrencies: list[int], override: int | None, value: int, source: str) -> None:
    found = minimum_concurrency(concurrencies, LIMITS, override)
    assert (found.value, found.source) == (value, source)


def test_a_clamped_c_min_leaves_ultra_low_uncovered() -> None:
    c_min = minimum_concurrency([64, 128, 1000], LIMITS)
    found = compute_regions(c_min.value, 1000, LIMITS)
    assert [band.name for band in found.uncovered([64, 128, 1000])] == [ULTRA_LOW, LOW]


def test_no_declared_c_min_is_no_fault() -> None:
    assert agreed_override([], 7, [16, 1000], LIMITS) == Override()


def test_an_agreed_c_min_counts() -> None:
    assert agreed_override([16, 16], 2, [16, 1000], LIMITS) == Override(16)


@pytest.mark.parametrize(
    ("declared", "said"),
    [
        ([None, None], "is None"),
        (["16", "16"], "is '16'"),
        ([16.0, 16.0], "is 16.0"),
        ([True, True], "is True"),
        ([1, True], "is True"),
        ([0, 0], "is 0"),
        ([33, 33], "is 33"),
        ([16, 20], r"different.*\[16, 20\]"),
        ([16], "1 of 2 points"),
        ([20, 20], "no point of the curve"),
    ],
)
def test_a_faulty_declaration_of_c_min_is_named(declared: list[object], said: str) -> None:
    found = agreed_override(declared, 2, [1, 16, 1000], LIMITS)
    assert found.value is None
    assert found.fault is not None
    assert re.search(said, found.fault)


@given(c_min=st.integers(1, 32), c_max=st.integers(33, 100_000))
def test_the_regions_partition_1_to_c_max(c_min: int, c_max: int) -> None:
    found = compute_regions(c_min, c_max, LIMITS)
    bands = [found.low_latency, found.low, found.medium, found.high, found.margin]
    assert bands[0].start == 1
    assert all(after.start == before.end + 1 for before, after in pairwise(bands))
    assert found.high.end == c_max
    assert all(band.end >= band.start - 1 for band in bands)


@given(c_min=st.integers(1, 32), c_max=st.integers(33, 2000), concurrency=st.integers(-5, 2300))
def test_every_concurrency_in_range_has_exactly_one_region(c_min: int, c_max: int, concurrency: int) -> None:
    found = compute_regions(c_min, c_max, LIMITS)
    holding = [
        band.name
        for band in (found.low_latency, found.low, found.medium, found.high, found.margin)
        if concurrency in band
    ]
    assert holding == [found.region_of(concurrency)] if found.is_in_range(concurrency) else holding == []
