"""The rule sets that the product ships, and which one a tree is of."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from checks import edition
from checks.changes import Affected
from checks.edition import Edition
from checks.findings import ResultRow
from checks.layout import Layout
from checks.rules import RuleBook
from checks.session import Session
from checks.tree import Tree


class RulesUnclear(ValueError):
    """No rule set was named and the tree's shape does not tell which one it is of."""


@dataclass(frozen=True)
class RuleSet:
    """One rules document made executable: its book, its editions, its trees' layout, how a change reaches scopes."""

    name: str
    title: str
    package: str
    default_edition: str
    book: RuleBook
    layout: Callable[[Session], Layout]
    affected: Callable[[Session, Session], Affected]
    recognises: Callable[[Tree], bool]
    results: Callable[[Session, Iterable[str]], Iterator[ResultRow]] | None = None
    """Rows of the results table for scopes given by path; None where facts are enough to make the table."""

    @property
    def editions(self) -> list[str]:
        """Names of its editions."""
        return edition.editions(self.package)

    def edition(self, name: str | None) -> Edition:
        """The edition of that name, or the default one. Raises :class:`checks.edition.UnknownEdition`."""
        return edition.load(self.package, name or self.default_edition)


NAMES = ("storage", "endpoints")
"""The rule sets, in the order in which a tree's shape is tried."""


@cache
def rule_set(name: str) -> RuleSet:
    """The rule set ``name``; its modules register their rules on first use. Raises ValueError for an unknown name."""
    if name not in NAMES:
        raise ValueError(f"there are no rules named {name!r}; there are {', '.join(NAMES)}")
    found = importlib.import_module(f"checks.{name}.rule_set").RULE_SET
    assert isinstance(found, RuleSet)
    return found


def recognised(tree: Tree) -> RuleSet:
    """The rule set whose trees look like ``tree``. Raises RulesUnclear when none or several do."""
    found = [candidate for candidate in map(rule_set, NAMES) if candidate.recognises(tree)]
    if len(found) == 1:
        return found[0]
    seen = "it has marks of both" if found else "it has no closed/, open/ or <org>/<submission_id>/results/"
    raise RulesUnclear(
        f"it is not clear which rules the tree is to be checked by: {seen}; name them with --rules {' or '.join(NAMES)}"
    )
