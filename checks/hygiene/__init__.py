"""What keeps a repository of submissions healthy, the same for every rules document.

Rules on names, sizes and leftovers judge the entries of each scope (:class:`checks.entries.Owner`); scans for secrets
and user names read the texts of each invocation (:class:`checks.entries.Recorded`). A rules document takes them over by
:func:`register`; ids, names and levels stand in :mod:`checks.input_rules`.
"""

from __future__ import annotations

from collections.abc import Callable

from checks.hygiene import entry_rules, name_rules, placeholder_rules, text_rules
from checks.input_rules import INPUT_RULES
from checks.rules import Outcome, RuleBook

_RULES: dict[str, list[Callable[..., Outcome]]] = {
    "input.too-large": [entry_rules.too_many_entries],
    "input.symlink": [entry_rules.symbolic_links],
    "input.submodule": [entry_rules.submodules],
    "input.name": [name_rules.portable_names],
    "input.case-collision": [name_rules.distinct_names],
    "input.lfs-pointer": [placeholder_rules.pointers],
    "input.pruned": [placeholder_rules.placeholders],
    "hygiene.file-size": [entry_rules.file_sizes],
    "hygiene.junk": [entry_rules.leftovers],
    "hygiene.secret": [text_rules.secrets],
    "hygiene.home-path": [text_rules.home_folders],
}


def register(book: RuleBook) -> None:
    """Adds the rules to ``book``; its units say what they answer for by being ``Owner`` or ``Recorded``."""
    for id, functions in _RULES.items():
        for function in functions:
            add(book, id)(function)


def add(book: RuleBook, id: str) -> Callable[[Callable[..., Outcome]], Callable[..., Outcome]]:
    """Registers a rule in ``book`` under an id of :data:`checks.input_rules.INPUT_RULES`, with its name and level."""
    known = INPUT_RULES[id]
    decorator: Callable[[Callable[..., Outcome]], Callable[..., Outcome]] = book.rule(id, known.name, known.level)
    return decorator
