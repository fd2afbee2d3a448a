"""Names that are not safe everywhere, and names that collide."""

from __future__ import annotations

from pathlib import Path

import pytest

from checks import names
from checks.findings import Level
from tests.checks.hygiene_trees import RUN, SYSTEM, SYSTEMS, Git, of, small
from tests.checks.support import found
from tests.github.gitrepo import FILE

ERROR, WARNING, NOTICE = Level.ERROR, Level.WARNING, Level.NOTICE


@pytest.mark.parametrize(
    ("name", "level", "words"),
    [
        (b"caf\xe9.log", ERROR, "is not UTF-8"),
        (b"tab\there.log", ERROR, "control characters or invisible ones"),
        (b"new\nline.log", ERROR, "control characters or invisible ones"),
        ("left\u202egol.txt".encode(), ERROR, "control characters or invisible ones"),
        (b"a\\b", ERROR, "holds a backslash"),
        (b".git", ERROR, "taken for git's own folder"),
        (b".GIT", ERROR, "taken for git's own folder"),
        (b"git~1", ERROR, "taken for git's own folder"),
        (b".git. ", ERROR, "taken for git's own folder"),
        (".g\u200cit".encode(), ERROR, "taken for git's own folder"),
        (b"..", ERROR, "is no name that a folder can hold"),
        (b"CON", WARNING, "can't be checked out on Windows"),
        (b"aux.txt", WARNING, "can't be checked out on Windows"),
        (b"com1", WARNING, "can't be checked out on Windows"),
        (b"a:b", WARNING, "can't be checked out on Windows"),
        (b'quote".log', WARNING, "can't be checked out on Windows"),
        (b"end.", WARNING, "can't be checked out on Windows"),
        (b"end ", WARNING, "can't be checked out on Windows"),
        (b"._S1.pdf", NOTICE, "macOS resource file"),
        (b"my file.txt", NOTICE, "holds a blank"),
    ],
)
def test_each_kind_of_name(tmp_path: Path, name: bytes, level: Level, words: str) -> None:
    git = Git(tmp_path)
    commit = git.commit({**small().files, f"{RUN}/".encode() + name: b"x"})
    (finding,) = of(git.report(commit), "input.name")
    assert (finding.level, finding.scope) == (level, SYSTEM)
    assert finding.path == names.shown(f"{RUN}/{names.decode(name)}")
    assert words in finding.message


@pytest.mark.parametrize(
    "name", ["Größe_1", ".gitignore", ".github", "git", "console.log", "com10", "a.b.c", "aux_data", "COM", ".mlps-x"]
)
def test_names_that_are_fine(name: str) -> None:
    tree = small()
    tree.put(f"{RUN}/{name}", "x")
    assert found(tree, "input.name") == []


def test_entries_that_git_itself_refuses_are_findings_not_crashes(tmp_path: Path) -> None:
    git = Git(tmp_path)
    blob = git.repository.blob(b"x")
    valid = git.tree(git.commit(small().files)).entry("closed")
    assert valid is not None
    assert valid.oid is not None
    entries = [(0o40000, b"closed", valid.oid), (FILE, b"..", blob), (FILE, b"a/b", blob), (FILE, b".GIT", blob)]
    commit = git.repository.commit_raw_tree([*entries, (FILE, b"twice", blob), (FILE, b"twice", blob)])
    report = git.report(commit)
    told = {(item.path, item.message) for item in of(report, "input.name")}
    assert told == {
        ("..", "`..` is no name that a folder can hold."),
        (".", "`b` is no name that a folder can hold."),
        (".GIT", "`.GIT` is taken for git's own folder on some systems."),
    }
    (twice,) = of(report, "input.case-collision")
    assert (twice.path, twice.message) == (
        "twice",
        "`twice` stands in this folder more than once; git itself refuses such a tree.",
    )


@pytest.mark.parametrize(
    "pair",
    [("Big.yaml", "big.yaml"), ("e\u0301.log", "\xe9.log"), ("STRASSE", "stra\xdfe"), ("\xc9.log", "e\u0301.log")],
)
def test_names_that_differ_by_case_or_accents_form(tmp_path: Path, pair: tuple[str, str]) -> None:
    git = Git(tmp_path)
    commit = git.commit({**small().files, **{f"{RUN}/{name}": b"x" for name in pair}})
    (finding,) = of(git.report(commit), "input.case-collision")
    assert finding.level is Level.ERROR
    assert finding.path == f"{RUN}/{max(pair, key=str.encode)}"
    assert all(f"`{name}`" in finding.message for name in pair)


def test_colliding_descriptions_and_systems() -> None:
    tree = small()
    tree.put(f"{SYSTEMS}/s1.yaml", tree.files[f"{SYSTEMS}/S1.yaml"])
    tree.put("closed/Acme/results/s1/x", "x")
    tree.put("closed/acme/results/S1/x", "x")
    assert {item.path for item in found(tree, "input.case-collision")} == {
        "closed/acme",
        "closed/Acme/results/s1",
        f"{SYSTEMS}/s1.yaml",
    }


def test_the_same_name_in_two_folders_collides_with_nothing() -> None:
    tree = small()
    tree.put(f"{RUN}/a/x", "1")
    tree.put(f"{RUN}/b/X", "1")
    assert found(tree, "input.case-collision") == []
