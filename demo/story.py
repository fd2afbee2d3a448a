"""What the demo shows: a merged repository, a pull request on it, and what the pull request brings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from checks.folder_tree import FolderTree
from checks.memory_tree import MemoryTree
from checks.rule_sets import recognised
from checks.session import Session
from tests.trees.storage_files import FileTree
from tests.trees.storage_whole import valid_tree

WRONG = (
    "a run below the required utilization, a system description with a key given twice, "
    "a stray file beside the descriptions, and one run of six taken away"
)


class NothingToBringError(Exception):
    """The tree holds nothing that a pull request could bring."""


@dataclass(frozen=True)
class Step:
    """One push: a sentence about it, and all files of the head after it."""

    says: str
    files: Mapping[str, bytes]


@dataclass(frozen=True)
class Story:
    """The files on the base branch, and the pushes of the pull request."""

    says: str
    base: Mapping[str, bytes]
    steps: tuple[Step, ...]


def own_tree() -> Story:
    """A merged tree of our making; a pull request that breaks one system in several ways, then mends it."""
    base = valid_tree("v3", divisions=("closed",))
    base.put(".github/submission-checks.yml", b'rules: storage\nedition: "3.0"\n')
    runs = [
        path.rpartition("/")[0]
        for path in sorted(base.find("closed/Acme/results/single/training/unet3d/run/*/summary.json"))
    ]
    return Story(
        says=f"A merged MLPerf Storage repository of {len(base.files):,} files.",
        base=base.files,
        steps=(
            Step(f"The pull request changes one system: {WRONG}.", _broken(base, runs).files),
            Step(
                "The submitter mends all of it, keeps a change of a log, and pushes again.", _mended(base, runs).files
            ),
        ),
    )


def _broken(base: FileTree, runs: list[str]) -> FileTree:
    tree = base.copy()
    metric = {"/metric/train_au_mean_percentage": 62.5, "/metric/train_au_meet_expectation": "fail"}
    tree.edit_json(f"{runs[-1]}/summary.json", metric)
    description = "closed/Acme/systems/single.yaml"
    lines = tree.files[description].splitlines(keepends=True)
    twice = next(index for index, line in enumerate(lines) if b"memory_capacity:" in line)
    tree.put(description, b"".join([*lines[: twice + 1], *lines[twice:]]))
    tree.put("closed/Acme/systems/notes.txt", b"remember the PDF\n")
    tree.remove(runs[0])
    return tree


def _mended(base: FileTree, runs: list[str]) -> FileTree:
    tree = base.copy()
    log = f"{runs[0]}/dlio.log"
    tree.put(log, tree.files[log] + b"\n")
    return tree


def of_folder(folder: Path) -> Story:
    """The tree at `folder` as base, without one of its systems, which then arrives by pull request.

    Raises RulesUnclear, TreeError, and NothingToBringError when the tree holds no system.
    """
    tree = FolderTree(folder)
    files = {path: tree.read(path) for path, entry in tree.walk() if entry.kind == "file"}
    rules = recognised(tree)
    session = Session(MemoryTree(files), rules.edition(None))
    systems = [scope.path for scope in rules.layout(session).scopes() if scope.kind == "system"]
    if not systems:
        raise NothingToBringError("it holds no system that could arrive by pull request")
    chosen = systems[0]
    base = {path: content for path, content in files.items() if not _belongs(path, chosen)}
    return Story(
        says=f"{folder}: {len(files):,} files, {len(systems)} systems, rules {rules.name}; one is held back.",
        base=base,
        steps=(Step(f"The pull request brings {chosen} ({len(files) - len(base):,} files).", files),),
    )


def _belongs(path: str, system: str) -> bool:
    """Whether a file is the system's: its results, or its description."""
    submitter, _, name = system.rpartition("/results/")
    described = path.startswith(f"{submitter}/systems/{name}.")
    return path.startswith(system + "/") or described
