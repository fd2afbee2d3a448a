"""Rules 4.6.1, 4.6.2 and 4.6.4 with Table 3: processes of checkpointing runs."""

from __future__ import annotations

from typing import Any

import pytest

from tests.checks.storage.edits import line_of
from tests.checks.support import found, places
from tests.trees.storage_asserts import system
from tests.trees.storage_bench import Leaf
from tests.trees.storage_files import FileTree
from tests.trees.storage_hosts import Hosts

EDITIONS = ["2.0", "3.0"]
MODELS = [("llama3-8b", 1, 8), ("llama3-70b", 8, 64), ("llama3-405b", 32, 512), ("llama3-1t", 64, 1024)]


def built(model: str = "llama3-8b", division: str = "closed", hosts: int = 1, **options: Any) -> tuple[FileTree, Leaf]:
    site = system("v3", division, hosts=Hosts(hosts))
    return site.bench.tree, site.checkpointing(model, **options).runs[0]


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(("model", "hosts", "processes"), MODELS)
def test_closed_has_the_processes_of_table_2(edition: str, model: str, hosts: int, processes: int) -> None:
    tree, run = built(model, hosts=hosts)
    assert found(tree, "4.6.1", edition) == []
    tree.edit_json(run.metadata, {"/args/num_processes": processes - 1})
    line = line_of(tree, run.metadata, f'    "num_processes": {processes - 1}')
    assert places(found(tree, "4.6.1", edition)) == [("4.6.1", "error", run.metadata, line)]
    tree.edit_json(run.metadata, {"/args/num_processes": str(processes)})
    tree.edit_json(run.summary, {"/num_accelerators": processes * 2})
    assert [item.path for item in found(tree, "4.6.1", edition)] == [run.summary]


def test_a_subset_is_no_exception_and_open_is_free() -> None:
    tree, run = built("llama3-70b", subset=True)
    assert [item.path for item in found(tree, "4.6.1")] == [run.metadata]
    tree, run = built("llama3-70b", "open", processes=128, hosts=8)
    assert found(tree, "4.6.1") == []


def test_without_the_argument_the_top_level_number_counts() -> None:
    tree, run = built()
    tree.edit_json(run.metadata, {"/args/num_processes": None, "/num_processes": 16})
    line = line_of(tree, run.metadata, '"num_processes": 16')
    assert places(found(tree, "4.6.1")) == [("4.6.1", "error", run.metadata, line)]


def placed(tree: FileTree, run: Leaf, *counts: int) -> None:
    """Let the run have had so many processes on each of several hosts."""
    hosts = [f"10.0.0.{number}:{count}" for number, count in enumerate(counts, 1)]
    command = f"mpirun -n {sum(counts)} -host {','.join(hosts)} dlio_benchmark"
    tree.edit_json(run.metadata, {"/args/hosts": hosts, "/executed_command": command})
    tree.edit_json(run.summary, {"/num_accelerators": sum(counts), "/num_hosts": len(counts)})


@pytest.mark.parametrize("edition", EDITIONS)
def test_closed_hosts_have_more_than_four(edition: str) -> None:
    tree, run = built()
    placed(tree, run, 5, 5)
    assert found(tree, "4.6.2", edition) == []
    placed(tree, run, 4, 6)
    (finding,) = found(tree, "4.6.2", edition)
    line = line_of(tree, run.metadata, '"executed_command"')
    assert places([finding]) == [("4.6.2", "error", run.metadata, line)]
    assert "4 simulated accelerators on `10.0.0.1`" in finding.message
    assert "Table 3 says minimal 4" in finding.message


def test_the_hosts_argument_counts_too() -> None:
    tree, run = built()
    tree.edit_json(run.metadata, {"/args/hosts": ["a:4", "b:4"]})
    assert places(found(tree, "4.6.2")) == [
        ("4.6.2", "error", run.metadata, line_of(tree, run.metadata, '"hosts": [', last=True))
    ]


def test_without_slots_the_average_decides() -> None:
    tree, run = built()
    tree.edit_json(run.metadata, {"/args/hosts": ["a", "b"], "/executed_command": "mpirun -n 8 dlio_benchmark"})
    for hosts, number in ((1, 0), (2, 1)):
        tree.edit_json(run.summary, {"/num_hosts": hosts})
        assert len(found(tree, "4.6.2")) == number
    line = line_of(tree, run.summary, '"num_accelerators"')
    assert places(found(tree, "4.6.2")) == [("4.6.2", "error", run.summary, line)]
    tree.edit_json(run.summary, {"/num_accelerators": 10})
    assert found(tree, "4.6.2") == []


@pytest.mark.parametrize("edition", EDITIONS)
def test_open_hosts_have_at_least_four(edition: str) -> None:
    tree, run = built(division="open")
    placed(tree, run, 4, 4)
    assert found(tree, "4.6.2", edition) == found(tree, "4.6.4", edition) == []
    placed(tree, run, 3, 5)
    line = line_of(tree, run.metadata, '"executed_command"')
    assert places(found(tree, "4.6.4", edition)) == [("4.6.4", "error", run.metadata, line)]


@pytest.mark.parametrize(
    ("model", "hosts", "replica"),
    [("llama3-8b", 1, 1), ("llama3-70b", 8, 8), ("llama3-405b", 32, 256), ("llama3-1t", 64, 512)],
)
def test_open_scales_in_multiples(model: str, hosts: int, replica: int) -> None:
    tree, run = built(model, "open", hosts=hosts)
    for count in (replica * 3, replica * 5):
        tree.edit_json(run.metadata, {"/args/num_processes": count})
        assert found(tree, "4.6.4") == []
    tree.edit_json(run.metadata, {"/args/num_processes": replica * 3 + 1})
    findings = found(tree, "4.6.4")
    assert len(findings) == (replica > 1)
    if findings:
        line = line_of(tree, run.metadata, f'    "num_processes": {replica * 3 + 1}')
        assert places(findings) == [("4.6.4", "error", run.metadata, line)]


def test_closed_does_not_scale() -> None:
    tree, run = built("llama3-70b", hosts=8)
    tree.edit_json(run.metadata, {"/args/num_processes": 65})
    assert found(tree, "4.6.4") == []


def test_no_processes_at_all() -> None:
    tree, run = built(division="open")
    tree.edit_json(run.metadata, {"/args/num_processes": 0})
    (finding,) = found(tree, "4.6.4")
    assert "a number above 0 is required" in finding.message
