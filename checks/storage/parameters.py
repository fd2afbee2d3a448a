"""Rules 3.6.2, 3.6.3 and 4.6.3: which parameters a CLOSED or OPEN run may change.

Judged by the division that a run stands in; what its own record says of `verification` is not relied on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from checks.documents import described, number_in
from checks.edition import Edition
from checks.findings import Finding, Level
from checks.hygiene.limits import names_secret
from checks.rules import Each, Outcome, Present
from checks.storage.book import in_closed, in_open, rule
from checks.storage.dlio_inputs import DlioOverrides
from checks.storage.inputs import Metadata
from checks.storage.overrides import asked_for, overridden
from checks.storage.runs import accelerator_of, beside, each_run
from checks.storage.terms import CLOSED, OPEN
from checks.storage.workloads import CheckpointingWorkload, TrainingWorkload
from checks.units import did_you_mean, listed


def shipped(tables: Mapping[str, Any], model: str, accelerator: str | None) -> dict[str, Any]:
    """What the shipped configuration of a workload fixes: dotted name -> value; more when the accelerator is known."""
    table = tables.get(model, {})
    return {**table.get("any", {}), **table.get("accelerators", {}).get(accelerator, {})}


@dataclass(frozen=True)
class Freedom:
    """What the runs of a workload may change in their division: ``allowed`` by the rule's table, ``by_tool`` since the
    tool does it by itself. Everything else is as the ``shipped`` configurations of the ``model`` have it.
    """

    division: str
    allowed: Sequence[str]
    by_tool: Sequence[str]
    shipped: Mapping[str, Any]
    model: str

    @classmethod
    def of_training(cls, workload: TrainingWorkload, division: str, edition: Edition) -> Freedom:
        """By 3.6.2, in OPEN also by 3.6.3."""
        training = edition["training"]
        tables = training["parameters"]
        allowed = [*tables[CLOSED], *(tables[OPEN] if division == OPEN else [])]
        return cls(division.upper(), allowed, tables["by_tool"], training["shipped"], workload.name)


def _judged(freedom: Freedom, records: Each[Metadata], lists: Sequence[DlioOverrides]) -> Outcome:
    yield from each_run(records, partial(_changes, freedom, lists))
    yield from each_run(records, partial(_settings, freedom, lists))


def _changes(freedom: Freedom, lists: Sequence[DlioOverrides], record: Metadata) -> Outcome:
    allowed, division = freedom.allowed, freedom.division
    for name, change in overridden(record, beside(record, lists)).items():
        if name not in allowed and name not in freedom.by_tool:
            yield change.document.finding(
                change.pointer,
                f"{listed([name])} was changed ({_shown(name, change.value)}); the rule's table doesn't list it for "
                f"{division}.{did_you_mean(name, allowed)}",
                f"Run again without it; {division} runs may change {listed(allowed, limit=len(allowed))}.",
            )
    by_hand = {name: change for name, change in asked_for(record).items() if name in freedom.by_tool}
    if others := [name for name in by_hand if name not in allowed]:
        yield record.finding(
            by_hand[others[0]].pointer,
            f"Set by hand: {listed(others)}; not in the table for {division}, but accepted, since the tool sets the "
            "same by itself.",
            level=Level.NOTICE,
        )


def _shown(name: str, value: Any) -> str:
    return "its value is not shown" if names_secret(name) else described(value)


def _settings(freedom: Freedom, lists: Sequence[DlioOverrides], record: Metadata) -> Iterator[Finding]:
    """Effective parameters that differ from the shipped configuration without being recorded as changed."""
    free = {*overridden(record, beside(record, lists)), *freedom.allowed}
    for name, value in shipped(freedom.shipped, freedom.model, accelerator_of(record)).items():
        pointer = "/parameters/" + name.replace(".", "/")
        found = record.get(pointer)
        if name not in free and found is not None and not _same(found, value):
            yield record.finding(
                pointer,
                f"{listed([name])} is {described(found)}; the shipped configuration of {freedom.model} has "
                f"{described(value)}, and {freedom.division} runs may not change it.",
                "Run again with the shipped configuration.",
            )


def _same(found: Any, value: Any) -> bool:
    if isinstance(value, int | float) and isinstance(found, str):
        found = number_in(found)
    return bool(found == value)


@rule("3.6.2", "trainingClosedSubmissionParameters", applies=in_closed)
def closed_training_parameters(
    workload: TrainingWorkload, records: Each[Metadata], overrides: Present[DlioOverrides], edition: Edition
) -> Outcome:
    """A CLOSED training run changes only the parameters of the rule's table.

    Why: Everything else is part of the workload; changed, results can't be compared.

    Mend: Run again without the parameter, or submit the result to OPEN if OPEN's table lists it.

    Contested: What the tool itself adds to `override_parameters` is not the submitter's change; the same parameters
    given by hand are a notice, as published results have them. `storage.storage_options.prefetch_window` is allowed
    by the document though not by every tool. Effective parameters are compared with the shipped configuration, too.
    """
    yield from _judged(Freedom.of_training(workload, CLOSED, edition), records, overrides)


@rule("3.6.3", "trainingOpenSubmissionParameters", applies=in_open)
def open_training_parameters(
    workload: TrainingWorkload, records: Each[Metadata], overrides: Present[DlioOverrides], edition: Edition
) -> Outcome:
    """An OPEN training run changes only the parameters of CLOSED's table and the few that OPEN adds.

    Why: Even OPEN results are of the same workload.

    Mend: Run again without the parameter.

    Contested: See 3.6.2 for what the tool adds.
    """
    yield from _judged(Freedom.of_training(workload, OPEN, edition), records, overrides)


@rule("4.6.3", "checkpointClosedCheckpointParameters", applies=in_closed)
def closed_checkpointing_parameters(
    workload: CheckpointingWorkload, records: Each[Metadata], overrides: Present[DlioOverrides], edition: Edition
) -> Outcome:
    """A CLOSED checkpointing run changes only the parameters of the rule's table.

    Why: Everything else is part of the workload; changed, results can't be compared.

    Mend: Run again without the parameter.

    Contested: The table lists the checkpoint folder alone; the numbers of checkpoints are allowed by Table 3, the mode
    by 4.3.5, and storage parameters of object-API runs are set by the tool. Effective parameters are compared with
    the shipped configuration, too.
    """
    tables, shipped_ones = edition["checkpointing"]["parameters"], edition["checkpointing"]["shipped"]
    freedom = Freedom(CLOSED.upper(), tables[CLOSED], tables["by_tool"], shipped_ones, workload.name)
    yield from _judged(freedom, records, overrides)
