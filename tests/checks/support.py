"""What tests of rules share: check an in-memory tree and pick findings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from checks.api import Options, check_tree
from checks.findings import Finding, Level, Report
from checks.memory_tree import MemoryTree


def checked(tree: Any, edition: str | None = None, **options: Any) -> Report:
    """The report on a builder (anything with ``files``) or on a mapping of paths to contents."""
    files: Mapping[str, bytes] = getattr(tree, "files", tree)
    return check_tree(MemoryTree(files), Options(edition=edition, **options))


def found(tree: Any, rule: str | None = None, edition: str | None = None, **options: Any) -> list[Finding]:
    """The findings of ``rule`` (of all rules when None); fails on an own fault of the checker."""
    report = checked(tree, edition, **options)
    assert not report.faults, report.faults
    return [finding for finding in report.findings if rule in (None, finding.rule)]


def places(findings: list[Finding]) -> list[tuple[str, str, str, int | None]]:
    """Rule, level, path and line of each finding: what most tests assert."""
    return [(item.rule, str(item.level), item.path, item.line) for item in findings]


def above_notice(tree: Any, edition: str | None = None, **options: Any) -> list[Finding]:
    """Errors and warnings: a valid tree has none."""
    return [item for item in found(tree, None, edition, **options) if item.level is not Level.NOTICE]
