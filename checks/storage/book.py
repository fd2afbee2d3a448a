"""The rule book of MLPerf Storage; every module of rules registers here."""

from typing import Any

from checks.rules import RuleBook

BOOK = RuleBook("storage", "MLPerf Storage submission validation rules")
rule = BOOK.rule
not_checkable = BOOK.not_checkable


def in_closed(unit: Any) -> bool:
    """Whether a unit stands in the CLOSED division: for rules that speak of that one only."""
    return bool(unit.closed)


def in_open(unit: Any) -> bool:
    """Whether a unit stands in the OPEN division."""
    return not unit.closed
