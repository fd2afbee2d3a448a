"""The points of a curve as files: what each point's folder holds, how it is named, that no point stands twice."""

from __future__ import annotations

from collections.abc import Iterable

from checks import names
from checks.endpoints.book import rule
from checks.endpoints.curve_shape import CurvePoint, CurveShape
from checks.endpoints.inputs import ClientConfig, PointConfig, ResultSummary, SystemDesc
from checks.endpoints.metrics import is_same_run
from checks.endpoints.units import Curve
from checks.endpoints.values import figure, number, whole
from checks.findings import Finding
from checks.rules import Each, Outcome
from checks.units import counted, did_you_mean, listed


@rule("measurement-points-present", "pointFilesPresent", section="1")
def point_files_present(curve: Curve) -> Outcome:
    """Every point has its disclosure, `point.yaml`.

    Why: Without it nothing is known of the point but the concurrency in its folder's name.
    Mend: Add the point.yaml that was written for this run.
    """
    yield from _missing(curve, PointConfig.file_name, "Add the disclosure of the point under exactly this name.")


@rule("result-summary-present", "resultSummaryPresent", section="1")
def result_summary_present(curve: Curve) -> Outcome:
    """Every point has the reference client's `result_summary.json`.

    Why: It holds the measurement.
    Mend: Copy `performance/result_summary.json` of the run into the point's folder.
    """
    yield from _missing(curve, ResultSummary.file_name, "Copy performance/result_summary.json of the run here.")


@rule("system-description-present", "systemDescriptionPresent", section="8.2")
def system_description_present(curve: Curve) -> Outcome:
    """Every point has a copy of the system's description, `system_desc.json`.

    Why: It tells what was measured; a submission without it is rejected (9.1).
    Mend: Copy the description of the system into the point's folder.
    """
    yield from _missing(curve, SystemDesc.file_name, "Copy the system's description here.")


@rule("config-file-present", "clientConfigPresent", section="8.1")
def client_config_present(curve: Curve) -> Outcome:
    """Every point has the reference client's configuration, `config.yaml`.

    Why: Reviewers compare it with what point.yaml discloses.
    Mend: Copy the configuration that the run was started with.
    Contested: The documents call the file optional, the public checker demands it; its absence is a warning.
    """
    yield from _missing(curve, ClientConfig.file_name, "Copy the configuration that the client was started with.")


def _missing(curve: Curve, file_name: str, hint: str) -> Iterable[Finding]:
    """One finding for all points of a curve that lack a file: on the point's folder, or on the curve's for several."""
    lacking = [point for point in curve.points if file_name not in point.files]
    if not lacking:
        return
    if len(lacking) > 1:
        where = f"{len(lacking)} of {counted(len(curve.points), 'point')}: {listed(point.name for point in lacking)}"
        yield curve.finding(f"{file_name} is missing in {where}.", hint)
        return
    point = lacking[0]
    if file_name in point.entries:
        kind = point.entries[file_name].kind
        yield point.finding(f"{file_name} of {point.name} is a {kind}; a file is required.", hint, at=file_name)
        return
    yield point.finding(f"{file_name} of {point.name} is missing.", hint + did_you_mean(file_name, point.files))


@rule("config-file-present", "clientConfigMapping", section="8.1")
def client_config_mapping(curve: Curve, configs: Each[ClientConfig]) -> Outcome:
    """`config.yaml` is a YAML mapping.

    Why: Anything else is not the client's configuration.
    Mend: Copy the configuration that the run was started with.
    """
    for config in configs:
        if not isinstance(config.data, dict):
            yield config.finding("", "config.yaml holds no mapping of settings.", "Copy the client's configuration.")


