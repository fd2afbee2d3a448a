"""The rows of the results table, from the runs' own summaries."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from checks.api import Options, check_change
from checks.findings import ResultRow
from checks.git_tree import GitTree
from tests.github.gitrepo import GitRepository
from tests.trees.storage import StorageTree


def rows_of(folder: Path, files: dict[str, bytes], *, asked: bool = True) -> tuple[ResultRow, ...]:
    repository = GitRepository(folder / "repo.git")
    base = repository.commit({"closed/.keep": b""})
    head = repository.commit(files, base=base)
    trees = [GitTree.at(repository.path, commit) for commit in (base, head)]
    return check_change(*trees, Options(results_preview=asked)).results


def whole() -> StorageTree:
    tree = StorageTree("document")
    system = tree.submitter("Acme").system("S1")
    system.training()
    system.checkpointing()
    return tree


def test_a_row_for_each_workload_with_its_figures(tmp_path: Path) -> None:
    tree = whole()
    checkpointing, training = sorted(rows_of(tmp_path, tree.files), key=lambda row: row.workload)
    assert (training.scope, training.division, training.runs) == ("closed/Acme/results/S1", "closed", 5)
    (throughput,) = training.figures
    assert throughput.unit == "samples/s"
    assert throughput.value is not None
    assert [(one.name, one.unit) for one in checkpointing.figures] == [("save", "GB/s"), ("load", "GB/s")]
    assert all(one.value for one in checkpointing.figures)


def test_the_first_run_of_training_warms_up_and_is_not_counted(tmp_path: Path) -> None:
    tree = StorageTree("document")
    runs = tree.submitter("Acme").system("S1").training().runs
    for number, run in enumerate(runs):
        summary = json.loads(tree.files[run.summary])
        summary["metric"]["train_throughput_mean_samples_per_second"] = 1e9 if number == 0 else 100.0 + number
        tree.files[run.summary] = json.dumps(summary).encode()
    (row,) = rows_of(tmp_path, tree.files)
    assert row.figures[0].value == pytest.approx(103.0)


@pytest.mark.parametrize(
    "content", [b"{}", b"not json", b'{"metric": {"train_throughput_mean_samples_per_second": "fast"}}']
)
def test_a_figure_that_no_run_says_is_blank(tmp_path: Path, content: bytes) -> None:
    tree = StorageTree("document")
    for run in tree.submitter("Acme").system("S1").training().runs:
        tree.files[run.summary] = content
    (row,) = rows_of(tmp_path, tree.files)
    assert [figure.value for figure in row.figures] == [None]


def test_nobody_asked(tmp_path: Path) -> None:
    assert rows_of(tmp_path, whole().files, asked=False) == ()
