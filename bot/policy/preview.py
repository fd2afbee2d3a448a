"""What a pull request that changes the configuration would change once it is merged. It has no effect before."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any

from bot.policy.file import PATH, PolicyFault, faults_of, load_text
from bot.policy.model import DEFAULT, Annotations, Policy, Round, Waiver

HEADING = f"This pull request changes {PATH}; that has no effect on this check."
REMOVED = "Once it is merged, there is no configuration and the built-in defaults hold."
SAME = "Once it is merged, the same holds as before."
FAULTY = "It can't be merged as it is: line {line}: {reason}"
MORE_FAULTS = "It has {} more faults; `submission-bot config check` names them all."
MORE_CHANGES = "There are {} more changes."
MOST_LINES = 20
"""Faults or changes that are told one by one; a file of a megabyte can have tens of thousands."""

FAULTY_FILE = "It can't be merged as it is: {reason}"


def preview(before: bytes | None, after: bytes | None, known_rules: Collection[str]) -> tuple[str, ...]:
    """Notes on a change of the file from ``before`` to ``after`` (None: absent): its faults, or what would change."""
    if after is None:
        return HEADING, REMOVED
    if faults := faults_of(after, known_rules):
        return HEADING, *_first([_faulty(fault) for fault in faults], MORE_FAULTS)
    changes = list(_changes(_known(before), load_text(after)))
    return HEADING, *(_first(changes, MORE_CHANGES) or [SAME])


def _first(lines: Sequence[str], more: str) -> list[str]:
    """The first lines, and how many there are beyond them."""
    left = len(lines) - MOST_LINES
    return [*lines[:MOST_LINES], *([more.format(f"{left:,}")] if left > 0 else [])]


def _faulty(fault: PolicyFault) -> str:
    return (
        FAULTY.format(line=fault.line, reason=fault.reason) if fault.line else FAULTY_FILE.format(reason=fault.reason)
    )


def _known(text: bytes | None) -> Policy:
    """The configuration before the change; a faulty one counts as none."""
    try:
        return DEFAULT if text is None else load_text(text)
    except PolicyFault:
        return DEFAULT


def _changes(before: Policy, after: Policy) -> Iterator[str]:
    for name in (field.name for field in fields(Policy) if field.name != "present"):
        old, new = getattr(before, name), getattr(after, name)
        if isinstance(old, Mapping):
            for key in [*old, *(key for key in new if key not in old)]:
                yield from _change(f"{name}, {key}", old.get(key), new.get(key))
        elif name == "waivers":
            yield from (f"Waiver taken back: {_waiver(one)}." for one in old if one not in new)
            yield from (f"Waiver added: {_waiver(one)}." for one in new if one not in old)
        else:
            yield from _change(name, old, new)


def _change(name: str, old: Any, new: Any) -> Iterator[str]:
    if old != new:
        yield f"Would change {name}: {_shown(old)} → {_shown(new)}."


def _shown(value: Any) -> str:
    match value:
        case None:
            return "not set"
        case bool():
            return "yes" if value else "no"
        case tuple():
            return ", ".join(map(str, value)) or "nobody"
        case Annotations():
            return f"at most {value.limit}, unchanged files {value.unchanged_files}"
        case Round():
            levels = sum(map(len, value.levels.values()))
            return f"{value.name} from {value.opens} to {value.closes} with {levels} levels"
        case _:
            return str(value)


def _waiver(waiver: Waiver) -> str:
    return f"{waiver.rule} on {waiver.path} until {waiver.until} ({waiver.reason})"
