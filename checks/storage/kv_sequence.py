"""Rules 6.3.2.1 and 6.3.2.2: a CLOSED KV-cache run keeps to the fixed sequence and never scales itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any

from checks import names
from checks.documents import described, number_in
from checks.edition import Edition
from checks.findings import Finding
from checks.rules import Outcome, Present
from checks.storage.book import rule
from checks.storage.inputs import Metadata, Summary
from checks.storage.kv_commands import Command, commands_in
from checks.storage.kv_inputs import RankResult, trials_of
from checks.storage.kv_workload import RUN_CLOSED, by_fault, numbers
from checks.storage.leaves import KVCacheRun
from checks.units import counted, listed


@rule("6.3.2.1", "kvcacheClosedSequenceLocks")
def kvcache_sequence_locks(run: KVCacheRun, record: Metadata, summary: Summary | None, edition: Edition) -> Outcome:
    """In CLOSED the seed is 42, the Options are run one after the other, each in 3 trials and 90 s apart, and no
    configuration file of one's own is given.

    Why: More trials than are scored, another seed or another configuration let one choose the best result.

    Mend: Run again with `mlpstorage closed kvcache run` and without these options.

    Contested: The tool itself passes `--config` with the file it ships; only a file that doesn't lie beside the
    program, or has another name, counts as a custom one.
    """
    if not run.closed:
        return
    limits = edition["kv_cache"]
    commands = commands_in(record)
    record.mapping("/args")
    for name, wanted in limits["locks"].items():
        yield from _locked(record, name, wanted)
    yield from _seeds(record, commands, limits["locks"]["seed"])
    yield from _trial_counts(record, commands, limits)
    if summary is not None and (trials := trials_of(summary)) != limits["locks"]["trials"]:
        message = f"The summary is of {counted(trials, 'trial')} per Option, {limits['locks']['trials']} required."
        yield summary.finding("/trials_per_option", message, RUN_CLOSED)
    yield from _configurations(record, commands, limits)


def _locked(record: Metadata, name: str, wanted: int) -> Iterator[Finding]:
    value = record.get(f"/args/{name}")
    number = number_in(value) if isinstance(value, str) else value
    if isinstance(number, bool) or number != wanted:
        said = described(value) if record.has(f"/args/{name}") else "not recorded"
        message = f"`args.{name}` is {said}; CLOSED fixes it at {wanted}."
        yield record.finding(f"/args/{name}", message, RUN_CLOSED)


def _seeds(record: Metadata, commands: list[Command], seed: int) -> Iterator[Finding]:
    for said, found in by_fault(commands, "--seed-base", seed).items():
        message = f"{counted(len(found), 'command')} ran {said}; `--seed-base {seed}` is fixed."
        yield record.finding(found[0].pointer, message, RUN_CLOSED)


def _trial_counts(record: Metadata, commands: list[Command], limits: Mapping[str, Any]) -> Iterator[Finding]:
    wanted = list(range(limits["locks"]["trials"]))
    for option in limits["options"]:
        own = [command for command in commands if command.option == option]
        trials = [command.trial for command in own]
        if own and trials != wanted:
            ran = ", ".join(str(trial) for trial in trials)
            message = (
                f"Option {option} was run in trials {ran}; trials {numbers(wanted)} are required, once each, in turn."
            )
            yield record.finding(own[-1].pointer, message, RUN_CLOSED)
    order = [command.option for command in commands if command.option in limits["options"]]
    turns = list(dict.fromkeys(order))
    if order != sorted(order, key=turns.index) or turns != sorted(turns, key=str):
        shown = ", ".join(str(option) for option, _ in groupby(order))
        message = f"The Options were run in the order {shown}; one after the other, from the first, is required."
        yield record.finding(commands[0].pointer, message, RUN_CLOSED)


def _configurations(record: Metadata, commands: list[Command], limits: Mapping[str, Any]) -> Iterator[Finding]:
    hint = "Run again without `--config`."
    given = [name for name in limits["configuration_arguments"] if record.get(f"/args/{name}") not in (None, "", False)]
    if given:
        value = described(record.get(f"/args/{given[0]}"))
        yield record.finding(
            f"/args/{given[0]}", f"A configuration file was given ({value}); CLOSED permits none.", hint
        )
        return
    custom = [
        (command, value)
        for command in commands
        for value in command.values("--config")
        if not _is_shipped(command, value, limits["shipped_configuration"])
    ]
    if custom:
        command, value = custom[0]
        message = f"{counted(len(custom), 'command')} ran with a configuration file of its own, {listed([value])}."
        yield record.finding(command.pointer, message, hint)


def _is_shipped(command: Command, path: str, shipped: str) -> bool:
    """Whether a configuration is the tool's own: by its name, and beside the program that was started."""
    beside = names.parent(path) == names.parent(command.program)
    return path == shipped or (beside and path.endswith(f"/{shipped}"))


@rule("6.3.2.2", "kvcacheAutoscalingProhibited")
def kvcache_autoscaling_prohibited(run: KVCacheRun, record: Metadata, results: Present[RankResult]) -> Outcome:
    """A CLOSED run does not set `--enable-autoscaling`, and no client's results tell of autoscaling.

    Why: The autoscaler does not add or remove workers while it runs, so it is no fair way to scale.

    Mend: Run again without `--enable-autoscaling`.

    Contested: `args.enable_autoscaling` is true in honest CLOSED runs, where it is a default that never reaches the
    benchmark; only what the commands carry counts.
    """
    if not run.closed:
        return
    hint = "Run again without `--enable-autoscaling`."
    scaled = [command for command in commands_in(record) if command.values("--enable-autoscaling")]
    if scaled:
        message = f"{counted(len(scaled), 'command')} ran with `--enable-autoscaling`; CLOSED prohibits it."
        yield record.finding(scaled[0].pointer, message, hint)
        return
    told = [result for result in results if result.get("/summary/autoscaling_summary")]
    if told:
        message = f"{counted(len(told), 'rank result')} with an autoscaling summary: the autoscaler ran."
        yield told[0].finding("/summary/autoscaling_summary", message, hint)
