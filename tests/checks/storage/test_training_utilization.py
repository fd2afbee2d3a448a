"""Rule 3.3.2: accelerator utilization as recorded and by the formula."""

from __future__ import annotations

import pytest

from tests.checks.storage.edits import line_of
from tests.checks.support import checked, found, places
from tests.trees.storage_asserts import system
from tests.trees.storage_files import GONE, FileTree
from tests.trees.storage_training import Training

RULE = "3.3.2"
EDITIONS = ["2.0", "3.0"]
MEAN = "/metric/train_au_mean_percentage"


def built(model: str = "unet3d", au: float = 97.0) -> tuple[FileTree, Training]:
    site = system("v3")
    return site.bench.tree, site.training(model, au=au)


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(("model", "minimum"), [("unet3d", 90), ("retinanet", 85)])
def test_the_minimum_itself_passes_and_less_does_not(edition: str, model: str, minimum: int) -> None:
    tree, training = built(model)
    run = training.runs[3]
    for value, levels in ((minimum, []), (minimum - 0.004, ["error"]), (minimum + 0.004, [])):
        tree.edit_json(run.summary, {MEAN: value})
        assert [str(item.level) for item in found(tree, RULE, edition)] == levels


def test_the_message_compares_with_the_other_runs() -> None:
    tree, training = built()
    run = training.runs[2]
    tree.edit_json(run.summary, {MEAN: 88.7})
    tree.edit_json(training.runs[1].summary, {MEAN: 97.3})
    (finding,) = found(tree, RULE)
    assert places([finding]) == [(RULE, "error", run.summary, line_of(tree, run.summary, '"train_au_mean'))]
    assert finding.message == (
        "Accelerator utilization 88.7 %, at least 90 % required for unet3d. "
        "This run can't count; the other five reach 97.2 to 97.3 %."
    )


def test_a_hair_below_the_minimum_is_shown_as_such() -> None:
    tree, training = built()
    tree.edit_json(training.runs[2].summary, {MEAN: 89.99996})
    assert "Accelerator utilization 89.99996 %, at least 90 %" in found(tree, RULE)[0].message


def test_several_runs_that_fall_short() -> None:
    tree, training = built()
    for run in training.runs[1:3]:
        tree.edit_json(run.summary, {MEAN: 50})
    findings = found(tree, RULE)
    assert [item.path for item in findings] == [run.summary for run in training.runs[1:3]]
    assert "1 of the other 5 fall short as well" in findings[0].message


def test_the_warm_up_run_must_pass_too() -> None:
    tree, training = built()
    tree.edit_json(training.runs[0].summary, {MEAN: 89})
    (finding,) = found(tree, RULE)
    assert places([finding])[0][:3] == (RULE, "error", training.runs[0].summary)
    assert "warms up and is not reported, but must pass" in finding.message


def test_runs_of_another_accelerator_are_not_compared() -> None:
    tree, training = built()
    for run in training.runs[3:]:
        tree.edit_json(run.metadata, {"/accelerator": "h100"})
    tree.edit_json(training.runs[3].summary, {MEAN: 89})
    (finding,) = found(tree, RULE)
    assert "warms up" in finding.message
    assert "the other two reach" in finding.message


def test_without_metadata_the_recorded_figure_is_still_judged() -> None:
    tree, training = built()
    for run in training.runs:
        tree.remove(run.metadata)
    tree.edit_json(training.runs[4].summary, {MEAN: 10})
    report = checked(tree)
    assert [item.path for item in report.findings if item.rule == RULE] == [training.runs[4].summary]
    assert RULE in {item.rule for item in report.not_run}  # the formula could not be judged


def test_the_verdict_of_the_benchmark_itself() -> None:
    tree, training = built()
    run = training.runs[1]
    tree.edit_json(run.summary, {"/metric/train_au_meet_expectation": "fail"})
    line = line_of(tree, run.summary, "train_au_meet_expectation")
    assert places(found(tree, RULE)) == [(RULE, "error", run.summary, line)]
    tree.edit_json(run.summary, {"/metric/train_au_meet_expectation": GONE})
    assert found(tree, RULE) == []


def test_a_run_without_the_figure() -> None:
    tree, training = built()
    run = training.runs[1]
    tree.edit_json(run.summary, {MEAN: None})
    assert {(item.path, str(item.level)) for item in found(tree, RULE)} == {(run.summary, "error")}


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_figure_above_what_throughput_gives_is_a_warning(edition: str) -> None:
    tree, training = built(au=92.0)
    run = training.runs[1]
    summary = tree.json(run.summary)
    rate = summary["metric"]["train_throughput_mean_samples_per_second"]
    for factor, levels in ((0.95, []), (0.94, ["warning"])):
        tree.edit_json(run.summary, {"/metric/train_throughput_mean_samples_per_second": rate * factor})
        assert [str(item.level) for item in found(tree, RULE, edition)] == levels
    (finding,) = found(tree, RULE, edition)
    assert finding.line == line_of(tree, run.summary, '"train_au_mean_percentage"')
    assert "throughput gives 86." in finding.message


def test_a_figure_above_the_mean_of_its_epochs_is_a_warning() -> None:
    tree, training = built(au=91.0)
    run = training.runs[1]
    mean = tree.json(run.summary)["metric"]["train_au_mean_percentage"]
    for more, levels in ((0.09, []), (0.11, ["warning"]), (-0.5, [])):
        tree.edit_json(run.summary, {MEAN: mean + more})
        assert [str(item.level) for item in found(tree, RULE)] == levels


def test_the_formula_takes_the_shipped_step_time_and_for_unknown_accelerators_the_recorded() -> None:
    tree, training = built()
    run = training.runs[1]
    tree.edit_json(run.metadata, {"/parameters/train/computation_time": 0.05})
    assert found(tree, RULE) == []
    tree.edit_json(run.metadata, {"/accelerator": "mi355"})
    (finding,) = found(tree, RULE)
    assert "throughput gives 30" in finding.message


def test_without_throughput_there_is_nothing_to_compare() -> None:
    tree, training = built()
    tree.edit_json(training.runs[1].summary, {"/metric/train_throughput_mean_samples_per_second": GONE})
    report = checked(tree)
    assert not [item for item in report.findings if item.rule == RULE]
    by_formula = [fact for fact in report.facts if fact.name == "accelerator_utilization_by_formula"]
    assert len(by_formula) == 5
    recorded = {fact.path: fact.value for fact in report.facts if fact.name == "accelerator_utilization"}
    assert all(fact.value == pytest.approx(recorded[fact.path], abs=0.01) for fact in by_formula)
