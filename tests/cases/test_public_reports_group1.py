"""Reports on submission checkers and submissions (group 1 of docs/public-reports.md): one test for each row named here.

The rows that are missing here are tested, word for word, beside the rule that they are about; the ledger says where.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bot import messages
from checks.api import check_tree
from checks.findings import Level
from checks.folder_tree import FolderTree
from checks.formats import RENDERERS
from tests.checks.hygiene_trees import RUN, SYSTEM, Git, small
from tests.checks.storage.section_two import RESULTS, Small
from tests.checks.support import above_notice, checked, found, places
from tests.github.gitrepo import SYMLINK, Entry
from tests.trees.storage import StorageTree
from tests.trees.storage_bench import Shape
from tests.trees.storage_code import SOURCE, CodeImage, tree_hash
from tests.trees.storage_files import GONE, FileTree
from tests.trees.storage_whole import valid_tree

CODE = "closed/Acme/code"
RECORD = f"{CODE}/.code-hash.json"
MIB = 1024 * 1024


def test_s_01_a_change_of_dot_entries_at_the_top_changes_no_system(tmp_path: Path) -> None:
    git = Git(tmp_path)
    base = git.commit({**Small().files, ".gitignore": b"*.tmp\n", ".github/w.yml": b"on: push\n"})
    head = git.commit({".github/w.yml": b"on: pull_request\n"}, base=base)
    report = git.report(head, base)
    assert (report.verdict, report.findings, report.scopes, report.not_run) == ("pass", (), (), ())
    assert messages.title(report) == "No submitted system changed"
    assert found(FileTree({**Small().files, ".github/w.yml": b"on: push\n"}), "2.1.2") == []


def test_s_06_a_code_image_with_crlf_is_told_from_one_that_lacks_a_file() -> None:
    converted, shortened = FileTree(Small().files), FileTree(Small().files)
    path = "mlpstorage_py/main.py"
    converted.put(f"{CODE}/{path}", SOURCE[path].replace(b"\n", b"\r\n"))
    shortened.remove(f"{CODE}/{path}")
    said = []
    for tree in (converted, shortened):
        (finding,) = found(tree, "2.1.6")
        assert places([finding]) == [("2.1.6", "error", RECORD, 2)]
        files = {name.removeprefix(f"{CODE}/"): tree.files[name] for name in tree.find(f"{CODE}/*")}
        assert CodeImage(SOURCE).hash in finding.message
        assert tree_hash(files) in finding.message
        assert f"over {len(files) - 1} files" in finding.message
        said.append(finding.message)
    assert f"`{path}`) were converted from LF to CRLF" in said[0]
    assert "CRLF" not in said[1]
    assert "missing" in said[1]


def test_s_08_kv_cache_and_vector_database_are_categories_and_kvcache_is_one_finding() -> None:
    tree = StorageTree("document")
    system = tree.submitter("Acme").system("S1")
    run = system.kv_cache().run.path
    assert run.startswith(f"{RESULTS}/kv_cache/")
    assert system.vector_database().runs[0].path.startswith(f"{RESULTS}/vector_database/DISKANN/run/")
    assert above_notice(tree) == []
    misspelt = FileTree(tree.files).rename(f"{RESULTS}/kv_cache", f"{RESULTS}/kvcache")
    assert places(above_notice(misspelt)) == [("2.1.10", "error", f"{RESULTS}/kvcache", None)]


def test_s_10_a_summary_of_another_name_is_told_and_nothing_passes_unseen() -> None:
    tree = StorageTree("v3")
    system = tree.submitter("Acme").system("S1")
    kv, training = system.kv_cache(), system.training()
    tree.rename(kv.summary, kv.run.file("kvcache_run_summary_20260702_101010.json"))
    tree.rename(training.runs[0].summary, training.runs[0].file("run_summary_20260702_101010.json"))
    report = checked(tree)
    (own,) = [item for item in report.findings if item.rule == "6.3.4"]
    assert (own.level, own.path) == (Level.WARNING, kv.run.file("kvcache_run_summary_20260702_101010.json"))
    assert own.hint is not None
    assert "Rename it to `summary.json`" in own.hint
    assert not [item for item in report.not_run if item.path.startswith(kv.run.path)]  # it was read all the same
    (other,) = [item for item in report.findings if item.rule == "2.1.19"]
    assert (other.level, other.path) == (Level.ERROR, training.runs[0].path)
    assert "`run_summary_20260702_101010.json`" in other.message
    assert {item.rule for item in report.not_run if item.path == training.runs[0].path} >= {"3.3.2", "3.3.1"}


def test_s_12_six_runs_are_asked_of_the_run_phase_only() -> None:
    tree = Small()
    datagen = tree.training.datagen.path
    assert [item for item in above_notice(tree) if item.rule in ("2.1.13", "2.1.17")] == []
    six = FileTree(tree.files)
    for second in range(1, 6):
        six.duplicate(datagen, f"{datagen[:-1]}{second}")
    assert places([item for item in found(six) if item.rule in ("2.1.13", "2.1.17")]) == [
        ("2.1.13", "error", datagen.rpartition("/")[0], None)
    ]


def test_s_14_missing_parts_are_told_apart_from_broken_rules_with_relative_paths_only(tmp_path: Path) -> None:
    tree = Small()
    leaf = tree.training.runs[0]
    for name in ("dlio.log", "summary.json", "dlio_config"):
        tree.tree.remove(leaf.file(name))
    report = check_tree(FolderTree(tree.tree.write(tmp_path / "submission")))
    errors = [item for item in report.findings if item.level is Level.ERROR]
    assert [(item.rule, item.path) for item in errors] == [("2.1.19", leaf.path)] * 3
    assert all("is missing" in item.message for item in errors)
    assert {item.rule for item in report.not_run if item.path == leaf.path} >= {"2.1.18", "3.3.2"}
    assert all("missing" in item.reason for item in report.not_run)
    for name, render in RENDERERS.items():
        assert str(tmp_path) not in render(report), name


@pytest.mark.parametrize(
    ("recall", "level"), [(0.0, "error"), (GONE, "error"), ("0.97", "notice"), ("none", "error"), (0.97, None)]
)
def test_s_15_a_recall_of_nought_or_none_fails_and_one_in_quotes_is_read(recall: Any, level: str | None) -> None:
    tree = StorageTree("v3")
    vdb = tree.submitter("Acme").system("S1").vector_database()
    for run in vdb.runs:
        tree.edit_json(run.summary, {"/recall": recall})
        for path in tree.find(run.file("recall_stats.json")):
            tree.remove(path)
    findings = found(tree, "5.3.2")
    assert [(str(item.level), item.path) for item in findings] == ([(level, vdb.runs[0].summary)] if level else [])
    assert checked(tree).verdict == ("fail" if level == "error" else "pass")


def test_s_21_what_past_rounds_met_is_one_finding_each(tmp_path: Path) -> None:
    git = Git(tmp_path)
    base = git.commit(small().files)
    added = {
        f"{RUN}/big.bin": bytes(60 * MIB),
        f"{RUN}/my file.txt": b"x",
        f"{RUN}/__pycache__/a.pyc": b"x",
        f"{RUN}/latest": Entry(b"../20260701_080000", SYMLINK),
        "closed/Other/x": b"x",
    }
    report = git.report(git.commit(added, base=base), base)
    own = ("hygiene.", "input.name", "input.symlink")
    told = {(item.rule, item.path) for item in report.findings if item.rule.startswith(own)}
    assert told == {
        ("hygiene.file-size", f"{RUN}/big.bin"),
        ("input.name", f"{RUN}/my file.txt"),
        ("hygiene.junk", f"{RUN}/__pycache__"),
        ("input.symlink", f"{RUN}/latest"),
    }
    # That the folder is another submitter's is told where the configuration names owners; it is checked in any case.
    assert {item.path for item in report.findings if item.scope == "closed/Other"} == {"closed/Other"}
    assert {scope.path for scope in report.scopes} >= {SYSTEM, "closed/Other"}


@pytest.mark.parametrize("workload", ["unet3d", "llama3-8b", "DISKANN", "kv_cache"])
@pytest.mark.parametrize(("shape", "edition"), [("document", "2.0"), ("v3", "3.0")])
def test_s_23_a_file_that_the_tool_names_otherwise_is_never_passed_over(
    workload: str, shape: Shape, edition: str
) -> None:
    tree = valid_tree(shape, divisions=("closed",), workloads=(workload,))
    assert above_notice(tree, edition) == []
    renamed = [path for path in tree.find("*/single/*summary.json") if "/datagen/" not in path]
    for path in renamed:
        tree.rename(path, f"{path.rpartition('/')[0]}/outcome.json")
    leaves = {path.rpartition("/")[0] for path in renamed}
    assert leaves & {item.path for item in above_notice(tree, edition)}  # what many runs share is told once
    assert leaves <= {item.path for item in checked(tree, edition).not_run}


def test_s_26_a_manifest_is_asked_of_nobody_and_only_noticed_where_there_is_one() -> None:
    """The rules on provenance (PROV-01, PROV-02) stand in no edition that is enforced here."""
    tree = FileTree(Small().files)
    tree.put("closed/Acme/submission.yaml", "leaves: []\n")
    assert places([item for item in found(tree) if item not in found(Small())]) == [
        ("2.1.5.a", "notice", "closed/Acme", None)
    ]
