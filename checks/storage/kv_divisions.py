"""Rules 6.6.1 to 6.6.3: what a KV-cache run may change in CLOSED and in OPEN."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from checks.documents import described
from checks.edition import Edition
from checks.findings import Level
from checks.rules import Outcome
from checks.storage.book import rule
from checks.storage.inputs import Metadata, Summary
from checks.storage.kv_commands import Command, commands_in
from checks.storage.leaves import KVCacheRun
from checks.units import counted, did_you_mean, listed


@rule("6.6.1", "kvcacheClosedImmutable")
def kvcache_closed_immutable(run: KVCacheRun, record: Metadata, edition: Edition) -> Outcome:
    """A CLOSED run passes the benchmark no argument beyond the table's seven and those that the tool itself adds.

    Why: Every other argument changes the work that is measured.

    Mend: Run again with `mlpstorage closed kvcache run`; only system name, folders and clients may vary.

    Contested: Judged by the recorded commands, since `args` holds defaults that never reach the benchmark, and by
    those arguments of the tool that have no default.
    """
    if not run.closed:
        return
    limits = edition["kv_cache"]
    hint = "Run again with `mlpstorage closed kvcache run` and without it."
    for flag, commands in _others(commands_in(record), limits).items():
        message = f"{counted(len(commands), 'command')} ran with {listed([flag])}; CLOSED does not permit it."
        near = did_you_mean(flag, limits["passed_flags"]).strip()
        yield record.finding(commands[0].pointer, message, f"{hint} {near}".strip())
    for name, accepted in limits["fixed_arguments"].items():
        value = record.get(f"/args/{name}")
        if value not in accepted:
            message = f"`args.{name}` is {described(value)}; CLOSED does not permit to set it."
            yield record.finding(f"/args/{name}", message, hint)


def _others(commands: list[Command], limits: Mapping[str, Any]) -> dict[str, list[Command]]:
    """Commands by the argument that is neither of the table nor the tool's own; 6.3.2.2 tells of autoscaling."""
    table = next(iter(limits["options"].values()))
    known = {*table, *limits["passed_flags"], "--enable-autoscaling"}
    found: dict[str, list[Command]] = {}
    for command in commands:
        for word in dict.fromkeys([*command.flags, *command.stray]):
            if word not in known:
                found.setdefault(word, []).append(command)
    return found


@rule("6.6.2", "kvcacheOpenAllowances", level=Level.WARNING)
def kvcache_open_without_storage(run: KVCacheRun, summary: Summary, record: Metadata | None) -> Outcome:
    """An OPEN run moved data to and from storage.

    Why: Where the memory tiers are not set, defaults of 16 and 32 GB apply and may hold the whole working set.

    Mend: Run again with the memory tiers given, `--gpu-mem-gb 0 --cpu-mem-gb 0` to use storage alone.
    """
    if run.closed:
        return
    names = [f"aggregated_{way}_bandwidth_gbps" for way in ("read", "write")]
    still = [
        option
        for option, figures in summary.mapping("/options").items()
        if isinstance(figures, dict) and all(figures.get(name) == 0 for name in names)
    ]
    if still:
        tiers = ("--gpu-mem-gb", "--cpu-mem-gb")
        bare = record is not None and any(not all(map(item.values, tiers)) for item in commands_in(record))
        why = " The recorded commands leave memory tiers at their defaults." if bare else ""
        yield summary.finding(
            f"/options/{still[0]}",
            f"No data was moved to or from storage in Option{'s' * (len(still) > 1)} {listed(still)}.{why}",
            "Run again with `--gpu-mem-gb 0 --cpu-mem-gb 0`, so that storage is used.",
        )


@rule("6.6.3", "kvcacheOpenInvocationNote")
def kvcache_open_invocation(run: KVCacheRun, record: Metadata) -> Outcome:
    """An OPEN run records the exact invocation of the benchmark.

    Why: Nobody can judge or repeat a free workload without it.

    Mend: Restore the metadata file as the tool wrote it; add the command where the benchmark was called directly.
    """
    if not run.closed and not commands_in(record):
        message = "No invocation of the benchmark is recorded; OPEN requires the exact one."
        yield record.finding("/executed_command", message, "Record it as `executed_command`.")
