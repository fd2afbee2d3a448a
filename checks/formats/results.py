"""Rows of the results table that the changed systems would have, for reports whose configuration asks for them."""

from __future__ import annotations

from typing import Final

from checks import names
from checks.findings import Figure, Report, ResultRow
from checks.markdown import escape

HEAD: Final = "| System | Division | Workload | Runs counted | Result |\n|---|---|---|---:|---|"
_BLANK: Final = "⚠️ blank"


def cells(row: ResultRow) -> tuple[str, ...]:
    """The row as texts, in the order of the head, not escaped; a figure that the runs don't say is a blank one."""
    figures = ", ".join(f"{one.name} {_figure(one)}" for one in row.figures)
    return (names.basename(row.scope), row.division, row.workload, str(row.runs), figures)


def table(report: Report) -> str:
    """All rows as a table of GitHub Flavored Markdown; empty where there are none, or they may not be shown."""
    if not (report.results_preview and report.results):
        return ""
    return "\n".join([HEAD, *("| " + " | ".join(map(escape, cells(row))) + " |" for row in report.results)])


def _figure(figure: Figure) -> str:
    return _BLANK if figure.value is None else f"{figure.value:,.1f} {figure.unit}"
