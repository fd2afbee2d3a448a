"""Folder, memory and git show the same tree: same listings, same contents, odd entries and names alike."""

from __future__ import annotations

import os
import pickle
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checks import names
from checks.contents import Contents
from checks.folder_tree import FolderTree
from checks.git_tree import EMPTY_TREE, GitTree, RevisionUnknown
from checks.memory_tree import MemoryTree
from checks.tree import Kind, Limits, NotInTree, ObjectMissing, TooLarge, Tree, TreeError
from tests.github.gitrepo import FILE, SUBMODULE, SYMLINK, Entry, GitRepository

FILES = {
    "a.json": b"{}",
    "a/b.json": b"x" * 3000,
    "a-b.json": b"",
    "Größe_1/tab\there": b"1",
    'Größe_1/quote".log': b"2",
    "Größe_1/new\nline": b"3",
    names.decode(b"bad/caf\xe9"): b"4",
    ".dot/file": b"5",
    "deep/" + "d/" * 40 + "end": b"6",
}
LINK, MODULE = "bad/link", "bad/module"


def in_git(folder: Path, extra: dict[bytes, Entry] | None = None) -> GitTree:
    repository = GitRepository(folder / "repository.git")
    files: dict[bytes, bytes | Entry] = {names.encode(path): data for path, data in FILES.items()}
    return GitTree.at(repository.path, repository.commit({**files, **(extra or {})}))


def on_disk(folder: Path) -> Path:
    root = folder / "tree"
    for path, data in FILES.items():
        target = os.fsencode(root) + b"/" + names.encode(path)
        os.makedirs(os.path.dirname(target), exist_ok=True)  # noqa: PTH103, PTH120 - names are bytes
        with open(target, "wb") as file:  # noqa: PTH123
            file.write(data)
    return root


@pytest.fixture(params=["folder", "memory", "git"])
def tree(request: pytest.FixtureRequest, tmp_path: Path) -> Tree:
    made = {
        "folder": lambda: FolderTree(on_disk(tmp_path)),
        "memory": lambda: MemoryTree(FILES),
        "git": lambda: in_git(tmp_path),
    }
    found: Tree = made[request.param]()
    return found


def test_the_same_listing_everywhere(tree: Tree) -> None:
    expected = [(path, entry.name, entry.kind) for path, entry in MemoryTree(FILES).walk()]
    assert [(path, entry.name, entry.kind) for path, entry in tree.walk()] == expected
    assert {path for path, _, kind in expected if kind is Kind.FILE} == set(FILES)


def test_the_same_contents_and_sizes_everywhere(tree: Tree) -> None:
    assert {path: tree.read(path) for path in FILES} == FILES
    assert {path: tree.size(path) for path in FILES} == {path: len(data) for path, data in FILES.items()}
    assert tree.head("a/b.json", 5) == b"xxxxx"
    assert tree.head("a/b.json", 3000) == FILES["a/b.json"]


def test_names_come_in_the_order_of_their_bytes(tree: Tree) -> None:
    assert list(tree.children("")) == sorted(tree.children(""), key=names.encode)


def test_what_is_no_file_is_not_read(tree: Tree) -> None:
    for path in ("a", "absent", "a/absent", "a.json/x", ""):
        with pytest.raises(NotInTree):
            tree.read(path)
    assert dict(tree.children("a.json")) == {}
    assert dict(tree.children("absent")) == {}
    assert tree.entry("absent/deeper") is None
    assert tree.nearest("a/absent/deeper") == "a"
    assert tree.nearest("absent") == ""


def test_a_file_over_the_cap_is_refused_with_both_figures(tree: Tree) -> None:
    with pytest.raises(TooLarge, match=r"a/b\.json: 3,000 bytes, at most 2,999 are read"):
        tree.read("a/b.json", 2999)
    assert len(tree.read("a/b.json", 3000)) == 3000


def test_a_walk_ends_at_the_limits(tree: Tree) -> None:
    tree.limits = Limits(entries=10)
    with pytest.raises(TooLarge, match="more than 10 entries"):
        list(tree.walk())
    tree.limits = Limits(depth=10)
    with pytest.raises(TooLarge, match="more than 10 levels"):
        list(tree.walk())


def test_a_content_is_read_once_and_kept_within_bounds(tmp_path: Path) -> None:
    tree = in_git(tmp_path, {b"copy": Entry(FILES["a/b.json"])})
    assert tree.read("a/b.json") == tree.read("a/b.json") == tree.read("copy")
    assert tree.reads == 1
    tree.limits = Limits(kept_bytes=0)
    for _ in range(2):
        tree.read("a.json")
    assert tree.reads == 3


