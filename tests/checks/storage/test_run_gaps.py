"""Rules 2.1.18 and 2.1.24: idle time against a run's duration, also with the times of real series."""

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from checks.api import Options, check_tree
from checks.folder_tree import FolderTree
from tests.checks.storage.edits import line_of
from tests.checks.storage.section_two import RESULTS, Small
from tests.checks.support import checked, found, places
from tests.trees.storage_files import GONE, FileTree

REAL = Path(__file__).parents[4] / "shared" / "real" / "storage_v3"
UNET = f"{RESULTS}/training/unet3d"


class Series(FileTree):
    """The small tree with runs (or checkpointing invocations) at chosen times; metadata tells nothing unless kept."""

    def __init__(self, spans, benchmark="training", with_metadata=False) -> None:
        small = Small()
        super().__init__(small.files)
        self.runs = small.training.runs if benchmark == "training" else small.checkpointing.runs
        for run, (start, end) in zip(self.runs, spans, strict=True):
            self.edit_json(run.summary, {"/start": iso(start), "/end": iso(end)})
            times = {"/invocation_start_time": None, "/invocation_end_time": None}
            if with_metadata:
                times = {"/invocation_start_time": iso(start - timedelta(seconds=5)), "/invocation_end_time": None}
            self.edit_json(run.metadata, times)


def iso(moment: datetime) -> str:
    return moment.isoformat(timespec="microseconds")


def spans(idle: list[float], duration: float = 1000.0, count: int = 6) -> list[tuple[datetime, datetime]]:
    """Runs of equal ``duration`` with ``idle`` seconds between them."""
    made, start = [], datetime(2026, 7, 6, 8)
    for pause in [*idle, 0][:count]:
        made.append((start, start + timedelta(seconds=duration)))
        start = made[-1][1] + timedelta(seconds=pause)
    return made


@pytest.mark.parametrize(("idle", "fails"), [(0.0, False), (999.999, False), (1000.0, True), (5000.0, True)])
def test_the_gap_is_less_than_a_run(idle, fails) -> None:
    tree = Series(spans([5, 5, idle, 5, 5]))
    wanted = [("2.1.18", "error", tree.runs[3].path, None)] if fails else []
    assert places(found(tree, "2.1.18")) == wanted


def test_the_message_shows_both_times_and_where_they_were_read() -> None:
    (finding,) = found(Series(spans([5, 5, 1860, 5, 5])), "2.1.18")
    assert "31 min 0 s after" in finding.message
    assert "less than 16 min 40 s" in finding.message
    assert "(summary.json, end)" in finding.message


def test_the_shortest_run_is_the_measure() -> None:
    series = spans([5, 5, 900, 5, 5])
    start, end = series[0]
    series[0] = (start + timedelta(seconds=101), end)
    (finding,) = found(Series(series), "2.1.18")
    assert "less than 14 min 59 s" in finding.message


def test_the_invocations_own_start_goes_before_the_summarys() -> None:
    assert found(Series(spans([5, 5, 1004, 5, 5]), with_metadata=True), "2.1.18") == []
    assert len(found(Series(spans([5, 5, 1005.0 + 5, 5, 5]), with_metadata=True), "2.1.18")) == 1


def test_overlapping_runs_are_a_warning() -> None:
    tree = Series(spans([5, -2, 5, 5, 5]))
    assert places(found(tree, "2.1.18")) == [("2.1.18", "warning", tree.runs[2].path, None)]


def test_a_run_that_ends_before_it_starts_is_told_at_the_line() -> None:
    tree = Series(spans([5] * 5))
    tree.edit_json(tree.runs[2].summary, {"/end": "2026-07-06T07:00:00"})
    (finding,) = found(tree, "2.1.18")
    assert (finding.level, finding.path) == ("error", tree.runs[2].summary)
    assert '"end"' in tree.files[finding.path].decode().splitlines()[finding.line - 1]


@pytest.mark.parametrize("value", ["yesterday", 5, GONE])
def test_a_time_that_is_none(value) -> None:
    tree = Series(spans([5] * 5))
    tree.edit_json(tree.runs[2].summary, {"/start": value})
    (finding,) = found(tree, "2.1.18")
    assert (finding.level, finding.path) == ("error", tree.runs[2].summary)


