"""Rules 5.3.2 and 5.3.5 on trees with one thing broken."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from checks.edition import Edition, load
from checks.findings import Finding
from checks.memory_tree import MemoryTree
from checks.rules import Present
from checks.storage.inputs import Summary
from checks.storage.vdb_inputs import RunConfig
from checks.storage.vdb_recall import vdb_recall_reported
from tests.checks.support import checked, found, places
from tests.trees.storage import StorageTree
from tests.trees.storage_files import GONE
from tests.trees.storage_vectors import VectorDatabase


def built(recall: float = 0.95) -> tuple[StorageTree, VectorDatabase]:
    tree = StorageTree("v3")
    return tree, tree.submitter("Acme").system("S1").vector_database(recall=recall)


def test_recall_of_nought_in_all_runs_is_told_once() -> None:
    tree, vdb = built(0.0)
    (finding,) = found(tree, "5.3.2")
    assert places([finding]) == [("5.3.2", "error", vdb.runs[0].summary, 16)]
    assert "4 other runs" in finding.message


@pytest.mark.parametrize("recall", [0.0001, 0.21, 1, 1.0])
def test_any_recall_above_nought_passes_while_no_table_is_published(recall: float) -> None:
    assert found(built(recall)[0], "5.3.2") == []


@pytest.mark.parametrize("recall", [97, 1.0001, -0.1])
def test_recall_is_a_share(recall: float) -> None:
    tree, vdb = built()
    tree.edit_json(vdb.runs[1].summary, {"/recall": recall})
    assert places(found(tree, "5.3.2")) == [("5.3.2", "error", vdb.runs[1].summary, 16)]


def test_recall_as_text_is_read_and_noticed() -> None:
    tree, vdb = built()
    tree.edit_json(vdb.runs[1].summary, {"/recall": "0.97"})
    assert places(found(tree, "5.3.2")) == [("5.3.2", "notice", vdb.runs[1].summary, 16)]
    facts = [fact.value for fact in checked(tree).facts if fact.name == "vdb_recall"]
    assert facts == [0.95, 0.97, 0.95, 0.95, 0.95]


@pytest.mark.parametrize("recall", [GONE, None, True, "good"])
def test_recall_may_stand_in_recall_stats(recall: Any) -> None:
    tree, vdb = built()
    tree.edit_json(vdb.runs[1].summary, {"/recall": recall})
    assert found(tree, "5.3.2") == []
    tree.remove(vdb.runs[1].file("recall_stats.json"))
    line = 1 if recall is GONE else 16
    assert places(found(tree, "5.3.2")) == [("5.3.2", "error", vdb.runs[1].summary, line)]


def test_recall_as_a_record_is_its_mean() -> None:
    tree, vdb = built()
    tree.edit_json(vdb.runs[1].summary, {"/recall": {"max_recall": 1.0, "mean_recall": 0.0}})
    assert places(found(tree, "5.3.2")) == [("5.3.2", "error", vdb.runs[1].summary, 18)]


def judged(recall: float, row: dict[str, Any]) -> list[Finding]:
    """Rule 5.3.2 on one run of 1,000,000 x 1,536 vectors by cosine, under a table with one row."""
    edition = load("checks.storage", "2.0")
    limits = {**edition["vector_database"], "recall_targets": [row]}
    table: Edition = replace(edition, data={**edition.data, "vector_database": limits})
    tree, vdb = built(recall)
    memory = MemoryTree(tree.files)
    outcome = vdb_recall_reported(
        None,  # type: ignore[arg-type]
        summaries=Present([Summary(memory, vdb.runs[0].summary)]),
        statistics=Present(),
        recalls=Present(),
        configs=Present([RunConfig(memory, vdb.runs[0].file("config.json"))]),
        edition=table,
    )
    return [item for item in outcome if isinstance(item, Finding)]


@pytest.mark.parametrize(("recall", "count"), [(0.8999, 1), (0.9, 0), (0.91, 0)])
def test_a_table_of_minima_is_data(recall: float, count: int) -> None:
    row = {"vectors": 1_000_000, "dimension": 1536, "metric": "COSINE", "minimum": 0.9}
    assert len(judged(recall, row)) == count


@pytest.mark.parametrize("other", [{"vectors": 10_000_000}, {"dimension": 768}, {"metric": "L2"}])
def test_a_row_of_another_scale_or_metric_does_not_bind(other: dict[str, Any]) -> None:
    assert judged(0.5, {**other, "minimum": 0.9}) == []


def test_a_row_binds_by_what_it_names() -> None:
    (finding,) = judged(0.5, {"metric": "COSINE", "minimum": 0.9})
    assert finding.message == "The recall is 0.5, at least 0.9 is required."


@pytest.mark.parametrize(("edition", "level"), [("2.0", "error"), ("3.0", "warning")])
def test_runs_without_a_verdict_are_told_once(edition: str, level: str) -> None:
    tree, vdb = built()
    for run in vdb.runs[1:]:
        tree.remove(run.file("result_verdict.json"))
    (finding,) = found(tree, "5.3.5", edition)
    assert places([finding]) == [("5.3.5", level, vdb.runs[1].path, None)]
    assert finding.message.startswith("4 runs without result_verdict.json")


@pytest.mark.parametrize(
    ("changes", "level", "line"),
    [
        ({"/flat_setup/ok": False, "/flat_setup/reason": "copy failed"}, "error", 6),
        ({"/flat_setup/ok": GONE}, "error", 5),
        ({"/flat_setup": None}, "error", 5),
        ({"/flat_setup/coverage": 1.5}, "error", 7),
        ({"/flat_setup/coverage": "0.5"}, "error", 7),
        ({"/flat_setup/coverage": 0.999999}, "error", 7),
        ({"/flat_setup/coverage": GONE}, "error", 5),
        ({"/flat_setup/copied_vectors": 999_999}, "error", 9),
        ({"/flat_setup/total_vectors": 999_999, "/flat_setup/copied_vectors": 999_999}, "error", 8),
        ({"/valid": False}, "warning", 3),
        ({"/valid": "false"}, "warning", 3),
        ({"/result": "INVALID"}, "warning", 2),
        ({"/num_queries_evaluated": 0}, "error", 4),
    ],
)
def test_a_ground_truth_that_is_not_sound(changes: dict[str, Any], level: str, line: int) -> None:
    tree, vdb = built()
    verdict = vdb.runs[2].file("result_verdict.json")
    tree.edit_json(verdict, changes)
    assert places(found(tree, "5.3.5")) == [("5.3.5", level, verdict, line)]


@pytest.mark.parametrize(
    "changes",
    [
        {"/flat_setup/coverage": 1},
        {"/flat_setup/coverage": "1.0"},
        {"/flat_setup/total_vectors": 10_000_000, "/flat_setup/copied_vectors": 10_000_000},
        {"/flat_setup/had_recoverable_error": True},
        {"/valid": GONE, "/result": GONE, "/num_queries_evaluated": GONE},
        {"/num_queries_evaluated": 1},
    ],
)
def test_a_ground_truth_over_all_vectors_passes(changes: dict[str, Any]) -> None:
    tree, vdb = built()
    tree.edit_json(vdb.runs[2].file("result_verdict.json"), changes)
    assert found(tree, "5.3.5") == []


@pytest.mark.parametrize("value", [None, GONE, []])
def test_a_verdict_that_tells_nothing_counts_as_an_absent_one(value: Any) -> None:
    tree, vdb = built()
    tree.edit_json(vdb.runs[2].file("result_verdict.json"), {"/flat_setup": value})
    assert [str(item.level) for item in found(tree, "5.3.5", "2.0")] == ["error"]
    assert [str(item.level) for item in found(tree, "5.3.5", "3.0")] == ["warning"]


def test_a_verdict_that_can_not_be_read_is_told_as_such() -> None:
    tree, vdb = built()
    verdict = vdb.runs[2].file("result_verdict.json")
    tree.put(verdict, b'{"flat_setup": ')
    assert [item.rule for item in found(tree) if item.path == verdict] == ["input.json"]
    assert "5.3.5" in {item.rule for item in checked(tree).not_run}
