"""Rules 2.1.22, 2.1.23, 2.1.25 and 2.1.26: what a checkpointing workload holds."""

import pytest

from tests.checks.storage.section_two import RESULTS, Small
from tests.checks.support import found, places
from tests.trees.storage_files import FileTree

LLAMA = f"{RESULTS}/checkpointing/llama3-8b"


class Broken(FileTree):
    """The small tree with its two invocations."""

    def __init__(self, **options) -> None:
        small = Small(**options)
        super().__init__(small.files)
        self.runs = small.checkpointing.runs


def test_results_json_is_required_in_two_and_a_notice_in_three() -> None:
    tree = Broken().remove(f"{LLAMA}/results.json")
    assert places(found(tree, "2.1.22")) == [("2.1.22", "error", LLAMA, None)]
    assert places(found(tree, "2.1.22", "3.0")) == [("2.1.22", "notice", LLAMA, None)]


def test_one_invocation_or_two() -> None:
    assert found(Broken(invocations=1), "2.1.23") == []
    assert found(Broken(invocations=2), "2.1.23") == []
    tree = Broken()
    tree.duplicate(tree.runs[0].path, f"{LLAMA}/20260705_080000")
    (finding,) = found(tree, "2.1.23")
    assert places([finding]) == [("2.1.23", "error", LLAMA, None)]
    assert "3 timestamp folders" in finding.message


def test_no_invocation_at_all() -> None:
    tree = Broken()
    for leaf in tree.runs:
        tree.remove(leaf.path)
    assert places(found(tree, "2.1.23")) == [("2.1.23", "error", LLAMA, None)]


def test_a_misnamed_invocation_is_one_finding() -> None:
    tree = Broken()
    tree.rename(tree.runs[1].path, f"{LLAMA}/20260732_080000")
    assert places(found(tree, "2.1.23")) == [("2.1.23", "error", f"{LLAMA}/20260732_080000", None)]


def test_code_beside_the_invocations_belongs_to_open() -> None:
    assert found(Broken(division="open"), "2.1.23") == []
    tree = Broken()
    tree.put(f"{LLAMA}/code/.code-hash.json", "{}")
    assert places(found(tree, "2.1.23")) == [("2.1.23", "error", f"{LLAMA}/code", None)]


@pytest.mark.parametrize(
    "name",
    [
        "checkpointing_run.stdout.log",
        "checkpointing_run.stderr.log",
        "dlio.log",
        "summary.json",
        "*output.json",
        "*per_epoch_stats.json",
        "dlio_config",
    ],
)
def test_a_missing_file(name) -> None:
    tree = Broken()
    leaf = tree.runs[0]
    for path in tree.find(leaf.file(name)) or [leaf.file(name)]:
        tree.remove(path)
    assert places(found(tree, "2.1.25")) == [("2.1.25", "error", leaf.path, None)]


def test_files_that_no_rule_lists_are_fine() -> None:
    tree = Broken()
    tree.put(tree.runs[0].file("notes.txt"), "x")
    assert found(tree, "2.1.25") == []


def test_dlio_config_holds_three_files_and_nothing_else() -> None:
    tree = Broken()
    folder = tree.runs[0].file("dlio_config")
    tree.remove(f"{folder}/config.yaml").put(f"{folder}/x.yaml", "x")
    assert places(found(tree, "2.1.26")) == [
        ("2.1.26", "error", folder, None),
        ("2.1.26", "error", f"{folder}/x.yaml", None),
    ]
