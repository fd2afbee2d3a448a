"""Reports on names, kinds and sizes of what git holds (rows A-23, A-42 to A-49, L-04, L-06, L-18, L-20 of
docs/public-reports.md), each on real git trees.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from checks.api import Options, check_change, check_tree
from checks.changes import changed_paths
from checks.findings import Level, Report
from checks.git_tree import GitTree
from checks.tree import Limits, ObjectMissing, TooLarge
from tests.checks.hygiene_trees import RUN, SYSTEM, SYSTEMS, Git, of, small
from tests.checks.storage.section_two import RESULTS, Small
from tests.checks.storage.test_changes import Mirror
from tests.checks.support import above_notice, places
from tests.github.gitrepo import SUBMODULE, Entry
from tests.trees.storage import StorageTree
from tests.trees.storage_files import FileTree

MIB = 1024 * 1024
STORAGE = Options(rules="storage")
POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"5" * 64 + b"\nsize 91234\n"


def test_a_23_the_last_of_very_many_changed_files_is_seen(tmp_path: Path) -> None:
    """A-24 and A-27 alike: no list that ends somewhere decides what is checked."""
    git = Git(tmp_path)
    base = git.commit(Small().files)
    many = {f"{RESULTS}/training/unet3d/run/extra/{number:04}.log": b"" for number in range(3199)}
    last = f"{SYSTEMS}/S1.yaml"
    report = git.report(git.commit({**many, last: b"nothing: here\n"}, base=base), base)
    assert (report.paths_changed, report.paths_seen) == (3200, 3200)
    assert [(str(item.level), item.path) for item in of(report, "2.1.7")] == [("error", last)]


def test_a_42_names_of_every_kind_are_seen_and_shown_without_harm(tmp_path: Path) -> None:
    git = Git(tmp_path)
    base = git.commit(small().files)
    tree = StorageTree("v3")
    tree.submitter("Acme").system("Größe_1").training()
    run = tree.find("*/training/unet3d/run/*/summary.json")[0].rpartition("/")[0]
    odd = {f"{run}/tab\there": b"x", f'{run}/a"quote': b"x", f"{run}/new\nline": b"x"}
    report = git.report(git.commit({**tree.files, **odd}, base=base), base)
    assert "closed/Acme/results/Größe_1" in {scope.path for scope in report.scopes}
    assert report.paths_seen == report.paths_changed == len(tree.files) + len(odd)
    assert [(str(item.level), item.path) for item in of(report, "input.name")] == [
        ("warning", f'{run}/a"quote'),
        ("error", f"{run}/new\\x0aline"),
        ("error", f"{run}/tab\\x09here"),
    ]
    assert not of(report, "2.1.7", "2.1.8")


def test_a_43_names_that_one_system_keeps_apart_and_another_does_not(tmp_path: Path) -> None:
    git = Git(tmp_path)
    described = small().files[f"{SYSTEMS}/S1.yaml"]
    pairs = {f"{SYSTEMS}/Big.yaml": described, f"{SYSTEMS}/big.yaml": described}
    pairs |= {f"{RUN}/caf\u00e9.log": b"x", f"{RUN}/cafe\u0301.log": b"x"}
    report = git.report(git.commit({**small().files, **pairs}))
    assert places(of(report, "input.case-collision")) == [
        ("input.case-collision", "error", f"{RUN}/caf\u00e9.log", None),
        ("input.case-collision", "error", f"{SYSTEMS}/big.yaml", None),
    ]


def test_a_44_a_pointer_to_large_file_storage_is_told_as_such_and_as_nothing_else(tmp_path: Path) -> None:
    git = Git(tmp_path)
    tree = Small()
    run = tree.training.runs[0]
    paths = [tree.system.pdf, run.summary, f"{run.path.rpartition('/')[0]}/results.json"]
    report = git.report(git.commit({**tree.files, **dict.fromkeys(paths, POINTER)}))
    assert sorted(places(of(report, "input.lfs-pointer"))) == sorted(
        ("input.lfs-pointer", "error", path, 1) for path in paths
    )
    assert all("Git LFS" in item.message for item in of(report, "input.lfs-pointer"))
    others = {(item.rule, item.path) for item in report.findings if item.path in paths}
    assert {rule for rule, _ in others} == {"input.lfs-pointer"}


def test_a_46_a_tree_beyond_the_limit_is_refused_with_limit_and_place(tmp_path: Path) -> None:
    git = Git(tmp_path)
    base = git.commit(small().files)
    head = git.commit({f"{RUN}/part/{number:03}": b"" for number in range(101)}, base=base)
    before = git.tree(base)
    with pytest.raises(TooLarge, match=r"more than 100 .*at most 100 are read"):
        changed_paths(before, GitTree.at(git.repository.path, head, limits=Limits(entries=100)))
    assert len(changed_paths(before, GitTree.at(git.repository.path, head, limits=Limits(entries=101)))) == 101
    whole = check_tree(GitTree.at(git.repository.path, head, limits=Limits(entries=100)), STORAGE)
    (finding,) = of(whole, "input.too-large")
    assert (finding.level, finding.path) == (Level.ERROR, SYSTEM)
    assert "at most 100 are read" in finding.message
    assert finding.hint


def test_a_49_a_submodule_is_a_finding_and_is_never_fetched(tmp_path: Path) -> None:
    git = Git(tmp_path)
    tree = FileTree(small().files).remove(SYSTEM)
    files = {
        **tree.files,
        SYSTEM: Entry(b"1" * 40, SUBMODULE),
        "code-images/x": Entry(b"2" * 40, SUBMODULE),
        ".gitmodules": b'[submodule "x"]\n\tpath = code-images/x\n\turl = --upload-pack=./payload\n',
    }
    base = git.commit(small().files)
    for report in (git.report(git.commit(files)), git.report(git.commit(files, base=base, remove=(SYSTEM,)), base)):
        assert places(of(report, "input.submodule")) == [
            ("input.submodule", "error", SYSTEM, None),
            ("input.submodule", "error", "code-images/x", None),
        ]
        assert report.verdict == "fail"


def test_l_04_a_path_beyond_ascii_is_compared_by_its_bytes(tmp_path: Path) -> None:
    git = Git(tmp_path)
    base = git.commit(small().files)
    path = f"{RUN}/špatně.json"
    head = git.commit({path: b"{}", f"{RUN}/\xff".encode("latin-1"): b"x"}, base=base)
    assert {change.path for change in changed_paths(git.tree(base), git.tree(head))} == {path, f"{RUN}/\udcff"}
    assert git.report(head, base).changed_paths == {path, f"{RUN}/\\xff"}


def test_l_06_a_partial_clone_gives_the_same_findings_or_says_that_content_is_not_here(tmp_path: Path) -> None:
    git = Git(tmp_path)
    tree = Small("v3")
    base = git.commit(tree.files)
    shortened = {tree.training.runs[0].summary: b'{"metric": {}}'}
    head = git.repository.commit(shortened, base=base, branch="main")
    whole = check_change(git.tree(base), git.tree(head), STORAGE)
    mirror = Mirror(git.repository, tmp_path / "mirror.git")
    fetched = check_change(mirror.tree(base), mirror.tree(head), STORAGE)
    assert fetched.findings == whole.findings
    assert fetched.faults == ()
    bare = Mirror(git.repository, tmp_path / "bare.git")
    with pytest.raises(ObjectMissing, match="is not in the repository"):
        check_change(GitTree.at(bare.folder, base), GitTree.at(bare.folder, head), STORAGE)


def test_l_20_only_the_final_tree_counts_not_what_a_commit_between_held(tmp_path: Path) -> None:
    git = Git(tmp_path)
    base = git.commit(small().files)
    large = f"{RUN}/big.bin"
    first = git.commit({large: bytes(80 * MIB)}, base=base)
    second = git.commit({f"{RUN}/dlio.log": b"done again\n"}, base=first, remove=(large,))
    assert [item.path for item in of(git.report(first, base), "hygiene.file-size")] == [large]
    assert of(git.report(second, base), "hygiene.file-size") == []
    assert git.report(second, base).changed_paths == {f"{RUN}/dlio.log"}


def test_valid_trees_in_git_have_nothing_to_mend(tmp_path: Path) -> None:
    """What the tests above break is sound before."""
    git = Git(tmp_path)
    report: Report = git.report(git.commit(Small().files))
    assert report.verdict == "pass"
    assert above_notice(Small()) == []
    assert RESULTS in {scope.path for scope in report.scopes}
