"""Commits made from dictionaries are what git sees."""

import subprocess
import time
from pathlib import Path

import pytest

from tests.github.folders import read_folder
from tests.github.gitrepo import EXECUTABLE, SUBMODULE, SYMLINK, Content, Entry, GitRepository

SUBMODULE_COMMIT = "1234567890" * 4


@pytest.fixture
def store(tmp_path: Path) -> GitRepository:
    return GitRepository(tmp_path / "store.git")


def git(store: GitRepository, *arguments: str) -> bytes:
    return subprocess.run(["git", *arguments], cwd=store.path, stdout=subprocess.PIPE, check=True).stdout


def names(store: GitRepository, sha: str) -> dict[bytes, bytes]:
    """path -> mode of every file."""
    lines = git(store, "ls-tree", "-r", "-z", sha).split(b"\0")
    return {line.partition(b"\t")[2]: line.split()[0] for line in lines if line}


def test_modes_nesting_and_odd_names(store: GitRepository) -> None:
    files: dict[str | bytes, Content] = {
        "a/b/c.txt": b"text",
        "a.b": b"sorts before a/",
        b'odd/\xff\n"name': b"bytes",
        "run.sh": Entry(b"#!/bin/sh\n", EXECUTABLE),
        "link": Entry(b"../outside", SYMLINK),
        "part": Entry(SUBMODULE_COMMIT.encode(), SUBMODULE),
    }
    sha = store.commit(files)
    assert names(store, sha) == {
        b"a/b/c.txt": b"100644",
        b"a.b": b"100644",
        b'odd/\xff\n"name': b"100644",
        b"run.sh": b"100755",
        b"link": b"120000",
        b"part": b"160000",
    }
    git(store, "fsck", "--strict")


def test_base_keeps_replaces_and_removes(store: GitRepository) -> None:
    base = store.commit({"keep/a": b"1", "change/b": b"1", "gone/c": b"1", "part/d": b"1", "part/e": b"1"})
    head = store.commit({"change/b": b"2", "new/deep/f": b"1"}, base=base, remove=["gone", "part/d"])
    assert set(names(store, head)) == {b"keep/a", b"change/b", b"part/e", b"new/deep/f"}
    assert git(store, "show", f"{head}:change/b") == b"2"
    assert git(store, "rev-parse", f"{head}^").decode().strip() == base
    with pytest.raises(KeyError, match="nothing to remove"):
        store.commit({}, base=base, remove=["never/was"])


def test_folders_become_files_and_vanish_when_empty(store: GitRepository) -> None:
    base = store.commit({"a/b/c": b"1", "d": b"1", "e/f": b"1"})
    head = store.commit({"a": b"now a file", "d/g": b"now a folder"}, base=base, remove=["a/b", "e/f"])
    assert set(names(store, head)) == {b"a", b"d/g"}
    git(store, "fsck", "--strict")


def test_very_deep_paths(store: GitRepository) -> None:
    path = "/".join(["d"] * 3000) + "/file"
    base = store.commit({path: b"1"})
    head = store.commit({path: b"2"}, base=base)
    assert list(names(store, head)) == [path.encode()]
    assert base != head


def test_same_content_gives_same_id(tmp_path: Path) -> None:
    shas = {GitRepository(tmp_path / name).commit({"a": b"1"}) for name in ("one", "two")}
    assert len(shas) == 1


def test_names_that_git_refuses(store: GitRepository) -> None:
    sha = store.commit({"..": b"1", ".git/config": b"2"})
    assert set(names(store, sha)) == {b"..", b".git/config"}
    blob = store.blob(b"1")
    raw = store.commit_raw_tree([(0o100644, b"a/b", blob), (0o100644, b"a", blob), (0o100644, b"a", blob)])
    lines = git(store, "ls-tree", "-z", raw).split(b"\0")
    assert [line.partition(b"\t")[2] for line in lines if line] == [b"a/b", b"a", b"a"]


def test_branches_parents_and_unrelated(store: GitRepository) -> None:
    one = store.commit({"a": b"1"}, branch="main")
    two = store.commit({"b": b"1"})
    merge = store.commit({"c": b"1"}, base=one, parents=[one, two])
    assert store.ref("refs/heads/main") == one
    assert git(store, "rev-list", "--parents", "-1", merge).decode().split() == [merge, one, two]
    store.delete_ref("refs/heads/main")
    assert store.ref("refs/heads/main") is None


def test_folders_are_read_without_following_links(store: GitRepository, tmp_path: Path) -> None:
    folder = tmp_path / "tree"
    (folder / "sub").mkdir(parents=True)
    (folder / "sub" / "f").write_bytes(b"1")
    (folder / "run").write_bytes(b"#!")
    (folder / "run").chmod(0o755)
    (folder / "link").symlink_to("/etc")
    modes = names(store, store.commit(read_folder(folder)))
    assert modes == {b"sub/f": b"100644", b"run": b"100755", b"link": b"120000"}


def test_tens_of_thousands_of_files_take_seconds(store: GitRepository) -> None:
    started = time.monotonic()
    files = {f"closed/s{number % 200}/results/{number}/summary.json": b'{"n": %d}' % number for number in range(20_000)}
    base = store.commit(files)
    store.commit({"closed/s1/one": b"1"}, base=base)
    assert time.monotonic() - started < 15
    assert len(names(store, base)) == 20_000
