"""The same hygiene in an Endpoints tree."""

from __future__ import annotations

import json

from checks.api import Options, check_tree
from checks.engine import Engine
from checks.entries import Entries, Owner
from checks.findings import Finding
from checks.memory_tree import MemoryTree
from checks.rule_sets import rule_set
from checks.session import Session
from tests.trees.endpoints import EndpointsTree
from tests.trees.storage_files import FileTree

SUBMISSION = "acme_corp/sub-0001"
SYSTEM = f"{SUBMISSION}/results/sys_000"
POINT = f"{SYSTEM}/llama3_1-8b/r256"


def small() -> EndpointsTree:
    tree = EndpointsTree()
    tree.submission("acme_corp", "sub-0001").system("sys_000").curve("llama3_1-8b")
    return tree


def found(tree: FileTree, rule: str) -> list[Finding]:
    report = check_tree(MemoryTree(tree.files), Options(rules="endpoints"))
    assert not report.faults
    return [finding for finding in report.findings if finding.rule == rule]


def test_a_valid_tree_has_no_hygiene_findings() -> None:
    report = check_tree(MemoryTree(small().files), Options(rules="endpoints"))
    assert [item for item in report.findings if item.rule.startswith(("hygiene.", "input."))] == []


def test_every_entry_belongs_to_one_owner() -> None:
    tree = small()
    tree.put("acme_corp/notes.txt", "x")
    tree.put(f"{SUBMISSION}/results/loose.txt", "x")
    tree.put("docs/deep/er.txt", "x")
    assert seen(tree) == sorted(tree.files)


def test_a_single_submission_as_root_is_seen_once_too() -> None:
    whole = small()
    package = FileTree({path.removeprefix(f"{SUBMISSION}/"): data for path, data in whole.files.items()})
    assert seen(package) == sorted(package.files)


def seen(tree: FileTree) -> list[str]:
    memory = MemoryTree(tree.files)
    rules = rule_set("endpoints")
    session = Session(memory, rules.edition(None))
    layout = rules.layout(session)
    scopes = layout.scopes()
    Engine(rules.book, layout, session, {}).plan(scopes)
    units = [*layout.shared_units(scopes), *(unit for scope in scopes for unit in layout.units(scope))]
    owned = [path for unit in units if isinstance(unit, Owner) for path, _ in Entries.of(unit, session)]
    return sorted(path for path in owned if memory.is_file(path))


def test_names_leftovers_and_secrets_are_told_in_their_scope() -> None:
    tree = small()
    tree.put(f"{POINT}/my file.txt", "x")
    tree.put(f"{SUBMISSION}/src/vllm/a.pyc", "x")
    tree.put(f"{POINT}/server.log", "token gh" + "p_" + "a1B2" * 9)
    tree.put(f"{POINT}/run_metadata.json", json.dumps({"path": "/home/ada/x"}))
    assert [(item.path, item.scope) for item in found(tree, "input.name")] == [(f"{POINT}/my file.txt", SYSTEM)]
    assert [(item.path, item.scope) for item in found(tree, "hygiene.junk")] == [
        (f"{SUBMISSION}/src/vllm/a.pyc", SUBMISSION)
    ]
    assert [(item.path, item.line) for item in found(tree, "hygiene.secret")] == [(f"{POINT}/server.log", 1)]
    assert [item.path for item in found(tree, "hygiene.home-path")] == [SYSTEM]
