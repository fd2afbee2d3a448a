"""Metrics of a measurement point (rules 4.1, 4.3, 4.5.3).

Recomputed from result_summary.json, and compared with stored figures.

Times in result_summary.json are nanoseconds, lengths are tokens. Every function is pure and takes finite numbers;
percentiles and nested figures are read by :func:`percentile` and :func:`figure`, which accept anything a parser may
return.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from checks.endpoints.numbers import is_number

NS_PER_S: Final = 1_000_000_000
NS_PER_MS: Final = 1_000_000
MS_PER_S: Final = 1000
_HUNDRED: Final = 100


class PercentileError(ValueError):
    """The percentiles of a metric can't be read.

    A key that is no percentile, or two spellings with different values.
    """


def normalized_percentiles(percentiles: Mapping[str, object]) -> dict[float, object]:
    """Percentiles by number: ``"90"`` and ``"90.0"`` are one.

    PercentileError names the key or the two that disagree.
    """
    found = {_percentile_number(key): value for key, value in percentiles.items()}
    if len(found) < len(percentiles):
        _refuse_contradiction(percentiles)
    return found


def _refuse_contradiction(percentiles: Mapping[str, object]) -> None:
    """Raises PercentileError where two spellings of one percentile differ in value."""
    met: dict[float, str] = {}
    for key, value in percentiles.items():
        first = met.setdefault(_percentile_number(key), key)
        if first != key and percentiles[first] != value:
            raise PercentileError(f"percentile keys {first!r} and {key!r} are the same and differ in value")


@lru_cache(maxsize=1 << 10)
def _percentile_number(key: str) -> float:
    try:
        number = float(key)
    except ValueError:
        number = -1.0
    if not 0 <= number <= _HUNDRED:
        raise PercentileError(f"{key!r} is not a percentile from 0 to 100")
    return number


def percentile(summary: Mapping[str, object], metric: str, number: float) -> float | None:
    """Value of a metric's percentile (``percentile(summary, "tpot", 90)``); None: absent or not a finite number.

    PercentileError: the percentiles can't be read.
    """
    block = summary.get(metric)
    percentiles = block.get("percentiles") if isinstance(block, dict) else None
    if not isinstance(percentiles, dict):
        return None
    value = normalized_percentiles(percentiles).get(number)
    return float(value) if is_number(value) else None


def figure(summary: Mapping[str, object], *keys: str) -> float | None:
    """The finite number under nested ``keys``; None where there is none."""
    value: object = summary
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return float(value) if is_number(value) else None


_MEASURED: Final = ("duration_ns", "n_samples_completed", "ttft", "tpot", "latency", "output_sequence_lengths")
"""What a run measures; the rest of a summary is derived from it or says how the run ended."""


def is_same_run(summary: Mapping[str, object], other: Mapping[str, object]) -> bool:
    """Whether two summaries hold one measurement: no two runs take the same time to the nanosecond and agree in every
    distribution. A summary without a duration is like no other.
    """
    if figure(summary, "duration_ns") is None:
        return False
    return all(summary.get(key) == other.get(key) for key in _MEASURED)


def system_tps(output_tokens: float, duration_ns: float) -> float | None:
    """Output tokens a second over the whole system (4.1); the total counts as whole tokens.

    None: the duration is not positive, or so short that nothing finite comes of it.
    """
    return _quotient(int(output_tokens), duration_ns / NS_PER_S)


def _quotient(figure: float, divisor: float) -> float | None:
    """Their quotient; None where the divisor is not above 0, as a denormal one in smaller units may not be either, or
    the quotient is beyond what can be computed with.
    """
    if divisor <= 0:
        return None
    try:
        found = figure / divisor
    except OverflowError:  # a whole number beyond a double
        return None
    return found if math.isfinite(found) else None


def tps_per_user(tpot_p90_ns: float) -> float | None:
    """Output tokens a second that a user sees: 1000 / TPOT P90 in ms (4.1). None: no positive TPOT."""
    return _quotient(MS_PER_S, tpot_p90_ns / NS_PER_MS)


def summary_system_tps(summary: Mapping[str, object]) -> float | None:
    """:func:`system_tps` of a result_summary.json; None without a duration or a token total from 0."""
    duration, tokens = figure(summary, "duration_ns"), figure(summary, "output_sequence_lengths", "total")
    if duration is None or tokens is None or int(tokens) < 0:
        return None
    return system_tps(tokens, duration)


def summary_tps_per_user(summary: Mapping[str, object]) -> float | None:
    """:func:`tps_per_user` of a result_summary.json; raises PercentileError."""
    tpot = percentile(summary, "tpot", 90)
    return None if tpot is None else tps_per_user(tpot)


def interactivity(summary: Mapping[str, object]) -> float | None:
    """``e2e_avg_interactivity`` of an agentic point, tokens a second (4.1).

    Per-turn totals, else the totals of all requests.

    The fallback needs a run without per-turn totals and without failed samples; None where no basis is complete.
    """
    tokens, seconds = figure(summary, "output_tokens_per_turn_total"), figure(summary, "e2e_turn_time_seconds_total")
    if tokens is not None or seconds is not None:
        return None if tokens is None or seconds is None else _quotient(tokens, seconds)
    lengths, latency = figure(summary, "output_sequence_lengths", "total"), figure(summary, "latency", "total")
    if figure(summary, "n_samples_failed") or lengths is None or latency is None:
        return None
    return _quotient(lengths, latency / NS_PER_S)


def tps_per_kw(tps: float, point_power_kw: float) -> float | None:
    """Power-normalised throughput of a point (4.5.3); None: no positive power."""
    return _quotient(tps, point_power_kw)


def agrees(stored: float, computed: float, tolerance: float) -> bool:
    """Whether ``stored`` lies within the relative ``tolerance`` of ``computed``, bounds included."""
    return math.isfinite(computed) and abs(stored - computed) <= tolerance * abs(computed)


def utilization_agrees(declared: float, tps: float, highest_tps: float, tolerance: float) -> bool | None:
    """Whether ``tps_utilization`` lies within ``tolerance`` (absolute, 8.2) of tps / highest tps.

    None: the highest is 0, so there is nothing to divide by.
    """
    return abs(declared - tps / highest_tps) <= tolerance if highest_tps > 0 else None


def accounts_for_all(issued: int, completed: int, failed: int) -> bool:
    """Whether completed + failed = issued (``metric-consistency-accounting``).

    0 issued means that it was not tracked.
    """
    return issued == 0 or completed + failed == issued
