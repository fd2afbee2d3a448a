"""The rules' pages are those that the registry gives: `make docs` was run after the last change of a rule."""

from __future__ import annotations

from pathlib import Path

from checks.formats.rule_pages import all_pages

PAGES = Path(__file__).parents[2] / "docs" / "rules"


def test_the_pages_are_those_of_the_registry() -> None:
    made = dict(all_pages())
    written = {page.name: page.read_text(encoding="utf-8") for page in PAGES.glob("*.md")}
    assert sorted(written) == sorted(made)
    assert [name for name, text in made.items() if written[name] != text] == []


def test_every_link_of_the_index_leads_to_a_page() -> None:
    index = (PAGES / "README.md").read_text(encoding="utf-8")
    linked = {part.partition(")")[0] for part in index.split("](")[1:]}
    assert linked
    assert {name for name in linked if not (PAGES / name).is_file()} == set()
