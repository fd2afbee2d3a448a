"""Rules 2.1.13 to 2.1.17, 2.1.19 and 2.1.20: what the phases of a training workload hold."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import partial

from checks import names
from checks.edition import Edition
from checks.findings import Finding
from checks.rules import Outcome
from checks.storage.accelerators import AcceleratorTypes
from checks.storage.book import not_checkable, rule
from checks.storage.expected_names import exact_files
from checks.storage.leaf_files import required_files, result_tables, timestamps_only
from checks.storage.leaves import Leaf
from checks.storage.runs import each_leaf
from checks.storage.terms import DATAGEN, RUN
from checks.storage.workloads import TrainingWorkload
from checks.units import Folder, counted, listed

DLIO_CONFIG = "dlio_config"


@rule("2.1.13", "datagenTimestamp")
def datagen_timestamp(workload: TrainingWorkload, edition: Edition) -> Outcome:
    """`datagen` holds exactly one folder, named for the moment of the run: YYYYMMDD_HHmmss, local time.

    Why: The runs read the data set that this one invocation generated.
    Mend: Keep the generation whose data the runs used.
    Contested: The document says that the name is the moment when the run was completed; the tools name folders by the
    start. No rule depends on which it is.
    """
    if DATAGEN not in workload.folders:
        return
    phase, wanted = workload.phase(DATAGEN), edition["structure"]["datagen_runs"]
    yield from timestamps_only(phase, phase.folders)
    if len(phase.folders) != wanted:
        yield phase.finding(
            f"{counted(len(phase.folders), 'folder')} in `{DATAGEN}`, exactly {wanted} required."
            + (f" Found {listed(phase.folders)}." if phase.folders else ""),
            "Keep the one generation whose data set the runs used."
            if phase.folders
            else "Add the folder of the generation whose data set the runs used.",
        )


@rule("2.1.14", "datagenFiles")
def datagen_files(workload: TrainingWorkload, edition: Edition) -> Outcome:
    """A datagen folder holds the two logs of the command, `dlio.log`, the folder `dlio_config`, and the files
    `*output.json`, `*per_epoch_stats.json` and `*summary.json`.

    Why: They are all that shows how the data set was made; 3.2.1 reads its size here.
    Mend: Add the missing file as the benchmark tool wrote it.
    Contested: A tool that only generates data writes none of the three JSON files, so their absence is a warning in
    edition 2.0 and nothing in edition 3.0.
    """
    yield from required_files(workload.of_phase(DATAGEN), edition["structure"]["leaf_files"]["datagen"])


@rule("2.1.15", "datagenDlioConfig")
def datagen_dlio_config(workload: TrainingWorkload, edition: Edition) -> Outcome:
    """`dlio_config` of a datagen folder holds `config.yaml`, `hydra.yaml` and `overrides.yaml`, and nothing else.

    Why: The three files are the settings with which the data were generated; any other file says nothing of them.
    Mend: Restore the folder as the benchmark tool wrote it; hidden files of a desktop count as well.
    """
    yield from dlio_config(workload.of_phase(DATAGEN), edition)


@rule("2.1.16", "runResultsJson")
def run_results_json(workload: TrainingWorkload) -> Outcome:
    """`run` holds one file `results.json`.

    Why: It sums up the runs; published tables are made from it.
    Mend: Run the tool's report command over the results, and add the file that it writes.
    Contested: In the v3.0 round staff generated the tables and asked submitters not to send any; in edition 3.0 this is
    a notice.
    """
    if RUN in workload.folders:
        yield from result_tables(workload.phase(RUN))


@rule("2.1.17", "runTimestamps")
def run_timestamps(workload: TrainingWorkload, types: AcceleratorTypes, edition: Edition) -> Outcome:
    """`run` holds exactly six folders for each emulated accelerator type, named YYYYMMDD_HHmmss: the warm-up and five
    measured runs.

    Why: The published figure is the mean of five runs after one that warms up.
    Mend: Add the missing run, or submit the workload again: the six must be consecutive (2.1.18).
    Contested: The diagram counts five runs per accelerator type, the text six in all; six per type are required. The
    type is read from the run's metadata, else from its DLIO configuration.
    """
    if RUN not in workload.folders:
        return
    phase, wanted = workload.phase(RUN), edition["structure"]["training_runs"]
    yield from timestamps_only(phase, phase.folders)
    odd = len(phase.folders) - len(types.runs)
    groups = types.groups()
    if not groups or (len(groups) == 1 and odd and len(types.runs) + odd == wanted):
        if not phase.folders:
            yield phase.finding(f"`{RUN}` holds no run folder, {wanted} required.", "Add the runs.")
        return
    for kind, runs in groups.items():
        if len(runs) != wanted:
            yield phase.finding(
                _count(kind if len(groups) > 1 else None, runs, wanted, len(groups)), _mend(runs, wanted)
            )


def _count(kind: str | None, runs: list[Leaf], wanted: int, types: int) -> str:
    of_type = f" of accelerator type `{names.shown(kind)}`" if kind else ""
    if types > 1 and kind is None:
        of_type = " whose accelerator type nothing tells"
    return (
        f"{counted(len(runs), 'run folder')}{of_type}, {wanted} required (one warm-up and {wanted - 1} measured). "
        f"Found {runs[0].shown}{f' to {runs[-1].shown}' if len(runs) > 1 else ''}."
    )


def _mend(runs: list[Leaf], wanted: int) -> str:
    if len(runs) > wanted:
        return f"Keep {wanted} consecutive runs and remove the others (2.1.18a)."
    return f"Add the missing run, or submit the workload again: the {wanted} must be consecutive (2.1.18)."


not_checkable(
    "2.1.18a",
    "runPickingSubsets",
    "a permission: which runs were deleted before the submission can't be seen; that those that are there are "
    "consecutive is rule 2.1.18",
)


@rule("2.1.19", "runFiles")
def run_files(workload: TrainingWorkload, edition: Edition) -> Outcome:
    """A run folder holds the two logs of the command, `*output.json`, `*per_epoch_stats.json`, `summary.json`,
    `dlio.log` and the folder `dlio_config`.

    Why: The rules on the run's figures read these files; what is missing can't be judged.
    Mend: Add the missing file as the benchmark tool wrote it. Files that staff replaced by the placeholder
    `PRUNED BY STAFF` count as present, with a notice.
    Contested: The document writes `*summary.json`; the tool writes `summary.json` and every later rule reads that one.
    """
    yield from required_files(workload.runs, edition["structure"]["leaf_files"]["run"])


@rule("2.1.20", "runDlioConfig")
def run_dlio_config(workload: TrainingWorkload, edition: Edition) -> Outcome:
    """`dlio_config` of a run folder holds `config.yaml`, `hydra.yaml` and `overrides.yaml`, and nothing else.

    Why: The three files are the settings that the run really had; 3.6.2 and 3.6.3 compare them with what is allowed.
    Mend: Restore the folder as the benchmark tool wrote it; hidden files of a desktop count as well.
    """
    yield from dlio_config(workload.runs, edition)


def dlio_config(leaves: Iterable[Leaf], edition: Edition) -> Outcome:
    """Findings on the ``dlio_config`` folders of leaves, what several share told once; that one is missing is told by
    the rule on the leaf's files.
    """
    yield from each_leaf(leaves, partial(_dlio_config, edition["structure"]["dlio_config"]))


def _dlio_config(required: Collection[str], leaf: Leaf) -> Iterator[Finding]:
    if DLIO_CONFIG in leaf.folders:
        yield from exact_files(Folder(leaf.tree, leaf.inside(DLIO_CONFIG)), required)
