"""Rules on seeds, cohorts and drafters."""

from __future__ import annotations

from typing import Any

import pytest

from tests.checks.endpoints.one_curve import SYSTEM, all_of, curve_tree, line_of
from tests.checks.support import places
from tests.trees.endpoints import EndpointsTree
from tests.trees.endpoints_documents import SEEDS
from tests.trees.storage_files import GONE, FileTree

CURVE = f"{SYSTEM}/llama3_1-8b"
POINT = f"{CURVE}/r256/point.yaml"
RUNTIME = "/runtime_settings/runtime"
EAGLE = "git-sha1:633caf45f31288cbb70ee237f7c939db707ecc94"


def edited(changes: dict[str, Any], path: str = POINT) -> FileTree:
    return curve_tree()[0].edit_yaml(path, changes)


def everywhere(tree: FileTree, changes: dict[str, Any]) -> FileTree:
    for path in tree.find("*/point.yaml"):
        tree.edit_yaml(path, changes)
    return tree


def one(tree: FileTree, rule: str, level: str, at: str) -> None:
    assert places(all_of(tree, rule)) == [(rule, level, POINT, line_of(tree, POINT, at))]


@pytest.mark.parametrize(
    ("rule", "key"), [("seed-set-consistency", "seed_set"), ("target-cohort-consistency", "target_cohort")]
)
def test_one_point_declares_another(rule: str, key: str) -> None:
    one(edited({f"/{key}": "2026-11-C0"}), rule, "error", key)


@pytest.mark.parametrize(
    ("rule", "key"), [("seed-set-consistency", "seed_set"), ("target-cohort-consistency", "target_cohort")]
)
def test_one_set_and_one_cohort_over_all_curves_of_a_submission(rule: str, key: str) -> None:
    tree = EndpointsTree()
    submission = tree.submission()
    for name in ("sys_000", "sys_001"):
        submission.system(name).curve(offline="elected")
    for path in tree.find(f"{submission.path}/results/sys_001/*/point.yaml"):
        tree.edit_yaml(path, {f"/{key}": "2026-11-C0"})
    (finding,) = all_of(tree, rule)
    assert finding.scope == f"{submission.path}/results/sys_001"
    assert "sys_001/llama3_1-8b/r16" in finding.message
    assert "7 other points of the submission" in finding.message


def test_two_submissions_may_differ() -> None:
    tree = EndpointsTree()
    for name in ("sub-0001", "sub-0002"):
        tree.submission(name=name).system().curve(offline="elected")
    for path in tree.find("*/sub-0002/*/point.yaml"):
        tree.edit_yaml(path, {"/target_cohort": "2026-11-C0"})
    assert all_of(tree, "target-cohort-consistency") == []


def test_a_set_that_was_never_published() -> None:
    tree = everywhere(curve_tree()[0], {"/seed_set": "B"})
    (finding,) = all_of(tree, "seed-set-membership")
    assert (finding.level, finding.path) == ("error", f"{CURVE}/r16/point.yaml")
    assert "The same in 6 other points" in finding.message
    assert all_of(tree, "seed-runtime-match") == []
    assert all_of(tree, "seed-set-consistency") == []


@pytest.mark.parametrize("name", SEEDS)
@pytest.mark.parametrize("wrong", ["+1", "float", "text", "true", "gone"])
def test_a_seed_that_is_not_the_sets(name: str, wrong: str) -> None:
    values = {"+1": SEEDS[name] + 1, "float": float(SEEDS[name]), "text": str(SEEDS[name]), "true": True, "gone": GONE}
    one(
        edited({f"{RUNTIME}/{name}": values[wrong]}),
        "seed-runtime-match",
        "error",
        "  runtime:" if wrong == "gone" else name,
    )


def test_seeds_under_their_old_names() -> None:
    old = {
        "scheduler_random_seed": SEEDS["scheduler_rng_seed"],
        "dataloader_random_seed": SEEDS["sample_index_rng_seed"],
    }
    tree = edited({RUNTIME: {**old, "model_seed": SEEDS["model_seed"]}})
    one(tree, "seed-runtime-match", "warning", "scheduler_random_seed")


@pytest.mark.parametrize(("off", "is_right"), [(0, True), (1, False)])
def test_the_client_records_other_seeds(off: int, is_right: bool) -> None:
    tree, _ = curve_tree()
    path = f"{CURVE}/r256/config.yaml"
    tree.put(path, f"settings:\n  runtime:\n    model_seed: {SEEDS['model_seed'] + off}\n")
    assert places(all_of(tree, "seed-runtime-match")) == (
        [] if is_right else [("seed-runtime-match", "error", path, 3)]
    )