def test_without_a_summary_the_neighbours_are_not_compared_and_this_is_listed() -> None:
    tree = Series(spans([5, 5, 600, 5, 5]))
    tree.remove(tree.runs[3].summary)
    report = checked(tree)
    assert [item for item in report.findings if item.rule == "2.1.18"] == []
    assert ("2.1.18", tree.runs[3].path) in [(item.rule, item.path) for item in report.not_run]


def test_gaps_are_told_as_facts() -> None:
    facts = [item for item in checked(Series(spans([5, 6, 7, 8, 9]))).facts if item.name == "idle_gap"]
    assert [fact.value for fact in facts if "training" in fact.path] == [5.0, 6.0, 7.0, 8.0, 9.0]
    assert {fact.unit for fact in facts} == {"s"}
    assert {fact.scope for fact in facts} == {RESULTS}


def hours(h: float, m: float = 0, s: float = 0) -> float:
    return 3600 * h + 60 * m + s


def test_real_uneven_series_pass() -> None:
    """Starts every 4 h 12 min, the sixth 6 h 4 min after the fifth; five of 34:45 and one of 40:26."""
    long_run = hours(4, 11, 50)
    assert found(Series(spans([10, 10, 10, 10, hours(6, 4) - long_run], long_run)), "2.1.18") == []
    short_run = hours(0, 34, 40)
    assert found(Series(spans([5, 5, 5, 5, hours(0, 40, 26) - short_run], short_run)), "2.1.18") == []


def test_runs_of_two_accelerator_types_are_two_series() -> None:
    tree = Series(spans([5] * 5))
    for run in tree.runs[:6]:
        later = run.path.replace("20260706", "20260708")
        tree.duplicate(run.path, later)
        stamp = later.rpartition("/")[2]
        metadata = f"{later}/training_{stamp}_metadata.json"
        tree.rename(f"{later}/training_{run.stamp}_metadata.json", metadata)
        tree.edit_json(metadata, {"/accelerator": "mi355", "/args/accelerator_type": "mi355"})
        summary = tree.json(f"{later}/summary.json")
        moved = {f"/{key}": summary[key].replace("-07-06", "-07-08") for key in ("start", "end")}
        tree.edit_json(f"{later}/summary.json", moved)
    assert found(tree, "2.1.18") == []


@pytest.mark.parametrize(
    ("idle", "two", "three"), [(299.0, [], []), (300.0, ["error"], []), (900.0, ["error"], ["warning"])]
)
def test_two_checkpointing_invocations(idle, two, three) -> None:
    start = datetime(2026, 7, 6, 8)
    write = (start, start + timedelta(seconds=900))
    read = (write[1] + timedelta(seconds=idle), write[1] + timedelta(seconds=idle + 300))
    tree = Series([write, read], "checkpointing")
    for edition, levels in (("2.0", two), ("3.0", three)):
        wanted = [("2.1.24", level, tree.runs[1].path, None) for level in levels]
        assert places(found(tree, "2.1.24", edition)) == wanted


def test_one_invocation_has_no_neighbour() -> None:
    assert found(Small(invocations=1), "2.1.24") == []


def test_real_training_series_is_consecutive() -> None:
    if not REAL.is_dir():
        pytest.skip("../shared/real is not here")
    report = check_tree(FolderTree(REAL), Options(only=("closed/Alluxio/results/rigA_c5n18xl",)))
    assert [item for item in report.findings if item.rule == "2.1.18"] == []
    gaps = [fact.value for fact in report.facts if fact.name == "idle_gap"]
    assert len(gaps) == 5
    assert all(4 < gap < 6 for gap in gaps)


@pytest.mark.parametrize("key", ["start", "end"])
def test_a_time_of_the_summary_that_is_none_is_told_though_the_metadata_has_it(key: str) -> None:
    small = Small()
    summary = small.training.runs[2].summary
    small.tree.edit_json(summary, {f"/{key}": "yesterday"})
    (finding,) = found(small, "2.1.18")
    assert places([finding]) == [("2.1.18", "error", summary, line_of(small.tree, summary, '"yesterday"'))]
