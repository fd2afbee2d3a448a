"""Rules and the book that holds them. A rule's parameters are its inputs.

A rule is a generator that reads like the sentence of the rules document that it enforces. Its first parameter is the
unit it judges (a folder with a meaning: a submitter, a run); the others ask for inputs by their type, as a pytest
test asks for fixtures: documents, the edition, :class:`Each` of a kind of document below the unit. From that one
declaration follow which rules could not run and why, which files are fetched and read, what ``submission-bot rules``
says, and how a test calls it.
"""

from __future__ import annotations

import inspect
import re
import types
import typing
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeVar

from checks.findings import Fact, Finding, Level

Outcome = Iterator[Finding | Fact]
"""What a rule yields."""

Item = TypeVar("Item")


class Each(list[Item]):
    """All inputs of one kind below a unit; those that are missing are told apart by the engine, not handed over."""


class Present(Each[Item]):
    """As :class:`Each`, of documents that may be absent: the rule runs with those that are there, even with none."""


@dataclass(frozen=True, slots=True)
class Missing:
    """An input that is not in the tree. ``reason`` says so in a line; ``see`` is the rule that reports it, if one does.

    ``path`` is the nearest existing folder, for the finding that the engine makes when no rule reports it.
    """

    reason: str
    path: str
    see: str = ""


@dataclass(frozen=True, slots=True)
class Need:
    """One parameter of a rule: its name, the input's type, whether it may be absent, whether it is one or all below.

    The type offers ``of(unit, session)``, which gives the input of a unit, or :class:`Missing`; it touches names only
    and reads no content.
    """

    parameter: str
    kind: type[Any]
    optional: bool = False
    each: bool = False

    @property
    def described(self) -> str:
        """The input as ``submission-bot rules`` names it."""
        return str(getattr(self.kind, "what", self.kind.__name__))


@dataclass(frozen=True, slots=True)
class Explanation:
    """The parts of a rule's docstring: its sentence, why it is there, how to mend a fault, what is contested."""

    text: str
    why: str = ""
    mend: str = ""
    contested: str = ""


def _always(unit: Any) -> bool:
    del unit
    return True


@dataclass(frozen=True)
class Rule:
    """A registered rule: identity from the rules document, the unit it judges, its level, its inputs, its function.

    ``applies`` tells of a unit of its kind whether the rule speaks of it at all (a rule of one division).
    """

    id: str
    name: str
    unit: type[Any]
    level: Level
    section: str
    explanation: Explanation
    needs: tuple[Need, ...]
    function: Callable[..., Outcome]
    applies: Callable[[Any], bool] = _always

    @property
    def reads(self) -> tuple[str, ...]:
        """What it reads, as people name it."""
        return tuple(dict.fromkeys(need.described for need in self.needs if hasattr(need.kind, "what")))


@dataclass(frozen=True, slots=True)
class Uncheckable:
    """An id of the rules document that can't be checked from a tree, with the reason."""

    id: str
    name: str
    reason: str


@dataclass
class RuleBook:
    """All rules of one rules document."""

    name: str
    title: str
    rules: list[Rule] = field(default_factory=list)
    uncheckable: list[Uncheckable] = field(default_factory=list)

    def rule(
        self,
        id: str,
        name: str,
        level: Level = Level.ERROR,
        section: str = "",
        applies: Callable[[Any], bool] = _always,
    ) -> Callable[..., Any]:
        """Registers the decorated generator. ``level`` is the default that an edition may change; of units that
        ``applies`` leaves out the rule does not speak, so that nothing is asked for on its behalf.

        Raises TypeError when a parameter asks for something that is no input.
        """

        def register(function: Callable[..., Outcome]) -> Callable[..., Outcome]:
            unit, needs = _signature(function)
            explanation = explained(inspect.getdoc(function) or "")
            self.rules.append(Rule(id, name, unit, level, section or id, explanation, needs, function, applies))
            return function

        return register

    def not_checkable(self, id: str, name: str, reason: str) -> None:
        """Lists an id of the rules document that no tree can show."""
        self.uncheckable.append(Uncheckable(id, name, reason))

    def of_id(self, id: str) -> list[Rule]:
        """The rules registered under an id; one id may need several functions."""
        return [rule for rule in self.rules if rule.id == id]

    def ids(self) -> list[str]:
        """Every id, checkable or not, in the document's order."""
        known = {rule.id for rule in self.rules} | {item.id for item in self.uncheckable}
        return sorted(known, key=natural)

    def units(self) -> set[type[Any]]:
        """The kinds of unit that some rule judges."""
        return {rule.unit for rule in self.rules}


def natural(id: str) -> tuple[tuple[int, int, str], ...]:
    """Sort key: numbers by value, words after numbers."""
    parts = re.findall(r"\d+|[^\d.]+", id)
    return tuple((0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts)


def _signature(function: Callable[..., Outcome]) -> tuple[type[Any], tuple[Need, ...]]:
    hints = typing.get_type_hints(function)
    parameters = list(inspect.signature(function).parameters)
    if not parameters:
        raise TypeError(f"{function.__name__}: a rule needs at least its unit")
    needs = tuple(_need(name, hints[name], function) for name in parameters[1:])
    return hints[parameters[0]], needs


def _need(name: str, hint: Any, function: Callable[..., Outcome]) -> Need:
    optional = each = False
    if typing.get_origin(hint) in (types.UnionType, typing.Union):
        inner = [part for part in typing.get_args(hint) if part is not type(None)]
        hint, optional = inner[0], True
    if typing.get_origin(hint) in (Each, Present):
        each, optional = True, optional or typing.get_origin(hint) is Present
        (hint,) = typing.get_args(hint)
    if not hasattr(hint, "of"):
        raise TypeError(f"{function.__name__}: the parameter {name} asks for {hint!r}, which is no input")
    return Need(name, hint, optional, each)


_PART = re.compile(r"^(Why|Mend|Contested):\s*", re.MULTILINE)


def explained(docstring: str) -> Explanation:
    """A rule's docstring in its parts; paragraphs that begin ``Why:``, ``Mend:`` and ``Contested:`` have a meaning."""
    text, *rest = _PART.split(docstring)
    parts = {key.lower(): _flowed(body) for key, body in zip(rest[::2], rest[1::2], strict=True)}
    return Explanation(_flowed(text), **parts)


def _flowed(text: str) -> str:
    paragraphs = (" ".join(part.split()) for part in re.split(r"\n\s*\n", text.strip()))
    return "\n\n".join(part for part in paragraphs if part)


def documents_of(value: Any) -> Iterable[Any]:
    """The documents inside a bound input: itself, or each of a list."""
    if isinstance(value, Each):
        return [item for item in value if hasattr(type(item), "fault")]
    return [value] if hasattr(type(value), "fault") else []
