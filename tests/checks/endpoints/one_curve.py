"""One submission with one system and one curve, which the tests of rules break in one place."""

from __future__ import annotations

from typing import Any

from checks.findings import Finding, Level
from tests.checks.support import checked
from tests.trees.endpoints import Curve, EndpointsTree, Offline
from tests.trees.storage_files import FileTree

SYSTEM = "acme_corp/sub-0001/results/sys_000"
POWER = f"{SYSTEM}/system_power.json"


def curve_tree(model: str = "llama3_1-8b", *, offline: Offline | None = None, **system: Any) -> tuple[FileTree, Curve]:
    """A valid tree and its curve of seven points; `offline` "elected" is the default of a single-turn curve."""
    tree = EndpointsTree()
    built = tree.submission().system("sys_000", **system)
    if model in ("kimi-k3", "qwen3_6-35b-a3b", "deepseek-v4_1-flash"):
        return tree, built.agentic_curve(model)
    return tree, built.curve(model, offline=offline or "elected")


def line_of(tree: FileTree, path: str, *texts: str) -> int:
    """The line of the first text in a file of the tree; of several, each is looked for behind the one before."""
    content, at = tree.files[path].decode(), 0
    for text in texts:
        at = content.index(text, at)
    return content[:at].count("\n") + 1


def heavy(tree: FileTree, rule: str) -> list[Finding]:
    """What the check says under `rule` above the level of a notice."""
    return [finding for finding in all_of(tree, rule) if finding.level is not Level.NOTICE]


def all_of(tree: FileTree, rule: str) -> list[Finding]:
    """Everything that the check says under `rule`; no own fault may be among the answers."""
    report = checked(tree, rules="endpoints")
    assert not report.faults, report.faults
    return [finding for finding in report.findings if finding.rule == rule]


def facts(tree: FileTree, name: str) -> dict[str, Any]:
    """Values of a computed figure by path."""
    return {fact.path: fact.value for fact in checked(tree, rules="endpoints").facts if fact.name == name}


def not_run(tree: FileTree, rule: str) -> list[str]:
    """Why a rule could not judge."""
    return [item.reason for item in checked(tree, rules="endpoints").not_run if item.rule == rule]
