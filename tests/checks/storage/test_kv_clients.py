"""Rules 6.3.3.1 to 6.3.3.4 on trees with one thing broken."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.checks.storage.kv_trees import built, command_line, edit_commands, lines
from tests.checks.support import found, places
from tests.trees.storage_files import GONE


@pytest.mark.parametrize("total", [19, 21])
def test_clients_per_host_times_hosts_is_the_total(total: int) -> None:
    tree, kv = built(hosts=4, ranks=20)
    tree.edit_json(kv.summary, {"/total_ranks": total})
    (finding,) = [item for item in found(tree, "6.3.3.1") if item.path == kv.summary]
    assert places([finding]) == [("6.3.3.1", "error", kv.summary, 6)]
    assert finding.message == f"`total_ranks` is {total}; `npernode` 5 times `host_count` 4 is 20."


def test_no_client_is_no_run() -> None:
    tree, kv = built()
    tree.edit_json(kv.summary, {"/total_ranks": 0, "/npernode": 0})
    assert ("6.3.3.1", "error", kv.summary, 6) in places(found(tree, "6.3.3.1"))


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"/num_processes": 19}, '"num_processes"'),
        ({"/args/npernode": 4}, '"npernode"'),
        ({"/args/hosts": ["10.0.0.1", "10.0.0.2", "10.0.0.3"]}, '"hosts"'),
    ],
)
def test_the_record_gives_other_numbers(changes: dict[str, Any], key: str) -> None:
    tree, kv = built(hosts=4, ranks=20)
    tree.edit_json(kv.run.metadata, changes)
    pointer = next(iter(changes))
    line = lines(tree, kv.run.metadata, key)[-1 if pointer.startswith("/args") else 0]
    assert places(found(tree, "6.3.3.1")) == [("6.3.3.1", "error", kv.run.metadata, line)]


@pytest.mark.parametrize(
    "changes",
    [
        {"/num_processes": None, "/args/npernode": None},
        {"/args/npernode": GONE, "/args/hosts": None},
        {"/args/hosts": ["a:5", "b:5", "c:5", "d:5"]},
        {"/args/hosts": ["a", "a:2", "b", "c", "d"]},
    ],
)
def test_what_the_record_leaves_open_or_says_alike(changes: dict[str, Any]) -> None:
    tree, kv = built(hosts=4, ranks=20)
    tree.edit_json(kv.run.metadata, changes)
    assert found(tree, "6.3.3.1") == []


def test_commands_that_started_another_number_of_clients() -> None:
    tree, kv = built(hosts=4, ranks=20)
    line = edit_commands(tree, kv, "mpirun -n 20", "mpirun -n 16")
    (finding,) = found(tree, "6.3.3.1")
    assert places([finding]) == [("6.3.3.1", "error", kv.run.metadata, line)]
    assert finding.message == "9 commands started 16 clients; the summary gives 20."


def test_missing_results_are_one_finding_for_an_option() -> None:
    tree, kv = built(ranks=4)
    for trial, rank in ((0, 1), (1, 1), (2, 1), (2, 3)):
        tree.remove(kv.rank_files[2, trial, rank])
    (finding,) = found(tree, "6.3.3.3")
    assert places([finding]) == [("6.3.3.3", "error", f"{kv.run.path}/option_2", None)]
    assert "lacks 4 of 12 rank results: trial 0 rank 1, trial 1 rank 1, trial 2 rank 1 and 1 more" in finding.message


def test_an_option_without_any_result_is_told_on_the_run() -> None:
    tree, kv = built()
    tree.remove(f"{kv.run.path}/option_3")
    assert places(found(tree, "6.3.3.3")) == [("6.3.3.3", "error", kv.run.path, None)]


def test_a_client_with_two_results() -> None:
    tree, kv = built(ranks=2)
    folder = kv.rank_files[1, 2, 1].rpartition("/")[0]
    tree.duplicate(kv.rank_files[1, 2, 1], f"{folder}/kvcache_results_20990101_000000.json")
    assert places(found(tree, "6.3.3.3")) == [("6.3.3.3", "error", folder, None)]


def test_results_of_a_client_that_the_summary_does_not_count() -> None:
    tree, kv = built()
    folder = kv.rank_files[1, 0, 0].rpartition("/")[0]
    tree.duplicate(folder, folder.replace("rank_0", "rank_1"))
    findings = [item for item in found(tree, "6.3.3.3") if "does not count" in item.message]
    assert places(findings) == [("6.3.3.3", "error", folder.replace("rank_0", "rank_1"), None)]


def test_a_folder_of_another_name_holds_no_results() -> None:
    tree, kv = built()
    folder = kv.rank_files[1, 0, 0].rpartition("/")[0]
    tree.rename(folder, folder.replace("rank_0", "rank_00"))
    (finding,) = found(tree, "6.3.3.3")
    assert "lacks 1 of 3 rank results" in finding.message


def test_a_number_of_clients_that_no_run_has() -> None:
    tree, kv = built()
    tree.edit_json(kv.summary, {"/total_ranks": 10**12, "/npernode": 10**12})
    assert ("6.3.3.3", "error", kv.summary, 6) in places(found(tree, "6.3.3.3"))


@pytest.mark.parametrize("flag", ["--rank-output-base", "--rank-cache-base"])
def test_clients_that_share_a_folder(flag: str) -> None:
    tree, kv = built(ranks=2)
    line = edit_commands(tree, kv, flag, "--cache-dir", option=1, trial=0)
    findings = [item for item in found(tree, "6.3.3.3") if flag in item.message]
    assert places(findings) == [("6.3.3.3", "error", kv.run.metadata, line)]


def test_one_client_shares_with_nobody() -> None:
    tree, kv = built(ranks=1)
    edit_commands(tree, kv, "--rank-cache-base", "--cache-dir", option=1, trial=0)
    assert found(tree, "6.3.3.3") == []


def test_two_commands_that_write_to_one_place() -> None:
    tree, kv = built()
    edit_commands(tree, kv, "/option_1/trial_2 ", "/option_1/trial_1 ", option=1, trial=2)
    assert places(found(tree, "6.3.3.3")) == [("6.3.3.3", "error", kv.run.metadata, command_line(tree, kv, 2))]


def test_markers_of_a_shared_results_folder() -> None:
    tree, kv = built(hosts=4)
    assert found(tree, "6.3.3.4") == []
    markers = tree.find(f"{kv.run.path}/.fs_probe/*")
    tree.remove(markers[0])
    (finding,) = found(tree, "6.3.3.4")
    assert places([finding]) == [("6.3.3.4", "notice", f"{kv.run.path}/.fs_probe", None)]
    assert finding.message.startswith("3 hosts of 4")


def test_one_host_needs_no_marker() -> None:
    assert found(built(hosts=1, ranks=4)[0], "6.3.3.4") == []


def test_a_summary_of_the_wrong_type_is_a_finding_and_no_crash() -> None:
    tree, kv = built()
    tree.put(kv.summary, json.dumps([1, 2, 3]))
    assert "6.3.4" in {item.rule for item in found(tree) if item.path == kv.summary and item.level == "error"}


def test_numbers_of_clients_written_as_text_are_read() -> None:
    tree, kv = built(hosts=4, ranks=20)
    tree.edit_json(kv.summary, {"/total_ranks": "20", "/npernode": "5", "/host_count": "4", "/trials_per_option": "3"})
    tree.edit_json(kv.run.metadata, {"/num_processes": "20", "/args/npernode": "5"})
    assert not found(tree, "6.3.3.1")
    tree.edit_json(kv.run.metadata, {"/num_processes": "21"})
    assert len(found(tree, "6.3.3.1")) == 1


def test_the_arguments_alone_give_another_number() -> None:
    tree, kv = built()
    tree.edit_json(kv.run.metadata, {"/args/num_processes": 7})
    assert places(found(tree, "6.3.3.1")) == [
        ("6.3.3.1", "error", kv.run.metadata, *lines(tree, kv.run.metadata, '"num_processes": 7'))
    ]


def test_results_of_an_option_that_closed_does_not_run() -> None:
    tree, kv = built()
    path = next(path for path in tree.files if "/option_1/trial_0/rank_0/" in path)
    tree.duplicate(path, path.replace("/option_1/", "/option_4/"))
    (finding,) = [item for item in found(tree, "6.3.3.3") if item.line is None]
    assert finding.path == f"{kv.run.path}/option_4"
    assert finding.message == "`option_4` beside the Options that CLOSED runs: 1, 2, 3."
