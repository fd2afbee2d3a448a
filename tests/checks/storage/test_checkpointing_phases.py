"""Rules 4.7.1 and 4.7.2: writing, then reading; the gap between two invocations; the total duration."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from tests.checks.storage.edits import line_of
from tests.checks.support import checked, found, places
from tests.trees.storage_asserts import system
from tests.trees.storage_bench import TEARDOWN
from tests.trees.storage_checkpointing import Checkpointing
from tests.trees.storage_files import GONE, FileTree

EDITIONS = ["2.0", "3.0"]
TEARDOWN_SECONDS = TEARDOWN.total_seconds()


def built(division: str = "closed", invocations: int = 2, gap_seconds: float = 10.0) -> tuple[FileTree, Checkpointing]:
    site = system("v3", division, remap_seconds=15 if invocations == 2 else 0)
    return site.bench.tree, site.checkpointing(invocations=invocations, gap_seconds=gap_seconds)


def moved(tree: FileTree, path: str, pointer: str, seconds: float) -> None:
    """Move a recorded time."""
    value = datetime.fromisoformat(tree.json(path)[pointer.strip("/")]) + timedelta(seconds=seconds)
    tree.edit_json(path, {pointer: value.isoformat(timespec="microseconds")})


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("division", ["closed", "open"])
@pytest.mark.parametrize("invocations", [1, 2])
def test_both_forms_are_valid(edition: str, division: str, invocations: int) -> None:
    tree, _ = built(division, invocations)
    assert not [item for item in found(tree, edition=edition) if item.rule.startswith("4.7")]


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(
    ("gap", "levels"),
    [
        (30.0, ["warning"]),  # only the summary, which ends 1.5 s before its process, shows more
        (30.0 - TEARDOWN_SECONDS, []),
        (30.001, ["error"]),
        (47.2, ["error"]),
        (-TEARDOWN_SECONDS / 2, ["warning"]),
        (0.0, []),
    ],
)
def test_the_gap_is_at_most_30_seconds(edition: str, gap: float, levels: list[str]) -> None:
    tree, checkpointing = built(gap_seconds=gap)
    findings = found(tree, "4.7.1", edition)
    read = checkpointing.runs[1]
    line = line_of(tree, read.metadata, '"invocation_start_time"')
    assert places(findings) == [("4.7.1", level, read.metadata, line) for level in levels]


def test_the_message_shows_both_ends_and_where_they_were_read() -> None:
    tree, _ = built(gap_seconds=47.2)
    (finding,) = found(tree, "4.7.1")
    assert finding.message.startswith(
        "The read phase started 47.2 s after the write phase ended; at most 30 s allowed."
    )
    assert "(end)" in finding.message
    assert "(invocation_end_time)" in finding.message
    assert "(invocation_start_time)" in finding.message


def test_start_up_time_of_the_read_phase_does_not_count() -> None:
    tree, checkpointing = built(gap_seconds=10)
    moved(tree, checkpointing.runs[1].summary, "/start", 60)
    assert found(tree, "4.7.1") == []


def test_collection_after_the_write_phase_is_a_warning_at_most() -> None:
    tree, checkpointing = built(gap_seconds=10)
    moved(tree, checkpointing.runs[0].summary, "/end", -50)
    (finding,) = found(tree, "4.7.1")
    assert finding.level == "warning"
    assert "started 61.5 s after" in finding.message


def test_a_negative_gap_is_clock_skew() -> None:
    tree, _ = built(gap_seconds=-3)
    (finding,) = found(tree, "4.7.1")
    assert finding.level == "warning"
    assert "started 3 s before the write phase ended: the clocks differ" in finding.message


def test_older_tools_record_no_end_of_the_invocation() -> None:
    tree, checkpointing = built(gap_seconds=29)
    tree.edit_json(checkpointing.runs[0].metadata, {"/invocation_end_time": GONE})
    assert [item.level for item in found(tree, "4.7.1")] == ["error"]  # 30.5 s from the summary
    tree, checkpointing = built(gap_seconds=28)
    tree.edit_json(checkpointing.runs[0].metadata, {"/invocation_end_time": GONE})
    assert found(tree, "4.7.1") == []


def test_without_the_start_of_the_invocation_the_summary_counts() -> None:
    tree, checkpointing = built(gap_seconds=26)
    read = checkpointing.runs[1]
    tree.edit_json(read.metadata, {"/invocation_start_time": GONE})
    assert found(tree, "4.7.1") == []  # 28 s from the end of the write invocation, 29.5 s from its summary
    moved(tree, read.summary, "/start", 2.1)
    assert places(found(tree, "4.7.1")) == [("4.7.1", "error", read.summary, line_of(tree, read.summary, '"start"'))]
    tree.edit_json(read.summary, {"/start": GONE})
    assert [item.path for item in found(tree, "4.7.1")] == [read.metadata]


def test_times_that_are_none() -> None:
    tree, checkpointing = built()
    read = checkpointing.runs[1]
    tree.edit_json(read.metadata, {"/invocation_start_time": "yesterday"})
    (finding,) = found(tree, "4.7.1")
    assert "an ISO 8601 date and time is required" in finding.message


def told(tree: FileTree, checkpointing: Checkpointing, *counts: tuple[Any, Any]) -> None:
    """Let the invocations have been told to write and read so many checkpoints."""
    for run, (writes, reads) in zip(checkpointing.runs, counts, strict=True):
        tree.edit_json(run.metadata, {"/args/num_checkpoints_write": writes, "/args/num_checkpoints_read": reads})


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("counts", [[(10, 10)], [("10", "10")], [(10, 0), (0, 10)]])
def test_closed_writes_ten_and_reads_ten(edition: str, counts: list[tuple[Any, Any]]) -> None:
    tree, checkpointing = built(invocations=len(counts))
    told(tree, checkpointing, *counts)
    assert found(tree, "4.7.1", edition) == []


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(
    "counts", [[(10, 0)], [(0, 10)], [(9, 10)], [(10, 11)], [(10, 0), (0, 9)], [(0, 10), (10, 0)], [(10, 10), (10, 10)]]
)
def test_closed_does_nothing_else(edition: str, counts: list[tuple[Any, Any]]) -> None:
    tree, checkpointing = built(invocations=len(counts))
    told(tree, checkpointing, *counts)
    first = checkpointing.runs[0].metadata
    line = line_of(tree, first, '"num_checkpoints_write"', last=True)
    assert places(found(tree, "4.7.1", edition)) == [("4.7.1", "error", first, line)]


@pytest.mark.parametrize(
    ("counts", "number"), [([(3, 3)], 0), ([(20, 0), (0, 20)], 0), ([(0, 10)], 1), ([(0, 10), (10, 0)], 1)]
)
def test_open_writes_before_it_reads(counts: list[tuple[Any, Any]], number: int) -> None:
    tree, checkpointing = built("open", len(counts))
    told(tree, checkpointing, *counts)
    assert len(found(tree, "4.7.1")) == number


def test_without_arguments_the_parameters_count() -> None:
    tree, checkpointing = built(invocations=1)
    told(tree, checkpointing, (None, None))
    assert found(tree, "4.7.1") == []
    tree.edit_json(checkpointing.runs[0].metadata, {"/parameters/checkpoint/num_checkpoints_read": 5})
    assert len(found(tree, "4.7.1")) == 1


def durations(tree: FileTree) -> list[float | int | str]:
    return [fact.value for fact in checked(tree).facts if fact.name == "total_test_duration"]


@pytest.mark.parametrize("invocations", [1, 2])
def test_the_total_duration_includes_the_time_between(invocations: int) -> None:
    tree, checkpointing = built(invocations=invocations)
    first, last = (checkpointing.runs[place].file("0_per_epoch_stats.json") for place in (0, -1))
    start = datetime.fromisoformat(tree.json(first)["1"]["save_ckpt1"]["start"])
    end = datetime.fromisoformat(tree.json(last)["1"]["load_ckpt10"]["end"])
    assert durations(tree) == [round((end - start).total_seconds(), 3)]
    assert [fact.name for fact in checked(tree).facts].count("failover_gap") == invocations - 1


def test_without_steps_the_summaries_bound_the_duration() -> None:
    tree, checkpointing = built(invocations=1)
    run = checkpointing.runs[0]
    for path in tree.find(f"{run.path}/*_per_epoch_stats.json"):
        tree.remove(path)
    assert durations(tree) == [round(run.seconds, 3)]


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_read_that_ends_before_the_write_began(edition: str) -> None:
    tree, checkpointing = built(invocations=1)
    run = checkpointing.runs[0]
    path = run.file("0_per_epoch_stats.json")
    steps = tree.json(path)["1"]
    changes = {f"/1/{name}/end": steps["save_ckpt1"]["start"] for name in steps if name.startswith("load")}
    tree.edit_json(path, changes)
    (finding,) = found(tree, "4.7.2", edition)
    assert (finding.rule, str(finding.level), finding.path) == ("4.7.2", "error", path)
    assert finding.line is not None


@pytest.mark.parametrize("edition", EDITIONS)
def test_an_open_workload_that_is_never_read(edition: str) -> None:
    tree, checkpointing = built("open")
    tree.remove(checkpointing.runs[1].path)
    path = checkpointing.runs[0].metadata
    (finding,) = found(tree, "4.7.1", edition)
    assert places([finding]) == [("4.7.1", "error", path, line_of(tree, path, '"num_checkpoints_read"', last=True))]
    assert "writes 10 checkpoints and reads 0; what was written must be read, too" in finding.message


def test_a_stray_folder_does_not_keep_the_phases_from_being_judged() -> None:
    tree, checkpointing = built()
    tree.remove(checkpointing.runs[1].path)
    tree.put(f"{checkpointing.runs[0].path.rpartition('/')[0]}/plots/figure.png", b"x")
    assert len(found(tree, "4.7.1")) == 1


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_times_of_a_summary_may_be_named_as_the_document_has_them(edition: str) -> None:
    tree, checkpointing = built(gap_seconds=47.2)
    for run in checkpointing.runs:
        summary = tree.json(run.summary)
        tree.edit_json(run.summary, {"/end": GONE, "/end_time": summary["end"], "/start": GONE})
        tree.edit_json(run.summary, {"/start_time": summary["start"]})
        tree.edit_json(run.metadata, {"/invocation_end_time": GONE})
    (finding,) = found(tree, "4.7.1", edition)
    assert str(finding.level) == "error"
    assert "48.7 s after the write phase ended" in finding.message
