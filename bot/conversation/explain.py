"""What a rule demands, why, and how to mend what breaks it: from the registry, as a comment."""

from __future__ import annotations

from collections.abc import Iterator

from bot.markdown import link
from checks import rule_sets
from checks.formats.rule_list import Row, rows
from checks.markdown import escape

DOCUMENTS = {"storage": "https://github.com/mlcommons/storage/blob/main/Rules.md"}
"""Where the rules documents stand that are published."""


def explained(rule: str) -> str | None:
    """What is known of the id ``rule`` in all rule sets, as Markdown; None when no rule has it."""
    found = [(rules, row) for rules in map(rule_sets.rule_set, rule_sets.NAMES) for row in _rows(rules, rule)]
    blocks = [_block(row, rules.title, DOCUMENTS.get(rules.name)) for rules, row in found]
    return "\n\n".join(dict.fromkeys(blocks)) or None


def _rows(rules: rule_sets.RuleSet, id: str) -> Iterator[Row]:
    yield from (row for row in rows(rules, rules.edition(None)) if row.id == id)


def _block(row: Row, title: str, address: str | None) -> str:
    parts = [f"**{escape(f'{row.id} {row.name}')}**"]
    if row.section:
        place = f"{title}, section {row.section}"
        parts.append(f"{link(place, address) if address else escape(place)}. Level: {row.level or 'none'}.")
    if row.not_checkable:
        parts.append(f"Not checkable from a tree: {escape(row.not_checkable)}.")
    labelled = (("", row.text), ("Why: ", row.why), ("To mend it: ", row.mend), ("Contested: ", row.contested))
    parts += [f"{label}{escape(text)}" for label, text in labelled if text]
    return "\n\n".join(parts)
