"""Files of timestamp folders (2.1.14, 2.1.19, 2.1.25): told once for many runs; links and folders in their place."""

from __future__ import annotations

import pytest

from tests.checks.hygiene_trees import Git, of
from tests.checks.storage.section_two import RESULTS, Small
from tests.checks.support import checked, found, places
from tests.github.gitrepo import SUBMODULE, SYMLINK, Entry

RUN = f"{RESULTS}/training/unet3d/run"


def test_what_all_six_runs_lack_is_one_finding() -> None:
    small = Small()
    for run in small.training.runs:
        small.tree.remove(run.file("dlio.log"))
    (finding,) = found(small, "2.1.19")
    assert places([finding]) == [("2.1.19", "error", small.training.runs[0].path, None)]
    assert finding.count == 6
    assert finding.message.startswith("`dlio.log` is missing. The same holds for 5 other runs: ")


def test_runs_that_lack_different_files_are_told_apart() -> None:
    small = Small()
    first, second, third, *_ = small.training.runs
    small.tree.remove(first.file("dlio.log")).remove(second.file("dlio.log"))
    small.tree.remove(third.file("training_run.stderr.log"))
    assert [(item.path, item.count) for item in found(small, "2.1.19")] == [(first.path, 2), (third.path, 1)]


def test_a_near_miss_in_one_run_is_not_told_of_the_others() -> None:
    small = Small()
    first, second, *_ = small.training.runs
    small.tree.rename(first.file("dlio.log"), first.file("DLIO.log")).remove(second.file("dlio.log"))
    messages = {item.path: item.message for item in found(small, "2.1.19")}
    assert messages == {
        first.path: "`dlio.log` is missing. Did you mean it by `DLIO.log`?",
        second.path: "`dlio.log` is missing.",
    }


@pytest.mark.parametrize("part", ["training", "checkpointing"])
def test_a_stray_file_in_every_configuration_folder_is_one_finding(part: str) -> None:
    small = Small()
    runs = getattr(small, part).runs
    for run in runs:
        small.tree.put(run.file("dlio_config/.DS_Store"), "x")
    rule = "2.1.20" if part == "training" else "2.1.26"
    assert [(item.path, item.count) for item in found(small, rule)] == [
        (runs[0].file("dlio_config/.DS_Store"), len(runs))
    ]


def test_both_invocations_of_a_checkpointing_workload() -> None:
    small = Small()
    for run in small.checkpointing.runs:
        small.tree.remove(run.summary)
    assert [(item.path, item.count) for item in found(small, "2.1.25")] == [(small.checkpointing.runs[0].path, 2)]


def test_placeholders_of_six_runs_are_one_notice() -> None:
    small = Small()
    for run in small.training.runs:
        small.tree.put(run.file("0_output.json"), "PRUNED BY STAFF\n")
    (finding,) = found(small, "2.1.19")
    assert (str(finding.level), finding.count) == ("notice", 6)


def test_a_run_with_nothing_but_its_pointer_is_one_finding() -> None:
    small = Small(shape="v3")
    run = small.training.runs[0]
    for path in [path for path in small.tree.find(f"{run.path}/*") if not path.endswith(".mlps-code-image")]:
        small.tree.remove(path)
    (finding,) = found(small, "2.1.19")
    assert places([finding]) == [("2.1.19", "error", run.path, None)]
    assert finding.message.startswith("Nothing of a run is here: ")


@pytest.mark.parametrize(("mode", "kind"), [(SYMLINK, "a symbolic link"), (SUBMODULE, "a submodule")])
@pytest.mark.parametrize("name", ["summary.json", "dlio.log", "dlio_config"])
def test_a_link_does_not_stand_for_a_file_or_folder(tmp_path, mode: int, kind: str, name: str) -> None:
    small, git = Small(), Git(tmp_path)
    path = small.training.runs[2].file(name)
    entry = Entry(b"1" * 40, mode)
    report = git.report(git.commit({**small.tree.remove(path).files, path: entry}))
    (finding,) = of(report, "2.1.19")
    assert places([finding]) == [("2.1.19", "error", path, None)]
    wanted = "a folder" if name == "dlio_config" else "a file"
    assert finding.message == f"`{name}` is {kind}, {wanted} is required."


@pytest.mark.parametrize(("rule", "part"), [("2.1.16", "training/unet3d/run"), ("2.1.22", "checkpointing/llama3-8b")])
def test_a_link_in_place_of_results_json(tmp_path, rule: str, part: str) -> None:
    small, git = Small(), Git(tmp_path)
    path = f"{RESULTS}/{part}/results.json"
    report = git.report(git.commit({**small.tree.remove(path).files, path: Entry(b"x", SYMLINK)}))
    assert places(of(report, rule)) == [(rule, "error", path, None)]


def test_runs_that_are_all_misnamed_are_one_finding() -> None:
    small = Small()
    for run in small.training.runs:
        small.tree.rename(run.path, run.path.replace("20260706_", "2026-07-06T"))
    (finding,) = found(small, "2.1.17")
    assert (finding.count, finding.path) == (6, f"{RUN}/2026-07-06T{small.training.runs[0].stamp[-6:]}")


@pytest.mark.parametrize("folder", [RUN, f"{RESULTS}/checkpointing/llama3-8b"])
def test_a_stray_folder_is_no_run_that_lacks_its_files(folder: str) -> None:
    small = Small()
    small.tree.put(f"{folder}/plots/figure.png", b"x")
    report = checked(small)
    assert [(item.rule, item.path) for item in report.findings if item.level == "error"] == [
        ("2.1.17" if folder == RUN else "2.1.23", f"{folder}/plots")
    ]
    assert report.not_run == ()


def test_a_misnamed_run_is_judged_all_the_same() -> None:
    small = Small()
    run = small.training.runs[0]
    small.tree.edit_json(run.summary, {"/metric/train_au_mean_percentage": 12.0})
    small.tree.rename(run.path, f"{RUN}/first")
    assert {item.rule for item in found(small) if item.level == "error"} == {"2.1.17", "3.3.2"}


def test_metadata_that_all_six_runs_lack_is_one_finding() -> None:
    small = Small()
    for run in small.training.runs:
        small.tree.remove(run.metadata)
    (finding,) = found(small, "input.missing")
    assert (finding.path, finding.count) == (small.training.runs[0].path, 6)
    assert finding.message.startswith("training_*_metadata.json is missing; rules 3.1.2, ")


@pytest.mark.parametrize(
    ("division", "absent"), [("closed", {"3.6.3", "4.6.4"}), ("open", {"3.6.2", "4.6.1", "4.6.2"})]
)
def test_rules_of_the_other_division_are_not_said_to_be_unjudged(division: str, absent: set[str]) -> None:
    small = Small(division=division)
    for run in (*small.training.runs, *small.checkpointing.runs):
        small.tree.remove(run.metadata)
    report = checked(small)
    unjudged = {item.rule for item in report.not_run}
    assert not absent & unjudged
    assert {"closed": {"3.6.2", "4.6.1", "4.6.3"}, "open": {"3.6.3", "4.6.4"}}[division] <= unjudged
    assert not [item for item in report.findings if any(rule in item.message for rule in absent)]
