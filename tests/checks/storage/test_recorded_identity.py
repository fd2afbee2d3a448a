"""Rules 2.1.9 and 2.1.6 on what runs record of where they belong, against where they stand."""

from __future__ import annotations

from pathlib import Path

import pytest

from checks.api import Options, check_tree
from checks.folder_tree import FolderTree
from tests.checks.storage.edits import line_of
from tests.checks.support import found, places
from tests.trees.storage import StorageTree
from tests.trees.storage_files import GONE, FileTree
from tests.trees.storage_whole import valid_tree

REAL = Path(__file__).parents[4] / "shared" / "real" / "storage_v3"


class Runs(FileTree):
    """A system with training and checkpointing, as a submitter's name with a blank leaves it (2.1.1)."""

    def __init__(self) -> None:
        tree = StorageTree("v3")
        system = tree.submitter("Acme-Inc").system("S1")
        self.training, self.checkpointing = system.training(), system.checkpointing()
        super().__init__(tree.files)
        self.all = [self.training.datasize, *self.training.runs, *self.checkpointing.runs]

    def record(self, pointer: str, value: object) -> Runs:
        for leaf in self.all:
            self.edit_json(leaf.metadata, {pointer: value})
        return self


@pytest.mark.parametrize(
    ("key", "value"), [("orgname", "Acme Inc"), ("systemname", None), ("mode", GONE), ("mode", "")]
)
def test_what_is_the_same_or_not_recorded(key: str, value: object) -> None:
    assert found(Runs().record(f"/args/{key}", value), "2.1.9") == []


@pytest.mark.parametrize("division", ["closed", "open"])
def test_valid_trees_of_each_division(division: str) -> None:
    tree = valid_tree("v3", divisions=(division,), workloads=("unet3d", "llama3-8b", "DISKANN", "kv_cache"))
    assert [item for item in found(tree, None, "3.0") if item.rule in ("2.1.9", "2.1.6")] == []


@pytest.mark.parametrize(
    ("key", "said", "words"),
    [
        ("systemname", "S1-v2", "The system `S1` holds 8 timestamp folders"),
        ("systemname", "s1", "The system `S1` holds 8 timestamp folders"),
        ("orgname", "Solidigm", "The submitter `Acme-Inc` holds 8 timestamp folders"),
        ("mode", "open", "The division `closed` holds 8 timestamp folders"),
    ],
)
def test_runs_of_another_name_are_one_warning(key: str, said: str, words: str) -> None:
    tree = Runs().record(f"/args/{key}", said)
    (finding,) = found(tree, "2.1.9")
    path = tree.training.datasize.metadata
    assert places([finding]) == [("2.1.9", "warning", path, line_of(tree, path, f'"{key}"'))]
    assert words in finding.message
    assert finding.message.endswith(f"`{said}`.")


def test_one_run_alone_is_named() -> None:
    tree = Runs()
    run = tree.training.runs[2]
    tree.edit_json(run.metadata, {"/args/systemname": "S2\n@all"})
    (finding,) = found(tree, "2.1.9")
    assert finding.path == run.metadata
    folder = f"the timestamp folder `training/unet3d/run/{run.stamp}`"
    assert finding.message == f"The system `S1` holds {folder} recorded for the system `S2\\x0a@all`."


def test_a_pointer_that_disagrees_with_the_record() -> None:
    tree = Runs()
    leaf = tree.training.datasize
    tree.edit_json(leaf.metadata, {"/args/_validated_pool_hash": "06bc9283" + "0" * 24})
    (finding,) = found(tree, "2.1.6")
    assert places([finding]) == [("2.1.6", "warning", leaf.pointer, None)]
    assert "06bc9283" in finding.message


@pytest.mark.parametrize("value", [None, GONE, "", 5])
def test_a_record_without_a_hash_says_nothing(value: object) -> None:
    assert found(Runs().record("/args/_validated_pool_hash", value), "2.1.6") == []


def test_a_record_without_a_pointer_is_left_to_the_rule_on_pointers() -> None:
    tree = Runs()
    tree.remove(tree.training.runs[0].pointer)
    assert [item.level for item in found(tree, "2.1.6")] == ["error"]


def test_published_results() -> None:
    if not REAL.is_dir():
        pytest.skip("../shared/real is not here")
    report = check_tree(FolderTree(REAL), Options(edition="3.0"))
    renamed = {item.path.split("/")[1]: item.message for item in report.findings if item.rule == "2.1.9"}
    assert "`seahorse-storage-v2`" in renamed["TTA"]
    assert "`Solidigm`" in renamed["NewFW"]
    pointers = [item.path for item in report.findings if item.rule == "2.1.6" and item.level == "warning"]
    assert [path.rpartition("/datasize/")[0] for path in pointers] == [
        "closed/Alluxio/results/rigA_c5n18xl/training/unet3d"
    ]


def test_a_renamed_folder_holds_the_record_of_another_time() -> None:
    tree = StorageTree("v3")
    runs = tree.submitter("Acme").system("S1").training().runs
    assert found(tree, "2.1.9") == []
    tree.edit_json(runs[1].metadata, {"/run_datetime": runs[0].stamp})
    (finding,) = found(tree, "2.1.9")
    line = line_of(tree, runs[1].metadata, '"run_datetime"')
    assert places([finding]) == [("2.1.9", "warning", runs[1].metadata, line)]
    assert f"recorded as of `{runs[0].stamp}`" in finding.message
    tree.edit_json(runs[2].metadata, {"/run_datetime": runs[0].stamp})
    (finding,) = found(tree, "2.1.9")
    assert "2 timestamp folders" in finding.message and "recorded as of other times" in finding.message
    for run in runs[1:3]:
        tree.edit_json(run.metadata, {"/run_datetime": None})
    assert found(tree, "2.1.9") == []


@pytest.mark.parametrize(("model", "count"), [("llama2", 1), ("LLAMA3.1-8b", 0)])
def test_results_that_are_copied_to_another_model(model: str, count: int) -> None:
    tree = StorageTree("v3")
    kv = tree.submitter("Acme").system("S1").kv_cache()
    other = kv.path.replace("/llama3.1-8b", f"/{model}")
    tree.rename(kv.path, other)
    findings = found(tree, "2.1.9")
    assert [(item.level, item.path.startswith(other)) for item in findings] == [("warning", True)] * count
    assert all("`llama3.1-8b`" in item.message for item in findings)
