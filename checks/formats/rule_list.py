"""The list of rules as ``submission-bot rules`` prints it, and as the rules' pages are made from."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

from checks.edition import Edition
from checks.input_rules import INPUT_RULES
from checks.rule_sets import RuleSet


@dataclass(frozen=True, slots=True)
class Row:
    """One id: what it demands, its level in the edition, what it reads; or why no tree can show it."""

    id: str
    name: str
    level: str | None
    section: str
    text: str
    reads: tuple[str, ...]
    why: str
    mend: str
    contested: str
    not_checkable: str | None = None


Table = tuple[RuleSet, Edition, list[Row]]


def rows(rules: RuleSet, edition: Edition) -> list[Row]:
    """Every id of the rule set in the document's order, then the input faults."""
    found = [_row(rules, edition, id) for id in rules.book.ids()]
    inputs = [
        Row(item.id, item.name, str(edition.levels.get(item.id, item.level)), "", item.text, (), "", "", "")
        for item in INPUT_RULES.values()
        if item.id not in rules.book.ids()
    ]
    return found + inputs


def _row(rules: RuleSet, edition: Edition, id: str) -> Row:
    functions = rules.book.of_id(id)
    if not functions:
        (item,) = [item for item in rules.book.uncheckable if item.id == id]
        return Row(id, item.name, None, id, "", (), "", "", "", item.reason)
    weightiest = max((rule.level for rule in functions), key=lambda level: level.weight)
    parts = [rule.explanation for rule in functions]
    return Row(
        id=id,
        name=functions[0].name,
        level=str(edition.levels.get(id, weightiest)),
        section=functions[0].section,
        text="\n\n".join(part.text for part in parts),
        reads=tuple(dict.fromkeys(name for rule in functions for name in rule.reads)),
        why="\n\n".join(part.why for part in parts if part.why),
        mend="\n\n".join(part.mend for part in parts if part.mend),
        contested="\n\n".join(part.contested for part in parts if part.contested),
    )


def as_text(tables: Sequence[Table]) -> str:
    """For the terminal."""
    lines: list[str] = []
    for rules, edition, table in tables:
        lines += [f"{rules.title} (--rules {rules.name} --edition {edition.name})", ""]
        for row in table:
            lines.append(f"{row.id:<12} {row.name}  [{row.level or 'not checkable'}]")
            said = row.not_checkable or row.text.splitlines()[0]
            lines += textwrap.wrap(said, 104, initial_indent=" " * 13, subsequent_indent=" " * 13)
            if row.reads:
                lines.append(" " * 13 + "reads: " + ", ".join(row.reads))
        checkable = sum(row.not_checkable is None for row in table)
        lines += ["", f"{len(table)} ids, {checkable} checked, {len(table) - checkable} not checkable from a tree", ""]
    return "\n".join(lines)


def as_json(tables: Sequence[Table]) -> str:
    """For tools: a list of rule sets, each with its rules."""
    data = [
        {
            "name": rules.name,
            "title": rules.title,
            "edition": edition.name,
            "editions": rules.editions,
            "rules": [{**asdict(row), "checkable": row.not_checkable is None} for row in table],
        }
        for rules, edition, table in tables
    ]
    return json.dumps({"schema": 1, "rule_sets": data}, indent=1, ensure_ascii=False) + "\n"


def as_markdown(tables: Sequence[Table]) -> str:
    """For documents: one table per rule set."""
    lines: list[str] = []
    for rules, edition, table in tables:
        lines += [f"# {rules.title}", "", f"Edition {edition.name}.", "", "| Rule | Name | Level | What it checks |"]
        lines.append("|---|---|---|---|")
        for row in table:
            said = f"Not checkable from a tree: {row.not_checkable}" if row.not_checkable else row.text.splitlines()[0]
            lines.append(f"| {row.id} | {row.name} | {row.level or '–'} | {said.replace('|', chr(92) + '|')} |")
        lines.append("")
    return "\n".join(lines)


RENDERERS: dict[str, Callable[[Sequence[Table]], str]] = {"text": as_text, "json": as_json, "markdown": as_markdown}
"""Every format of ``submission-bot rules --format``, by name."""
