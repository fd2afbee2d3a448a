"""Rules 2.1.13 to 2.1.17, 2.1.19 and 2.1.20: timestamps, files and counts of the training phases."""

import pytest

from tests.checks.storage.section_two import RESULTS, Small
from tests.checks.support import checked, found, places
from tests.trees.storage_files import GONE, FileTree

UNET = f"{RESULTS}/training/unet3d"
RUN = f"{UNET}/run"


class Broken(FileTree):
    """The small tree with its training's places."""

    def __init__(self, **options) -> None:
        small = Small(**options)
        super().__init__(small.files)
        self.training = small.training
        self.first = small.training.runs[0]

    def runs_of(self, day: str) -> list[str]:
        """The paths of the run folders of one day."""
        return [path.removesuffix("/summary.json") for path in self.find(f"{RUN}/{day}*/summary.json")]


def test_datagen_holds_one_timestamp() -> None:
    tree = Broken()
    tree.duplicate(tree.training.datagen.path, f"{UNET}/datagen/20260707_080000")
    (finding,) = found(tree, "2.1.13")
    assert places([finding]) == [("2.1.13", "error", f"{UNET}/datagen", None)]
    assert "2 folders" in finding.message


@pytest.mark.parametrize(
    ("name", "real"),
    [
        ("20260229_080000", False),
        ("20240229_080000", True),
        ("20261301_080000", False),
        ("20260706_240000", False),
        ("20260706_235959", True),
        ("20260706-080000", False),
        ("2026706_080000", False),
        ("20260706_080000 ", False),
        (".20260706_080000", False),
    ],
)
def test_timestamps_are_moments_that_exist(name, real) -> None:
    tree = Broken()
    tree.rename(tree.training.datagen.path, f"{UNET}/datagen/{name}")
    wanted = [] if real else [("2.1.13", "error", f"{UNET}/datagen/{name}", None)]
    assert places(found(tree, "2.1.13")) == wanted


def test_datagen_without_a_folder() -> None:
    tree = Broken()
    tree.remove(tree.training.datagen.path)
    tree.put(f"{UNET}/datagen/notes.txt", "x")
    assert places(found(tree, "2.1.13")) == [("2.1.13", "error", f"{UNET}/datagen", None)]


@pytest.mark.parametrize("name", ["training_datagen.stdout.log", "training_datagen.stderr.log", "dlio.log"])
def test_a_missing_file_of_datagen(name) -> None:
    tree = Broken()
    leaf = tree.training.datagen
    (finding,) = found(tree.remove(leaf.file(name)), "2.1.14")
    assert places([finding]) == [("2.1.14", "error", leaf.path, None)]
    assert f"`{name}`" in finding.message


def test_the_json_files_of_datagen_are_a_warning_in_two_and_nothing_in_three() -> None:
    tree = Broken()
    leaf = tree.training.datagen
    for path in tree.find(f"{leaf.path}/*.json"):
        if "metadata" not in path:
            tree.remove(path)
    assert places(found(tree, "2.1.14")) == [("2.1.14", "warning", leaf.path, None)]
    assert found(tree, "2.1.14", "3.0") == []


@pytest.mark.parametrize(("rule", "phase"), [("2.1.15", "datagen"), ("2.1.20", "run")])
def test_dlio_config_holds_three_files_and_nothing_else(rule, phase) -> None:
    tree = Broken()
    leaf = tree.training.datagen if phase == "datagen" else tree.first
    folder = leaf.file("dlio_config")
    tree.rename(f"{folder}/hydra.yaml", f"{folder}/hydra.yml").remove(f"{folder}/overrides.yaml")
    tree.put(f"{folder}/.DS_Store", "x")
    tree.put(f"{folder}/old/config.yaml", "x")
    assert places(found(tree, rule)) == [
        (rule, "error", folder, None),
        (rule, "error", f"{folder}/.DS_Store", None),
        (rule, "error", f"{folder}/hydra.yml", None),
        (rule, "error", f"{folder}/old", None),
    ]


def test_a_folder_in_place_of_a_file_of_dlio_config() -> None:
    tree = Broken()
    folder = tree.first.file("dlio_config")
    tree.remove(f"{folder}/hydra.yaml").put(f"{folder}/hydra.yaml/x", "x")
    assert places(found(tree, "2.1.20")) == [("2.1.20", "error", f"{folder}/hydra.yaml", None)]


def test_results_json_is_required_in_two_and_a_notice_in_three() -> None:
    tree = Broken()
    tree.rename(f"{RUN}/results.json", f"{RUN}/Results.json")
    (finding,) = found(tree, "2.1.16")
    assert places([finding]) == [("2.1.16", "error", RUN, None)]
    assert "Did you mean it by `Results.json`?" in finding.message
    assert places(found(tree, "2.1.16", "3.0")) == [("2.1.16", "notice", RUN, None)]


@pytest.mark.parametrize("count", [0, 1, 5, 7])
def test_another_number_of_runs(count) -> None:
    tree = Broken()
    for leaf in tree.training.runs[count:]:
        tree.remove(leaf.path)
    if count == 7:
        tree.duplicate(tree.first.path, f"{RUN}/20260706_070000")
    (finding,) = found(tree, "2.1.17")
    assert places([finding]) == [("2.1.17", "error", RUN, None)]
    if count:
        assert finding.message.startswith(f"{count} run folder")


