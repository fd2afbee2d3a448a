"""Rules on the power of points (4.5.3): the nodes that a point engages, throughput per kilowatt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from checks.documents import Document
from checks.endpoints.book import rule
from checks.endpoints.document_faults import DocumentFault, told_once
from checks.endpoints.inputs import ResultSummary
from checks.endpoints.metrics import agrees, summary_system_tps, tps_per_kw
from checks.endpoints.parallelism import judge_engagement
from checks.endpoints.point_power import judge_capacity
from checks.endpoints.power_inputs import CurvePower, EngagedPoint
from checks.endpoints.power_result import PowerProblem
from checks.endpoints.tables import EditionTables
from checks.endpoints.units import Curve
from checks.endpoints.values import number
from checks.findings import Fact, Finding, Level
from checks.rules import Each, Outcome
from checks.units import counted, listed

TPS_PER_KW: Final = "system_tps_per_kw"


@rule("nodes-used", "engagedNodes", section="4.5.3")
def engaged_nodes(curve: Curve, power: CurvePower) -> Outcome:
    """`nodes_used` of a point names each set of nodes once, with a whole number of nodes that the set has; together
    they hold the accelerators that the point's parallelism uses.

    Why: The power of a point is scaled by the nodes that it engages; too few of them flatter it.
    Mend: Name the sets by their `system_node_ensemble_id` with the nodes that took part, or leave `nodes_used` out.
    Contested: Older documents divide every point by the whole system's power. Where one figure stands for several sets
    of nodes, the largest engaged share scales it, which never flatters.
    """
    told = ((engaged.point.config, problem) for engaged in power.points for problem in _declaration(engaged, power))
    yield from _told_once((config, problem) for config, problem in told if config is not None)
    for engaged in power.points:
        if engaged.power.kw is not None and engaged.point.config is not None:
            yield Fact("", "point_power_kw", engaged.power.kw, "kW", engaged.point.config.path)


def _declaration(engaged: EngagedPoint, power: CurvePower) -> Iterator[PowerProblem]:
    yield from engaged.power.problems
    parallelism = engaged.parallelism
    if engaged.power.nodes_used and parallelism is not None and not parallelism.is_disaggregated:
        used = parallelism.accelerators_used
        fault = judge_capacity(engaged.power.nodes_used, power.provisioned.ensembles, used)
        yield from [fault] if fault else []


@rule("maximal-engagement", "wholeSystemEngaged", section="4.5.3")
def whole_system_engaged(curve: Curve, power: CurvePower) -> Outcome:
    """A point runs as many replicas as the system holds: data parallelism equals the provisioned accelerators divided
    by those of one replica (TP x PP x EP), rounded down.

    Why: Power is counted for the whole system; a point that leaves part of it idle has to say so.
    Mend: Correct the parallelism in system_desc.json, or declare `dp_shortfall` with dp_actual, dp_formula and reason.
    Contested: The rules don't say what a replica is in a disaggregated deployment; there, and where the parallelism or
    the accelerators are not stated, this is a warning that it can't be judged.
    """
    yield from _told_once(
        (document, problem)
        for engaged in power.points
        for problem in _engagement(engaged, power)
        if (document := _file_of(engaged, problem)) is not None
    )


def _engagement(engaged: EngagedPoint, power: CurvePower) -> Iterator[PowerProblem]:
    yield from engaged.faults
    if not engaged.faults and engaged.point.config is not None:
        shortfall = engaged.point.config.get("/dp_shortfall")
        fault = judge_engagement(engaged.parallelism, power.provisioned.ensembles, shortfall)
        yield from [fault] if fault else []


def _file_of(engaged: EngagedPoint, problem: PowerProblem) -> Document | None:
    """The file that a pointer is into: `dp_shortfall` stands in point.yaml, everything else in system_desc.json."""
    in_config = problem.pointer.startswith("/dp_shortfall")
    return engaged.point.config if in_config else engaged.point.description


def _told_once(problems: Iterable[tuple[Document, PowerProblem]]) -> Iterator[Finding]:
    """Each problem at the first document that has it."""
    return told_once((document, _fault(problem)) for document, problem in problems)


def _fault(problem: PowerProblem) -> DocumentFault:
    return DocumentFault(problem.pointer, problem.message, problem.way_out or "", Level(problem.level))


@rule("metric-consistency-tps-per-kw", "throughputPerKilowatt", section="4.5.3")
def throughput_per_kilowatt(
    curve: Curve, power: CurvePower, summaries: Each[ResultSummary], tables: EditionTables
) -> Outcome:
    """A stored `system_tps_per_kw` is the point's throughput divided by the point's power, within 1 %.

    Why: It is the figure that is published.
    Mend: Leave the stored figure out, or correct it.
    """
    power.provisioned.require_total()
    by_folder = {summary.folder: summary for summary in summaries}
    wrong: list[tuple[ResultSummary, str]] = []
    for engaged in power.points:
        summary = by_folder.get(engaged.point.unit.path)
        if summary is not None and engaged.power.kw is not None and isinstance(summary.data, dict):
            for found in _per_kilowatt(summary, summary.data, engaged.power.kw, tables.limits.metric_tolerance):
                if isinstance(found, str):
                    wrong.append((summary, found))
                else:
                    yield found
    if wrong:
        (first, message), others = wrong[0], [summary.leaf for summary, _ in wrong[1:]]
        more = f" So differ {counted(len(others), 'other point')}: {listed(others)}." if others else ""
        hint = "Leave the figures out, or divide by the power of each point."
        yield first.finding(f"/{TPS_PER_KW}", message + more, hint)


def _per_kilowatt(summary: ResultSummary, data: Mapping[str, Any], kw: float, tolerance: float) -> Iterator[Fact | str]:
    """The figure as a fact, and a text where the stored one differs."""
    tps = summary_system_tps(data)
    computed = None if tps is None else tps_per_kw(tps, kw)
    if tps is None or computed is None:
        return
    yield Fact("", TPS_PER_KW, computed, "tokens/s per kW", summary.path)
    stored = number(data.get(TPS_PER_KW))
    if stored is not None and not agrees(stored, computed, tolerance):
        yield (
            f"`{TPS_PER_KW}` is {stored:,.6g}, but {tps:,.6g} tokens/s / {kw:,.6g} kW are {computed:,.6g}; "
            f"within {tolerance:.0%} allowed."
        )
