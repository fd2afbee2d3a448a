"""Which paths differ between two git trees, found without entering what is equal."""

from pathlib import Path

import pytest

from checks import names
from checks.changes import changed_paths
from checks.git_tree import GitTree
from checks.tree import Kind, Limits, TooLarge
from tests.github.gitrepo import SUBMODULE, SYMLINK, Entry, GitRepository


@pytest.fixture
def repository(tmp_path: Path) -> GitRepository:
    return GitRepository(tmp_path / "repo.git")


def at(repository: GitRepository, commit: str, **limits: int) -> GitTree:
    return GitTree.at(repository.path, commit, limits=Limits(**limits))


def changed(repository: GitRepository, base: str, head: str) -> dict[str, tuple[Kind | None, Kind | None]]:
    changes = changed_paths(at(repository, base), at(repository, head))
    return {item.path: (item.old and item.old.kind, item.new and item.new.kind) for item in changes}


def test_equal_trees(repository) -> None:
    base = repository.commit({"a/b": b"1"})
    assert changed(repository, base, base) == {}


def test_added_removed_and_changed_files(repository) -> None:
    base = repository.commit({"a/same": b"1", "a/old": b"1", "a/other": b"1"})
    head = repository.commit({"a/new": b"1", "a/other": b"2"}, base=base, remove=["a/old"])
    assert changed(repository, base, head) == {
        "a/new": (None, Kind.FILE),
        "a/old": (Kind.FILE, None),
        "a/other": (Kind.FILE, Kind.FILE),
    }


def test_a_renamed_folder_is_seen_from_both_sides(repository) -> None:
    base = repository.commit({"a/x/f": b"1"})
    head = repository.commit({"a/y/f": b"1"}, base=base, remove=["a/x"])
    assert changed(repository, base, head) == {"a/x/f": (Kind.FILE, None), "a/y/f": (None, Kind.FILE)}


def test_a_folder_that_became_a_file_counts_as_both(repository) -> None:
    base = repository.commit({"a/f": b"1"})
    head = repository.commit({"a": b"1"}, base=base, remove=["a"])
    assert changed(repository, base, head) == {"a": (None, Kind.FILE), "a/f": (Kind.FILE, None)}


def test_links_and_submodules_are_paths_of_their_own(repository) -> None:
    base = repository.commit({"a": b"b", "b/f": b"1"})
    head = repository.commit({"a": Entry(b"b", SYMLINK), "m": Entry(b"1" * 40, SUBMODULE)}, base=base)
    assert changed(repository, base, head) == {"a": (Kind.FILE, Kind.SYMLINK), "m": (None, Kind.SUBMODULE)}


def test_a_changed_mode_alone_is_no_change(repository) -> None:
    base = repository.commit({"a": b"1"})
    head = repository.commit({"a": Entry(b"1", 0o100755)})
    assert changed(repository, base, head) == {}


def test_names_keep_their_bytes(repository) -> None:
    base = repository.commit({"a": b"1"})
    odd = ["Größe_1", "a\tb", 'a"b', "a\nb", "caf\udce9"]
    head = repository.commit({names.encode(name): b"1" for name in odd}, base=base)
    assert set(changed(repository, base, head)) == set(odd)


def test_nothing_that_is_equal_is_listed(repository) -> None:
    base = repository.commit({f"s{place}/f": b"1" for place in range(50)})
    head = repository.commit({"s7/f": b"2"}, base=base)
    before, after = at(repository, base), at(repository, head)
    changed_paths(before, after)
    assert set(after._listings) == {"", "s7"}
    assert before.reads == after.reads == 0


def test_too_many_changes(repository) -> None:
    base = repository.commit({"a": b"1"})
    head = repository.commit({f"d/{place}": b"1" for place in range(11)}, base=base)
    assert len(changed_paths(at(repository, base), at(repository, head, entries=11))) == 11
    with pytest.raises(TooLarge):
        changed_paths(at(repository, base), at(repository, head, entries=10))


def test_too_deep_a_change(repository) -> None:
    base = repository.commit({"a": b"1"})
    head = repository.commit({"/".join("d" * 30): b"1"}, base=base)
    with pytest.raises(TooLarge):
        changed_paths(at(repository, base), at(repository, head, depth=20))
