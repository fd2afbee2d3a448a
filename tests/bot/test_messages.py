"""Titles, rows and sentences as people read them."""

from collections.abc import Callable
from pathlib import Path

import pytest

from bot import lines, messages
from checks.api import check_change
from checks.findings import Counts, Fault, Level, NotRun, Report, Scope, Waived
from checks.git_tree import GitTree
from tests.bot.reports import S1, S2, finding, report
from tests.github.gitrepo import GitRepository
from tests.trees.endpoints import whole_tree
from tests.trees.storage_files import FileTree
from tests.trees.storage_whole import valid_tree

Change = Callable[[FileTree, FileTree], Report]

SUBMITTER = Scope("closed/Acme", "submitter", "systems/notes.txt changed")
IMAGE = Scope("closed/Acme/code-4a3ce79d", "code", "named by a changed run")
TOP = Scope(".", "tree", "assets changed")
SUBMISSION = Scope("acme/sub-0001", "submission", "changed")
SYSTEM = Scope("acme/sub-0001/results/a", "system", "results changed")
BESIDE = Scope("acme/sub-0001/results/b", "system", "its submission changed")
THREE = [finding(f"{S2}/{name}", scope=S2) for name in "abc"]


@pytest.mark.parametrize(
    ("given", "title"),
    [
        (report(THREE, [S1, S2]), "2 systems changed: 1 passes, 1 has 3 errors"),
        (report([], [S1]), "1 system changed: it passes"),
        (report(THREE[:1], [S2]), "1 system changed: it has 1 error"),
        (report([], [S1, S2]), "2 systems changed: 2 pass"),
        (report([*THREE, finding(S1)], [S1, S2]), "2 systems changed: 2 have 4 errors"),
        (report([], [S1, SUBMITTER, IMAGE]), "1 system changed: it passes"),
        (report([], [SUBMITTER, TOP]), "1 submitter's folder and 1 top level changed: 2 pass"),
        (report([], [SUBMITTER, IMAGE]), "1 submitter's folder changed: it passes"),
        (report([], [IMAGE]), "1 code image changed: it passes"),
        (
            report([*THREE, finding("x", scope=IMAGE.path)], [S1, S2, SUBMITTER, IMAGE]),
            "2 systems changed: 1 passes, 1 has 3 errors; 1 code image has 1 error",
        ),
        (
            report([finding("x", scope=SUBMITTER.path), finding("y", scope=".")], [S1, SUBMITTER, TOP]),
            "1 system changed: it passes; 1 submitter's folder and 1 top level have 2 errors",
        ),
        (
            report([finding("x", Level.WARNING, scope=IMAGE.path)], [S1, IMAGE], strict=True),
            "1 system changed: it passes; 1 code image has 1 warning",
        ),
        (report([], [SUBMISSION, SYSTEM, BESIDE]), "1 system changed: it passes"),
        (report([], [SUBMISSION, BESIDE]), "1 submission changed: it passes"),
        (
            report([finding("x", scope=BESIDE.path)], [SUBMISSION, BESIDE]),
            "1 submission changed: it passes; 1 system has 1 error",
        ),
        (report([finding(S1, Level.WARNING)], [S1]), "1 system changed: it passes"),
        (report([finding(S1, Level.WARNING)], [S1], strict=True), "1 system changed: it has 1 warning"),
        (report([], []), "No submitted system changed"),
        (report([], [Scope(S1, "system", "removed")]), "No submitted system changed"),
        (report([], [S1], faults=(Fault("2.1.7", S1, S1, "7f3a", "KeyError"),)), "Checker fault, not your submission"),
        (report([], [S1], paths_seen=210), "Checker fault, not your submission"),
        (report([finding("closed", scope=".")], []), "1 top level changed: it has 1 error"),
        (report([finding("x", scope="closed/Acme")], []), "1 submitter's folder changed: it has 1 error"),
    ],
)
def test_title(given: object, title: str) -> None:
    assert messages.title(given) == title  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("findings", "cells"),
    [
        ([], ["closed/Acme · S1", "✅ passes", "0", "0", "results changed"]),
        ([finding(S1, Level.WARNING)], ["closed/Acme · S1", "✅ passes", "0", "1", "results changed"]),
        ([finding(S1), finding(S1)], ["closed/Acme · S1", "❌ 2 errors", "2", "0", "results changed"]),
    ],
)
def test_row(findings: list[object], cells: list[str]) -> None:
    whole = report(findings)  # type: ignore[arg-type]
    row = lines.scope_row(whole.scopes[0], whole.findings, whole)
    assert [cell.strip() for cell in row.strip("|").split("|")] == cells


