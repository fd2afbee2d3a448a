"""Rules 4.7.3 and 4.7.4: capabilities and remapping time in both shapes of a description."""

from __future__ import annotations

from typing import Any

import pytest

from tests.checks.storage.edits import line_of
from tests.checks.support import checked, found, places
from tests.trees.storage import System
from tests.trees.storage_asserts import system
from tests.trees.storage_checkpointing import Checkpointing
from tests.trees.storage_files import GONE, FileTree
from tests.trees.storage_system import Description

EDITIONS = ["2.0", "3.0"]
NEW = "/system_under_test/solution/capabilities"
OLD = "/System/shared_capabilities"
SHAPES: list[tuple[Description, str, str, str]] = [
    ("system_under_test", NEW, "simultaneous_write", "simultaneous_read"),
    ("shared_capabilities", OLD, "simultaneous_write_support", "simultaneous_read__support"),
]


def built(
    description: Description = "system_under_test", remap_seconds: int = 0, gap_seconds: float = 10.0
) -> tuple[FileTree, System, Checkpointing]:
    site = system("v3", description=description, remap_seconds=remap_seconds)
    invocations = 2 if remap_seconds else 1
    return site.bench.tree, site, site.checkpointing(invocations=invocations, gap_seconds=gap_seconds)


@pytest.mark.parametrize(("description", "at", "_write", "_read"), SHAPES)
@pytest.mark.parametrize("remap_seconds", [0, 15])
@pytest.mark.parametrize("edition", EDITIONS)
def test_honest_descriptions(
    description: Description, at: str, _write: str, _read: str, remap_seconds: int, edition: str
) -> None:
    tree, _, _ = built(description, remap_seconds)
    assert found(tree, "4.7.3", edition) == found(tree, "4.7.4", edition) == []


@pytest.mark.parametrize(("description", "at", "write", "read"), SHAPES)
def test_flags_must_be_listed(description: Description, at: str, write: str, read: str) -> None:
    tree, site, _ = built(description)
    tree.edit_yaml(site.yaml, {f"{at}/{write}": GONE, f"{at}/{read}": None})
    (finding,) = found(tree, "4.7.4")
    line = line_of(tree, site.yaml, "capabilities:")
    assert places([finding]) == [("4.7.4", "error", site.yaml, line)]
    assert f"`{write}`, `{read}`" in finding.message


def test_a_flag_as_it_was_meant_is_taken_and_a_near_miss_hinted() -> None:
    tree, site, _ = built("shared_capabilities")
    tree.edit_yaml(site.yaml, {f"{OLD}/simultaneous_read__support": GONE, f"{OLD}/simultaneous_read_support": True})
    assert found(tree, "4.7.4") == []
    tree, site, _ = built()
    tree.edit_yaml(site.yaml, {f"{NEW}/multi_host": GONE, f"{NEW}/multi_hosts": True})
    (finding,) = found(tree, "4.7.4")
    assert "Did you mean it by `multi_hosts`?" in finding.message


@pytest.mark.parametrize("value", ["true", 1, []])
def test_flags_are_true_or_false(value: Any) -> None:
    tree, site, _ = built()
    tree.edit_yaml(site.yaml, {f"{NEW}/multi_host": value})
    (finding,) = found(tree, "4.7.4")
    assert places([finding]) == [("4.7.4", "error", site.yaml, line_of(tree, site.yaml, "multi_host"))]
    assert "true or false is required" in finding.message


def test_systems_without_checkpointing_are_left_to_their_schema() -> None:
    site = system("v3")
    site.training()
    site.bench.tree.edit_yaml(site.yaml, {NEW: GONE})
    assert found(site.bench.tree, "4.7.4") == found(site.bench.tree, "4.7.3") == []


@pytest.mark.parametrize(("description", "at", "write", "read"), SHAPES)
def test_a_combined_run_contradicts_a_missing_capability(
    description: Description, at: str, write: str, read: str
) -> None:
    tree, site, _ = built(description)
    tree.edit_yaml(site.yaml, {f"{at}/{read}": False, f"{at}/remap_time_in_seconds": 5})
    (finding,) = found(tree, "4.7.4")
    assert places([finding]) == [("4.7.4", "warning", site.yaml, line_of(tree, site.yaml, read))]
    assert f"`{read}` is false, yet llama3-8b was written and read in one invocation" in finding.message


@pytest.mark.parametrize(("description", "at", "write", "_read"), SHAPES)
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_remapping_solution_reports_its_time(
    description: Description, at: str, write: str, _read: str, edition: str
) -> None:
    tree, site, _ = built(description, 15)
    tree.edit_yaml(site.yaml, {f"{at}/remap_time_in_seconds": 0})
    line = line_of(tree, site.yaml, "remap_time_in_seconds")
    assert places(found(tree, "4.7.3", edition)) == [("4.7.3", "error", site.yaml, line)]
    tree.edit_yaml(site.yaml, {f"{at}/remap_time_in_seconds": GONE})
    (finding,) = found(tree, "4.7.3", edition)
    assert (str(finding.level), finding.path) == ("error", site.yaml)
    assert "remap_time_in_seconds` is missing" in finding.message


def test_only_the_newer_shape_asks_every_solution() -> None:
    for description, at, number in (("system_under_test", NEW, 1), ("shared_capabilities", OLD, 0)):
        tree, site, _ = built(description)  # type: ignore[arg-type]
        tree.edit_yaml(site.yaml, {f"{at}/remap_time_in_seconds": GONE} if number else {f"{at}/note": "none"})
        assert len(found(tree, "4.7.3")) == number


@pytest.mark.parametrize(("value", "level"), [(7, "warning"), (-1, "error"), ("15", "error"), (0, None)])
def test_a_solution_with_both_capabilities_has_none(value: Any, level: str | None) -> None:
    tree, site, _ = built()
    tree.edit_yaml(site.yaml, {f"{NEW}/remap_time_in_seconds": value})
    line = line_of(tree, site.yaml, "remap_time_in_seconds")
    assert places(found(tree, "4.7.3")) == ([("4.7.3", level, site.yaml, line)] if level else [])


@pytest.mark.parametrize(("edition", "level"), [("2.0", "warning"), ("3.0", "error")])
def test_the_runs_took_at_least_half_of_the_declared_time(edition: str, level: str) -> None:
    tree, site, checkpointing = built(remap_seconds=15)  # 13.5 s from the last write to the first read
    read = checkpointing.runs[1].summary
    tree.edit_yaml(site.yaml, {f"{NEW}/remap_time_in_seconds": 27})
    assert found(tree, "4.7.3", edition) == []
    tree.edit_yaml(site.yaml, {f"{NEW}/remap_time_in_seconds": 28})
    (finding,) = found(tree, "4.7.3", edition)
    assert places([finding]) == [("4.7.3", level, read, line_of(tree, read, '"start"'))]
    assert "began 13.5 s after the last write" in finding.message
    assert [fact.value for fact in checked(tree).facts if fact.name == "observed_remap_time"] == [13.5]


def test_a_key_that_is_known_is_no_near_miss_of_its_sibling() -> None:
    tree, site, _ = built()
    tree.edit_yaml(site.yaml, {f"{NEW}/simultaneous_write": GONE})
    (finding,) = found(tree, "4.7.4")
    assert finding.message == "The capabilities don't say `simultaneous_write`."


def test_people_write_descriptions_not_the_tool() -> None:
    tree, site, _ = built()
    tree.edit_yaml(site.yaml, {f"{NEW}/simultaneous_write": "yes"})
    (finding,) = found(tree, "4.7.4")
    assert finding.hint == "Complete or correct the description; it is written by hand."
