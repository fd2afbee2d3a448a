"""Rules 3.6.2, 3.6.3 and 4.6.3: which parameters a CLOSED or OPEN run may change.

Judged by the division that a run stands in; what its own record says of `verification` is not relied on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from checks.documents import described, number_in
from checks.edition import Edition
from checks.findings import Finding, Level
from checks.rules import Each, Outcome
from checks.storage.book import rule
from checks.storage.inputs import Metadata
from checks.storage.runs import accelerator_of, each_run
from checks.storage.terms import CLOSED, OPEN
from checks.storage.workloads import CheckpointingWorkload, TrainingWorkload
from checks.units import did_you_mean, listed

_PARAMS, _COMMAND = "/args/params", "/executed_command"
_IN_COMMAND = re.compile(r"(?<=\s)\+{0,2}workload\.([^\s=]+)=")


def shipped(tables: Mapping[str, Any], model: str, accelerator: str | None) -> dict[str, Any]:
    """What the shipped configuration of a workload fixes: dotted name -> value; more when the accelerator is known."""
    table = tables.get(model, {})
    return {**table.get("any", {}), **table.get("accelerators", {}).get(accelerator, {})}


def asked_for(record: Metadata) -> dict[str, str]:
    """The parameters that the submitter gave the tool: dotted name -> pointer to where. Raises Unusable."""
    params = record.get(_PARAMS)
    if isinstance(params, str):
        return {_name(word): _PARAMS for word in params.split()}
    count = len(record.array(_PARAMS, []))
    return {_name(record.text(f"{_PARAMS}/{place}")): f"{_PARAMS}/{place}" for place in range(count)}


def _name(assignment: str) -> str:
    return assignment.partition("=")[0].lstrip("+").removeprefix("workload.")


def overridden(record: Metadata) -> dict[str, str]:
    """Every parameter that a run changed: dotted name -> pointer to where it is recorded. Raises Unusable.

    By the tool's own list, by what the submitter asked for, and by the command that was executed.
    """
    command = dict.fromkeys(_IN_COMMAND.findall(record.text(_COMMAND, None) or ""), _COMMAND)
    keys = {key: "/override_parameters/" + key.replace("~", "~0").replace("/", "~1") for key in record.overrides}
    return {**command, **asked_for(record), **keys}


def _changes(division: str, allowed: Sequence[str], by_tool: Sequence[str], record: Metadata) -> Outcome:
    by_hand = {name: pointer for name, pointer in asked_for(record).items() if name in by_tool and name not in allowed}
    for name, pointer in overridden(record).items():
        if name not in allowed and name not in by_tool:
            yield record.finding(
                pointer,
                f"{listed([name])} was changed ({described(record.get(pointer))}); the rule's table doesn't list it "
                f"for {division}.{did_you_mean(name, allowed)}",
                f"Run again without it; {division} runs may change {listed(allowed, limit=len(allowed))}.",
            )
    if by_hand:
        yield record.finding(
            next(iter(by_hand.values())),
            f"Set by hand: {listed(by_hand)}; not in the table for {division}, but accepted, since the tool sets the "
            "same by itself.",
            level=Level.NOTICE,
        )


def _settings(
    division: str, allowed: Sequence[str], tables: Mapping[str, Any], model: str, record: Metadata
) -> Iterator[Finding]:
    """Effective parameters that differ from the shipped configuration without being recorded as changed."""
    told = overridden(record)
    for name, value in shipped(tables, model, accelerator_of(record)).items():
        pointer = "/parameters/" + name.replace(".", "/")
        found = record.get(pointer)
        if name not in told and name not in allowed and found is not None and not _same(found, value):
            yield record.finding(
                pointer,
                f"{listed([name])} is {described(found)}; the shipped configuration of {model} has {described(value)}, "
                f"and {division} runs may not change it.",
                "Run again with the shipped configuration.",
            )


def _same(found: Any, value: Any) -> bool:
    if isinstance(value, int | float) and isinstance(found, str):
        found = number_in(found)
    return bool(found == value)


def _training(workload: TrainingWorkload, records: Each[Metadata], edition: Edition, division: str) -> Outcome:
    training = edition["training"]
    tables = training["parameters"]
    allowed = [*tables[CLOSED], *(tables[OPEN] if division == OPEN else [])]
    yield from each_run(records, partial(_changes, division.upper(), allowed, tables["by_tool"]))
    yield from each_run(records, partial(_settings, division.upper(), allowed, training["shipped"], workload.name))


@rule("3.6.2", "trainingClosedSubmissionParameters")
def closed_training_parameters(workload: TrainingWorkload, records: Each[Metadata], edition: Edition) -> Outcome:
    """A CLOSED training run changes only the parameters of the rule's table.

    Why: Everything else is part of the workload; changed, results can't be compared.

    Mend: Run again without the parameter, or submit the result to OPEN if OPEN's table lists it.

    Contested: What the tool itself adds to `override_parameters` is not the submitter's change; the same parameters
    given by hand are a notice, as published results have them. `storage.storage_options.prefetch_window` is allowed
    by the document though not by every tool. Effective parameters are compared with the shipped configuration, too.
    """
    if workload.closed:
        yield from _training(workload, records, edition, CLOSED)


@rule("3.6.3", "trainingOpenSubmissionParameters")
def open_training_parameters(workload: TrainingWorkload, records: Each[Metadata], edition: Edition) -> Outcome:
    """An OPEN training run changes only the parameters of CLOSED's table and the few that OPEN adds.

    Why: Even OPEN results are of the same workload.

    Mend: Run again without the parameter.

    Contested: See 3.6.2 for what the tool adds.
    """
    if not workload.closed:
        yield from _training(workload, records, edition, OPEN)


@rule("4.6.3", "checkpointClosedCheckpointParameters")
def closed_checkpointing_parameters(
    workload: CheckpointingWorkload, records: Each[Metadata], edition: Edition
) -> Outcome:
    """A CLOSED checkpointing run changes only the parameters of the rule's table.

    Why: Everything else is part of the workload; changed, results can't be compared.

    Mend: Run again without the parameter.

    Contested: The table lists the checkpoint folder alone; the numbers of checkpoints are allowed by Table 3, the mode
    by 4.3.5, and storage parameters of object-API runs are set by the tool. Effective parameters are compared with
    the shipped configuration, too.
    """
    if workload.closed:
        checkpointing = edition["checkpointing"]
        tables = checkpointing["parameters"]
        yield from each_run(records, partial(_changes, CLOSED.upper(), tables[CLOSED], tables["by_tool"]))
        settings = partial(_settings, CLOSED.upper(), tables[CLOSED], checkpointing["shipped"], workload.name)
        yield from each_run(records, settings)
