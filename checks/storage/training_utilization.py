"""Rule 3.3.2: accelerator utilization (AU), as recorded and as the document's formula gives it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

from checks.edition import Edition
from checks.findings import Fact, Finding, Level
from checks.rules import Each, Outcome, Present
from checks.storage.book import rule
from checks.storage.figures import apart, exact, grouped, positive
from checks.storage.inputs import Metadata, Summary
from checks.storage.parameters import shipped
from checks.storage.runs import accelerator_of, beside, each_run_alone
from checks.storage.summaries import ACCELERATORS
from checks.storage.training_size import BATCH
from checks.storage.workloads import TrainingWorkload
from checks.units import counted

MEAN = "/metric/train_au_mean_percentage"
EPOCHS = "/metric/train_au_percentage"
VERDICT = "/metric/train_au_meet_expectation"
RATE = "/metric/train_throughput_mean_samples_per_second"
STEP_SECONDS = "/parameters/train/computation_time"

_RUN_AGAIN = (
    "Run the workload again, with fewer simulated accelerators or faster storage: the six runs must be consecutive, a "
    "single one can't be replaced (2.1.17, 2.1.18)."
)


@rule("3.3.2", "trainingAcceleratorUtilizationCheck")
def utilization_reaches_the_minimum(
    workload: TrainingWorkload, summaries: Each[Summary], records: Present[Metadata], edition: Edition
) -> Outcome:
    """Accelerator utilization, the mean over the epochs of a run, is at least the minimum of the workload.

    Why: Below it the storage did not keep up with the number of accelerators that the result is reported for.

    Mend: Run the workload again, with fewer simulated accelerators or faster storage.

    Contested: The document announces a minimum value and then prints none; the minimum taken is the `metric.au` of the
    shipped configuration of each workload. The first of the six runs warms up and is not reported (2.1.17); the
    document makes no exception for it here, and the public checker judges all six, so that it must pass, too.
    """
    minimum = edition["training"]["minimum_utilization_percent"].get(workload.name)
    yield from each_run_alone(summaries, partial(_reached, workload, summaries, records, minimum))


def _reached(
    workload: TrainingWorkload,
    summaries: Sequence[Summary],
    records: Sequence[Metadata],
    minimum: float | None,
    summary: Summary,
) -> Outcome:
    mean = summary.number(MEAN)
    yield Fact("", "accelerator_utilization", mean, "%", summary.path)
    verdict = summary.text(VERDICT, None)
    if minimum is not None and mean < minimum:
        alike = [other for other in summaries if _kind(other, records) == _kind(summary, records)]
        text = f"Accelerator utilization {apart(mean, minimum)} %, at least {grouped(minimum)} % required for"
        yield summary.finding(MEAN, f"{text} {workload.shown}. {_compared(summary, alike, minimum)}", _RUN_AGAIN)
    elif verdict not in (None, "success"):
        text = f"The benchmark itself found that accelerator utilization ({grouped(mean)} %) fell short: `{verdict}`."
        yield summary.finding(VERDICT, text, _RUN_AGAIN)


def _kind(summary: Summary, records: Sequence[Metadata]) -> str | None:
    record = beside(summary, records)
    return accelerator_of(record) if record is not None else None


def _compared(summary: Summary, alike: Sequence[Summary], minimum: float) -> str:
    """What becomes of the run, beside the ``alike`` ones of the same accelerator."""
    first = min(alike, key=lambda item: item.leaf) is summary
    fate = "This run warms up and is not reported, but must pass, too" if first else "This run can't count"
    means = [value for item in alike if item is not summary and isinstance(value := item.get(MEAN), int | float)]
    short = sum(value < minimum for value in means)
    if short:
        return f"{fate}; {short} of the other {len(means)} fall short as well."
    if not means:
        return f"{fate}."
    return f"{fate}; the other {_NUMBER_WORDS.get(len(means), len(means))} reach {_span(means)} %."


_NUMBER_WORDS = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five"}


def _span(values: Sequence[float]) -> str:
    low, high = grouped(min(values)), grouped(max(values))
    return low if low == high else f"{low} to {high}"


@rule("3.3.2", "trainingAcceleratorUtilizationCheck")
def utilization_follows_from_the_formula(
    workload: TrainingWorkload, summaries: Each[Summary], records: Each[Metadata], edition: Edition
) -> Outcome:
    """The recorded accelerator utilization is what the document's formula gives for the recorded throughput, and the
    mean of the epochs that it is recorded for.

    Why: The figure decides whether a run counts; throughput says independently how busy the accelerators were.

    Mend: Restore summary.json as the benchmark wrote it; if it is, ask the maintainers to look at the run.

    Contested: The formula divides by the running time, which no file states without start-up; samples a second are the
    same samples over the same time, so that AU = samples a second × computation time ÷ (batch size × accelerators).
    The recorded figure leaves out the first step's I/O, hence the tolerance; only a figure above it is told.
    """
    training = edition["training"]
    yield from each_run_alone(summaries, partial(_follows, records, training, workload.name))


def _follows(records: Sequence[Metadata], training: Any, model: str, summary: Summary) -> Outcome:
    mean, tolerance = summary.number(MEAN), training["utilization_tolerance"]
    minimum = training["minimum_utilization_percent"].get(model)
    if minimum is not None and mean < minimum:  # it falls short as it is
        return
    epochs = [summary.number(f"{EPOCHS}/{place}") for place in range(len(summary.array(EPOCHS, [])))]
    average = sum(epochs) / len(epochs) if epochs else mean
    if mean - average > tolerance["of_epochs"]:
        over = f"its {counted(len(epochs), 'epoch')} {'averages' if len(epochs) == 1 else 'average'}"
        yield _doubtful(summary, mean, f"{over} {apart(average, mean)} %")
    record = beside(summary, records)
    computed = _by_formula(summary, record, model, training) if record is not None else None
    if computed is not None:
        yield Fact("", "accelerator_utilization_by_formula", round(computed, 4), "%", summary.path)
        if mean - computed > tolerance["of_formula"]:
            yield _doubtful(summary, mean, f"the recorded throughput gives {apart(computed, mean)} % by the formula")


def _by_formula(summary: Summary, record: Metadata, model: str, training: Any) -> float | None:
    """AU in percent; None when no throughput is recorded. Batch and step time are the shipped ones where known."""
    if summary.get(RATE) is None:
        return None
    known = shipped(training["shipped"], model, accelerator_of(record))
    seconds = _known(known, "train.computation_time", record, STEP_SECONDS)
    batch = _known(known, "reader.batch_size", record, BATCH)
    return float(100 * positive(summary, RATE) * seconds / (batch * positive(summary, ACCELERATORS)))


def _known(known: Mapping[str, Any], name: str, record: Metadata, pointer: str) -> Fraction:
    return exact(known[name]) if name in known else positive(record, pointer)


def _doubtful(summary: Summary, mean: float, other: str) -> Finding:
    return summary.finding(
        MEAN,
        f"The recorded accelerator utilization is {grouped(mean)} %, but {other}.",
        "Restore summary.json as the benchmark wrote it; if it is, ask the maintainers to look at the run.",
        Level.WARNING,
    )
