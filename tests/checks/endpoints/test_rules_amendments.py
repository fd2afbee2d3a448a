"""Amendments: what a change to a submission that the base holds may do."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from checks.api import Options, check_change
from checks.findings import Finding
from checks.git_tree import GitTree
from tests.checks.endpoints.one_curve import POWER, SYSTEM, curve_tree, line_of, not_run
from tests.checks.support import places
from tests.github.gitrepo import GitRepository
from tests.trees.endpoints import EndpointsTree, spread
from tests.trees.storage_files import GONE, FileTree

CURVE = f"{SYSTEM}/llama3_1-8b"


Changed = Callable[[FileTree, FileTree, str], list[Finding]]


@pytest.fixture
def changed(tmp_path: Path) -> Changed:
    """What the check of a change from one tree to another, both in git, says under a rule."""
    repository = GitRepository(tmp_path / "repository.git")

    def judged(base: FileTree, head: FileTree, rule: str) -> list[Finding]:
        commits = [repository.commit(tree.files) for tree in (base, head)]
        before, after = (GitTree.at(repository.path, commit) for commit in commits)
        report = check_change(before, after, Options(rules="endpoints"))
        assert not report.faults, report.faults
        return [finding for finding in report.findings if finding.rule == rule]

    return judged


def with_point(concurrency: int = 64) -> tuple[FileTree, FileTree, str]:
    """A merged tree, the same with one more point, and the path of the new point.yaml."""
    tree, curve = curve_tree()
    base = tree.copy()
    curve.add(concurrency)
    return base, tree, curve.file(concurrency, "point.yaml")


def everywhere(tree: FileTree, **values: str) -> FileTree:
    for path in tree.find("*/point.yaml"):
        tree.edit_yaml(path, {f"/{key}": value for key, value in values.items()})
    return tree


def test_a_new_point_keeps_the_bound_set(changed: Changed) -> None:
    base, head, path = with_point()
    assert changed(base, head, "seed-set-bound") == []
    head.edit_yaml(path, {"/seed_set": "B"})
    place = ("seed-set-bound", "error", path, line_of(head, path, "seed_set"))
    assert places(changed(base, head, "seed-set-bound")) == [place]
    assert changed(base, head, "seed-set-consistency") == []


def test_all_points_moved_to_another_set(changed: Changed) -> None:
    base, head, _ = with_point()
    everywhere(head, seed_set="B")
    (finding,) = changed(base, head, "seed-set-bound")
    assert 'bound to the text "A"' in finding.message
    assert "7 other points" in finding.message


def test_a_base_of_several_sets_binds_none(changed: Changed) -> None:
    base, head, path = with_point()
    base.edit_yaml(f"{CURVE}/r16/point.yaml", {"/seed_set": "B"})
    head.edit_yaml(path, {"/seed_set": "B"})
    assert changed(base, head, "seed-set-bound") == []
    assert [finding.path for finding in changed(base, head, "seed-set-consistency")] == [path]


def test_adoption_is_not_tested_again(changed: Changed) -> None:
    base, head, _ = with_point()
    late = {"target_cohort": "2027-06-C0"}
    assert changed(everywhere(base, **late), everywhere(head, **late), "seed-set-adoption") == []


def test_adoption_is_tested_for_a_new_submission(changed: Changed) -> None:
    base, head, _ = with_point()
    everywhere(head, target_cohort="2027-06-C0")
    elsewhere = FileTree({path.replace("sub-0001", "sub-0000"): content for path, content in base.files.items()})
    (finding,) = changed(elsewhere, FileTree({**elsewhere.files, **head.files}), "seed-set-adoption")
    assert finding.path == f"{CURVE}/r16/point.yaml"


@pytest.mark.parametrize(("added", "is_right"), [(1, True), (2, False)])
def test_the_cap_counts_the_merged_result(changed: Changed, added: int, is_right: bool) -> None:
    tree = EndpointsTree()
    curve = tree.submission().system("sys_000").curve("llama3_1-8b", spread(31), offline="elected")
    base = tree.copy()
    for concurrency in (17, 18)[:added]:
        curve.add(concurrency)
    found = changed(base, tree, "point-cap")
    assert places(found) == ([] if is_right else [("point-cap", "error", CURVE, None)])


@pytest.mark.parametrize("name", ["point.yaml", "system_desc.json", "config.yaml"])
def test_files_of_a_point_that_was_not_measured_again(changed: Changed, name: str) -> None:
    base, head, _ = with_point()
    path = f"{CURVE}/r256/{name}"
    head.put(path, head.files[path] + b"\n")
    place = ("amendment-unchanged-points", "error", path, None)
    assert places(changed(base, head, "amendment-unchanged-points")) == [place]


def test_a_file_added_to_or_taken_from_a_merged_point(changed: Changed) -> None:
    base, head, _ = with_point()
    head.put(f"{CURVE}/r256/notes.txt", "new")
    assert len(changed(base, head, "amendment-unchanged-points")) == 1
    assert len(changed(head, base, "amendment-unchanged-points")) == 2  # the file, and the point that is taken out


def test_the_same_edit_in_many_points_is_told_once(changed: Changed) -> None:
    base, head, _ = with_point()
    for path in base.find("*/point.yaml"):
        head.put(path, head.files[path] + b"# checked\n")
    (finding,) = changed(base, head, "amendment-unchanged-points")
    assert "`r16`, `r20`, `r88`, `r256`, `r512`, `r768` and 1 more" in finding.message


def measure_again(tree: FileTree, point: str) -> None:
    """Another run took a nanosecond longer: no two runs take the same time."""
    path = f"{CURVE}/{point}/result_summary.json"
    tree.edit_json(path, {"/duration_ns": tree.json(path)["duration_ns"] + 1})


def test_a_point_that_was_measured_again(changed: Changed) -> None:
    base, head, _ = with_point()
    measure_again(head, "r256")
    path = f"{CURVE}/r256/point.yaml"
    head.put(path, head.files[path] + b"\n")
    assert changed(base, head, "amendment-unchanged-points") == []


@pytest.mark.parametrize("edit", [{}, {"/system_tps_per_kw": 100.0}, {"/n_samples_failed": GONE}])
def test_a_rewritten_summary_of_the_same_run_is_no_new_measurement(changed: Changed, edit: dict[str, Any]) -> None:
    base, head, _ = with_point()
    path = f"{CURVE}/r256/result_summary.json"
    head.edit_json(path, edit)
    head.put(path, head.files[path] + b"\n")
    place = ("amendment-unchanged-points", "error", path, None)
    assert places(changed(base, head, "amendment-unchanged-points")) == [place]


@pytest.mark.parametrize("spoiled", [b"{", b"[]"])
def test_a_summary_that_cant_be_read_is_another_rules_matter(changed: Changed, spoiled: bytes) -> None:
    base, head, _ = with_point()
    head.put(f"{CURVE}/r256/result_summary.json", spoiled)
    assert changed(base, head, "amendment-unchanged-points") == []


def test_a_merged_measurement_under_another_concurrency(changed: Changed) -> None:
    base, head, _ = with_point()
    head.rename(f"{CURVE}/r256", f"{CURVE}/r257")
    head.edit_yaml(f"{CURVE}/r257/point.yaml", {"/concurrency": 257})
    (finding,) = changed(base, head, "amendment-unchanged-points")
    assert (finding.level, finding.path) == ("error", f"{CURVE}/r257/result_summary.json")
    assert "`r257` holds the measurement that is merged as `r256`" in finding.message
    measure_again(head, "r257")
    (finding,) = changed(base, head, "amendment-unchanged-points")
    assert (finding.level, finding.path) == ("warning", CURVE)


def test_a_merged_curve_that_is_taken_out_is_warned_of(changed: Changed) -> None:
    tree = EndpointsTree()
    system = tree.submission().system("sys_000")
    system.curve("llama3_1-8b", offline="elected")
    base = tree.copy()
    system.curve("gpt-oss-120b", offline="elected")
    (finding,) = changed(tree, base, "amendment-unchanged-points")
    assert (finding.level, finding.path) == ("warning", "acme_corp/sub-0001")
    assert "`sys_000/gpt-oss-120b` (7 points)" in finding.message
    assert changed(base, tree, "amendment-unchanged-points") == []


def watts(tree: FileTree, figure: int) -> FileTree:
    """The tree with another power of its CPUs and without the stored figures that follow from it."""
    for path in tree.find("*/result_summary.json"):
        tree.edit_json(path, {"/system_tps_per_kw": GONE})
    tree.edit_json(POWER, {"/cpu/tdp_per_cpu": figure})
    return tree


def test_another_total_is_told_with_the_points_that_it_changes(changed: Changed) -> None:
    base, head, _ = with_point()
    (finding,) = changed(watts(base, 350), watts(head, 360), "amendment-unchanged-points")
    assert (finding.level, finding.path) == ("warning", POWER)
    assert "from 14,700 W to 14,730 W" in finding.message
    assert "7 merged points" in finding.message


def test_another_source_of_the_same_total_is_a_notice(changed: Changed) -> None:
    base, head, _ = with_point()
    head.edit_json(POWER, {"/cpu/link": "https://vendor.example/cpu-2"})
    (finding,) = changed(base, head, "amendment-unchanged-points")
    assert (finding.level, finding.path) == ("notice", POWER)
    assert "14,700 W" in finding.message


@pytest.mark.parametrize("merged", [b"{", b"{}"])
def test_a_total_where_there_was_none(changed: Changed, merged: bytes) -> None:
    base, head, _ = with_point()
    base.put(POWER, merged)
    (finding,) = changed(base, head, "amendment-unchanged-points")
    assert (finding.level, finding.path) == ("warning", POWER)
    assert "from no total to 14,700 W" in finding.message


def test_a_new_descriptor_changes_no_merged_one(changed: Changed) -> None:
    base, head, _ = with_point()
    base.remove(POWER)
    assert changed(base, head, "amendment-unchanged-points") == []


@pytest.mark.parametrize("written_anew", [b"", b"\n"])
def test_a_point_that_was_measured_again_has_its_own_accuracy(changed: Changed, written_anew: bytes) -> None:
    base, head, _ = with_point()
    measure_again(head, "r16")
    path = f"{CURVE}/r16/accuracy_results.json"
    head.put(path, base.files[path] + written_anew)
    place = ("amendment-unchanged-points", "error", path, None)
    assert places(changed(base, head, "amendment-unchanged-points")) == [place]
    head.put(path, base.files[path].replace(b"45.", b"46."))
    assert head.files[path] != base.files[path]
    assert changed(base, head, "amendment-unchanged-points") == []


def test_a_point_that_is_taken_out_is_warned_of(changed: Changed) -> None:
    base, head, _ = with_point()
    (finding,) = changed(head, base, "amendment-unchanged-points")
    assert (finding.level, finding.path) == ("warning", CURVE)
    assert "`r64`" in finding.message


def test_without_a_base_nothing_is_an_amendment(changed: Changed) -> None:
    _, head, _ = with_point()
    new = FileTree({"other/sub-0001/results/x/y/r1/point.yaml": b"{}"})
    assert changed(new, FileTree({**new.files, **head.files}), "amendment-unchanged-points") == []


def test_without_a_descriptor_there_is_nothing_to_compare() -> None:
    _, head, _ = with_point()
    head.remove(POWER)
    assert not_run(head, "amendment-unchanged-points") == []


def test_a_renamed_system_holds_the_merged_measurements(changed: Changed) -> None:
    base, head, _ = with_point()
    head.rename(SYSTEM, SYSTEM.replace("sys_000", "sys_009"))
    for path in head.find("*/result_summary.json"):
        head.edit_json(path, {"/system_tps": 1.0})
    found = [finding for finding in changed(base, head, "amendment-unchanged-points") if finding.level == "error"]
    assert sum(finding.count for finding in found) == 7  # the eighth is new
    assert "merged as `sys_000/llama3_1-8b/r" in found[0].message


def test_a_new_system_beside_the_merged_ones_is_new(changed: Changed) -> None:
    base, head, _ = with_point()
    head.files |= {path.replace("sys_000", "sys_009"): content for path, content in base.files.items()}
    assert [f for f in changed(base, head, "amendment-unchanged-points") if "merged as" in f.message] == []
