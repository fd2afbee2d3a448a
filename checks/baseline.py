"""Which findings the base already had, before the change: they are told apart from those that the change brings."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from checks.findings import Finding


def marked(findings: Iterable[Finding], before: Iterable[Finding]) -> tuple[Finding, ...]:
    """``findings`` with ``on_base`` set where ``before`` holds the same one at least as often.

    Two findings are the same when rule, path and cause (or message) are: lines move, and figures in a message tell of
    another fault. Both are merged already, so that one cause in one file is one finding.
    """
    known: dict[tuple[str, str, str], int] = {}
    for finding in before:
        known[_key(finding)] = known.get(_key(finding), 0) + finding.count
    return tuple(replace(one, on_base=True) if known.get(_key(one), 0) >= one.count else one for one in findings)


def _key(finding: Finding) -> tuple[str, str, str]:
    return finding.rule, finding.path, finding.cause or finding.message
