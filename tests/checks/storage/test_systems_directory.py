"""Rule 2.1.7: exactly the real faults of `systems`, each on an entry that exists."""

import pytest

from checks.api import check_tree
from checks.memory_tree import MemoryTree
from checks.tree import Entry, Kind
from tests.checks.storage.section_two import CLOSED, Small
from tests.checks.support import found, places
from tests.trees.storage_files import FileTree

SYSTEMS = f"{CLOSED}/systems"


def tree() -> FileTree:
    return FileTree(Small().files)


def test_the_rule_documents_own_example() -> None:
    files = tree().rename(f"{SYSTEMS}/S1.yaml", f"{SYSTEMS}/A.yaml").rename(f"{SYSTEMS}/S1.pdf", f"{SYSTEMS}/A.pdf")
    files.rename(f"{CLOSED}/results/S1", f"{CLOSED}/results/A").duplicate(f"{SYSTEMS}/A.yaml", f"{SYSTEMS}/B.yaml")
    for name in ("README.md", ".DS_Store", ".gitkeep", "notes.txt"):
        files.put(f"{SYSTEMS}/{name}", "x")
    assert places(found(files, "2.1.7")) == [
        ("2.1.7", "error", f"{SYSTEMS}/B.yaml", None),
        ("2.1.7", "error", f"{SYSTEMS}/notes.txt", None),
    ]


@pytest.mark.parametrize(("gone", "left"), [("yaml", "pdf"), ("pdf", "yaml")])
def test_a_missing_half_is_told_at_the_other(gone, left) -> None:
    (finding,) = found(tree().remove(f"{SYSTEMS}/S1.{gone}"), "2.1.7")
    assert places([finding]) == [("2.1.7", "error", f"{SYSTEMS}/S1.{left}", None)]
    assert f"systems/S1.{gone}" in finding.message
    assert finding.scope == f"{CLOSED}/results/S1"


def test_both_halves_missing_is_told_at_the_results() -> None:
    files = tree().remove(f"{SYSTEMS}/S1.pdf").remove(f"{SYSTEMS}/S1.yaml")
    files.put(f"{SYSTEMS}/README.md", "x")
    assert [item.path for item in found(files, "2.1.7")] == [f"{CLOSED}/results/S1"] * 2


@pytest.mark.parametrize(
    ("right", "wrong"),
    [("S1.yaml", "S1.yml"), ("S1.yaml", "S1.YAML"), ("S1.pdf", "S1.PDF"), ("S1.yaml", "s1.yaml"), ("S1.pdf", "s1.pdf")],
)
def test_a_near_miss_is_one_finding_at_the_file(right, wrong) -> None:
    (finding,) = found(tree().rename(f"{SYSTEMS}/{right}", f"{SYSTEMS}/{wrong}"), "2.1.7")
    assert places([finding]) == [("2.1.7", "error", f"{SYSTEMS}/{wrong}", None)]
    assert f"`{right}`" in finding.hint


def test_a_near_miss_beside_the_right_file_is_one_too_many() -> None:
    files = tree().duplicate(f"{SYSTEMS}/S1.yaml", f"{SYSTEMS}/S1.yml")
    assert places(found(files, "2.1.7")) == [("2.1.7", "error", f"{SYSTEMS}/S1.yml", None)]


def test_a_supplementary_pdf_has_no_description() -> None:
    files = tree()
    files.put(f"{SYSTEMS}/Disclosure.pdf", b"%PDF-1.4")
    assert places(found(files, "2.1.7")) == [("2.1.7", "error", f"{SYSTEMS}/Disclosure.pdf", None)]


@pytest.mark.parametrize("name", ["README.md", "NOTES.md", ".gitkeep", ".fs/x"])
def test_what_may_stand_beside(name) -> None:
    files = tree()
    files.put(f"{SYSTEMS}/{name}", "x")
    assert found(files, "2.1.7") == []


@pytest.mark.parametrize("name", ["notes.txt", "S1.json", "README.MD", "more/S2.yaml", "S1"])
def test_what_may_not_stand_beside(name) -> None:
    files = tree()
    files.put(f"{SYSTEMS}/{name}", "x")
    assert places(found(files, "2.1.7")) == [("2.1.7", "error", f"{SYSTEMS}/{name.split('/')[0]}", None)]


def test_system_names_with_dots_are_whole_names() -> None:
    files = FileTree(Small().files).rename(f"{CLOSED}/results/S1", f"{CLOSED}/results/S1.v2")
    for end in ("yaml", "pdf"):
        files.rename(f"{SYSTEMS}/S1.{end}", f"{SYSTEMS}/S1.v2.{end}")
    assert found(files, "2.1.7") == []


class Linked(MemoryTree):
    """A tree in which one path is a symbolic link."""

    def listing(self, path):
        for entry in super().listing(path):
            yield Entry(entry.name, Kind.SYMLINK) if entry.name == "S1.pdf" else entry


def test_a_link_is_no_pdf() -> None:
    findings = [item for item in check_tree(Linked(tree().files)).findings if item.rule == "2.1.7"]
    assert places(findings) == [("2.1.7", "error", f"{SYSTEMS}/S1.pdf", None)]
    assert "symbolic link" in findings[0].message