@pytest.mark.parametrize(
    ("cohort", "is_right"),
    [("2026-10-C1", True), ("2026-12-C0", True), ("2026-13-C0", False), ("2026-10-C2", False), ("October", False)],
)
def test_the_form_of_a_cohort(cohort: str, is_right: bool) -> None:
    tree = everywhere(curve_tree()[0], {"/target_cohort": cohort})
    first = f"{CURVE}/r16/point.yaml"
    place = ("target-cohort", "error", first, line_of(tree, first, "target_cohort"))
    assert places(all_of(tree, "target-cohort")) == ([] if is_right else [place])


@pytest.mark.parametrize(
    ("cohort", "is_right"),
    [("2026-10-C0", False), ("2026-10-C1", True), ("2026-12-C0", True), ("2026-12-C1", False), ("2027-01-C0", False)],
)
def test_the_window_of_adoption(cohort: str, is_right: bool) -> None:
    tree = everywhere(curve_tree()[0], {"/target_cohort": cohort})
    first = f"{CURVE}/r16/point.yaml"
    place = ("seed-set-adoption", "error", first, line_of(tree, first, "target_cohort"))
    assert places(all_of(tree, "seed-set-adoption")) == ([] if is_right else [place])


@pytest.mark.parametrize(("value", "level"), [(42, "warning"), (43, "error")])
def test_seeds_of_v07_in_place_of_a_set(value: int, level: str) -> None:
    old = {"scheduler_random_seed": 42, "dataloader_random_seed": value}
    one(edited({"/seed_set": GONE, RUNTIME: old}), "seed-config-legacy", level, "scheduler_random_seed")


def test_no_set_and_no_old_seeds_is_a_matter_of_disclosure() -> None:
    tree = edited({"/seed_set": GONE})
    assert all_of(tree, "seed-config-legacy") == []
    assert len(all_of(tree, "point-disclosure-complete")) == 1


def drafted(model: str, declared: dict[str, Any], cohort: str = "2026-10-C1") -> tuple[FileTree, str]:
    tree, curve = curve_tree(model)
    path = curve.file(256, "point.yaml")
    everywhere(tree, {"/target_cohort": cohort})
    tree.edit_yaml(path, {"/speculative_decoding": declared})
    return tree, path


@pytest.mark.parametrize(
    ("model", "declared", "is_right"),
    [
        ("gpt-oss-120b", {"model_id": "any", "weight_checksum": EAGLE}, True),
        ("gpt-oss-120b", {"weight_checksum": EAGLE[:-1] + "5"}, False),
        ("gpt-oss-120b", {"model_id": "nvidia/gpt-oss-120b-Eagle3-long-context"}, False),
        ("gpt-oss-120b", {}, False),
        ("llama3_1-8b", {"weight_checksum": EAGLE}, False),
    ],
)
def test_only_approved_drafters(model: str, declared: dict[str, Any], is_right: bool) -> None:
    tree, path = drafted(model, declared)
    place = ("approved-drafter", "error", path, line_of(tree, path, "speculative_decoding"))
    assert places(all_of(tree, "approved-drafter")) == ([] if is_right else [place])


@pytest.mark.parametrize(
    ("cohort", "level"),
    [("2026-10-C1", None), ("2026-10-C0", "error"), ("2026-09-C1", "error"), ("soon", "warning")],
)
def test_a_drafter_is_approved_two_cohorts_before(cohort: str, level: str | None) -> None:
    tree, path = drafted("gpt-oss-120b", {"weight_checksum": EAGLE}, cohort)
    line = line_of(tree, path, "speculative_decoding")
    place = ("drafter-approval-lead-time", level, path, line)
    assert places(all_of(tree, "drafter-approval-lead-time")) == ([] if level is None else [place])


@pytest.mark.parametrize(
    ("key", "value", "rule"),
    [
        ("seed_set", "A ", "seed-set-membership"),
        ("target_cohort", "2026-10-C1 ", "target-cohort"),
        ("model_name", "llama3_1-8b ", "model-name-valid"),
    ],
)
def test_an_id_with_blanks_around_it_is_another(key: str, value: str, rule: str) -> None:
    tree, curve = curve_tree()
    path = curve.file(256, "point.yaml")
    tree.edit_yaml(path, {f"/{key}": value})
    assert places(all_of(tree, rule)) == [(rule, "error", path, line_of(tree, path, key))]
