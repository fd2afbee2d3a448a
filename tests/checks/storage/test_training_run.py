"""Rules 3.3.3 to 3.3.7: hosts and accelerators of training runs."""

from __future__ import annotations

from typing import Any

import pytest

from checks.storage.hosts import slots_of
from tests.checks.storage.edits import line_of
from tests.checks.support import checked, found, places
from tests.trees.storage_asserts import system
from tests.trees.storage_bench import Leaf
from tests.trees.storage_files import GONE, FileTree
from tests.trees.storage_hosts import GIB, Hosts

EDITIONS = ["2.0", "3.0"]


def built(hosts: int = 1, accelerators: int | None = None, **options: Any) -> tuple[FileTree, Leaf]:
    """The tree and the third run of a workload."""
    site = system("v3", hosts=Hosts(hosts, **options))
    return site.bench.tree, site.training("unet3d", accelerators=accelerators).runs[2]


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ("10.0.0.1:4", ("10.0.0.1", 4)),
        ("client7", ("client7", None)),
        ("[fe80::1]:12", ("[fe80::1]", 12)),
        ("fe80::1", ("fe80::1", None)),
        ("client:", ("client:", None)),
    ],
)
def test_hosts_and_slots(entry: str, expected: tuple[str, int | None]) -> None:
    assert slots_of(entry) == expected


@pytest.mark.parametrize(("edition", "level"), [("2.0", "notice"), ("3.0", "warning")])
def test_few_accelerators_on_one_host_are_advised_against(edition: str, level: str) -> None:
    tree, run = built()
    tree.edit_json(run.summary, {"/num_accelerators": 3})
    line = line_of(tree, run.summary, '"num_accelerators"')
    assert places(found(tree, "3.3.3", edition)) == [("3.3.3", level, run.summary, line)]
    tree.edit_json(run.summary, {"/num_accelerators": 4})
    assert found(tree, "3.3.3", edition) == []
    tree.edit_json(run.summary, {"/num_accelerators": 3, "/num_hosts": 3})
    assert found(tree, "3.3.3", edition) == []


def test_half_a_gib_of_memory_for_each_accelerator() -> None:
    tree, run = built()  # 32 GiB
    for accelerators, number in ((64, 0), (65, 1)):
        tree.edit_json(run.summary, {"/num_accelerators": accelerators})
        assert len(found(tree, "3.3.3")) == number


@pytest.mark.parametrize("edition", EDITIONS)
def test_one_host_means_one_client(edition: str) -> None:
    tree, run = built()
    tree.edit_json(run.metadata, {"/args/hosts": ["10.0.0.1:2", "10.0.0.1:2"]})
    assert found(tree, "3.3.4", edition) == []
    tree.edit_json(run.metadata, {"/args/hosts": ["10.0.0.1:2", "10.0.0.2:2"]})
    (finding,) = found(tree, "3.3.4", edition)
    line = line_of(tree, run.metadata, '"hosts": [', last=True)
    assert places([finding]) == [("3.3.4", "error", run.metadata, line)]
    assert "`10.0.0.1`, `10.0.0.2`" in finding.message
    tree.edit_json(run.summary, {"/num_hosts": 2})
    assert found(tree, "3.3.4", edition) == []


def test_clients_of_the_executed_command() -> None:
    tree, run = built()
    command = tree.json(run.metadata)["executed_command"]
    tree.edit_json(run.metadata, {"/executed_command": command.replace("-host 10.0.0.1:4", "-host a:2,b:2")})
    (finding,) = found(tree, "3.3.4")
    assert finding.line == line_of(tree, run.metadata, '"executed_command"')


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_host_simulates_as_many(edition: str) -> None:
    tree, run = built(hosts=2, accelerators=8)
    command = tree.json(run.metadata)["executed_command"]
    assert found(tree, "3.3.6", edition) == []
    tree.edit_json(
        run.metadata, {"/executed_command": command.replace("10.0.0.1:4,10.0.0.2:4", "10.0.0.1:5,10.0.0.2:3")}
    )
    (finding,) = found(tree, "3.3.6", edition)
    assert places([finding]) == [("3.3.6", "error", run.metadata, line_of(tree, run.metadata, '"executed_command"'))]
    assert "5 on `10.0.0.1`, 3 on `10.0.0.2`" in finding.message


def test_slots_beyond_the_processes_say_nothing_but_the_total_must_divide() -> None:
    tree, run = built(hosts=2, accelerators=8)
    command = tree.json(run.metadata)["executed_command"].replace("10.0.0.1:4,10.0.0.2:4", "10.0.0.1:64,10.0.0.2:32")
    tree.edit_json(run.metadata, {"/executed_command": command})
    assert found(tree, "3.3.6") == []
    tree.edit_json(run.summary, {"/num_accelerators": 7})
    line = line_of(tree, run.summary, '"num_accelerators"')
    assert places(found(tree, "3.3.6")) == [("3.3.6", "error", run.summary, line)]
    tree.edit_json(run.summary, {"/num_hosts": 1})
    assert found(tree, "3.3.6") == []


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(
    ("pointer", "at_limit", "beyond"),
    [("memory/total", 48 * GIB, 48 * GIB + 1), ("cpu/num_cores", 48, 49)],
)
def test_hosts_are_within_a_factor(edition: str, pointer: str, at_limit: int, beyond: int) -> None:
    tree, run = built(hosts=2, accelerators=8)
    tree.edit_json(run.metadata, {f"/system_info/hosts/1/{pointer}": at_limit})
    assert found(tree, "3.3.7", edition) == []
    tree.edit_json(run.metadata, {f"/system_info/hosts/1/{pointer}": beyond})
    line = line_of(tree, run.metadata, '"hosts": [')
    assert places(found(tree, "3.3.7", edition)) == [("3.3.7", "warning", run.metadata, line)]


def test_a_host_without_its_figures_is_a_warning_only_among_several() -> None:
    tree, run = built(hosts=2, accelerators=8)
    tree.edit_json(run.metadata, {"/system_info/hosts/0/memory/total": None})
    assert [str(item.level) for item in found(tree, "3.3.7")] == ["warning"]
    tree, run = built()
    tree.edit_json(run.metadata, {"/system_info/hosts/0/memory/total": None})
    assert found(tree, "3.3.7") == []


def test_hosts_that_no_record_lists_are_said_not_to_be_judged() -> None:
    site = system("v3", hosts=Hosts(4))
    tree, run = site.bench.tree, site.training().runs[1]
    tree.edit_json(run.metadata, {"/system_info/hosts": GONE})
    report = checked(tree)
    assert [item.path for item in report.not_run if item.rule == "3.3.7"] == [run.metadata]
    assert "3.3.7" not in {item.rule for item in report.findings}
