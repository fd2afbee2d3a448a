"""Rules 2.1.5 and 2.1.8: the folders of a submitter, where code lies, systems with and without results."""

import pytest

from tests.checks.hygiene_trees import Git
from tests.checks.storage.section_two import CLOSED, RESULTS, Small
from tests.checks.support import found, places
from tests.github.gitrepo import SYMLINK, Entry
from tests.trees.storage import StorageTree
from tests.trees.storage_files import FileTree


def small(**options) -> FileTree:
    return FileTree(Small(**options).files)


@pytest.mark.parametrize("name", ["code", "results", "systems"])
def test_a_missing_folder_in_closed(name) -> None:
    tree = small().remove(f"{CLOSED}/{name}")
    (finding,) = found(tree, "2.1.5.a")
    assert places([finding]) == [("2.1.5.a", "error", CLOSED, None)]
    assert f"`{name}` is missing" in finding.message


@pytest.mark.parametrize("name", ["results", "systems"])
def test_a_missing_folder_in_open(name) -> None:
    tree = small(division="open").remove(f"open/Acme/{name}")
    assert places(found(tree, "2.1.5.b")) == [("2.1.5.b", "error", "open/Acme", None)]


def test_a_wrong_case_is_one_finding_at_the_folder() -> None:
    tree = small().rename(f"{CLOSED}/systems", f"{CLOSED}/Systems")
    assert places(found(tree, "2.1.5.a")) == [("2.1.5.a", "error", f"{CLOSED}/Systems", None)]


@pytest.mark.parametrize("name", ["documentation", ".cache"])
def test_one_folder_more(name) -> None:
    tree = small()
    tree.put(f"{CLOSED}/{name}/x", "x")
    assert places(found(tree, "2.1.5.a")) == [("2.1.5.a", "error", f"{CLOSED}/{name}", None)]


def test_a_submission_one_level_too_deep_is_told_so() -> None:
    tree = small().rename(CLOSED, f"{CLOSED}/Acme")
    deep = [item for item in found(tree, "2.1.5.a") if item.path == f"{CLOSED}/Acme"]
    assert "one level too deep" in deep[0].hint


def test_files_beside_the_folders_are_one_notice() -> None:
    tree = small()
    tree.put(f"{CLOSED}/README.md", "x")
    tree.put(f"{CLOSED}/.DS_Store", "x")
    (finding,) = found(tree, "2.1.5.a")
    assert places([finding]) == [("2.1.5.a", "notice", CLOSED, None)]
    assert "`.DS_Store`" in finding.message


def test_code_may_lie_in_a_pool_instead() -> None:
    assert found(small(code="org-pool"), "2.1.5.a") == []
    assert found(small(code="root-pool"), "2.1.5.a") == []


def test_code_in_a_folder_and_in_a_pool_is_a_notice() -> None:
    tree = small(code="org-pool").duplicate("Acme/" + pool_image(), f"{CLOSED}/code")
    assert places(found(tree, "2.1.5.a")) == [("2.1.5.a", "notice", f"{CLOSED}/code", None)]


def pool_image() -> str:
    return Small(code="org-pool").submitter.image.folder


def test_edition_three_takes_pools_only() -> None:
    both = small(code="org-pool").duplicate("Acme/" + pool_image(), f"{CLOSED}/code")
    assert places(found(both, "2.1.5.a", "3.0")) == [("2.1.5.a", "error", f"{CLOSED}/code", None)]
    folder = small()
    assert places(found(folder, "2.1.5.a", "3.0")) == [("2.1.5.a", "error", f"{CLOSED}/code", None)]
    assert ("2.1.6", "error", CLOSED, None) in places(found(folder, "2.1.6", "3.0"))


def test_open_has_no_code_at_the_submitter() -> None:
    tree = small(division="open")
    tree.put("open/Acme/code/.code-hash.json", "{}")
    (finding,) = found(tree, "2.1.5.b")
    assert places([finding]) == [("2.1.5.b", "error", "open/Acme/code", None)]
    assert "workloads" in finding.hint


def test_open_has_code_in_every_workload() -> None:
    tree = small(division="open")
    workload = "open/Acme/results/S1/training/unet3d"
    tree.remove(f"{workload}/code")
    assert places(found(tree, "2.1.5.b")) == [("2.1.5.b", "error", workload, None)]


def test_open_has_one_code_for_all_of_kv_cache_and_one_per_index_type() -> None:
    tree = StorageTree("document")
    system = tree.submitter("Acme", "open").system("S1")
    system.kv_cache()
    system.vector_database("HNSW")
    places_of_code = [path.removesuffix("/.code-hash.json") for path in tree.find("*/.code-hash.json")]
    for place in places_of_code:
        broken = FileTree(tree.files).remove(place)
        assert [item.path for item in found(broken, "2.1.5.b")] == [place.removesuffix("/code")]


def test_open_may_keep_code_in_a_pool() -> None:
    assert found(small(shape="v3", division="open"), "2.1.5.b", "2.0") == []


def test_results_without_a_system() -> None:
    tree = small().remove(f"{CLOSED}/results")
    tree.put(f"{CLOSED}/results/notes.txt", "x")
    assert sorted(places(found(tree, "2.1.8"))) == [
        ("2.1.8", "error", f"{CLOSED}/results", None),
        ("2.1.8", "notice", f"{CLOSED}/results", None),
        ("2.1.8", "warning", f"{CLOSED}/systems/S1.yaml", None),
    ]


def test_a_described_system_without_results_is_a_warning() -> None:
    tree = small().duplicate(f"{CLOSED}/systems/S1.yaml", f"{CLOSED}/systems/S2.yaml")
    tree.duplicate(f"{CLOSED}/systems/S1.pdf", f"{CLOSED}/systems/S2.pdf")
    assert places(found(tree, "2.1.8")) == [("2.1.8", "warning", f"{CLOSED}/systems/S2.yaml", None)]


def test_dot_prefixed_descriptions_are_no_systems() -> None:
    tree = small()
    tree.put(f"{CLOSED}/systems/._S1.yaml", "x")
    assert found(tree, "2.1.8") == []
    assert found(tree, "2.1.7") == []


def test_a_dot_prefixed_system_is_a_system() -> None:
    tree = small().rename(RESULTS, f"{CLOSED}/results/.S1")
    assert ("2.1.7", "error", f"{CLOSED}/results/.S1", None) in places(found(tree, "2.1.7"))


def test_a_link_in_place_of_code_is_told_as_one(tmp_path) -> None:
    small, git = Small(), Git(tmp_path)
    files = small.tree.remove(f"{CLOSED}/code").files
    report = git.report(git.commit({**files, f"{CLOSED}/code": Entry(b"../code", SYMLINK)}))
    assert [(item.rule, item.path, item.scope) for item in report.findings if item.level == "error"] == [
        ("2.1.5.a", CLOSED, CLOSED),
        ("input.symlink", f"{CLOSED}/code", CLOSED),
    ]
