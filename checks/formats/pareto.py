"""The points of each Pareto curve as a table of GitHub Flavored Markdown, from the facts of a report.

Measured figures are shown to whoever can read the text, so the table is for reports whose configuration asks for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from checks import names
from checks.findings import Fact, Finding, Level, Report
from checks.markdown import escape
from checks.units import counted

CONCURRENCY: Final = "concurrency"
_FIGURES: Final = ("region", "system_tps", "tps_per_user", "duration_s")
_HEADINGS: Final = "| Concurrency | Region | system_tps | tps_per_user | Duration (s) | Verdict |"
_LINE: Final = "|---:|---|---:|---:|---:|---|"
_NO_REGION: Final = "Offline"
_UNKNOWN: Final = "–"

Value = float | int | str


@dataclass(frozen=True, slots=True)
class Row:
    """One point: its folder, its concurrency, its figures by the name of the fact, and the errors found in it."""

    folder: str
    concurrency: int
    figures: Mapping[str, Value]
    errors: int

    def cells(self) -> tuple[str, ...]:
        """The row as texts, in the order of the headings."""
        region, *measured = (self.figures.get(name) for name in _FIGURES)
        verdict = f"❌ {counted(self.errors, 'error')}" if self.errors else "✅ passes"
        where = _NO_REGION if region is None else str(region)
        return (f"{self.concurrency:,}", where, *map(_shown, measured), verdict)


def _shown(value: Value | None) -> str:
    if value is None:
        return _UNKNOWN
    return f"{value:,.1f}" if isinstance(value, int | float) else value


def curves(report: Report) -> dict[str, list[Row]]:
    """The points of every curve by the curve's folder, ascending by concurrency; none where a report has no curves."""
    figures, errors = _figures(report.facts), _errors(report.findings)
    found: dict[str, list[Row]] = {}
    for folder, values in figures.items():
        if isinstance(concurrency := values.get(CONCURRENCY), int):
            row = Row(folder, concurrency, values, errors[folder])
            found.setdefault(names.parent(folder), []).append(row)
    return {curve: sorted(rows, key=lambda row: (row.concurrency, row.folder)) for curve, rows in found.items()}


def _figures(facts: Iterable[Fact]) -> dict[str, dict[str, Value]]:
    """Figures by the folder of the point: a fact is of the folder itself, or of a file in it."""
    by_folder: dict[str, dict[str, Value]] = {fact.path: {} for fact in facts if fact.name == CONCURRENCY}
    for fact in facts:
        values = by_folder.get(fact.path, by_folder.get(names.parent(fact.path)))
        if values is not None:
            values[fact.name] = fact.value
    return by_folder


def _errors(findings: Iterable[Finding]) -> Counter[str]:
    """Errors at or below each path."""
    found: Counter[str] = Counter()
    for finding in findings:
        path = finding.path if finding.level is Level.ERROR else ""
        while path:
            found[path] += 1
            path = names.parent(path)
    return found


def tables(report: Report) -> Iterator[str]:
    """One block for each curve: its folder, errors of the curve as a whole, and the table."""
    errors = _errors(report.findings)
    for curve, rows in curves(report).items():
        own = errors[curve] - sum(row.errors for row in rows)
        note = f"\n\nThe curve as a whole has {counted(own, 'error')}." if own else ""
        lines = [_HEADINGS, _LINE, *("| " + " | ".join(map(escape, row.cells())) + " |" for row in rows)]
        yield f"#### {escape(curve)}{note}\n\n" + "\n".join(lines)
