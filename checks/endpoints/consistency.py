"""What all points of a curve must have in common (rules 6.1, 8.5, 9.1): the kind of benchmark, the model, the data."""

from __future__ import annotations

from collections.abc import Iterator

from checks.endpoints.agreement import disagreements
from checks.endpoints.book import rule
from checks.endpoints.curve_shape import CurveShape
from checks.endpoints.document_faults import DocumentFault, told_once
from checks.endpoints.inputs import PointConfig
from checks.endpoints.tables import EditionTables
from checks.endpoints.units import Curve
from checks.endpoints.values import text
from checks.rules import Each, Outcome

LOAD_PATTERN = "/runtime_settings/load_pattern"
DEFAULT_PATTERN = "concurrency"
"""What the client does where no load pattern is declared."""

_SAME_DATA = "All points of a curve use the same data set."


@rule("benchmark-type-consistency", "oneKindOfBenchmark", section="6.1, 8.5")
def one_kind_of_benchmark(curve: Curve, shape: CurveShape, tables: EditionTables) -> Outcome:
    """All points of a curve but a dedicated Offline run have one load pattern, that of the model's kind: multi-turn
    models `agentic_inference`, the others `concurrency`.

    Why: One curve is one benchmark; the pattern decides on durations, accuracy and Offline.
    Mend: Correct the pattern in the points that differ, if the runs were alike; else repeat them.
    """
    valid = tables.vocabulary["load_patterns"]
    configs = [point.config for point in shape.online if point.config]
    known = [config for config in configs if _pattern(config) in valid]
    yield from disagreements(known, LOAD_PATTERN, "All points of a curve run the same kind of benchmark.")
    yield from told_once((config, fault) for config in known for fault in _other_kind(config, tables))


def _other_kind(config: PointConfig, tables: EditionTables) -> Iterator[DocumentFault]:
    model, pattern = tables.models.get(text(config.get("/model_name")) or ""), _pattern(config)
    if model is not None and model.is_agentic != (pattern in tables.vocabulary["agentic_load_patterns"]):
        message = f"`load_pattern` is `{pattern}`, but the kind of {model.name} is {model.family}."
        yield DocumentFault(LOAD_PATTERN, message, "Run the benchmark with the pattern of its kind.")


def _pattern(config: PointConfig) -> str | None:
    """The declared load pattern, else the client's default; None for what is no text."""
    declared = config.get(LOAD_PATTERN)
    return DEFAULT_PATTERN if declared is None else text(declared)


@rule("config-consistency-dataset", "oneDataset", section="9.1")
def one_dataset(curve: Curve, configs: Each[PointConfig]) -> Outcome:
    """All points of a curve use one data set.

    Why: Points measured on different data can't stand on one curve.
    Mend: Correct the name where it is a slip; else repeat the run with the common data set.
    """
    for pointer in ("/dataset", "/dataset_name"):
        yield from disagreements(configs, pointer, _SAME_DATA)
    without = [config for config in configs if text(config.get("/dataset")) is None]
    if len(without) < len(configs):
        fault = DocumentFault("/dataset", "`dataset` is not declared, but other points declare it.", _SAME_DATA)
        yield from told_once((config, fault) for config in without)


@rule("config-consistency-model", "oneModel", section="9.1")
def one_model(curve: Curve, configs: Each[PointConfig]) -> Outcome:
    """All points of a curve serve one model in one precision.

    Why: The curve is that of one model; other weights are another curve.
    Mend: Correct the name where it is a slip; else repeat the run with the common model.
    """
    for pointer in ("/model_name", "/model_precision", "/link_to_model"):
        yield from disagreements(configs, pointer, "All points of a curve serve the same model.")
