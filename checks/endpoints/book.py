"""The rule book of MLPerf Endpoints; every module of rules registers here.

The default level of a rule stands in the edition's ``severities.yaml`` and nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from checks.endpoints.tables import load_tables
from checks.findings import Level
from checks.rules import RuleBook

DEFAULT_EDITION: Final = "2026-10"

BOOK = RuleBook("endpoints", "MLPerf Endpoints requirements and system power")
not_checkable = BOOK.not_checkable


def rule(id: str, name: str, level: Level | None = None, section: str = "") -> Callable[..., Any]:
    """Registers the decorated rule. ``level`` None: that of the table of severities.

    Raises KeyError for an id that the table lacks.
    """
    return BOOK.rule(id, name, level or Level(load_tables(DEFAULT_EDITION).severity(id)), section)
