"""Every id of the rules document is enforced or listed with the reason why no tree can show it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from checks.rules import Rule, Uncheckable
from checks.storage.rule_set import RULE_SET

BOOK = RULE_SET.book
LIST = Path(__file__).parents[2] / "data" / "storage_rule_ids.txt"
SPEC = Path(__file__).parents[4] / "shared" / "spec" / "storage_validation_rules.txt"
OURS = ("input.", "hygiene.")
"""Ids that belong to no rule of the document (checks.input_rules)."""


def listed() -> dict[str, str]:
    """The ids of the list kept with the project, in the document's order, each with its name."""
    lines = LIST.read_text(encoding="utf-8").splitlines()
    return dict(line.split() for line in lines if not line.startswith("#"))


def documented(rule: Rule | Uncheckable) -> bool:
    return not rule.id.startswith(OURS)


ENFORCED = [rule for rule in BOOK.rules if documented(rule)]


def test_every_id_is_enforced_or_listed_as_not_checkable_and_no_other_is() -> None:
    assert [id for id in BOOK.ids() if not id.startswith(OURS)] == list(listed())
    assert not {rule.id for rule in BOOK.rules} & {item.id for item in BOOK.uncheckable}


def test_names_are_the_documents() -> None:
    names = {(item.id, item.name) for item in [*ENFORCED, *BOOK.uncheckable]}
    assert names == set(listed().items())


def test_what_is_not_checkable_says_why() -> None:
    assert [item.id for item in BOOK.uncheckable if len(item.reason.split()) < 5] == []
    assert len({item.id for item in BOOK.uncheckable}) == len(BOOK.uncheckable)


@pytest.mark.parametrize("rule", ENFORCED, ids=lambda rule: f"{rule.id}-{rule.function.__name__}")
def test_an_enforced_rule_says_what_it_demands_why_and_how_to_mend_it(rule: Rule) -> None:
    said = rule.explanation
    assert said.text.endswith((".", "`"))
    assert said.why.endswith(".")
    assert said.mend.endswith((".", "`"))


def test_the_list_is_complete() -> None:
    if not SPEC.exists():
        pytest.skip(f"the rules document is not here ({SPEC.name}); the list is compared with it where it is")
    text = SPEC.read_text(encoding="utf-8")
    named = dict(re.findall(r"^\s*(\d+(?:\.\w+)+)\.? ([A-Za-z]+) --", text, re.MULTILINE))
    assert named == {id: name for id, name in listed().items() if id != "6.3.4"}
    assert re.search(r"^6\.3\.4\. Result aggregation$", text, re.MULTILINE)
