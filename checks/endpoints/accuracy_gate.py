"""The accuracy target of single-turn curves (9.1): every result reaches it, without tolerance."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction

from checks.endpoints.accuracy_file import UNNAMED, AccuracyFile, Result, Score
from checks.endpoints.accuracy_inputs import CurveAccuracy
from checks.endpoints.book import rule
from checks.endpoints.document_faults import DocumentFault, told_once
from checks.endpoints.inputs import AccuracyResults
from checks.endpoints.table_types import PERCENT, Gate, Model
from checks.endpoints.tables import EditionTables
from checks.endpoints.units import Curve
from checks.findings import Fact, Level
from checks.rules import Outcome
from checks.units import did_you_mean, listed


@rule("accuracy-gate", "accuracyTarget", section="9.1")
def target(curve: Curve, accuracy: CurveAccuracy, tables: EditionTables) -> Outcome:
    """Every accuracy result of a single-turn curve reaches the model's target, without tolerance: for each metric the
    mean over the data sets, weighted by samples.

    Why: Accuracy is a hard gate; such a submission is rejected (9.1).
    Mend: Correct the deployment and repeat both runs of the point.
    Contested: The documents publish no targets; those of the public checker are used, a model without one gets a
    notice. A metric of unknown name is no score: where it stands in place of a known one, the result fails. A score
    from 0 to 1 is read as a fraction where the target is a percentage.
    """
    if accuracy.is_agentic:
        return
    gates = accuracy.model.gates if accuracy.model else {}
    if not gates and any(content.runs for _, _, content in accuracy.files):
        level = Level(tables.severity("accuracy-gate", "no-target"))
        yield curve.finding(
            f"No accuracy target is known for `{curve.shown}`; the scores were not judged.", level=level
        )
    lacking: list[tuple[AccuracyResults, DocumentFault]] = []
    for _, document, content in accuracy.files if gates else ():
        if content.runs and accuracy.model is not None:
            scored = _scored(content, accuracy.model)
            for name, values in scored.items():
                yield from _judge_metric(document, name, values, gates[name])
            lacking += [(document, fault) for fault in _lacks(content, scored, accuracy.model, tables)]
            if len(scored) == len(gates):
                lacking += [(document, fault) for fault in _ungated(content, accuracy.model)]
    yield from told_once(lacking)


def _scored(content: AccuracyFile, model: Model) -> dict[str, list[tuple[Score, int | None]]]:
    """The metrics of the model that have scores."""
    return {name: values for name in model.gates if (values := _scores_of(content, name, model))}


def _scores_of(content: AccuracyFile, metric: str, model: Model) -> list[tuple[Score, int | None]]:
    """The scores of a metric with the samples behind them; an unnamed score counts where the model has one metric."""
    names = (metric, UNNAMED) if len(model.gates) == 1 else (metric,)
    return [(result.scores[name], result.samples) for result in content.runs for name in names if name in result.scores]


def _judge_metric(
    document: AccuracyResults, name: str, values: Sequence[tuple[Score, int | None]], gate: Gate
) -> Outcome:
    beyond = next((score for score, _ in values if gate.is_percentage and score.value > PERCENT), None)
    if beyond is not None:
        message = f"{name} is {beyond.value:,.10g}; a percentage is at most {PERCENT}."
        yield document.finding(beyond.pointer, message, "Restore the accuracy file as the reference client wrote it.")
        return
    mean = in_percent(weighted_mean([(score.value, samples) for score, samples in values]), gate)
    yield Fact("", f"accuracy_{name}", mean, "", document.path)
    if not gate.passes(mean):
        bounds = [f"at least {gate.lower:,.10g}" if gate.lower is not None else ""]
        bounds.append(f"at most {gate.upper:,.10g}" if gate.upper is not None else "")
        over = f" (mean of {len(values)} data sets)" if len(values) > 1 else ""
        message = f"{name} {mean:,.10g}{over}, {' and '.join(filter(None, bounds))} required."
        hint = "There is no tolerance. Correct the deployment and repeat both runs of the point."
        yield document.finding(values[0][0].pointer, message, hint)


def weighted_mean(values: Sequence[tuple[float, int | None]]) -> float:
    """The mean of scores, weighted by their samples; alike where one does not state its samples, or all have none.

    Computed exactly: samples may be of any size, and a mean never lies outside of its scores.
    """
    stated = [(Fraction(value), samples) for value, samples in values if samples is not None]
    total = sum(samples for _, samples in stated)
    if len(stated) != len(values) or not total:
        return float(sum(Fraction(value) for value, _ in values) / len(values))
    return float(sum(value * samples for value, samples in stated) / total)


def in_percent(score: float, gate: Gate) -> float:
    """A fraction as a percentage where the gate is one."""
    bounds = [bound for bound in (gate.lower, gate.upper) if bound is not None]
    return score * PERCENT if 0 <= score <= 1 and max(bounds, default=0) > 1 else score


def _lacks(
    content: AccuracyFile, scored: Collection[str], model: Model, tables: EditionTables
) -> Iterator[DocumentFault]:
    """Metrics without a score: an error where nothing is gated or another name stands in their place."""
    told = {name for result in content.runs for name in result.unreadable}
    lacking = [name for name in model.gates if name not in scored and name not in told]
    if not lacking or not any(result.scores for result in content.runs):
        return
    unknown = _unknown_scores(content.runs, model)
    message = f"No score for {listed(lacking)} of {model.name}"
    if scored and not unknown:
        level = Level(tables.severity("accuracy-gate", "metric-missing"))
        message += "; only the others were judged."
        yield DocumentFault(content.runs[0].pointer, message, "Add all metrics of the benchmark.", level)
        return
    pointer = next((score.pointer for score in unknown.values()), content.runs[0].pointer)
    names = [name for name in unknown if name]
    instead = f"; it has no metric {listed(names)}" if names else "; a score has no name" if unknown else ""
    meant = did_you_mean(names[0], lacking) if names else ""
    yield DocumentFault(pointer, f"{message}{instead}.", f"Give the scores under the benchmark's names.{meant}")


def _unknown_scores(results: Sequence[Result], model: Model) -> Mapping[str, Score]:
    return {name: score for result in results for name, score in result.scores.items() if name not in model.gates}


def _ungated(content: AccuracyFile, model: Model) -> Iterator[DocumentFault]:
    """Results without any metric of the model, which the scores of others must not hide."""
    for result in content.runs:
        known = model.gates.keys() & (result.scores.keys() | result.unreadable)
        if result.scores and not known and not (UNNAMED in result.scores and len(model.gates) == 1):
            names = [name for name in result.scores if name]
            has = f"; it has {listed(names)}" if names else ""
            message = f"The result of {listed([result.dataset])} has no score for {listed(model.gates)}{has}."
            pointer = next(iter(result.scores.values())).pointer
            meant = did_you_mean(names[0], model.gates) if names else ""
            yield DocumentFault(pointer, message, f"Give the scores under the benchmark's names.{meant}")
