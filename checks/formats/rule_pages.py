"""The rules' pages, ``docs/rules/<id>.md``, made from the registry: ``python -m checks.formats.rule_pages DIR``.

One page per id with what is checked, why it fails, how to mend it, its level in each edition, and what is contested.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from checks import rule_sets
from checks.formats.rule_list import Row, rows
from checks.input_rules import INPUT_RULES
from checks.rule_sets import RuleSet

LATER = "This page is made from the rule itself; edit the rule, then `make docs`."


def write(folder: Path) -> int:
    """Writes every page below ``folder``, removes pages of ids that are gone, and returns the number of pages."""
    folder.mkdir(parents=True, exist_ok=True)
    pages = dict(all_pages())
    for stale in set(folder.glob("*.md")) - {folder / name for name in pages}:
        stale.unlink()
    for name, content in pages.items():
        (folder / name).write_text(content, encoding="utf-8")
    return len(pages)


def all_pages() -> Iterator[tuple[str, str]]:
    """File name and content of every page, the index first."""
    sets = [rule_sets.rule_set(name) for name in rule_sets.NAMES]
    yield "README.md", _index(sets)
    for rules in sets:
        by_edition = {name: {row.id: row for row in rows(rules, rules.edition(name))} for name in rules.editions}
        for row in by_edition[rules.default_edition].values():
            if row.id not in INPUT_RULES:
                levels = {name: table[row.id].level for name, table in by_edition.items()}
                yield page_name(row.id), _page(row, rules.title, levels)
    for row in rows(sets[0], sets[0].edition(None)):
        if row.id in INPUT_RULES:
            yield page_name(row.id), _page(row, "Faults of files, whatever the rules", {"all": row.level})


def page_name(id: str) -> str:
    """The file name of a rule's page."""
    return f"{id}.md"


def _index(sets: list[RuleSet]) -> str:
    lines = ["# Rules", "", LATER, ""]
    for rules in sets:
        lines += [f"## {rules.title}", "", "| Rule | Name | Level | What it checks |", "|---|---|---|---|"]
        for row in rows(rules, rules.edition(None)):
            if row.id in INPUT_RULES and rules is not sets[0]:
                continue
            said = row.not_checkable or _first(row.text)
            level = row.level or "not checkable from a tree"
            lines.append(f"| [{row.id}]({page_name(row.id)}) | {row.name} | {level} | {said.replace('|', '&#124;')} |")
        lines.append("")
    return "\n".join(lines)


def _first(text: str) -> str:
    return text.split("\n\n", maxsplit=1)[0]


def _page(row: Row, title: str, levels: dict[str, str | None]) -> str:
    parts = [f"# {row.id} {row.name}", f"{title}, section {row.section}." if row.section else f"{title}."]
    if row.not_checkable:
        parts += ["## Not checkable from a tree", f"{row.not_checkable[0].upper()}{row.not_checkable[1:]}."]
        return "\n\n".join([*parts, LATER]) + "\n"
    parts += ["## What is checked", row.text]
    if row.why:
        parts += ["## Why it matters", row.why]
    if row.mend:
        parts += ["## How to mend it", row.mend]
    if row.contested:
        parts += ["## Contested", row.contested]
    parts += ["## Level", "\n".join(f"- edition {name}: {level}" for name, level in levels.items())]
    if row.reads:
        parts += ["## Reads", "\n".join(f"- `{name}`" for name in row.reads)]
    return "\n\n".join([*parts, LATER]) + "\n"


if __name__ == "__main__":
    print(f"{write(Path(sys.argv[1]))} pages in {sys.argv[1]}")
