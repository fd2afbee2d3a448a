"""A change judged as merged into a branch that has moved on: what only the merged result has wrong is seen."""

from __future__ import annotations

from pathlib import Path

import pytest

from checks.api import Options, check_change
from checks.change_trees import ChangeTrees, Commits
from checks.changes import changed_paths
from checks.findings import Finding, Report
from tests.checks.endpoints.one_curve import SYSTEM
from tests.github.gitrepo import GitRepository
from tests.trees.endpoints import EndpointsTree, spread
from tests.trees.storage import StorageTree
from tests.trees.storage_files import FileTree
from tests.trees.storage_whole import SECOND_SOURCE

CURVE = f"{SYSTEM}/llama3_1-8b"
S1, S2, S3 = (f"closed/Acme/results/S{number}" for number in (1, 2, 3))


class Branches:
    """A repository in which a branch moved on from `base` to `tip`, while a change went from `base` to `head`."""

    def __init__(self, folder: Path) -> None:
        self.repository = GitRepository(folder / "repo.git")

    def judged(self, rules: str, *trees: FileTree, merged: bool = True, edition: str | None = None) -> Report:
        base, tip, head = (self.repository.commit(tree.files) for tree in trees)
        change = ChangeTrees.at(self.repository.path, Commits(base, tip if merged else base, head))
        report = check_change(change.base, change.head, Options(rules=rules, edition=edition), change.merge)
        assert not report.faults, report.faults
        return report


@pytest.fixture
def branches(tmp_path: Path) -> Branches:
    return Branches(tmp_path)


def of_rule(report: Report, rule: str) -> list[Finding]:
    return [finding for finding in report.findings if finding.rule == rule]


def reasons(report: Report) -> dict[str, str]:
    return {scope.path: scope.reason for scope in report.scopes}


def storage(*systems: str) -> StorageTree:
    """Acme's systems, each with its runs; S2 and S3 have a code of their own, S1 another."""
    tree = StorageTree("v3")
    acme = tree.submitter("Acme")
    for name in systems:
        acme.system(name, **({} if name == "S1" else {"source": SECOND_SOURCE})).checkpointing()
    return tree


def test_two_amendments_that_fit_alone_exceed_the_cap_together(branches: Branches) -> None:
    tree = EndpointsTree()
    curve = tree.submission().system("sys_000").curve("llama3_1-8b", spread(31), offline="elected")
    base, tip = tree.copy(), tree.copy()
    curve.add(17)
    first = tree.copy()
    curve.add(18)
    second = FileTree({path: data for path, data in tree.files.items() if path in base.files or "/r18/" in path})
    tip.files.update(first.files)
    assert of_rule(branches.judged("endpoints", base, tip, second, merged=False), "point-cap") == []
    report = branches.judged("endpoints", base, tip, second)
    (finding,) = of_rule(report, "point-cap")
    assert (finding.path, finding.on_base) == (CURVE, False)
    assert "33 points" in finding.message
    assert of_rule(report, "amendment-unchanged-points") == []


def test_a_code_image_that_the_branch_lost_meanwhile(branches: Branches) -> None:
    base, tip, head = storage("S1", "S2"), storage("S1"), storage("S1", "S2", "S3")
    assert of_rule(branches.judged("storage", base, base, head, edition="3.0"), "2.1.6") == []
    report = branches.judged("storage", base, tip, head, edition="3.0")
    assert any(finding.path.startswith(S3) for finding in of_rule(report, "2.1.6"))
    assert reasons(report)[S3] == "added"


def test_a_system_that_came_meanwhile_with_the_image_that_the_change_edits(branches: Branches) -> None:
    base, tip, head = storage("S1", "S2"), storage("S1", "S2", "S3"), storage("S1", "S2")
    (image,) = {path.rpartition("/")[0] for path in base.files if path.endswith(".code-hash.json")} - {
        path.rpartition("/")[0] for path in storage("S1").files if path.endswith(".code-hash.json")
    }
    head.put(f"{image}/more.py", b"x = 1\n")
    before = branches.judged("storage", base, base, head, edition="3.0")
    report = branches.judged("storage", base, tip, head, edition="3.0")
    assert S3 not in reasons(before)
    assert reasons(report)[S3] == reasons(before)[S2]


