"""Rule 2.1.9: the description against the runs, and the runs against each other, for every benchmark."""

import pytest

from tests.checks.support import found, places
from tests.trees.storage import StorageTree
from tests.trees.storage_files import FileTree
from tests.trees.storage_hosts import GIB, Hosts

YAML = "closed/Acme/systems/S1.yaml"


class Four(FileTree):
    """One system of four client machines of 32 GiB that ran all benchmarks."""

    def __init__(self) -> None:
        tree = StorageTree("v3")
        system = tree.submitter("Acme").system("S1", Hosts(4))
        self.runs = system.training().runs
        system.checkpointing()
        self.vdb = system.vector_database().runs
        self.kv = system.kv_cache().run
        super().__init__(tree.files)


def test_a_valid_system() -> None:
    assert found(Four(), "2.1.9") == []


def test_another_number_of_clients_is_one_finding_for_each_number() -> None:
    tree = Four().edit_yaml(YAML, {"/system_under_test/clients/0/quantity": 3})
    (finding,) = found(tree, "2.1.9")
    assert finding.level == "error"
    assert "4 client machines ran" in finding.message
    assert "has 3" in finding.message


@pytest.mark.parametrize("benchmark", ["runs", "vdb"])
def test_one_run_on_another_number_of_hosts(benchmark) -> None:
    tree = Four()
    run = getattr(tree, benchmark)[1]
    if benchmark == "runs":
        tree.edit_json(run.summary, {"/num_hosts": 5})
    else:
        tree.edit_json(run.metadata, {"/system_info/num_hosts": 5})
    at = run.summary if benchmark == "runs" else run.metadata
    errors = [item for item in found(tree, "2.1.9") if item.level == "error"]
    assert [(item.path, "5 client machines ran" in item.message) for item in errors] == [(at, True)]
    assert errors[0].line


def test_a_kv_cache_run_on_another_number_of_hosts() -> None:
    tree = Four()
    tree.edit_json(tree.kv.summary, {"/host_count": 2})
    assert places(found(tree, "2.1.9"))[0][:3] == ("2.1.9", "error", tree.kv.summary)


def test_clients_of_several_kinds_are_added_up() -> None:
    tree = Four()
    (client,) = tree.yaml(YAML)["system_under_test"]["clients"]
    tree.edit_yaml(YAML, {"/system_under_test/clients": [{**client, "quantity": 1}, {**client, "quantity": 3}]})
    assert found(tree, "2.1.9") == []


@pytest.mark.parametrize(("described", "fails"), [(29.1, False), (29.0, True), (35.5, False), (35.6, True)])
def test_memory_may_differ_by_a_tenth(described, fails) -> None:
    tree = Four().edit_yaml(YAML, {"/system_under_test/clients/0/chassis/memory_capacity": described})
    found_here = [item for item in found(tree, "2.1.9") if "memory_capacity" in item.message]
    assert bool(found_here) is fails
    assert len(found_here) <= 1


def test_the_sum_of_the_summarys_memory_counts_not_its_items() -> None:
    tree = Four()
    for run in tree.runs:
        tree.edit_json(run.summary, {"/host_memory_GB": [128.0, 0, 0, 0]})
    assert found(tree, "2.1.9") == []


def test_several_hosts_on_a_system_that_is_described_for_one() -> None:
    tree = Four().edit_yaml(YAML, {"/system_under_test/solution/capabilities/multi_host": False})
    (finding,) = found(tree, "2.1.9")
    assert places([finding])[0][:3] == ("2.1.9", "error", YAML)
    assert "multi_host: false" in tree.files[YAML].decode().splitlines()[finding.line - 1]


def test_the_older_description_is_judged_as_well() -> None:
    tree = StorageTree("document")
    tree.submitter("Acme").system("S1", Hosts(4)).training()
    assert found(tree, "2.1.9") == []
    tree.edit_yaml(YAML, {"/System/shared_capabilities/multi_host_support": False})
    assert len(found(tree, "2.1.9")) == 1


@pytest.mark.parametrize(
    ("pointer", "value"),
    [
        ("/system_info/hosts/0/cpu/model", "Another CPU"),
        ("/system_info/hosts/0/cpu/num_cores", 16),
    ],
)
def test_runs_on_other_machines_are_a_warning(pointer, value) -> None:
    tree = Four()
    tree.edit_json(tree.vdb[2].metadata, {pointer: value})
    (finding,) = found(tree, "2.1.9")
    assert places([finding])[0][:3] == ("2.1.9", "warning", tree.vdb[2].metadata)
    assert finding.line


def test_runs_with_other_memory_are_a_warning_without_a_description() -> None:
    tree = Four().edit_yaml(YAML, {"/system_under_test/clients": []})
    tree.edit_json(tree.vdb[2].metadata, {"/system_info/total_memory_bytes": 4 * 29 * GIB})
    assert found(tree, "2.1.9") == []
    tree.edit_json(tree.vdb[2].metadata, {"/system_info/total_memory_bytes": 4 * 28 * GIB})
    assert places(found(tree, "2.1.9"))[0][:3] == ("2.1.9", "warning", tree.vdb[2].metadata)


@pytest.mark.parametrize("value", [None, "4", True, [], {}, -1, 0])
def test_figures_of_a_wrong_kind_are_left_to_their_own_rules(value) -> None:
    tree = Four()
    tree.edit_json(tree.vdb[0].metadata, {"/system_info": value})
    tree.edit_json(tree.runs[0].summary, {"/num_hosts": value, "/host_memory_GB": value})
    tree.edit_yaml(YAML, {"/system_under_test/clients/0/chassis/memory_capacity": value})
    tree.edit_yaml(YAML, {"/system_under_test/clients/0/quantity": 4})
    assert found(tree, "2.1.9") == []


def test_runs_of_several_workloads_are_named_by_their_paths() -> None:
    tree = StorageTree("v3")
    site = tree.submitter("Acme").system("S1")
    first, second = (site.training(model).runs[1] for model in ("retinanet", "unet3d"))
    for run in (first, second):
        tree.edit_json(run.metadata, {"/system_info/hosts/0/cpu/model": "Another"})
    (finding,) = [item for item in found(tree, "2.1.9") if "processor" in item.message]
    assert f"2 runs (`training/retinanet/run/{first.stamp}` to `training/unet3d/run/{second.stamp}`)" in finding.message
