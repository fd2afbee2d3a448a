"""The tree hash against worked examples that were computed by hand, and against the builders' own arithmetic."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checks import names
from checks.edition import load
from checks.storage.tree_hash import Exclusion, TreeHasher, hash_order, tree_hash, without_one
from tests.trees.storage_code import SOURCE
from tests.trees.storage_code import tree_hash as builders_hash

BASE = {"README.md": b"hello\n", "pkg/a.py": b"x = 1\n", "pkg/sub/b.bin": b"\x00\x01\x0d\x0a"}
BASE_HASH = "3a6770cf7c64a17de5a3936f9340630f"
WITH_DEEP_TESTS = "be920695ddef67411f788374fecd3e13"
WITH_DOT_FILES = "71b683918f7b10640236c87a0239e185"


def reading(name: str) -> Exclusion:
    return Exclusion.from_edition(name, load("checks.storage", "2.0")["code"]["exclusions"][name])


READINGS = ("any_depth", "document", "top_level")


def hashed(files: dict[str, bytes], name: str = "any_depth") -> str:
    return tree_hash(files.items(), reading(name)).hash


@pytest.mark.parametrize("name", READINGS)
def test_worked_example(name: str) -> None:
    assert hashed(BASE, name) == BASE_HASH
    assert hashlib.md5(b"README.mdhello\npkg/a.pyx = 1\npkg/sub/b.bin\x00\x01\x0d\x0a").hexdigest() == BASE_HASH


@pytest.mark.parametrize("name", READINGS)
def test_what_no_reading_hashes(name: str) -> None:
    noise = (".code-hash.json", "pkg/a.pyc", "pkg/.DS_Store", "tests/t.py", "foo.egg-info/x", "pkg/bar.egg-info/y")
    assert hashed(BASE | dict.fromkeys(noise, b"noise"), name) == BASE_HASH


def test_deep_tests_are_hashed_by_the_top_level_reading_only() -> None:
    files = BASE | {"pkg/tests/t.py": b"t\n"}
    assert [hashed(files, name) for name in READINGS] == [BASE_HASH, BASE_HASH, WITH_DEEP_TESTS]


def test_other_dot_entries_are_left_out_by_the_document_only() -> None:
    files = BASE | {".gitignore": b"*.log\n", ".github/x.yml": b"a\n", "pkg/tests/t.py": b"t\n"}
    assert hashed(files) == WITH_DOT_FILES
    assert hashed(files, "document") == BASE_HASH


def test_tools_build_folders_are_hashed_by_the_document() -> None:
    files = BASE | {"build/x": b"1", "pkg/x.pyo": b"2"}
    assert hashed(files) == BASE_HASH
    assert hashed(files, "document") != BASE_HASH


def test_names_that_only_look_excluded_are_hashed() -> None:
    for name in ("testsuite/a", "pkg/test.py", "a.pyc.txt", "egg-info", "Tests/a", "A.PYC"):
        for each in READINGS:
            assert hashed(BASE | {name: b"1"}, each) != BASE_HASH, (name, each)


def test_order_is_that_of_the_bytes_of_the_whole_path() -> None:
    files = {"B.txt": b"4", "a-b.txt": b"2", "a.txt": b"3", "a/z.txt": b"1", "é.txt": b"5"}
    assert hashed(files) == "d7b475adfcb1cf38214219ee49ac8626"
    assert sorted(files, key=hash_order) == ["B.txt", "a-b.txt", "a.txt", "a/z.txt", "é.txt"]


def test_a_name_that_is_not_utf8_is_hashed_by_its_bytes() -> None:
    raw = b"caf\xe9.txt"
    assert hashed({names.decode(raw): b"1"}) == hashlib.md5(raw + b"1").hexdigest()


def test_an_empty_tree() -> None:
    assert hashed({}) == "d41d8cd98f00b204e9800998ecf8427e"


def test_one_pass_counts_the_files_of_each_reading() -> None:
    hasher = TreeHasher([reading(name) for name in READINGS])
    for path in sorted({*BASE, ".gitignore", "pkg/tests/t.py"}, key=hash_order):
        hasher.add(path, b"")
    assert {name: found.files for name, found in hasher.hashes.items()} == {
        "any_depth": 4,
        "document": 3,
        "top_level": 5,
    }


NAMES = st.sampled_from(["a", "b.py", "tests", ".git", ".github", "x.pyc", "build", "p.egg-info", "é", "Z"])
PATHS = st.lists(NAMES, min_size=1, max_size=4).map("/".join)


@given(st.dictionaries(PATHS, st.binary(max_size=8), max_size=12))
def test_agrees_with_the_builders(files: dict[str, bytes]) -> None:
    assert hashed(files) == builders_hash(files)
    assert hashed(files, "document") == builders_hash(files, "document")
    assert hashed(files, "top_level") == builders_hash(files, "top-level")


@pytest.mark.parametrize("extra", sorted(SOURCE))
def test_the_one_file_too_many_is_found(extra: str) -> None:
    files = sorted(SOURCE.items(), key=lambda file: hash_order(file[0]))
    wanted = builders_hash({path: content for path, content in SOURCE.items() if path != extra})
    assert without_one(files, wanted) == extra
    assert without_one(files, "0" * 32) is None