@rule("point-dirname-concurrency", "pointFolderName", section="1")
def point_folder_name(curve: Curve, shape: CurveShape) -> Outcome:
    """A point's folder is named `r` and the concurrency that its point.yaml declares, without leading zeros.

    Why: Readers and tools find a point by its folder.
    Mend: Rename the folder, or correct `concurrency` if the folder is right.
    """
    for point in shape.points:
        declared = whole(point.config.get("/concurrency")) if point.config else None
        if declared is not None and declared != point.unit.concurrency:
            yield point.finding(
                "/concurrency",
                f"`concurrency` is {figure(declared)}, but the folder is named {point.unit.name}.",
                "Rename the folder to `r<concurrency>`, or correct the concurrency.",
            )
        elif point.unit.name != f"r{point.unit.concurrency}":
            hint = f"Rename it to `r{point.unit.concurrency}`."
            yield point.unit.finding(f"The folder's name `{point.unit.name}` has leading zeros.", hint)


@rule("duplicate-concurrency", "distinctConcurrencies", section="5.3")
def distinct_concurrencies(curve: Curve, shape: CurveShape) -> Outcome:
    """No two points of a curve have the same concurrency, neither by their point.yaml nor by their folders (`r512`
    beside `r0512`).

    Why: A measurement counted twice makes six points look like seven.
    Mend: Keep one of the points; measure another concurrency if the curve then has too few.
    """
    seen: dict[int, CurvePoint] = {}
    for point in sorted(shape.points, key=lambda item: len(item.unit.name)):
        for concurrency in dict.fromkeys((point.concurrency, point.unit.concurrency)):
            other = seen.setdefault(concurrency, point)
            if other is not point:
                message = (
                    f"Concurrency {figure(concurrency)} is given twice: by {other.unit.name} and by {point.unit.name}."
                )
                yield point.finding("/concurrency", message, "Keep one of the two; a measurement counts once.")
                break


@rule("duplicate-concurrency", "distinctMeasurements", section="5.3")
def distinct_measurements(curve: Curve, summaries: Each[ResultSummary]) -> Outcome:
    """No two points of a curve hold one measurement: result_summary.json of one is not that of another.

    Why: A measurement stands for the concurrency at which it was taken, and counts once.
    Mend: Copy the summary of the point's own run; if there was none, measure the point.
    Contested: The public checker does not compare points. Two runs never take the same time to the nanosecond and
    agree in every distribution.
    """
    seen: dict[object, list[ResultSummary]] = {}
    for summary in summaries:
        if not isinstance(summary.data, dict) or (duration := number(summary.get("/duration_ns"))) is None:
            continue
        alike = seen.setdefault((duration, number(summary.get("/output_sequence_lengths/total"))), [])
        other = next((other for other in alike if is_same_run(other.data, summary.data)), None)
        if other is None:
            alike.append(summary)
        elif not _is_one_concurrency(other, summary):
            message = f"The measurement is that of {listed([other.leaf])}: every figure is the same."
            hint = "Copy result_summary.json of this point's own run, or measure the point."
            yield summary.finding("/duration_ns", message, hint)


def _is_one_concurrency(one: ResultSummary, other: ResultSummary) -> bool:
    """Whether the folders name one concurrency, as r512 and r0512 do; the rule above tells of these."""
    return int(names.basename(one.folder)[1:]) == int(names.basename(other.folder)[1:])


@rule("point-rules-skipped", "everyPointJudged", section="1")
def every_point_judged(curve: Curve, shape: CurveShape) -> Outcome:
    """Every point of a curve could be judged by its point.yaml.

    Why: A point whose point.yaml can't be read counts by its folder's name only; its other faults show up once the file
    is mended.
    Mend: Mend the point.yaml named in the finding on the file, then check again.
    """
    hidden = [
        point.unit for point in shape.points if point.config is None and PointConfig.file_name in point.unit.files
    ]
    if hidden:
        what = "point is" if len(hidden) == 1 else "points are"
        message = f"{len(hidden)} {what} counted by the folder's name only: {listed(unit.name for unit in hidden)}."
        hint = "Mend the point.yaml and check again; further faults of these points are not shown yet."
        yield curve.finding(message, hint)
