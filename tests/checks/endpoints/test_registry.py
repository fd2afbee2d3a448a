"""The Endpoints rule book holds the known ids and no other, as the documents name them.

That every rule is explained, and has its level in one place, is tested in ``test_rule_book.py``.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from checks.endpoints.rule_set import RULE_SET
from tests.checks.endpoints.test_rule_book import OWN_IDS, PUBLIC_CHECKER_IDS

SHARED = Path(__file__).parents[4] / "shared"
APART = ("input.", "hygiene.", "requirement-")
"""Ids that the documents do not have: faults of files, and requirements listed only because no file can show them."""

KNOWN = PUBLIC_CHECKER_IDS.split() + OWN_IDS.split()


def test_no_other_id_is_judged_or_listed() -> None:
    assert {id for id in RULE_SET.book.ids() if not id.startswith(APART)} == set(KNOWN)
    assert not [rule.id for rule in RULE_SET.book.rules if rule.id.startswith("requirement-")]


def test_the_public_checkers_rules_are_all_known() -> None:
    source = SHARED / "research" / "endpoints.md"
    if not source.exists():
        pytest.skip(f"the description of the public checker is not here ({source.name})")
    text = source.read_text(encoding="utf-8")
    part = text[text.index("## b. Every rule") : text.index("## c. ")]
    cells = re.findall(r"^\| ([a-z0-9, -]*[a-z0-9]) \|", part, re.MULTILINE)
    described = [id.strip() for cell in cells if cell != "rule" for id in cell.split(",")]
    assert len(described) == 82
    assert set(described) == set(PUBLIC_CHECKER_IDS.split())


def test_the_rules_that_requirements_and_contract_name_are_all_known() -> None:
    sources = [SHARED / "spec" / "endpoints_requirements.txt", SHARED / "design" / "contract.md"]
    if not all(source.exists() for source in sources):
        pytest.skip("the requirements are not here; the known ids are compared with them where they are")
    requirements, contract = (source.read_text(encoding="utf-8") for source in sources)
    beyond = contract[contract.index("Endpoints ids beyond") :].partition("The public checker")[0]
    named = re.findall(r"`([a-z]+(?:-[a-z]+)+)`", requirements + beyond)
    assert len(named) > 12
    assert set(named) <= set(KNOWN)
