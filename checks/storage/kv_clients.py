"""Rules 6.3.3.1 to 6.3.3.4: the clients (MPI ranks) of a KV-cache run, each apart from the others."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from checks.edition import Edition
from checks.findings import Finding, Level
from checks.rules import Outcome
from checks.storage.book import not_checkable, rule
from checks.storage.inputs import Metadata, Summary
from checks.storage.kv_commands import CACHE_BASE, OUTPUT_BASE, Command, commands_in
from checks.storage.kv_inputs import Cell, RankFiles, clients_of, options_of, shown_cells, trials_of
from checks.storage.leaves import KVCacheRun
from checks.units import Folder, counted, listed

PROBES = ".fs_probe"
"""Where the tool leaves one marker for each host that sees the results folder (6.3.3.4)."""

_SLOTS = re.compile(r":\d+\Z")
_MARKER = re.compile(r".+__rank\d+__(?P<host>.+)\.ok\Z")


class Layout(NamedTuple):
    """The clients of a run as its summary gives them."""

    per_host: int
    hosts: int
    total: int

    @classmethod
    def of(cls, summary: Summary) -> Layout:
        """From ``npernode``, ``host_count`` and ``total_ranks``. Raises Unusable, NotJudged."""
        per_host, hosts = (summary.integer(f"/{key}", text_ok=True) for key in ("npernode", "host_count"))
        return cls(per_host, hosts, clients_of(summary))

    @property
    def sound(self) -> bool:
        """Whether the three numbers agree, and there is a client at all."""
        return self.per_host * self.hosts == self.total >= 1


@rule("6.3.3.1", "kvcacheClientDefinition")
def kvcache_client_definition(run: KVCacheRun, summary: Summary, record: Metadata | None) -> Outcome:
    """Clients per host times hosts is the total number of clients, and the tool's arguments, its list of hosts and
    the `mpirun` commands give the same numbers.

    Why: The headline result is a number for so many clients; two numbers of clients make it mean nothing.

    Mend: Restore summary and metadata of one and the same run.
    """
    del run
    layout = Layout.of(summary)
    if not layout.sound:
        yield summary.finding(
            "/total_ranks",
            f"`total_ranks` is {layout.total:,}; `npernode` {layout.per_host:,} times `host_count` {layout.hosts:,} "
            f"is {layout.per_host * layout.hosts:,}.",
            "Restore summary.json as the benchmark tool wrote it.",
        )
    if record is not None:
        yield from _said_otherwise(layout, record)


def _said_otherwise(layout: Layout, record: Metadata) -> Iterator[Finding]:
    """Where the metadata file differs from the summary; in the total only when the summary's own is sound."""
    hint = "Put in summary and metadata of one and the same run."
    hosts = {_SLOTS.sub("", str(host)) for host in record.array("/args/hosts", None) or ()}
    processes = ("num_processes", layout.total, "clients in all")
    totals = [processes, ("args.num_processes", *processes[1:])] if layout.sound else []
    told = set()
    for name, number, clients in (*totals, ("args.npernode", layout.per_host, "clients per host")):
        pointer = "/" + name.replace(".", "/")
        said = record.integer(pointer, None, text_ok=True)
        if said not in (None, number) and (said, clients) not in told:
            told.add((said, clients))
            yield record.finding(pointer, f"`{name}` is {said:,}; the summary gives {number:,} {clients}.", hint)
    if hosts and len(hosts) != layout.hosts:
        message = f"`args.hosts` names {counted(len(hosts), 'host')}; the summary gives {layout.hosts:,}."
        yield record.finding("/args/hosts", message, hint)
    others = [command for command in commands_in(record) if command.ranks not in (None, layout.total)]
    if others and layout.sound:
        message = f"{counted(len(others), 'command')} started {counted(others[0].ranks or 0, 'client')}; "
        yield record.finding(others[0].pointer, f"{message}the summary gives {layout.total:,}.", hint)


not_checkable(
    "6.3.3.2",
    "kvcacheScaleUpModel",
    "explains how load grows with clients; the fixed load of each client is judged by 6.3.1.1, their number by 6.3.3.1",
)


