"""Rule 6.3.1.1: a CLOSED KV-cache run is the fixed workload of Table KVCache-1.

Judged by the recorded commands. The metadata's ``args`` and ``parameters`` hold the command line's defaults in CLOSED
runs (100 users, 60 s, 16 GB), which is no fault of the run.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from checks.edition import Edition
from checks.findings import Finding
from checks.rules import Outcome
from checks.storage.book import rule
from checks.storage.inputs import Metadata
from checks.storage.kv_commands import Command, commands_in, same_value
from checks.storage.leaves import KVCacheRun
from checks.units import counted, listed

RUN_CLOSED = "Run again with `mlpstorage closed kvcache run`, which sets it."
"""What to do about whatever the tool fixes in CLOSED."""


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
            for said, others in by_fault(own, flag, value).items():
                found.setdefault((said, f"{flag} {value}"), []).extend(others)
    for (said, fixed), others in found.items():
        ran = _options(dict.fromkeys(command.option for command in others if command.option is not None))
        message = f"{ran} ran {said}; `{fixed}` is fixed (Table KVCache-1).{_trials(others)}"
        yield record.finding(others[0].pointer, message, RUN_CLOSED)


def by_fault(commands: Iterable[Command], flag: str, wanted: object) -> dict[str, list[Command]]:
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


def numbers(table: Iterable[int]) -> str:
    """Numbers of Options or trials as a message gives them."""
    return ", ".join(map(str, table))


def _options(table: Collection[int]) -> str:
    return f"Option{'s' * (len(table) > 1)} {numbers(table)}"


def _unknown_options(record: Metadata, commands: list[Command], table: Mapping[int, Any]) -> Iterator[Finding]:
    others = [command for command in commands if command.option not in table]
    if others:
        message = f"{counted(len(others), 'command')} of no Option of Table KVCache-1 ({_options(table)})."
        yield record.finding(others[0].pointer, message, "Leave in one call of `mlpstorage closed kvcache run` only.")
