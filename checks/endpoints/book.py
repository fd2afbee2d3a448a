"""The rule book of MLPerf Endpoints; every module of rules registers here."""

from checks.rules import RuleBook

BOOK = RuleBook("endpoints", "MLPerf Endpoints requirements and system power")
rule = BOOK.rule
not_checkable = BOOK.not_checkable
