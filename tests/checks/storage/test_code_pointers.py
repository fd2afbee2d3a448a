"""Rule 2.1.6 on pointers: missing, malformed, to an absent image, to one of another hash."""

import pytest

from tests.checks.storage.section_two import CLOSED, RESULTS, Small
from tests.checks.support import found, places
from tests.trees.storage import StorageTree
from tests.trees.storage_code import SOURCE, CodeImage
from tests.trees.storage_files import FileTree
from tests.trees.storage_whole import SECOND_SOURCE


class Pooled(FileTree):
    """The small tree with a pool and a pointer in every timestamp folder."""

    def __init__(self, **options) -> None:
        small = Small(**{"code": "org-pool", **options})
        super().__init__(small.files)
        self.image = small.submitter.image
        self.runs = small.training.runs


def test_several_images_of_one_submitter() -> None:
    tree = StorageTree("v3")
    submitter = tree.submitter("Acme")
    submitter.system("S1").training()
    submitter.system("S2", source=SECOND_SOURCE).training()
    submitter.system("S3").checkpointing()
    assert len(tree.find("Acme/*/.code-hash.json")) == 2
    assert found(tree, "2.1.6") == []


def test_missing_pointers_are_one_finding() -> None:
    tree = Pooled()
    for run in tree.runs[:2]:
        tree.remove(run.pointer)
    (finding,) = found(tree, "2.1.6")
    assert places([finding]) == [("2.1.6", "error", tree.runs[0].path, None)]
    assert "2 timestamp folders" in finding.message
    assert finding.scope == RESULTS


def test_a_misspelt_pointer_is_hinted_at() -> None:
    tree = Pooled()
    tree.rename(tree.runs[0].pointer, tree.runs[0].file("mlps-code-image"))
    assert "Did you mean it by `mlps-code-image`?" in found(tree, "2.1.6")[0].message


def test_no_pointer_is_needed_where_code_lies_in_folders() -> None:
    assert found(Small(), "2.1.6") == []
    tree = Pooled(pointers=False)
    tree.duplicate(f"Acme/{tree.image.folder}", f"{CLOSED}/code")
    assert found(tree, "2.1.6") == []


def test_where_one_run_has_a_pointer_all_need_one() -> None:
    tree = FileTree(Small(pointers=True).files)
    assert found(tree, "2.1.6") == []
    tree.remove(tree.find("*/run/*/.mlps-code-image")[0])
    assert len(found(tree, "2.1.6")) == 1


@pytest.mark.parametrize("end", ["", "\n", "\r\n", " \n"])
def test_white_space_around_a_pointer_does_not_matter(end) -> None:
    tree = Pooled()
    tree.put(tree.runs[0].pointer, tree.image.pointer + end)
    assert found(tree, "2.1.6") == []


@pytest.mark.parametrize(
    "text", ["", "md5-tree-v2", "md5-tree-v2:ABC", "code-4a3ce79d", "md5-tree-v2:" + "g" * 32, "\0"]
)
def test_a_malformed_pointer(text) -> None:
    tree = Pooled()
    tree.put(tree.runs[0].pointer, text)
    assert [item[:3] for item in places(found(tree, "2.1.6"))] == [("2.1.6", "error", tree.runs[0].pointer)]


def test_a_pointer_of_an_unknown_algorithm() -> None:
    tree = Pooled()
    tree.put(tree.runs[0].pointer, f"sha1-tree:{tree.image.hash}")
    (finding,) = found(tree, "2.1.6")
    assert "`sha1-tree`" in finding.message


def test_pointers_to_an_absent_image_are_one_finding() -> None:
    tree = Pooled()
    other = CodeImage(SECOND_SOURCE)
    for run in tree.runs[:3]:
        tree.put(run.pointer, other.pointer)
    (finding,) = found(tree, "2.1.6")
    assert places([finding]) == [("2.1.6", "error", tree.runs[0].pointer, None)]
    assert f"`{other.folder}` is not in the tree" in finding.message
    assert "3 timestamp folders" in finding.message
    assert f"there are `{tree.image.folder}`" in finding.message


def test_a_pointer_whose_full_hash_is_another() -> None:
    tree = Pooled()
    tree.put(tree.runs[0].pointer, f"md5-tree-v2:{tree.image.hash[:8]}{'0' * 24}")
    (finding,) = found(tree, "2.1.6")
    assert places([finding]) == [("2.1.6", "error", tree.runs[0].pointer, None)]
    assert tree.image.hash in finding.message


def test_a_pointer_to_the_submitters_code_folder() -> None:
    tree = FileTree(Small(pointers=True).files)
    pointer = tree.find("*/run/*/.mlps-code-image")[0]
    tree.put(pointer, CodeImage(SECOND_SOURCE).pointer)
    (finding,) = found(tree, "2.1.6")
    assert finding.path == pointer


def test_an_image_of_another_submitters_pool_is_found() -> None:
    tree = Pooled()
    tree.rename("Acme", "Bolt")
    tree.put("Acme/.mlps-image-pool", "x")
    assert found(tree, "2.1.6") == []


def test_pointers_in_open_resolve_to_the_same_pool() -> None:
    tree = StorageTree("v3")
    tree.submitter("Acme", "open").system("S1").training()
    assert found(tree, "2.1.6") == []
    assert set(SOURCE) == {path.partition("/code-")[2].partition("/")[2] for path in tree.find("Acme/code-*/*")} - {
        ".code-hash.json"
    }


def test_the_same_nonsense_in_every_pointer_is_one_finding() -> None:
    tree = Pooled()
    for run in tree.runs:
        tree.put(run.pointer, "md5-tree-v2:none")
    (finding,) = [item for item in found(tree, "2.1.6") if item.path.endswith(".mlps-code-image")]
    assert (finding.path, finding.line, finding.count) == (tree.runs[0].pointer, 1, 6)
    assert finding.message.endswith("The same holds for 5 other pointers.")
