"""The Offline point of a curve (rules 5.7): which one it is, and that it is the fastest."""

from __future__ import annotations

from typing import Final

from checks.documents import described
from checks.endpoints.book import rule
from checks.endpoints.curve_shape import DEDICATED, ELECTED, CurvePoint, CurveShape
from checks.endpoints.inputs import ResultSummary
from checks.endpoints.metrics import summary_system_tps
from checks.endpoints.tables import EditionTables
from checks.endpoints.units import Curve
from checks.endpoints.values import figure
from checks.findings import Level
from checks.rules import Each, Outcome
from checks.units import did_you_mean, listed

OFFLINE: Final = "/offline"


@rule("offline-declared", "offlineVocabulary", section="5.7")
def offline_vocabulary(curve: Curve, shape: CurveShape, tables: EditionTables) -> Outcome:
    """A point's `offline` is `dedicated`, `elected` or `none`.

    Why: The word decides which rules the point is judged by.
    Mend: Write one of the three words, or leave `offline` out.
    """
    words = sorted(tables.vocabulary["offline"])
    for point in shape.points:
        declared = point.config.get(OFFLINE) if point.config else None
        if declared is not None and declared not in words:
            meant = did_you_mean(declared, words) if isinstance(declared, str) else ""
            message = f"`offline` is {described(declared)}; allowed are {listed(words)}."
            yield point.finding(OFFLINE, message, f"Use one of the words, or leave it out.{meant}")


@rule("offline-point-present", "offlinePoint", section="5.7")
def offline_point(curve: Curve, shape: CurveShape, tables: EditionTables) -> Outcome:
    """A single-turn curve has one Offline point: a dedicated run, or the point at C_max elected as such. A multi-turn
    curve has none.

    Why: The Offline figure is published beside the curve; two of them would leave open which one counts.
    Mend: Declare `offline: elected` at the point at C_max, or add a dedicated run; for several, keep one.
    Contested: The requirements page has Offline results as an option, the newer rules demand them; that there are none
    is a warning.
    """
    offline = [point for point in shape.points if point.offline in (DEDICATED, ELECTED)]
    if shape.is_agentic:
        for point in offline:
            message = f"{point.unit.name} is declared as Offline point; a multi-turn curve has none."
            yield point.finding(OFFLINE, message, "Take `offline` out.")
    elif len(offline) > 1:
        where = listed(f"{point.unit.name} ({point.offline})" for point in offline)
        yield curve.finding(f"{len(offline)} Offline points, exactly one is allowed: {where}.", "Keep one of them.")
    elif not offline and shape.points:
        level = Level(tables.severity("offline-point-present", "missing"))
        hint = "Declare `offline: elected` at the point at C_max, or add a dedicated run."
        yield curve.finding("The curve has no Offline point.", hint, level=level)
    elif offline and offline[0].offline == ELECTED and shape.c_max not in (None, offline[0].concurrency):
        message = f"{offline[0].unit.name} is elected as Offline point, but C_max is {figure(shape.c_max)}."
        yield offline[0].finding(OFFLINE, message, "Only the point at C_max can be elected; else add a dedicated run.")


@rule("offline-ordering", "offlineFastest", section="5.7.2")
def offline_fastest(curve: Curve, shape: CurveShape, summaries: Each[ResultSummary], tables: EditionTables) -> Outcome:
    """A dedicated Offline run has at least the concurrency C_max, and at least 98 % of the throughput of the point at
    C_max.

    Why: Offline is what the system does without regard to latency; a slower run was not set up well.
    Mend: Repeat the Offline run, or elect the point at C_max.
    """
    readable = [summary for summary in summaries if isinstance(summary.data, dict)]
    rates = {summary.folder: summary_system_tps(summary.data) for summary in readable}
    at_c_max = next((point for point in shape.online if point.concurrency == shape.c_max), None)
    for point in shape.points:
        if not point.is_dedicated or shape.c_max is None:
            continue
        if point.concurrency < shape.c_max:
            message = f"The Offline run has concurrency {point.concurrency:,}, below C_max {shape.c_max:,}."
            yield point.finding("/concurrency", message, "Issue all samples at once.")
        if at_c_max is None:
            level = Level(tables.severity("offline-ordering", "no-c-max-point"))
            message = f"No point has exactly C_max {shape.c_max:,}, so the Offline run can't be compared with it."
            yield point.finding(OFFLINE, message, level=level)
        else:
            yield from _slower(point, at_c_max, rates, tables.limits.offline_throughput_ratio)


def _slower(point: CurvePoint, at_c_max: CurvePoint, rates: dict[str, float | None], ratio: float) -> Outcome:
    offline, highest = rates.get(point.unit.path), rates.get(at_c_max.unit.path)
    if offline is not None and highest is not None and offline < ratio * highest:
        message = (
            f"The Offline run reaches {offline:,.1f} tokens/s, {offline / highest:.1%} of the {highest:,.1f} of "
            f"{at_c_max.unit.name}; at least {ratio:.0%} expected."
        )
        yield point.finding(OFFLINE, message, "Repeat the Offline run, or elect the point at C_max.")
