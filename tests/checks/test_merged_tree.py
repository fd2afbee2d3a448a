"""The merged view against git's own merge of trees, and against the rule path by path where git finds conflicts."""

from __future__ import annotations

import pickle
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import pygit2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checks import names
from checks.git_tree import EMPTY_TREE, GitTree, RevisionUnknown, merge_base
from checks.merged_tree import MergedTree, merged_tree
from checks.tree import Kind, Limits, TooLarge
from tests.github.gitrepo import EXECUTABLE, FILE, SUBMODULE, SYMLINK, Entry, GitRepository

NAMES = ("a", "b", ".d", "Größe", "a b")
LEAVES = [
    *(Entry(content, mode) for content in (b"1\n", b"2\n") for mode in (FILE, EXECUTABLE, SYMLINK)),
    Entry(b"1" * 40, SUBMODULE),
]
PATHS = st.lists(st.sampled_from(NAMES), min_size=1, max_size=3).map("/".join)

Files = Mapping[str, Entry]
Leaves = dict[str, tuple[Kind, str | None]]


@pytest.fixture(scope="module")
def repository() -> Iterator[GitRepository]:
    with tempfile.TemporaryDirectory() as folder:
        yield GitRepository(Path(folder) / "repo.git")


@st.composite
def three_trees(draw: st.DrawFn) -> tuple[Files, Files, Files]:
    """A merge base and two edits of it, each without a file that stands where another needs a folder."""
    base = draw(st.dictionaries(PATHS, st.sampled_from(LEAVES), max_size=8))
    edits = st.dictionaries(PATHS, st.sampled_from([*LEAVES, None]), max_size=4)
    return _proper(base), *(_edited(base, draw(edits)) for _ in range(2))


def _edited(base: Files, edit: Mapping[str, Entry | None]) -> Files:
    after = {**base, **edit}
    return _proper({path: leaf for path, leaf in after.items() if leaf is not None})


def _proper(files: Files) -> Files:
    return {path: leaf for path, leaf in files.items() if not any(folder in files for folder in _above(path))}


def _above(path: str) -> list[str]:
    parts = path.split("/")
    return ["/".join(parts[:end]) for end in range(1, len(parts))]


def at(repository: GitRepository, commit: str, **limits: int) -> GitTree:
    return GitTree.at(repository.path, commit, limits=Limits(**limits))


def committed(repository: GitRepository, files: Files) -> GitTree:
    return at(repository, repository.commit({names.encode(path): leaf for path, leaf in files.items()}))


def quickly(repository: GitRepository, files: Files) -> GitTree:
    """The tree of ``files`` written by libgit2, without a commit."""
    odb, index = repository.odb, pygit2.Index()
    for path, leaf in files.items():
        oid = pygit2.Oid(hex=leaf.data.decode()) if leaf.mode == SUBMODULE else odb.create_blob(leaf.data)
        index.add(pygit2.IndexEntry(path, oid, pygit2.enums.FileMode(leaf.mode)))
    return GitTree(odb, str(index.write_tree(odb)))


def leaves(tree: GitTree) -> Leaves:
    return {path: (entry.kind, entry.oid) for path, entry in tree.walk() if entry.kind is not Kind.DIRECTORY}


def by_path(base: Leaves, tip: Leaves, head: Leaves) -> Leaves:
    """The merge path by path: an unchanged side gives way, of two changes the head's holds; so does its kind where one
    side has a file and the other a folder.
    """
    chosen = {}
    for path in {**base, **tip, **head}:
        side = tip if base.get(path) == head.get(path) else head
        if path in side:
            chosen[path] = side[path]
    taken = {path for path in chosen if path in head}
    clashes = [(above, path) for path in chosen for above in _above(path) if above in chosen]
    lost = {path if above in taken else above for above, path in clashes}
    return {path: leaf for path, leaf in chosen.items() if path not in lost}


@settings(max_examples=200, deadline=None)
@given(three_trees())
def test_the_view_is_what_git_merges_and_in_conflicts_what_the_head_has(repository, files) -> None:
    base, tip, head = (quickly(repository, one) for one in files)
    view = merged_tree(base, tip, head)
    assert leaves(view) == by_path(leaves(base), leaves(tip), leaves(head))
    assert all(view.children(path) for path, entry in view.walk() if entry.kind is Kind.DIRECTORY)
    index = repository.odb.merge_trees(base.tree, tip.tree, head.tree, flags=pygit2.enums.MergeFlag(0))
    merged = {entry.path for entry in index}  # libgit2 lets a file and a folder of one name pass as no conflict
    if index.conflicts is None and not any(above in merged for path in merged for above in _above(path)):
        assert leaves(view) == leaves(GitTree(view.repository, str(index.write_tree(repository.odb))))