def test_links_and_submodules_are_seen_and_never_followed(tmp_path: Path) -> None:
    extra = {LINK.encode(): Entry(b"../../../etc", SYMLINK), MODULE.encode(): Entry(b"1" * 40, SUBMODULE)}
    git = in_git(tmp_path, extra)
    root = on_disk(tmp_path)
    (root / LINK).symlink_to("/etc")
    os.mkfifo(root / "bad" / "pipe")
    folder = FolderTree(root)
    assert [git.children("bad")[name].kind for name in ("link", "module")] == [Kind.SYMLINK, Kind.SUBMODULE]
    assert [folder.children("bad")[name].kind for name in ("link", "pipe")] == [Kind.SYMLINK, Kind.SYMLINK]
    for tree, path in ((git, LINK), (git, MODULE), (folder, LINK), (folder, "bad/pipe")):
        assert dict(tree.children(path)) == {}
        with pytest.raises(NotInTree):
            tree.read(path)
    assert not any(path.startswith(f"{LINK}/") for path, _ in folder.walk())
    git.ensure([LINK, MODULE])  # neither is ever asked for


def test_entries_that_git_refuses_to_make_are_shown_as_they_are(tmp_path: Path) -> None:
    repository = GitRepository(tmp_path / "repository.git")
    blob = repository.blob(b"x")
    found = [b"..", b".git", b"a/b", b"a\\b", b"git~1", b"twice", b"twice"]
    tree = GitTree.at(repository.path, repository.commit_raw_tree([(FILE, name, blob) for name in found]))
    assert list(tree.children("")) == sorted({name.decode() for name in found}, key=str.encode)
    assert tree.twice == {"": ["twice"]}
    assert tree.read("git~1") == b"x"
    assert tree.entry("a/b") is None  # a name with a slash can't be reached by a path


def test_a_content_that_a_clone_lacks_is_not_taken_for_absent(tmp_path: Path) -> None:
    repository = GitRepository(tmp_path / "repository.git")
    commit = repository.commit_raw_tree([(FILE, b"a", "1" * 40)])
    tree = GitTree.at(repository.path, commit)
    assert tree.is_file("a")
    assert tree.size("a") is None
    with pytest.raises(ObjectMissing):
        tree.read("a")
    asked: list[list[str]] = []
    tree.fetch = lambda oids: asked.append(list(oids))
    tree.ensure(["a", "absent"])
    assert asked == [["1" * 40]]


def test_a_folder_of_a_commit_as_root(tmp_path: Path) -> None:
    tree = in_git(tmp_path)
    repository = GitRepository(tmp_path / "other.git")
    commit = repository.commit({"sub/closed/x": b"1"})
    assert list(GitTree.at(repository.path, commit, root="sub").children("")) == ["closed"]
    assert list(GitTree.at(repository.path, commit, root="absent").children("")) == []
    assert GitTree.at(repository.path, commit, root="absent").tree == EMPTY_TREE
    for revision in ("nonsense", "--upload-pack=touch x", "HEAD^{blob}", ""):
        with pytest.raises(RevisionUnknown):
            GitTree.at(repository.path, revision)
    with pytest.raises(TreeError):
        GitTree.at(tmp_path / "absent", "HEAD")
    assert tree.root_entry().kind is Kind.DIRECTORY


def test_a_git_tree_goes_to_another_process(tmp_path: Path) -> None:
    tree = in_git(tmp_path)
    again = pickle.loads(pickle.dumps(tree))
    assert [path for path, _ in again.walk()] == [path for path, _ in tree.walk()]


def test_folders_that_can_not_be_opened_say_so(tmp_path: Path) -> None:
    with pytest.raises(TreeError, match="is not a folder"):
        FolderTree(tmp_path / "absent")


@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.integers(0, 40), st.integers(0, 60)), max_size=40))
def test_kept_contents_never_exceed_their_bound_nor_lie(steps: list[tuple[str, int, int]]) -> None:
    kept, files = Contents(), {key: key.encode() * 25 for key in "abcdef"}
    for key, cap, limit in steps:
        found = kept.get(key, cap)
        if found is not None:
            assert found[:cap] == files[key][:cap]
        kept.keep(key, files[key][:cap], cap, limit)
        assert sum(len(data) for data, _ in kept._kept.values()) <= limit


@given(st.binary(max_size=20).filter(lambda raw: b"/" not in raw and b"\0" not in raw))
def test_any_name_survives_and_is_shown_without_harm(raw: bytes) -> None:
    name = names.decode(raw)
    assert names.encode(name) == raw
    shown = names.shown(name)
    shown.encode("utf-8")
    assert not any(ord(letter) < 32 for letter in shown)


@pytest.mark.parametrize("is_folder", [True, False])
def test_what_git_keeps_at_the_top_of_a_checkout_is_no_entry(tmp_path: Path, is_folder: bool) -> None:
    """A worktree and a submodule have a file of that name."""
    (tmp_path / "a").mkdir()
    for place in (tmp_path, tmp_path / "a"):
        if is_folder:
            (place / ".git").mkdir()
        else:
            (place / ".git").write_text("gitdir: elsewhere")
    tree = FolderTree(tmp_path)
    assert list(tree.children("")) == ["a"]
    assert list(tree.children("a")) == [".git"]