def test_row_of_a_removed_system() -> None:
    removed = Scope(S1, "system", "removed")
    assert "➖ removed" in lines.scope_row(removed, (), report([], [removed]))


def test_row_of_a_system_that_the_checker_failed_on() -> None:
    whole = report([], faults=(Fault("2.1.7", S1, S1, "7f3a", "KeyError"),))
    assert "🔧 checker fault" in lines.scope_row(whole.scopes[0], (), whole)


@pytest.mark.parametrize(
    ("path", "name"),
    [
        (S1, "closed/Acme · S1"),
        ("acme/sub-0001/results/sys_a", "acme/sub-0001 · sys_a"),
        ("closed/Acme", "closed/Acme"),
        ("", "."),
        (".", "."),
    ],
)
def test_scope_name(path: str, name: str) -> None:
    assert messages.scope_name(path) == name


def test_finding_text_has_message_hint_count_and_the_path_it_is_about() -> None:
    one = finding(S1, message="5 run folders, 6 required.", hint="Add the missing run.", count=3)
    assert lines.finding_text(one).split("\n") == [
        "5 run folders, 6 required.",
        "Add the missing run.",
        "Found 3 times.",
    ]
    assert lines.finding_text(one, S1).startswith(f"{S1}:\n5 run folders")


def test_lines_escape_what_submitters_wrote() -> None:
    hostile = finding("closed/`@all`|x", message="value <img> @all", hint="#12")
    written = [
        lines.finding_line(hostile),
        lines.cause_line([hostile]),
        lines.not_run_line(NotRun("3.3.2", S1, "@all is missing", "a|`b`")),
        lines.waived_line(Waived(hostile, "agreed with @all", "2026-12-31")),
        lines.fault_line(Fault("2.1.7", S1, "a`b`@all", "7f3a", "KeyError")),
    ]
    for line in written:
        assert "\n" not in line
        assert " @all" not in line.replace("\u200b", "@")
        assert "<img>" not in line


@pytest.mark.parametrize(
    ("shown", "without_file", "beyond", "text"),
    [
        (3, 0, 0, "3 findings (2 errors and 1 warning), 3 annotations."),
        (1, 2, 0, "1 annotation; 2 without one, for want of a file that this pull request changes"),
        (1, 1, 1, "this pull request changes and 1 beyond the limit of 1 annotation"),
    ],
)
def test_count_of_annotations(shown: int, without_file: int, beyond: int, text: str) -> None:
    whole = report([finding(S1), finding(S1), finding(S1, Level.WARNING)])
    assert text in messages.annotated(whole, shown, without_file, beyond, 1)


def test_words_for_numbers() -> None:
    assert messages.counted(1, "error") == "1 error"
    assert messages.counted(0, "error") == "0 errors"
    assert messages.listed(["a", "b", "c"]) == "a, b and c"
    assert messages.problems(Counts(2, 1, 5), strict=True) == "2 errors and 1 warning"


@pytest.fixture
def change(tmp_path: Path) -> Change:
    """What the rules say of a change from one tree to another."""
    repository = GitRepository(tmp_path / "repository.git")

    def judged(base: FileTree, head: FileTree) -> Report:
        before, after = (GitTree.at(repository.path, repository.commit(tree.files)) for tree in (base, head))
        return check_change(before, after)

    return judged


def test_the_title_of_a_changed_run_does_not_count_the_image_that_it_names(change: Change) -> None:
    base = valid_tree("v3", divisions=("closed",), workloads=("unet3d",))
    head = base.copy()
    (log, *_) = base.find("closed/Acme/results/single/training/unet3d/run/*/dlio.log")
    head.put(log, base.files[log] + b"\n")
    (pointer, *_) = base.find(f"{log.rpartition('/')[0]}/.mlps-code-image")
    head.put(pointer, base.files[pointer] + b"\n")
    whole = change(base, head)
    assert {scope.kind for scope in whole.scopes} >= {"system", "code"}
    assert messages.title(whole).startswith("1 system changed: ")


def test_the_title_of_a_changed_submission_does_not_count_its_systems(change: Change) -> None:
    base = whole_tree()
    head = base.copy()
    head.put("acme_corp/sub-0001/docs/more.md", b"# More\n")
    whole = change(base, head)
    assert {scope.kind for scope in whole.scopes} >= {"system", "submission"}
    assert messages.title(whole).startswith("1 submission changed: ")
