"""The rule ids that a configuration may name."""

from __future__ import annotations

from checks import rule_sets
from checks.input_rules import INPUT_RULES


def known_rules() -> frozenset[str]:
    """The ids of all rule sets, and those of the input faults."""
    ids = (rule_sets.rule_set(name).book.ids() for name in rule_sets.NAMES)
    return frozenset(INPUT_RULES).union(*ids)
