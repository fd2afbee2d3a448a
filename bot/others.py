"""Keeps other submitters out of what everybody may read: a shared code image reaches them, their names stay away.

What a change reaches beyond its own submitters' folders is judged and counts, but is told as a number only. Who can
clone the repository sees the rest with the command that the check names.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from json import dumps, loads
from typing import TypeVar

from checks import names
from checks.findings import Counts, Fact, Fault, Finding, NotRun, Report, ResultRow, Scope, Verdict
from checks.formats import json

Said = TypeVar("Said", Finding, NotRun, Fault, Fact, ResultRow)


@dataclass(frozen=True, slots=True)
class Others:
    """Submitters whose folders the change does not touch and whose systems it reaches: how many, and what was found."""

    submitters: int
    scopes: int
    counts: Counts
    verdict: Verdict
    faults: int


def foreign_scopes(report: Report) -> tuple[Scope, ...]:
    """The scopes in folders of submitters whom the change does not touch; none where a whole tree was checked."""
    if not report.paths_changed:
        return ()
    own = {touched.submitter for touched in report.touched}
    return tuple(scope for scope in report.scopes if scope.folder and names.basename(scope.folder) not in own)


def parted(report: Report) -> tuple[Report, Others | None]:
    """What may be shown of ``report``, and a summary of what concerns others; None when nothing does."""
    foreign = foreign_scopes(report)
    if not foreign:
        return report, None
    paths = {scope.path for scope in foreign}
    found = [finding for finding in report.findings if finding.scope in paths]
    others = Others(
        submitters=len({names.basename(scope.folder or "") for scope in foreign}),
        scopes=len(foreign),
        counts=Counts.of(found),
        verdict=report.scope_verdict(found),
        faults=sum(fault.scope in paths for fault in report.faults),
    )
    return _without(report, paths), others


def stored(report: Report) -> str:
    """The whole report as ``--format json``, which commands of maintainers need, and beside it ``others``: what is to
    be shown of other submitters, and the ``paths`` of the scopes that are to be hidden. Without others there is none.
    """
    text = json.render(report)
    _, others = parted(report)
    if others is None:
        return text
    told = {**asdict(others), "paths": [scope.path for scope in foreign_scopes(report)]}
    return dumps({**loads(text), "others": told}, ensure_ascii=False)


def _without(report: Report, paths: set[str]) -> Report:
    return replace(
        report,
        scopes=tuple(scope for scope in report.scopes if scope.path not in paths),
        findings=_outside(report.findings, paths),
        not_run=_outside(report.not_run, paths),
        faults=_outside(report.faults, paths),
        facts=_outside(report.facts, paths),
        results=_outside(report.results, paths),
        waived=tuple(waived for waived in report.waived if waived.finding.scope not in paths),
    )


def _outside(items: Iterable[Said], paths: set[str]) -> tuple[Said, ...]:
    return tuple(item for item in items if item.scope not in paths)
