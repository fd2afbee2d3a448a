"""Findings that the base already has are told apart from those that a change brings."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from checks import baseline
from checks.api import Options, check_change
from checks.findings import Finding, Report, Scope, Verdict
from checks.formats import RENDERERS
from checks.git_tree import GitTree
from tests.github.gitrepo import GitRepository

FILES = {"closed/Acme/systems/A.yaml": b"name: A\n", "closed/Acme/results/A/training/unet3d/notes.txt": b"x\n"}
ENDPOINTS = {"acme/sub-1/results/A/system_desc.json": b"{}\n", "acme/sub-1/docs/x.md": b"x\n"}


def report_of(folder: Path, before: Mapping[str, bytes], after: Mapping[str, bytes]) -> Report:
    repository = GitRepository(folder / "repo.git")
    base = repository.commit(before)
    head = repository.commit({**before, **after}, base=base)
    trees = [GitTree.at(repository.path, commit) for commit in (base, head)]
    return check_change(*trees, Options(base=base, head=head))


def finding(path: str = "a", message: str = "m", **fields: object) -> Finding:
    return Finding(path, message, rule="2.1.7", scope="s", **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("before", "old"),
    [
        (finding(), True),
        (finding(line=7), True),
        (finding("b"), False),
        (finding(message="other"), False),
        (finding(message="other words", cause="m"), True),
        (finding(count=2), True),
    ],
)
def test_rule_path_and_cause_make_a_finding_the_same(before: Finding, old: bool) -> None:
    (marked,) = baseline.marked([finding()], [before])
    assert marked.on_base is old


def test_a_fault_that_got_more_frequent_is_new() -> None:
    (marked,) = baseline.marked([finding(count=3)], [finding(count=2)])
    assert not marked.on_base


def test_a_change_brings_one_and_finds_another(tmp_path: Path) -> None:
    report = report_of(tmp_path, FILES, {"closed/Acme/results/A/nonsense/x.txt": b"x\n"})
    old = [one for one in report.findings if one.rule == "2.1.7" and one.path == "closed/Acme/systems/A.yaml"]
    new = [one for one in report.findings if one.path.startswith("closed/Acme/results/A/nonsense")]
    assert old
    assert new
    assert (all(one.on_base for one in old), any(one.on_base for one in new)) == (True, False)
    assert report.verdict is Verdict.FAIL
    written = json.loads(RENDERERS["json"](report))["findings"]
    assert {one["on_base"] for one in written} == {True, False}
    assert "(already on the base)" in RENDERERS["text"](report)


def test_a_system_that_is_new_has_nothing_on_the_base(tmp_path: Path) -> None:
    report = report_of(tmp_path, {"README.md": b"x", **FILES}, {"closed/Bolt/systems/A.yaml": b"name: A\n"})
    assert report.findings
    assert not any(one.on_base for one in report.findings if one.path.startswith("closed/Bolt"))


def test_the_verdict_may_leave_out_what_is_old() -> None:
    old = Finding("a", "m", rule="2.1.7", scope="s", on_base=True)
    scopes = (Scope("s", "system", "changed"),)
    assert Report("storage", "2.0", "1", scopes=scopes, findings=(old,)).verdict is Verdict.FAIL
    kept = Report("storage", "2.0", "1", scopes=scopes, findings=(old,), base_counts=False)
    assert kept.verdict is Verdict.PASS
    assert kept.scope_verdict([old]) is Verdict.PASS
    assert kept.scope_verdict([old, finding()]) is Verdict.FAIL


def test_two_trees_are_fetched_in_one_batch(tmp_path: Path) -> None:
    repository = GitRepository(tmp_path / "repo.git")
    base = repository.commit({"a": b"1", "b": b"same", "gone": b"x"})
    head = repository.commit({"a": b"2", "b": b"same"}, base=base, remove=["gone"])
    batches: list[list[str]] = []
    one, other = (
        GitTree.at(repository.path, commit, lambda oids: batches.append(list(oids))) for commit in (base, head)
    )
    other.along(one, ["a", "b", "gone"])
    for tree in (one, other):
        tree.has = lambda oid: False  # type: ignore[method-assign]
    other.ensure(["a", "b"])
    assert len(batches) == 1
    wanted = [one.entry("a"), one.entry("b"), one.entry("gone"), other.entry("a")]
    assert set(batches[0]) == {entry.oid for entry in wanted if entry is not None}


@pytest.mark.parametrize(
    ("files", "changed", "touched"),
    [
        (FILES, {"closed/Acme/systems/B.yaml": b""}, [("Acme", "closed/Acme", 1)]),
        (FILES, {"closed/Acme/x": b"", "open/Acme/y": b""}, [("Acme", "closed/Acme", 2)]),
        (FILES, {"closed/Acme/x": b"", "closed/Bolt/y": b""}, [("Acme", "closed/Acme", 1), ("Bolt", "closed/Bolt", 1)]),
        (FILES, {"Acme/.mlps-image-pool": b"", "Acme/code-12345678/a": b""}, [("Acme", "Acme", 2)]),
        (FILES, {"code-images/code-12345678/a": b"", "README.md": b"", ".github/w.yml": b""}, []),
        (
            ENDPOINTS,
            {"acme/sub-1/docs/y.md": b"", "zeta/sub-1/docs/y.md": b""},
            [("acme", "acme", 1), ("zeta", "zeta", 1)],
        ),
        (ENDPOINTS, {"README.md": b"new"}, []),
        ({"results/A/system_desc.json": b"{}\n"}, {"results/A/more.json": b"{}\n"}, []),
    ],
)
def test_whose_folders_a_change_touches(
    tmp_path: Path, files: dict[str, bytes], changed: dict[str, bytes], touched: list[tuple[str, str, int]]
) -> None:
    report = report_of(tmp_path, files, changed)
    assert [(one.submitter, one.folder, one.paths) for one in report.touched] == touched
