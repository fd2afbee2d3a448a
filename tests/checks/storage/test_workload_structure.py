"""Rules 2.1.10, 2.1.11, 2.1.12 and 2.1.21: an unknown name is one finding and does not derail the walk."""

import pytest

from tests.checks.storage.section_two import RESULTS, Small
from tests.checks.support import found, places
from tests.trees.storage import StorageTree
from tests.trees.storage_files import FileTree

UNET = f"{RESULTS}/training/unet3d"


def tree(**options) -> FileTree:
    return FileTree(Small(**options).files)


def test_all_four_categories_are_known() -> None:
    files = StorageTree("document")
    system = files.submitter("Acme").system("S1")
    system.kv_cache()
    system.vector_database()
    assert found(files, "2.1.10") == []


@pytest.mark.parametrize(
    ("right", "wrong"), [("kv_cache", "kvcache"), ("vector_database", "vectordatabase"), ("training", "Training")]
)
def test_a_misspelt_category_is_one_finding(right, wrong) -> None:
    files = tree()
    files.put(f"{RESULTS}/{right}/x/run/20260706_080000/summary.json", "{}")
    files.rename(f"{RESULTS}/{right}", f"{RESULTS}/{wrong}")
    (finding,) = found(files, "2.1.10")
    assert places([finding]) == [("2.1.10", "error", f"{RESULTS}/{wrong}", None)]
    assert f"`{right}`" in finding.hint
    assert not [item for item in found(files) if item.path.startswith(f"{RESULTS}/{wrong}/")]


@pytest.mark.parametrize("name", ["notes", ".cache"])
def test_another_folder_beside_the_categories(name) -> None:
    files = tree()
    files.put(f"{RESULTS}/{name}/x", "x")
    assert places(found(files, "2.1.10")) == [("2.1.10", "error", f"{RESULTS}/{name}", None)]


def test_a_system_without_a_benchmark() -> None:
    files = tree().remove(f"{RESULTS}/training").remove(f"{RESULTS}/checkpointing")
    files.put(f"{RESULTS}/results.json", "{}")
    assert sorted(places(found(files, "2.1.10"))) == [
        ("2.1.10", "error", RESULTS, None),
        ("2.1.10", "notice", RESULTS, None),
    ]


def test_an_unknown_training_workload_is_one_finding() -> None:
    files = tree()
    files.put(f"{RESULTS}/training/bert/readme.txt", "x")
    assert [item for item in places(found(files)) if "/bert" in item[2]] == [
        ("2.1.11", "error", f"{RESULTS}/training/bert", None)
    ]


def test_a_misspelt_workload_is_still_walked() -> None:
    files = tree().rename(UNET, f"{RESULTS}/training/Unet3D").remove(f"{RESULTS}/training/Unet3D/datasize")
    assert places(found(files, "2.1.11")) == [("2.1.11", "error", f"{RESULTS}/training/Unet3D", None)]
    assert places(found(files, "2.1.12")) == [("2.1.12", "error", f"{RESULTS}/training/Unet3D", None)]


@pytest.mark.parametrize("phase", ["datasize", "datagen", "run"])
def test_a_missing_phase(phase) -> None:
    files = tree().remove(f"{UNET}/{phase}")
    (finding,) = found(files, "2.1.12")
    assert places([finding]) == [("2.1.12", "error", UNET, None)]
    assert f"`{phase}` is missing" in finding.message
    level = "warning" if phase == "datasize" else "error"
    assert [str(item.level) for item in found(files, "2.1.12", "3.0")] == [level]


def test_a_phase_too_many_and_one_of_another_case() -> None:
    files = tree()
    files.put(f"{UNET}/old/x", "x")
    files.rename(f"{UNET}/run", f"{UNET}/Run")
    assert places(found(files, "2.1.12")) == [
        ("2.1.12", "error", f"{UNET}/Run", None),
        ("2.1.12", "error", f"{UNET}/old", None),
    ]


def test_code_beside_the_phases_belongs_to_open() -> None:
    assert found(tree(division="open"), "2.1.12") == []
    files = tree()
    files.put(f"{UNET}/code/.code-hash.json", "{}")
    assert places(found(files, "2.1.12")) == [("2.1.12", "error", f"{UNET}/code", None)]


def test_checkpointing_workloads() -> None:
    files = tree().duplicate(f"{RESULTS}/checkpointing/llama3-8b", f"{RESULTS}/checkpointing/llama3-13b")
    files.put(f"{RESULTS}/checkpointing/gpt/readme.txt", "x")
    assert sorted(places(found(files, "2.1.21"))) == [
        ("2.1.21", "error", f"{RESULTS}/checkpointing/gpt", None),
        ("2.1.21", "error", f"{RESULTS}/checkpointing/llama3-13b", None),
    ]
    assert [item for item in places(found(files)) if "/gpt" in item[2]] == [
        ("2.1.21", "error", f"{RESULTS}/checkpointing/gpt", None)
    ]


@pytest.mark.parametrize(("rule", "folder"), [("2.1.11", "training"), ("2.1.21", "checkpointing")])
def test_a_benchmark_without_a_workload(rule, folder) -> None:
    files = tree().remove(f"{RESULTS}/{folder}")
    files.put(f"{RESULTS}/{folder}/.keep", "")
    assert ("error", f"{RESULTS}/{folder}") in [(str(item.level), item.path) for item in found(files, rule)]
