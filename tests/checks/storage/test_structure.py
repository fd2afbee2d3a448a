"""Rules 2.1.1 to 2.1.4 on trees with one fault, and on trees that only look faulty."""

import pytest

from checks.storage.rule_set import RULE_SET
from tests.checks.storage.section_two import CLOSED, Small
from tests.checks.support import above_notice, checked, found, places
from tests.trees.storage_files import FileTree
from tests.trees.storage_whole import valid_tree

UNCHECKABLE = ("1.1", "2.1.3", "2.1.18a", "2.1.24a", "2.1.27", "2.29")


def section_two(tree, edition=None):
    return [item for item in above_notice(tree, edition) if item.rule.startswith("2.")]


@pytest.mark.parametrize(
    ("shape", "code", "edition"),
    [
        ("document", "folders", "2.0"),
        ("document", "org-pool", "2.0"),
        ("document", "root-pool", "2.0"),
        ("v3", "org-pool", "3.0"),
        ("v3", "root-pool", "3.0"),
    ],
)
def test_valid_trees_pass(shape, code, edition) -> None:
    assert section_two(valid_tree(shape, code=code), edition) == []


def test_what_no_tree_shows_is_listed_with_its_reason() -> None:
    listed = {item.id: item.reason for item in RULE_SET.book.uncheckable}
    assert set(UNCHECKABLE) <= set(listed)
    assert all(listed.values())


@pytest.mark.parametrize("name", ["Acme Inc", "Acmé", "A+B", "A\tB"])
def test_submitter_names_of_other_characters(name) -> None:
    tree = FileTree(Small().files).rename(CLOSED, f"closed/{name}")
    (finding,) = found(tree, "2.1.1")
    assert (finding.level, finding.scope) == ("error", finding.path)
    assert "-" in finding.hint


@pytest.mark.parametrize("name", ["Acme.Inc", "a_b-c", "0"])
def test_submitter_names_of_portable_characters(name) -> None:
    assert found(FileTree(Small().files).rename(CLOSED, f"closed/{name}"), "2.1.1") == []


def test_one_wrong_case_at_the_top_is_one_finding() -> None:
    tree = FileTree(Small().files).rename("closed", "Closed")
    (finding,) = found(tree)
    assert places([finding]) == [("2.1.2", "error", "Closed", None)]
    assert "Rename it to `closed`" in finding.hint


def test_another_folder_at_the_top() -> None:
    tree = FileTree(Small().files)
    tree.put("assets/logo.txt", "x")
    assert places(found(tree, "2.1.2")) == [("2.1.2", "error", "assets", None)]


def test_no_division_at_all_is_one_finding() -> None:
    assert places(found({"Closedd/Acme/x": b""}, "2.1.2", rules="storage")) == [("2.1.2", "error", "Closedd", None)]
    paths = {item.path for item in found({"assets/x": b""}, "2.1.2", rules="storage")}
    assert paths == {".", "assets"}


def test_dot_entries_at_the_top_are_permitted() -> None:
    tree = FileTree(Small().files)
    for path in (".github/w.yml", ".gitignore", ".git/config"):
        tree.put(path, "x")
    assert found(tree, "2.1.2") == []


def test_a_loose_file_at_the_top_is_a_notice() -> None:
    tree = FileTree(Small().files)
    tree.put("README.md", "x")
    assert places(found(tree, "2.1.2")) == [("2.1.2", "notice", "README.md", None)]


@pytest.mark.parametrize("path", ["Acme/.mlps-image-pool", "Other/code-0123abcd/.code-hash.json", "code-images/x/y"])
def test_pools_of_code_images_are_permitted(path) -> None:
    tree = FileTree(Small().files)
    tree.put(path, "x")
    assert found(tree, "2.1.2") == []


def test_a_folder_that_only_looks_like_a_pool() -> None:
    tree = FileTree(Small().files)
    tree.put("Other/code-0123ABCD/x", "x")
    assert places(found(tree, "2.1.2")) == [("2.1.2", "error", "Other", None)]


def test_files_beside_the_submitters_are_a_notice() -> None:
    tree = FileTree(Small().files)
    tree.put("closed/results.csv", "x")
    assert places(found(tree, "2.1.4")) == [("2.1.4", "notice", "closed", None)]


def test_a_division_without_a_submitter() -> None:
    tree = FileTree(Small().files)
    tree.put("open/x.txt", "x")
    assert sorted(places(found(tree, "2.1.4"))) == [("2.1.4", level, "open", None) for level in ("error", "notice")]


def test_a_dot_prefixed_submitter_hides_nothing() -> None:
    tree = FileTree(Small().files).rename(CLOSED, "closed/.hidden")
    tree.remove("closed/.hidden/systems")
    assert ("2.1.5.a", "error", "closed/.hidden", None) in places(found(tree))


def test_a_submission_to_open_only_gets_a_verdict() -> None:
    report = checked(Small(division="open"))
    assert report.rules_run > 0
    assert report.verdict == "pass"


def test_a_package_one_level_too_deep_is_one_finding() -> None:
    tree = FileTree(Small().files).under("Acme")
    (finding,) = found(tree, "2.1.2", rules="storage")
    assert places([finding]) == [("2.1.2", "error", "Acme", None)]
    assert finding.hint is not None
    assert finding.hint.startswith("It holds `closed`: the submission lies one level too deep.")