def test_a_misnamed_run_is_one_finding() -> None:
    tree = Broken()
    tree.rename(tree.first.path, f"{RUN}/2026-07-06")
    assert places(found(tree, "2.1.17")) == [("2.1.17", "error", f"{RUN}/2026-07-06", None)]
    assert found(tree, "2.1.19") == []


def test_a_stray_folder_beside_six_runs_is_one_finding() -> None:
    tree = Broken()
    tree.put(f"{RUN}/.cache/x", "x")
    assert places(found(tree, "2.1.17")) == [("2.1.17", "error", f"{RUN}/.cache", None)]


def two_types(count: int) -> Broken:
    """Six runs of one type and, a day later, ``count`` of another."""
    tree = Broken()
    for leaf in tree.training.runs[:count]:
        later = leaf.path.replace("20260706", "20260707")
        tree.duplicate(leaf.path, later)
        stamp = later.rpartition("/")[2]
        metadata = f"{later}/training_{stamp}_metadata.json"
        tree.rename(f"{later}/training_{leaf.stamp}_metadata.json", metadata)
        tree.edit_json(metadata, {"/accelerator": "mi355", "/args/accelerator_type": "mi355"})
    return tree


def test_six_runs_of_each_of_two_types() -> None:
    assert found(two_types(6), "2.1.17") == []


def test_five_runs_of_one_type_beside_six_of_another() -> None:
    (finding,) = found(two_types(5), "2.1.17")
    assert places([finding]) == [("2.1.17", "error", RUN, None)]
    assert "5 run folders of accelerator type `mi355`, 6 required" in finding.message


def test_a_run_of_unknown_type_beside_two_types_is_told_as_such() -> None:
    tree = two_types(6)
    lost = tree.runs_of("20260707")[0]
    tree.remove(f"{lost}/training_{lost.rpartition('/')[2]}_metadata.json").remove(f"{lost}/dlio_config/overrides.yaml")
    messages = [item.message for item in found(tree, "2.1.17")]
    assert [message.split(",")[0] for message in messages] == [
        "1 run folder whose accelerator type nothing tells",
        "5 run folders of accelerator type `mi355`",
    ]


def test_three_runs_of_each_of_two_types_are_six_too_few() -> None:
    tree = two_types(3)
    for leaf in tree.training.runs[3:]:
        tree.remove(leaf.path)
    assert [item.message.split(",")[0] for item in found(tree, "2.1.17")] == [
        "3 run folders of accelerator type `b200`",
        "3 run folders of accelerator type `mi355`",
    ]


def test_the_type_is_read_from_the_dlio_configuration_when_metadata_is_gone() -> None:
    tree = two_types(5)
    for path in tree.find(f"{RUN}/20260706*/*_metadata.json"):
        tree.remove(path)
    assert "5 run folders of accelerator type `mi355`" in found(tree, "2.1.17")[0].message


def test_runs_of_unknown_type_join_those_of_the_only_known_one() -> None:
    tree = Broken()
    tree.edit_json(tree.first.metadata, {"/accelerator": None, "/args/accelerator_type": GONE})
    tree.put(tree.training.runs[1].metadata, "no JSON")
    assert found(tree, "2.1.17") == []


@pytest.mark.parametrize(
    "name",
    ["training_run.stdout.log", "training_run.stderr.log", "dlio.log", "summary.json", "*output.json", "*stats.json"],
)
def test_a_missing_file_of_a_run(name) -> None:
    tree = Broken()
    for path in tree.find(tree.first.file(name)):
        tree.remove(path)
    assert places(found(tree, "2.1.19")) == [("2.1.19", "error", tree.first.path, None)]


def test_three_missing_parts_are_three_findings_without_absolute_paths() -> None:
    tree = Broken()
    for name in ("dlio.log", "summary.json", "dlio_config"):
        tree.remove(tree.first.file(name))
    report = checked(tree)
    here = [item for item in report.findings if item.path.startswith(tree.first.path) and item.level == "error"]
    assert places(here) == [("2.1.19", "error", tree.first.path, None)] * 3
    assert not [item for item in report.findings if "/work" in item.message or item.path.startswith("/")]
    assert {item.rule for item in report.not_run if item.path.startswith(tree.first.path)} >= {"2.1.18"}


def test_a_summary_of_another_name_is_hinted_at() -> None:
    tree = Broken()
    tree.rename(tree.first.summary, tree.first.file("run_summary.json"))
    (finding,) = found(tree, "2.1.19")
    assert "Did you mean it by `run_summary.json`?" in finding.message


def test_hidden_files_do_not_count_as_outputs() -> None:
    tree = Broken()
    for path in tree.find(f"{tree.first.path}/*_output.json"):
        tree.rename(path, tree.first.file("._" + path.rpartition("/")[2]))
    assert len(found(tree, "2.1.19")) == 1


def test_placeholders_of_staff_count_as_present() -> None:
    tree = Broken()
    for path in tree.find(f"{tree.first.path}/*_output.json"):
        tree.put(path, "PRUNED BY STAFF\n")
    (finding,) = found(tree, "2.1.19")
    assert places([finding]) == [("2.1.19", "notice", tree.first.path, None)]
    assert "PRUNED BY STAFF" in finding.message


def test_what_only_resembles_the_placeholder_is_content() -> None:
    tree = Broken()
    tree.put(tree.first.file("0_output.json"), "PRUNED BY STAFF.")
    assert found(tree, "2.1.19") == []
