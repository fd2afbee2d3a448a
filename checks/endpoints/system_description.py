"""Rules on system_desc.json and on what point.yaml repeats of it (rules 8.2, 8.5): shape, agreement, C_max, names."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, Final

from checks import names
from checks.documents import described, shortened
from checks.endpoints.agreement import Odd, first_difference, odd_values
from checks.endpoints.book import rule
from checks.endpoints.curve_shape import C_MAX, CurveShape
from checks.endpoints.description_shape import description_faults
from checks.endpoints.document_faults import DocumentFault, told_once
from checks.endpoints.inputs import PointConfig, ResultSummary, SystemDesc
from checks.endpoints.metrics import summary_system_tps, utilization_agrees
from checks.endpoints.tables import EditionTables
from checks.endpoints.units import Curve, System
from checks.endpoints.values import figure, number, text, whole
from checks.findings import Finding, Level
from checks.rules import Each, Outcome
from checks.units import counted, listed, near_miss

UTILIZATION: Final = "/tps_utilization"
MODEL_NAME: Final = "/model_name"
LONGEST_NAME: Final = 64
"""Characters of a canonical model name (rules 8.1)."""


@rule("system-description-valid", "systemDescriptionShape", section="8.2")
def system_description_shape(curve: Curve, copies: Each[SystemDesc], tables: EditionTables) -> Outcome:
    """Every copy of system_desc.json has what the rules list, each value of its kind: names, availability with its
    address or date, sizes, and for each kind of node its processors, memory, network, driver and file system.

    Why: Readers compare systems by these figures.
    Mend: Fill in or correct the values that the findings name, in every copy.
    Contested: The public checker looks at the first copy only and reads "1000" as a number; here each copy counts, and
    a number in quotes is none.
    """
    yield from told_once((copy, fault) for copy in copies for fault in description_faults(copy.data, tables))


@rule("system-description-consistency", "sameSystem", section="8.5, 9.1")
def same_system(system: System, copies: Each[SystemDesc], tables: EditionTables) -> Outcome:
    """All copies of a system's description say the same, but for what may differ from point to point: parallelism,
    batching and utilization; between models also C_max and the serving software.

    Why: A curve shows one system; points of different systems can't stand on one.
    Mend: Describe the system as it was in all runs; if it changed, repeat the runs that differ.
    Contested: The public checker compares within one curve only; the same system under two models is one system.
    """
    per_point = tables.vocabulary["per_point_description_keys"]
    readable = [copy for copy in copies if isinstance(copy.data, dict)]
    by_curve: dict[str, list[SystemDesc]] = {}
    for copy in readable:
        by_curve.setdefault(names.parent(copy.folder), []).append(copy)
    usual_of_curves = []
    for found in by_curve.values():
        usual, odd = _usual_and_odd(found, per_point)
        usual_of_curves.append(usual)
        yield from odd
    if len(usual_of_curves) > 1:
        yield from _usual_and_odd(usual_of_curves, per_point | tables.vocabulary["per_model_description_keys"])[1]


def _usual_and_odd(copies: list[SystemDesc], ignored: Collection[str]) -> tuple[SystemDesc, list[Finding]]:
    """The first copy of those that most others equal, and a finding on the first of each other kind."""
    kinds: list[tuple[dict[str, Any], list[SystemDesc]]] = []
    for copy in copies:
        compared = {key: value for key, value in copy.data.items() if key not in ignored}
        known = next((found for content, found in kinds if content == compared), None)
        if known is None:
            kinds.append((compared, [copy]))
        else:
            known.append(copy)
    usual_content, usual = max(kinds, key=lambda kind: len(kind[1]))
    odd = [kind for kind in kinds if kind[1] is not usual]
    return usual[0], [_differs(found, content, usual[0], usual_content) for content, found in odd]


def _differs(
    copies: list[SystemDesc], content: Mapping[str, Any], usual: SystemDesc, usual_content: Mapping[str, Any]
) -> Finding:
    keys = [key for key in {**content, **usual_content} if content.get(key, ...) != usual_content.get(key, ...)]
    pointer = first_difference(content, usual_content)
    here, there = described(copies[0].get(pointer)), described(usual.get(pointer))
    where = f"{names.shown(names.basename(names.parent(usual.folder)))}/{usual.leaf}"
    more = f" So do {counted(len(copies) - 1, 'other copy', 'other copies')}." if len(copies) > 1 else ""
    detail = f" `{names.shown(pointer[1:])}` is {here} here and {there} there."
    message = f"The copy differs from that of {where} in {listed(keys)}.{detail}{more}"
    return copies[0].finding(pointer, message, "Describe the same system alike in every point.")


@rule("max-concurrency-declared", "maximumDeclared", section="9.1")
def maximum_declared(curve: Curve, copies: Each[SystemDesc], tables: EditionTables) -> Outcome:
    """system_desc.json declares C_max, `max_supported_concurrency`, and it lies above 32.

    Why: The regions follow from it; without it the submission is rejected (9.1).
    Mend: Declare the highest concurrency that the system supports, the same in every copy.
    Contested: The public checker names this rule but reports it under other ids.
    """
    floor = tables.limits.ultra_low_maximum
    absent = [copy for copy in copies if copy.get(C_MAX) is None]
    low = [copy for copy in copies if (declared := whole(copy.get(C_MAX))) is not None and declared <= floor]
    hint = f"Declare the highest supported concurrency, above {floor}."
    if absent:
        where = listed(copy.leaf for copy in absent)
        yield absent[0].finding(C_MAX, f"C_max (`max_supported_concurrency`) is not declared in {where}.", hint)
    if low:
        where = listed(copy.leaf for copy in low)
        stated = figure(whole(low[0].get(C_MAX)) or 0)
        message = f"C_max (`max_supported_concurrency`) is {stated} in {where}; more than {floor} required."
        yield low[0].finding(C_MAX, message, hint)


@rule("point-declaration-consistency", "pointAgreesWithSystem", section="8.2, 8.3")
def point_agrees_with_system(curve: Curve, shape: CurveShape, tables: EditionTables) -> Outcome:
    """C_max and the division that point.yaml declares are those of the system_desc.json beside it.

    Why: The regions follow from C_max, the requirements from the division; two values leave open which one counts.
    Mend: Correct the file that is wrong.
    Contested: The public checker does not compare them. Another division is a warning, since the word in
    system_desc.json decides nothing.
    """
    found: list[tuple[PointConfig, DocumentFault]] = []
    level = Level(tables.severity("point-declaration-consistency", "division"))
    for point in shape.points:
        if point.config is not None and point.description is not None:
            found += [(point.config, fault) for fault in _compared(point.config, point.description, level)]
    yield from told_once(found)


def _compared(config: PointConfig, description: SystemDesc, division_level: Level) -> Iterator[DocumentFault]:
    here, there = whole(config.get(C_MAX)), whole(description.get(C_MAX))
    if here is not None and there is not None and here != there:
        message = f"`max_supported_concurrency` is {figure(here)} here and {figure(there)} in system_desc.json."
        yield DocumentFault(C_MAX, message, "Declare the same C_max in both files.")
    here_division, there_division = text(config.get("/division")), text(description.get("/division"))
    if here_division and there_division and here_division.casefold() != there_division.casefold():
        message = f"`division` is {described(here_division)} here and {described(there_division)} in system_desc.json."
        yield DocumentFault("/division", message, "Name the same division in both files.", division_level)


@rule("tps-utilization", "utilizationAgrees", section="8.2")
def utilization(
    curve: Curve, copies: Each[SystemDesc], summaries: Each[ResultSummary], tables: EditionTables
) -> Outcome:
    """A point's `tps_utilization` is its throughput divided by the highest of the curve, within 0.1.

    Why: It tells how much of the system the point uses.
    Mend: Divide the point's system_tps by the highest system_tps of the curve.
    Contested: The public checker passes over a value that is missing; here that is a warning.
    """
    rates = dict(_rates(summaries))
    highest = max(rates.values(), default=0.0)
    absent = [copy for copy in copies if copy.get(UTILIZATION) is None]
    for copy in copies:
        declared, rate = number(copy.get(UTILIZATION)), rates.get(copy.folder)
        if declared is None or rate is None:
            continue
        if utilization_agrees(declared, rate, highest, tables.limits.utilization_tolerance) is False:
            message = (
                f"`tps_utilization` is {declared}, but {rate:,.1f} of at most {highest:,.1f} tokens/s are "
                f"{rate / highest:.3f}; within {tables.limits.utilization_tolerance} allowed."
            )
            yield copy.finding(UTILIZATION, message, "Divide system_tps by the highest system_tps of the curve.")
    if absent:
        message = f"`tps_utilization` is missing in {listed(copy.leaf for copy in absent)}."
        hint = "State system_tps divided by the highest system_tps of the curve."
        yield absent[0].finding(UTILIZATION, message, hint, Level(tables.severity("tps-utilization", "absent")))


def _rates(summaries: Iterable[ResultSummary]) -> Iterator[tuple[str, float]]:
    for summary in summaries:
        rate = summary_system_tps(summary.data) if isinstance(summary.data, dict) else None
        if rate is not None:
            yield summary.folder, rate


@rule("model-name-valid", "knownModel", section="3.2")
def known_model(curve: Curve, configs: Each[PointConfig], tables: EditionTables) -> Outcome:
    """`model_name` is the canonical name of a benchmark model.

    Why: Accuracy targets, the kind of benchmark and the place of the result follow from the name.
    Mend: Write the canonical name, in point.yaml and in the folder's name.
    """
    found: dict[str, list[PointConfig]] = {}
    for config in configs:
        name = config.get(MODEL_NAME)
        if isinstance(name, str) and name.strip() and name not in tables.models:
            found.setdefault(name, []).append(config)
    for name, wrong in found.items():
        near = near_miss(_canonical(name), tables.models)
        meant = f" Did you mean `{near}`?" if near else ""
        where = f" in {counted(len(wrong), 'point')}" if len(wrong) > 1 else ""
        message = f"`model_name` is {described(name)}{where}, which is no benchmark model: {listed(tables.models)}."
        yield wrong[0].finding(MODEL_NAME, message, f"Use the canonical name.{meant}")


def _canonical(name: str) -> str:
    """The form that tools make of a model's name: last part of a path, odd characters as one underscore."""
    last = names.basename(name.rstrip("/"))
    return re.sub(r"_+", "_", re.sub(r"[^\w-]", "_", last))[:LONGEST_NAME]


@rule("model-name-consistency", "modelFolderName", section="8.1")
def model_folder_name(curve: Curve, configs: Each[PointConfig], tables: EditionTables) -> Outcome:
    """The folder of a curve is named as the model that its points declare.

    Why: Results are found by the folder's name.
    Mend: Rename the folder, or correct `model_name` if the folder is right.
    """
    declared = [config for config in configs if text(config.get(MODEL_NAME)) is not None]
    if not declared:
        level = Level(tables.severity("model-name-consistency", "undeclared"))
        yield curve.finding("No point declares `model_name`, so the folder's name can't be compared.", level=level)
        return
    odd: list[Odd[PointConfig]] = list(odd_values(declared, MODEL_NAME))
    usual = odd[0].usual if odd else str(text(declared[0].get(MODEL_NAME)))
    if usual != curve.name:
        message = f"The folder is named `{curve.shown}`, but its points declare `{shortened(usual)}`."
        yield curve.finding(message, "Rename the folder, or correct `model_name` in the points.")
