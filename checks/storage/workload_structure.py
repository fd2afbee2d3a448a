"""Rules 2.1.10, 2.1.11, 2.1.12 and 2.1.21: the folders of benchmarks, workloads and phases below a system."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from checks.edition import Edition
from checks.findings import Finding, Level
from checks.rules import Outcome
from checks.storage.book import rule
from checks.storage.expected_names import difference, extra, loose_files, misspelt
from checks.storage.terms import CHECKPOINTING, CODE, TRAINING
from checks.storage.units import System
from checks.storage.workloads import TrainingWorkload, Workload
from checks.units import Folder, listed


@rule("2.1.10", "workloadCategories")
def workload_categories(system: System, edition: Edition) -> Outcome:
    """A system's results lie in folders named for the benchmark, one or more of them, and nothing else.

    Why: A folder of another name is not looked at by any rule and by no table.
    Mend: Rename the folder; names are case-sensitive.
    Contested: The sentence names `training` and `checkpointing` only; the diagram and sections 5 and 6 give
    `vector_database` and `kv_cache` the same place, so all four are allowed. Files beside them are a notice.
    """
    yield from _one_or_more(system, edition["structure"]["workload_categories"])


@rule("2.1.11", "trainingWorkloads")
def training_workloads(system: System, edition: Edition) -> Outcome:
    """`training` holds one or more of the workload folders `unet3d` and `retinanet`, and nothing else.

    Why: The folder's name says which limits hold for its runs; there are none for another workload.
    Mend: Rename the folder; names are case-sensitive.
    """
    if TRAINING in system.folders:
        yield from _one_or_more(
            Folder(system.tree, system.inside(TRAINING)), edition["structure"]["training_workloads"]
        )


@rule("2.1.21", "checkpointingWorkloads")
def checkpointing_workloads(system: System, edition: Edition) -> Outcome:
    """`checkpointing` holds one or more of the workload folders `llama3-8b`, `llama3-70b`, `llama3-405b` and
    `llama3-1t`, and nothing else.

    Why: The folder's name says which model was checkpointed; there are no limits for another one.
    Mend: Rename the folder; names are case-sensitive.
    """
    if CHECKPOINTING in system.folders:
        folder = Folder(system.tree, system.inside(CHECKPOINTING))
        yield from _one_or_more(folder, edition["structure"]["checkpointing_workloads"])


def _one_or_more(folder: Folder, allowed: Collection[str]) -> Iterator[Finding]:
    """Findings on a folder that holds one or more of the ``allowed`` folders and nothing else."""
    found = difference(folder.folders, (), allowed)
    yield from misspelt(folder, found)
    yield from extra(folder, found, allowed)
    if not folder.folders:
        yield folder.finding(
            f"`{folder.shown}` holds none of the folders {listed(allowed)}.", "Add the results of a benchmark."
        )
    yield from loose_files(folder)


def is_judged(workload: Workload, allowed: Collection[str], marks: Collection[str]) -> bool:
    """Whether the structure below a workload's folder is judged: its name is right, or it holds what a workload holds
    (``marks``), so that one wrong name is one finding.
    """
    return workload.name in allowed or any(mark in workload.folders for mark in marks)


@rule("2.1.12", "trainingPhases")
def training_phases(workload: TrainingWorkload, edition: Edition) -> Outcome:
    """A training workload holds the phase folders `datasize`, `datagen` and `run`, and nothing else.

    Why: The size of the data set, its generation and the runs are judged against each other.
    Mend: Add the phase's results as the benchmark tool wrote them; `datasize` is cheap and may be run again.
    Contested: Early versions of the public checker left `datasize` out; the document asks for it. In edition 3.0 its
    absence is a warning, as it was in that round. In OPEN a folder `code` may stand beside them (2.1.5.b).
    """
    phases, levels = edition["structure"]["training_phases"], edition["structure"]["phase_levels"]
    if not is_judged(workload, edition["structure"]["training_workloads"], phases):
        return
    optional = () if workload.closed else (CODE,)
    found = difference(workload.folders, phases, optional)
    yield from misspelt(workload, found)
    yield from extra(workload, found, phases)
    for name in found.missing:
        yield workload.finding(
            f"The phase folder `{name}` is missing in `{workload.shown}`; it holds "
            f"{listed(workload.folders) if workload.folders else 'no folder'}.",
            f"Add `{workload.shown}/{name}` as the benchmark tool wrote it.",
            level=Level(levels[name]) if name in levels else None,
        )
    yield from loose_files(workload)
