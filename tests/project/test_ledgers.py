"""The ledgers of public reports and real problems: complete, and naming tests that exist."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SHARED = ROOT.parent / "shared"
LEDGERS = ("public-reports", "real-problems")
ROW = re.compile(r"^\| ([A-Z]-\d+|[A-F]\d+) \| (.+?) \| (.+) \|$", re.MULTILINE)
TEST = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")


def rows(ledger: str) -> dict[str, str]:
    """What each row of a ledger says of where it is tested, by the row's id."""
    text = (ROOT / "docs" / f"{ledger}.md").read_text(encoding="utf-8")
    found = ROW.findall(text)
    assert len({id for id, _, _ in found}) == len(found)
    return {id: here for id, _, here in found}


@cache
def names_in(path: str) -> frozenset[str]:
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    return frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef))


@pytest.mark.parametrize("ledger", LEDGERS)
def test_every_test_that_is_named_exists(ledger: str) -> None:
    named = [reference for here in rows(ledger).values() for reference in TEST.findall(here)]
    assert len(named) > 40
    assert [f"{path}::{name}" for path, name in named if name not in names_in(path)] == []


@pytest.mark.parametrize("ledger", LEDGERS)
def test_every_row_names_a_test_or_says_why_there_is_none(ledger: str) -> None:
    silent = [id for id, here in rows(ledger).items() if not TEST.search(here)]
    assert [id for id in silent if not re.match(r"(Open|Not here|As [A-Z]-?\d+)\b", rows(ledger)[id])] == []


def test_no_report_is_left_out() -> None:
    source = SHARED / "cases" / "public_reports.md"
    if not source.exists():
        pytest.skip(f"the list of reports is not here ({source.name}); the ledger is compared with it where it is")
    listed = re.findall(r"^\| \d+ \| ([A-Z]-\d+) \|", source.read_text(encoding="utf-8"), re.MULTILINE)
    assert set(rows("public-reports")) == set(listed)


def test_no_problem_is_left_out() -> None:
    source = SHARED / "research" / "real_problems.md"
    if not source.exists():
        pytest.skip(f"the list of problems is not here ({source.name}); the ledger is compared with it where it is")
    numbers = re.findall(r"^(\d+)\. ", source.read_text(encoding="utf-8"), re.MULTILINE)
    assert [id[1:] for id in rows("real-problems")] == numbers
