"""Rules 4.3.1 to 4.3.3: the size, model and settings of checkpointing runs."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from checks.documents import Document
from checks.edition import Edition
from checks.findings import Fact, Level
from checks.rules import Each, Outcome
from checks.storage.book import rule
from checks.storage.dlio_inputs import DlioConfig
from checks.storage.figures import apart, grouped, positive, positive_integer
from checks.storage.inputs import Metadata, Summary
from checks.storage.runs import each_run
from checks.storage.summaries import HOSTS, host_memory
from checks.storage.workloads import CheckpointingWorkload
from checks.units import did_you_mean, listed

SIZE = "/metric/checkpoint_size_GB"
MODEL = "/args/model"


@rule("4.3.1", "checkpointDataSizeRatio", level=Level.WARNING)
def checkpoints_outgrow_memory(workload: CheckpointingWorkload, summaries: Each[Summary], edition: Edition) -> Outcome:
    """The checkpoint data that each client writes is more than three times its memory; otherwise the filesystem cache
    has to be cleared between writing and reading.

    Why: What is still cached is read from memory, not from storage.

    Mend: Nothing, if the cache was cleared between the phases, or can't hold what another client wrote; say so in the
    system's document.

    Contested: No file records that a cache was cleared, so this is a warning. The data of a client is its share of one
    checkpoint, as the public checker counts, not of all ten.
    """
    yield from each_run(summaries, partial(_outgrows, edition["checkpointing"]["memory_ratio"]))


def _outgrows(ratio: int, summary: Summary) -> Outcome:
    hosts = positive_integer(summary, HOSTS)
    size, memory = positive(summary, SIZE) / hosts, host_memory(summary) / hosts
    yield Fact("", "checkpoint_over_memory", round(float(size / memory), 4), "times", summary.path)
    if size <= ratio * memory:
        found = apart(float(size / memory), ratio, 2)
        yield summary.finding(
            SIZE,
            f"Each of the clients ({hosts:,} in all) has {grouped(size)} GiB of a checkpoint and {grouped(memory)} GiB "
            f"of memory, a ratio of {found}; unless it is more than {ratio}, the cache must be cleared between writing "
            "and reading.",
            "Say in the system's document how the cache was cleared, or why none could be read from.",
        )


@rule("4.3.2", "checkpointFsyncVerification")
def records_say_fsync(workload: CheckpointingWorkload, records: Each[Metadata]) -> Outcome:
    """The parameters of every invocation set fsync at the end of a checkpoint write.

    Why: Without it a write ends when the data is in memory.

    Mend: Run again with the shipped configuration, which sets `checkpoint.fsync: true`.
    """
    yield from each_run(records, partial(_fsync, "/parameters/checkpoint/fsync"))


@rule("4.3.2", "checkpointFsyncVerification")
def configurations_say_fsync(workload: CheckpointingWorkload, configurations: Each[DlioConfig]) -> Outcome:
    """The configuration file that every invocation ran with sets fsync, too.

    Why: It is what the benchmark followed.

    Mend: Run again with the shipped configuration, which sets `checkpoint.fsync: true`.
    """
    yield from each_run(configurations, partial(_fsync, "/workload/checkpoint/fsync"))


def _fsync(pointer: str, document: Document) -> Outcome:
    if not document.boolean(pointer, text_ok=True):
        message = "`checkpoint.fsync` is off; each checkpoint write must end with an fsync."
        yield document.finding(pointer, message, "Run again with the shipped configuration.")


@rule("4.3.3", "checkpointModelConfigurationReq")
def model_is_one_of_four(workload: CheckpointingWorkload, records: Each[Metadata], edition: Edition) -> Outcome:
    """The run is of one of the four models of Table 2, the one its folder names, with that model's configuration.

    Why: Results are compared by model.

    Mend: Run again with the shipped configuration of the model, or move the result to the folder of its model.
    """
    yield from each_run(records, partial(_model, workload, edition["checkpointing"]["configurations"]))


def _model(workload: CheckpointingWorkload, tables: Mapping[str, Any], record: Metadata) -> Outcome:
    model = record.text(MODEL, None) or record.text("/model")
    pointer = MODEL if record.get(MODEL) else "/model"
    if model not in tables:
        message = f"The model {listed([model])} is none of {listed(tables)}.{did_you_mean(model, tables)}"
        yield record.finding(pointer, message, "Run one of the four models.")
    elif model != workload.name:
        message = f"This run is of {model}, but lies in the folder `{workload.shown}`."
        yield record.finding(pointer, message, f"Move it to `checkpointing/{model}`.")
    else:
        yield from _configuration(model, tables[model], record)


def _configuration(model: str, table: Mapping[str, int], record: Metadata) -> Outcome:
    for name, value in table.items():
        place = "/parameters/" + name.replace(".", "/")
        found = record.number(place, text_ok=True)
        if found != value:
            message = f"`{name}` is {grouped(found)}, {grouped(value)} in Table 2 for {model}."
            yield record.finding(place, message, "Run again with the shipped configuration of the model.")
