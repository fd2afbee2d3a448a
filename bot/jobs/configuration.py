"""The maintainers' configuration as it lies in a tree: the one that holds, and what a change of it would do."""

from __future__ import annotations

from bot import policy
from bot.policy import MAX_BYTES, PATH, Policy, PolicyFault
from bot.rule_ids import known_rules
from checks.tree import Kind, Tree


def configuration(base: Tree) -> Policy:
    """The configuration at the base commit. Raises PolicyFault."""
    entry = base.entry(PATH)
    if entry is None:
        return policy.DEFAULT
    if entry.kind is not Kind.FILE:
        raise PolicyFault(None, f"{PATH} is a {entry.kind}; it must be a file")
    base.ensure([PATH])
    # One byte over the limit is enough to be told; a limit of the trees' would count as the pull request's fault.
    return policy.load_text(base.head(PATH, MAX_BYTES + 1), known_rules())


def previewed(old: Tree, new: Tree) -> tuple[str, ...]:
    """What a pull request that changes the configuration is told about that."""
    if old.entry(PATH) == new.entry(PATH):
        return ()
    return policy.preview(_text(old), _text(new), known_rules())


def _text(tree: Tree) -> bytes | None:
    if not tree.is_file(PATH):
        return None
    tree.ensure([PATH])
    return tree.head(PATH, MAX_BYTES + 1)
