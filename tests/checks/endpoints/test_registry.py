"""Every id of the Endpoints rules is enforced or listed with the reason why no package can show it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from checks.endpoints.rule_set import RULE_SET
from checks.rules import Rule

BOOK = RULE_SET.book
LIST = Path(__file__).parents[2] / "data" / "endpoints_rule_ids.txt"
SHARED = Path(__file__).parents[4] / "shared"
OURS = ("input.", "hygiene.")
"""Ids that belong to no rule of the documents (checks.input_rules)."""

REQUIREMENT = "requirement-"
"""How ids begin under which requirements are listed that the public checker has no rule for."""

ENFORCED = [rule for rule in BOOK.rules if not rule.id.startswith(OURS)]


def listed() -> list[str]:
    """The ids of the list kept with the project."""
    lines = LIST.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def test_every_id_is_enforced_or_listed_as_not_checkable_and_no_other_is() -> None:
    known = {id for id in BOOK.ids() if not id.startswith((*OURS, REQUIREMENT))}
    assert len(listed()) == len(set(listed()))
    assert known == set(listed())
    assert not {rule.id for rule in BOOK.rules} & {item.id for item in BOOK.uncheckable}


def test_what_is_not_checkable_says_why() -> None:
    assert [item.id for item in BOOK.uncheckable if len(item.reason.split()) < 5] == []
    assert len({item.id for item in BOOK.uncheckable}) == len(BOOK.uncheckable)


def test_requirements_without_a_rule_are_listed_and_never_judged() -> None:
    requirements = [item.id for item in BOOK.uncheckable if item.id.startswith(REQUIREMENT)]
    assert len(requirements) > 20
    assert not [rule.id for rule in ENFORCED if rule.id.startswith(REQUIREMENT)]


def test_names_are_one_word_each_and_one_rule_each() -> None:
    names = {(item.id, item.name) for item in [*ENFORCED, *BOOK.uncheckable]}
    assert [name for _, name in names if not re.fullmatch(r"[a-z]+[A-Za-z]*", name)] == []
    assert len({name for _, name in names}) == len(names)


@pytest.mark.parametrize("rule", ENFORCED, ids=lambda rule: f"{rule.id}-{rule.function.__name__}")
def test_an_enforced_rule_says_what_it_demands_why_and_how_to_mend_it(rule: Rule) -> None:
    said = rule.explanation
    assert said.text.endswith((".", "`"))
    assert said.why.endswith(".")
    assert said.mend.endswith((".", "`"))


def test_the_list_has_every_rule_of_the_public_checker() -> None:
    source = SHARED / "research" / "endpoints.md"
    if not source.exists():
        pytest.skip(f"the description of the public checker is not here ({source.name})")
    text = source.read_text(encoding="utf-8")
    part = text[text.index("## b. Every rule") : text.index("## c. ")]
    cells = re.findall(r"^\| ([a-z0-9, -]*[a-z0-9]) \|", part, re.MULTILINE)
    described = [id.strip() for cell in cells if cell != "rule" for id in cell.split(",")]
    assert len(described) == 82
    assert described == listed()[:82]


def test_the_list_has_every_rule_that_the_requirements_and_the_contract_name() -> None:
    sources = [SHARED / "spec" / "endpoints_requirements.txt", SHARED / "design" / "contract.md"]
    if not all(source.exists() for source in sources):
        pytest.skip("the requirements are not here; the list is compared with them where they are")
    requirements, contract = (source.read_text(encoding="utf-8") for source in sources)
    named = re.findall(r"`([a-z]+(?:-[a-z]+)+)`", requirements)
    beyond = contract[contract.index("Endpoints ids beyond") :].partition("The public checker")[0]
    named += re.findall(r"`([a-z]+(?:-[a-z]+)+)`", beyond)
    assert len(named) > 12
    assert set(named) <= set(listed())