@settings(max_examples=50, deadline=None)
@given(three_trees())
def test_a_folder_has_its_id_exactly_where_one_side_has_the_same(repository, files) -> None:
    base, tip, head = (quickly(repository, one) for one in files)
    view = merged_tree(base, tip, head)
    for path, entry in view.walk():
        if entry.kind is Kind.DIRECTORY and entry.oid is not None:
            assert entry in (tip.entry(path), head.entry(path))
        elif entry.kind is Kind.DIRECTORY:
            assert len({getattr(side.entry(path), "oid", EMPTY_TREE) for side in (base, tip, head)}) > 1


def test_where_one_side_did_nothing_the_view_is_the_other_side(repository) -> None:
    base, other = (committed(repository, {"a": Entry(content)}) for content in (b"1", b"2"))
    again = at(repository, repository.commit({"a": b"1"}, message="Again"))
    assert merged_tree(base, again, other) is other
    assert merged_tree(base, other, again) is other
    assert merged_tree(base, other, other) is other


def test_what_one_side_alone_changed_is_listed_when_it_is_asked_for_and_not_before(repository) -> None:
    files = {f"s{place}/{inner}/f": Entry(b"1") for place in range(30) for inner in "ab"}
    base = committed(repository, files)
    tip = committed(repository, {**files, "s7/a/f": Entry(b"2")})
    head = committed(repository, {**files, "s8/a/f": Entry(b"3")})
    view = merged_tree(base, tip, head)
    assert view.entry("s7") == tip.entry("s7")
    assert view.entry("s8") == head.entry("s8")
    assert set(view._listings) == {""}
    assert view.reads == 0
    assert view.read("s7/a/f") + view.read("s8/a/f") == b"23"


def test_a_name_that_a_folder_holds_twice_stays_twice(repository) -> None:
    one, two, three = (repository.blob(content) for content in (b"1", b"2", b"3"))
    base = at(repository, repository.commit_raw_tree([(FILE, b"a", one), (FILE, b"b", one)]))
    tip = at(repository, repository.commit_raw_tree([(FILE, b"a", one), (FILE, b"b", two)]))
    head = at(repository, repository.commit_raw_tree([(FILE, b"a", two), (FILE, b"a", three), (FILE, b"b", one)]))
    view = merged_tree(base, tip, head)
    assert {name: entry.oid for name, entry in view.children("").items()} == {"a": three, "b": two}
    assert view.twice == {"": ["a"]}


def test_names_keep_their_bytes(repository) -> None:
    odd = ("caf\udce9", "a\tb", 'a"b', "a\nb")
    base, tip, head = (committed(repository, {f"{one}/{name}": Entry(b"1") for one in odd}) for name in "xyz")
    view = merged_tree(base, tip, head)
    assert set(leaves(view)) == {f"{one}/{name}" for one in odd for name in "yz"}


def test_folders_that_both_sides_made_too_deep(repository) -> None:
    deep = "/".join("d" * 260)
    base = committed(repository, {"x": Entry(b"1")})
    tip, head = (committed(repository, {"x": Entry(b"1"), f"{deep}/{name}": Entry(b"1")}) for name in "ab")
    with pytest.raises(TooLarge, match="levels of folders"):
        merged_tree(base, tip, head).children("")


def test_another_process_gets_the_same_view(repository) -> None:
    base, tip, head = (committed(repository, {f"a/{name}": Entry(b"1")}) for name in "xyz")
    view = merged_tree(base, tip, head)
    assert isinstance(view, MergedTree)
    assert leaves(pickle.loads(pickle.dumps(view))) == leaves(view) == {**leaves(tip), **leaves(head)}


@pytest.mark.parametrize("absent", ["0" * 39 + "1", "not a commit"])
def test_a_commit_that_is_not_there_has_no_merge_base(repository: GitRepository, absent: str) -> None:
    there = repository.commit({"a": b"1\n"})
    for pair in ((there, absent), (absent, there)):
        with pytest.raises(RevisionUnknown):
            merge_base(repository.path, *pair)
