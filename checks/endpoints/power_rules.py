"""Rules on the provisioned power of a system (4.5.2): its total, and what of it is estimated."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from checks import names
from checks.documents import Document
from checks.endpoints.book import rule
from checks.endpoints.inputs import PowerCopy, SystemPower
from checks.endpoints.power_inputs import ProvisionedPower
from checks.endpoints.power_result import POWER_DESCRIPTOR, POWER_ESTIMATED, PowerProblem, PowerResult
from checks.endpoints.units import System
from checks.findings import Fact, Finding, Level
from checks.rules import Each, Outcome
from checks.units import listed, near_miss

_MISSING_HINT: Final = (
    "Add system_power.json in the system's folder: `cpu`, `accelerator` and `scale_up_network`, each with count, "
    "power per unit and link."
)


@rule("power-descriptor", "provisionedPower", section="4.5.2, Appendix E")
def provisioned_power(
    system: System, document: SystemPower | None, power: ProvisionedPower | None, copies: Each[PowerCopy]
) -> Outcome:
    """Every system has a system_power.json that gives its provisioned power: the declared total, else the rack's
    scaled by nodes, else its components with the overhead that the cooling stands for.

    Why: Throughput per kilowatt divides by it, for every point of the system.
    Mend: State count, watts per unit and link of each component as installed, and the cooling in system_desc.json.
    Contested: The file is in use in two shapes, the documents' own and that of Appendix E; both are read, told apart by
    their keys. The public checker asks for no file in RDI and Serviced; the documents ask for it in every division. The
    newer rules add scale-out adapters and switches, which the documents' own shape leaves out; with switches stated, a
    notice gives the second figure.
    """
    if document is None or power is None:
        message = "system_power.json is missing: the provisioned power of the system is not known."
        other = next((name for name in system.files if near_miss(name, ["system_power.json"])), None)
        meant = f" Is it {listed([other])}?" if other else ""
        yield system.finding(message + " It is required in every division.", _MISSING_HINT + meant)
        return
    for problem in power.result.problems:
        if problem.rule == POWER_DESCRIPTOR:
            yield _located(document, problem)
    yield from _differing_copies(document, copies)
    yield from _figures(document, power.result)


def _located(document: Document, problem: PowerProblem) -> Finding:
    return document.finding(problem.pointer, problem.message, problem.way_out, Level(problem.level))


def _differing_copies(document: SystemPower, copies: Each[PowerCopy]) -> Iterator[Finding]:
    """Copies left in points that say something else: the bundle's build fails by that (system_power.json page)."""
    odd = [copy for copy in copies if copy.data != document.data]
    if odd:
        more = f" So does that of {listed(copy.leaf for copy in odd[1:])}." if odd[1:] else ""
        message = f"This copy says something else than the {names.basename(document.path)} of the system.{more}"
        yield odd[0].finding("", message, "Keep the system's file only, with the figures that are right.")


def _figures(document: SystemPower, result: PowerResult) -> Outcome:
    """The total as facts and as a notice that says how it came about."""
    if result.total_w is None:
        return
    yield Fact("", "provisioned_power_w", result.total_w, "W", document.path)
    if result.overhead is not None:
        yield Fact("", "overhead_fraction", result.overhead.fraction, "", document.path)
    if result.scale_out_total_w is not None:
        yield Fact("", "provisioned_power_with_scale_out_w", result.scale_out_total_w, "W", document.path)
    told = f"Provisioned power {result.total_w:,.10g} W ({result.provisioned_power_kw:,.10g} kW): {_derived(result)}."
    yield document.finding("", told, level=Level.NOTICE)


def _derived(result: PowerResult) -> str:
    beside = f"; the components give {result.component_total_w:,.10g} W" if result.component_total_w else ""
    if result.derived == "declared":
        return f"the declared total{beside}"
    if result.derived == "rack":
        return f"`rack_power_w` x `submitted_nodes` / `rack_nodes`{beside}"
    parts = [f"{part.name} {part.watts:,.10g} W" for part in result.parts]
    if result.derived == "node_sets":
        switches = [f"scale-out switches {result.switches_w:,.10g} W"] if result.switches_w else []
        return " + ".join(parts + switches) + ", overhead included"
    assert result.overhead is not None
    return f"({' + '.join(parts)}) x {1 + result.overhead.fraction:.4g}, by {result.overhead.source}"


@rule("power-estimated", "powerWithoutEstimates", section="4.5.2, Appendix D")
def power_without_estimates(system: System, document: SystemPower, power: ProvisionedPower) -> Outcome:
    """No default of MLCommons and no absent component reaches the total.

    Why: A result whose total rests on estimates carries the tag "MLC Estimated Power".
    Mend: State the component with a public source; a system without scale-up switches states 0 of them.
    """
    for problem in power.result.problems:
        if problem.rule == POWER_ESTIMATED:
            yield _located(document, problem)
