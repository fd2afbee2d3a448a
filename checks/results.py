"""What a run of rules is given and what it gives: tasks, and what the rules said."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from checks.findings import Fact, Fault, Finding, NotRun
from checks.rules import Each, Missing, Rule
from checks.units import Folder


class Task(NamedTuple):
    """One rule on one unit with its inputs found."""

    rule: Rule
    unit: Folder
    scope: str | None
    inputs: Mapping[str, Any]
    missing: tuple[Missing, ...]
    blocked: tuple[Missing, ...]

    def readable(self) -> Iterator[Any]:
        """The inputs that read files."""
        for value in self.inputs.values():
            items = value if isinstance(value, Each) else [value]
            yield from (item for item in items if hasattr(type(item), "paths"))


@dataclass
class Results:
    """What the rules said, before merging and ordering."""

    findings: list[Finding] = field(default_factory=list)
    not_run: list[NotRun] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    own_run: int = 0
    shared_run: set[tuple[str, str, str]] = field(default_factory=set)

    def __getstate__(self) -> dict[str, Any]:
        """For another process; facts, by far the most, go as plain tuples, which takes a third of the time."""
        return self.__dict__ | {"facts": list(map(tuple, self.facts))}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, facts=list(map(Fact._make, state["facts"])))

    @property
    def rules_run(self) -> int:
        """How often a rule was run; on a unit that scopes share once, however many processes shared out the scopes."""
        return self.own_run + len(self.shared_run)

    def ran(self, task: Task) -> None:
        """Counts ``task``."""
        if task.scope is None:
            self.shared_run.add((task.rule.id, task.rule.function.__name__, task.unit.path))
        else:
            self.own_run += 1

    def extend(self, other: Results) -> None:
        """Adds all that ``other`` holds."""
        self.findings += other.findings
        self.not_run += other.not_run
        self.facts += other.facts
        self.faults += other.faults
        self.own_run += other.own_run
        self.shared_run |= other.shared_run
