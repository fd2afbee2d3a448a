"""Rules 6.3.1.1, 6.3.2.1 and 6.3.2.2: a CLOSED KV-cache run is the fixed workload in the fixed sequence.

Judged by the recorded commands. The metadata's ``args`` and ``parameters`` hold the command line's defaults in CLOSED
runs (100 users, 60 s, 16 GB), which is no fault of the run.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from checks.documents import described, number_in
from checks.edition import Edition
from checks.findings import Finding
from checks.rules import Outcome, Present
from checks.storage.book import rule
from checks.storage.inputs import Metadata, Summary
from checks.storage.kv_commands import Command, commands_in, same_value
from checks.storage.kv_inputs import RankResult, trials_of
from checks.storage.leaves import KVCacheRun
from checks.units import counted, listed

_RUN_CLOSED = "Run again with `mlpstorage closed kvcache run`, which sets it."


@rule("6.3.1.1", "kvcacheFixedWorkloadPerOption")
def kvcache_fixed_workload(run: KVCacheRun, record: Metadata, edition: Edition) -> Outcome:
    """A CLOSED run runs the three Options of Table KVCache-1: model, users, duration, memory tiers, concurrent
    allocations and generation mode of each are those of the table, as the recorded commands show.

    Why: Only the same work on every system can be compared.

    Mend: Run again with `mlpstorage closed kvcache run`, which sets these values by itself.

    Contested: "Any recorded value" is read as the values of the commands that ran. `args` and `parameters` of the
    metadata file hold defaults of the command line in every CLOSED run and are not judged.
    """
    if not run.closed:
        return
    commands = commands_in(record)
    table = edition["kv_cache"]["options"]
    if not commands:
        message = "No command of the benchmark is recorded; nothing shows which workload ran."
        yield record.finding("/command_output_files", message, "Restore the metadata file as the tool wrote it.")
        return
    ran = {command.option for command in commands}
    if absent := [option for option in table if option not in ran]:
        message = f"No command of {_options(absent)} is recorded; {_options(table)} are required."
        yield record.finding("/command_output_files", message, "Run again: one call runs all Options.")
    yield from _deviations(record, commands, table)
    yield from _unknown_options(record, commands, table)


def _deviations(record: Metadata, commands: list[Command], table: Mapping[int, Any]) -> Iterator[Finding]:
    """What ran otherwise than the table says; the same in several Options is told once."""
    found: dict[tuple[str, str], list[Command]] = {}
    for option, wanted in table.items():
        own = [command for command in commands if command.option == option]
        for flag, value in wanted.items():
            for said, others in _by_fault(own, flag, value).items():
                found.setdefault((said, f"{flag} {value}"), []).extend(others)
    for (said, fixed), others in found.items():
        ran = _options(dict.fromkeys(command.option for command in others if command.option is not None))
        message = f"{ran} ran {said}; `{fixed}` is fixed (Table KVCache-1).{_trials(others)}"
        yield record.finding(others[0].pointer, message, _RUN_CLOSED)


def _by_fault(commands: Iterable[Command], flag: str, wanted: object) -> dict[str, list[Command]]:
    """Commands whose value of ``flag`` is not ``wanted``, by what a message says of it."""
    found: dict[str, list[Command]] = {}
    for command in commands:
        values = command.values(flag)
        wrong = [value for value in values if not same_value(value, wanted)]
        if wrong or not values:
            said = f"with {listed([f'{flag} {wrong[0]}'])}" if wrong else f"without `{flag}`"
            found.setdefault(said, []).append(command)
    return found


def _trials(commands: list[Command]) -> str:
    numbers = sorted({command.trial for command in commands if command.trial is not None})
    return f" Trials {', '.join(map(str, numbers))}." if len(numbers) > 1 else ""


def _numbers(table: Iterable[int]) -> str:
    return ", ".join(map(str, table))


def _options(table: Collection[int]) -> str:
    return f"Option{'s' * (len(table) > 1)} {_numbers(table)}"


def _unknown_options(record: Metadata, commands: list[Command], table: Mapping[int, Any]) -> Iterator[Finding]:
    others = [command for command in commands if command.option not in table]
    if others:
        message = f"{counted(len(others), 'command')} of no Option of Table KVCache-1 ({_options(table)})."
        yield record.finding(others[0].pointer, message, "Leave in one call of `mlpstorage closed kvcache run` only.")


@rule("6.3.2.1", "kvcacheClosedSequenceLocks")
def kvcache_sequence_locks(run: KVCacheRun, record: Metadata, summary: Summary | None, edition: Edition) -> Outcome:
    """In CLOSED the seed is 42, every Option is run in 3 trials with 90 s between Options, and no configuration file
    of one's own is given.

    Why: More trials than are scored, another seed or another configuration let one choose the best result.

    Mend: Run again with `mlpstorage closed kvcache run` and without these options.

    Contested: The tool itself passes `--config` with the file it ships; only another file counts as a custom one.
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
        yield summary.finding("/trials_per_option", message, _RUN_CLOSED)
    yield from _configurations(record, commands, limits)


def _locked(record: Metadata, name: str, wanted: int) -> Iterator[Finding]:
    value = record.get(f"/args/{name}")
    number = number_in(value) if isinstance(value, str) else value
    if isinstance(number, bool) or number != wanted:
        said = described(value) if record.has(f"/args/{name}") else "not recorded"
        message = f"`args.{name}` is {said}; CLOSED fixes it at {wanted}."
        yield record.finding(f"/args/{name}", message, _RUN_CLOSED)


def _seeds(record: Metadata, commands: list[Command], seed: int) -> Iterator[Finding]:
    for said, found in _by_fault(commands, "--seed-base", seed).items():
        message = f"{counted(len(found), 'command')} ran {said}; `--seed-base {seed}` is fixed."
        yield record.finding(found[0].pointer, message, _RUN_CLOSED)


def _trial_counts(record: Metadata, commands: list[Command], limits: Mapping[str, Any]) -> Iterator[Finding]:
    wanted = list(range(limits["locks"]["trials"]))
    for option in limits["options"]:
        own = [command for command in commands if command.option == option]
        trials = [command.trial for command in own]
        if own and sorted(trials, key=str) != wanted:
            ran = ", ".join(str(trial) for trial in trials)
            message = f"Option {option} was run in trials {ran}; trials {_numbers(wanted)}, once each, are required."
            yield record.finding(own[-1].pointer, message, _RUN_CLOSED)


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
        if not f"/{value}".endswith(f"/{limits['shipped_configuration']}")
    ]
    if custom:
        command, value = custom[0]
        message = f"{counted(len(custom), 'command')} ran with a configuration file of its own, {listed([value])}."
        yield record.finding(command.pointer, message, hint)


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