@rule("6.3.3.3", "kvcachePerClientIsolation")
def kvcache_rank_results(run: KVCacheRun, files: RankFiles, summary: Summary, edition: Edition) -> Outcome:
    """Every client leaves exactly one results file for each Option and trial, in a folder of its own.

    Why: Clients that share a file overwrite each other's results; a missing file is a client that failed.

    Mend: Add the missing files as the tool wrote them; where a client failed, run again.
    """
    total, trials = clients_of(summary), trials_of(summary)
    bound = edition["kv_cache"]["most_results"]
    if total * trials > bound:
        message = f"`total_ranks` {total:,} times `trials_per_option` {trials:,} is more results than any run has."
        yield summary.finding("/total_ranks", message, "Restore summary.json as the benchmark tool wrote it.")
        return
    options = options_of(run, summary, edition)
    for option in options:
        wanted = [Cell(option, trial, rank) for trial in range(trials) for rank in range(total)]
        yield from _option_files(run, option, wanted, files)
    others = sorted({cell.option for cell in files.cells} - set(options))
    if others:
        counts = "CLOSED runs" if run.closed else "the summary holds"
        message = f"{listed(f'option_{option}' for option in others)} beside the Options that {counts}"
        hint = "Leave in the results of one run only."
        yield run.finding(f"{message}: {', '.join(map(str, options)) or 'none'}.", hint, f"option_{others[0]}")


def _option_files(run: KVCacheRun, option: int, wanted: list[Cell], files: RankFiles) -> Iterator[Finding]:
    place = f"option_{option}"
    missing = [cell for cell in wanted if not files.cells.get(cell)]
    if missing:
        yield run.finding(
            f"Option {option} lacks {len(missing):,} of {counted(len(wanted), 'rank result')}: {shown_cells(missing)}. "
            f"Each client leaves one `kvcache_results_*.json` in its own folder.",
            "Add the files as the tool wrote them; where a client failed, run again.",
            missing[0].path if len(missing) == 1 else place,
        )
    several = [cell for cell, found in files.cells.items() if cell.option == option and len(found) > 1]
    if several:
        message = f"Option {option} has more than one results file for a client: {shown_cells(several)}."
        yield run.finding(message, "Leave in the file of the run that the summary is of.", several[0].path)
    beyond = sorted({cell for cell in files.cells if cell.option == option} - set(wanted))
    if beyond:
        message = f"Option {option} has results of clients or trials that the summary does not count: "
        yield run.finding(message + shown_cells(beyond) + ".", "Leave in the results of one run only.", beyond[0].path)


@rule("6.3.3.3", "kvcachePerClientIsolation")
def kvcache_isolated_paths(run: KVCacheRun, record: Metadata, summary: Summary) -> Outcome:
    """In a run of several clients every command gives each client an output and a cache folder of its own, and no two
    commands write to one place.

    Why: Two clients in one cache folder read each other's objects.

    Mend: Run through the tool, which passes `--rank-output-base` and `--rank-cache-base`.
    """
    del run
    commands = commands_in(record)
    if clients_of(summary) > 1:
        for flag in (OUTPUT_BASE, CACHE_BASE):
            bare = [command for command in commands if not "".join(command.values(flag))]
            if bare:
                message = f"{counted(len(bare), 'command')} of several clients without `{flag}`: they share a folder."
                yield record.finding(bare[0].pointer, message, "Run again through `mlpstorage`, which passes it.")
    yield from _shared_outputs(record, commands)


def _shared_outputs(record: Metadata, commands: list[Command]) -> Iterator[Finding]:
    """Outputs that two commands share, whatever the number of clients."""
    seen: set[tuple[str, ...]] = set()
    for command in commands:
        base = command.values(OUTPUT_BASE)
        if base and base in seen:
            message = f"Two commands write their results to {listed(base)}."
            yield record.finding(command.pointer, message, "Restore the metadata of one run, or run again.")
        seen.add(base)


@rule("6.3.3.4", "kvcacheSharedResultsDir", level=Level.NOTICE)
def kvcache_shared_results(run: KVCacheRun, summary: Summary) -> Outcome:
    """A run on several hosts left the markers of the tool's probe that every host sees the results folder.

    Why: Results of a host that writes elsewhere are lost to the aggregation.

    Mend: Nothing, if 6.3.3.3 finds every client's results; else run again with a shared results folder.

    Contested: The tool probes before it runs; its markers are evidence only, hence a notice.
    """
    hosts = summary.integer("/host_count", text_ok=True)
    probes = Folder(run.tree, run.inside(PROBES))
    seen = {found["host"] for name in probes.files if (found := _MARKER.match(name))}
    if hosts > 1 and len(seen) < hosts:
        yield run.finding(
            f"{counted(len(seen), 'host')} of {hosts:,} left a marker in `{PROBES}` that it sees the results folder.",
            "Nothing to do if every client's results are there (6.3.3.3).",
            PROBES,
        )
