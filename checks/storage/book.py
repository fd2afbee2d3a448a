"""The rule book of MLPerf Storage; every module of rules registers here."""

from checks.rules import RuleBook

BOOK = RuleBook("storage", "MLPerf Storage submission validation rules")
rule = BOOK.rule
not_checkable = BOOK.not_checkable
