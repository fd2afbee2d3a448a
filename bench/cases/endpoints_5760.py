"""MLPerf Endpoints at full size: 5,760 points, against the public checker where its interpreter is named.

The environment variables ENDPOINTS_PEER_1_1 and ENDPOINTS_PEER_1_5 name Python interpreters that have
``endpoints-submission-cli`` 1.1.0.0 and 1.5.3.0; each version reads one shape of system_power.json.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from bench.measure import Figure, Spent, ratio, run
from checks.api import Options, check_tree
from checks.folder_tree import FolderTree
from checks.tree import Entry
from tests.checks.endpoints.peer import Peer
from tests.trees.endpoints import many_points
from tests.trees.endpoints_power import PowerShape

TITLE = "Endpoints: 60 systems x 3 models x 32 points (5,760 points), one submission on disk"

SYSTEMS, MODELS, POINTS = 60, 3, 32
PROCESSORS = os.cpu_count()
ROUNDS = 3
"""Of each the quickest counts, the one that others disturbed least."""

SUBMISSION = "acme_corp/sub-0001"
PEERS: tuple[tuple[str, PowerShape], ...] = (("1.1.0.0", "checker"), ("1.5.3.0", "appendix_e"))

_JUDGE = (
    "import pathlib, sys\n"
    "from submission_checker.checker import SubmissionChecker\n"
    "print(len(SubmissionChecker(pathlib.Path(sys.argv[1])).run().errors))\n"
)
"""The public checker without its table, its report and its look for newer versions: the least that it can take."""


class CountingTree(FolderTree):
    """Counts how often each file was read from the disk."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.reads: Counter[str] = Counter()

    def _read(self, path: str, entry: Entry, cap: int) -> bytes:
        self.reads[path] += 1
        return super()._read(path, entry, cap)


def figures() -> Iterator[Figure]:
    """Our time in processes of its own, the peer's likewise, in turns, and how often files were read."""
    for version, shape in PEERS:
        with tempfile.TemporaryDirectory() as name:
            folder = many_points(SYSTEMS, MODELS, POINTS, shape).write(Path(name))
            yield from _against(Peer.found(version), version, folder, shape)
            if shape == "checker":
                yield from _reads(folder)


def _against(peer: Peer | None, version: str, folder: Path, shape: str) -> Iterator[Figure]:
    """Each in turn, ``ROUNDS`` times, so that a machine that is busy with other things slows all alike."""
    ours, alone, theirs, said = list[Spent](), list[Spent](), list[Spent](), ""
    for _ in range(ROUNDS):
        ours.append(_ours(folder))
        alone.append(_ours(folder, "--jobs", "1"))
        if peer is not None:
            spent, said = run([peer.interpreter, "-c", _JUDGE, str(folder / SUBMISSION)])
            theirs.append(spent)
    quick, single = _quickest(ours), _quickest(alone)
    yield Figure(f"ours, {shape} shape", str(quick), f"submission-bot check PATH --format json, {PROCESSORS} CPUs")
    yield Figure(f"ours, {shape} shape, --jobs 1", str(single), "the same in one process")
    if not theirs:
        yield Figure(f"peer {version}", "absent", "no interpreter named")
        return
    peers = _quickest(theirs)
    yield Figure(f"peer {version}", str(peers), f"its checker alone, whole process; {said.strip()} errors")
    yield Figure(f"peer {version} / ours", ratio(peers.wall, quick.wall), "clock over clock, each as its users run it")
    yield Figure(f"peer {version} / ours, --jobs 1", ratio(peers.cpu, single.cpu), "CPU time, one process each")


def _quickest(times: list[Spent]) -> Spent:
    return min(times, key=lambda spent: spent.wall)


def _ours(folder: Path, *options: str) -> Spent:
    command = [sys.executable, "-m", "bot.cli", "check", str(folder), "--rules", "endpoints", "--format", "json"]
    return run([*command, *options])[0]


def _reads(folder: Path) -> Iterator[Figure]:
    tree = CountingTree(folder)
    report = check_tree(tree, Options(rules="endpoints"))
    yield Figure("files read", f"{len(tree.reads):,}", f"{sum(tree.reads.values()):,} reads from the disk in all")
    yield Figure("files read twice", f"{sum(count > 1 for count in tree.reads.values()):,}", "counted at the tree")
    yield Figure(
        "rules run", f"{report.rules_run:,}", f"{len(report.facts):,} facts, {len(report.findings):,} findings"
    )