def test_what_the_branch_has_wrong_by_now_is_on_the_base(branches: Branches) -> None:
    base, tip, head = storage("S1"), storage("S1"), storage("S1", "S2")
    tip.put("closed/Acme/systems/old.txt", b"x\n")
    head.put("closed/Acme/systems/new.txt", b"x\n")
    found = of_rule(branches.judged("storage", base, tip, head, edition="3.0"), "2.1.7")
    assert {finding.path: finding.on_base for finding in found} == {
        "closed/Acme/systems/old.txt": True,
        "closed/Acme/systems/new.txt": False,
    }


def test_what_was_taken_away_on_both_sides_is_removed(branches: Branches) -> None:
    base, tip, head = storage("S1", "S2"), storage("S2"), storage("S2")
    tip.put("README.md", b"x\n")
    assert reasons(branches.judged("storage", base, tip, head, edition="3.0"))[S1] == "removed"


def test_a_system_removed_here_and_added_to_there_is_judged_as_it_remains(branches: Branches) -> None:
    base, tip, head = storage("S1", "S2"), storage("S1", "S2"), storage("S2")
    tip.put(f"{S1}/more.txt", b"x\n")
    report = branches.judged("storage", base, tip, head, edition="3.0")
    assert reasons(report)[S1] not in ("", "removed")
    assert any(finding.path.startswith(S1) for finding in report.findings)


def test_a_file_that_both_sides_changed_is_told(branches: Branches) -> None:
    base, tip, head = storage("S1"), storage("S1"), storage("S1")
    for tree, text in ((tip, b"# tip\n"), (head, b"# head\n")):
        tree.put("closed/Acme/systems/S1.yaml", base.files["closed/Acme/systems/S1.yaml"] + text)
        tree.put("closed/Acme/systems/S1.pdf", b"%PDF-1.7 the same\n")
    (note,) = branches.judged("storage", base, tip, head, edition="3.0").notes
    assert note.startswith("1 file changed here and, meanwhile, on the base branch too")
    assert "`closed/Acme/systems/S1.yaml`" in note


def test_the_same_findings_when_several_processes_judge(branches: Branches) -> None:
    base, tip, head = storage("S1", "S2"), storage("S1"), storage("S1", "S2", "S3")
    commits = Commits(*(branches.repository.commit(tree.files) for tree in (base, tip, head)))
    reports = []
    for jobs in (1, 2):
        change = ChangeTrees.at(branches.repository.path, commits)
        options = Options(rules="storage", edition="3.0", jobs=jobs)
        reports.append(check_change(change.base, change.head, options, change.merge))
    assert reports[0].findings == reports[1].findings != ()


def test_a_branch_that_stands_still_costs_nothing(branches: Branches) -> None:
    base, head = (branches.repository.commit(storage(*systems).files) for systems in (("S1",), ("S1", "S2")))
    change = ChangeTrees.at(branches.repository.path, Commits(base, base, head))
    assert change.tip is change.base
    assert change.merge is None


def test_a_branch_that_moved_lists_no_more_of_a_large_tree(branches: Branches) -> None:
    files = {f"closed/Org{place}/results/S/training/unet3d/{inner}/f": b"1" for place in range(20) for inner in "ab"}
    base = branches.repository.commit(files)
    tip = branches.repository.commit({"closed/Org7/results/S/training/unet3d/a/f": b"2"}, base=base)
    head = branches.repository.commit({"closed/Org8/results/S/training/unet3d/a/f": b"3"}, base=base)
    change = ChangeTrees.at(branches.repository.path, Commits(base, tip, head))
    assert change.merge is not None
    changed = changed_paths(change.tip, change.merge.result)
    assert [one.path for one in changed] == ["closed/Org8/results/S/training/unet3d/a/f"]
    below = {path for path in change.merge.result._listings if path.count("/") > 1}
    assert all(path.startswith("closed/Org8/") for path in below)
