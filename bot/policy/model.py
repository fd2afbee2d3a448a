"""The maintainers' configuration as an object: what it says, and what that means on a given day."""

from __future__ import annotations

import datetime
import enum
import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from checks import names
from checks.findings import Level


class UnchangedFiles(enum.StrEnum):
    """What happens to findings in files that the pull request did not touch."""

    SUMMARY = "summary"
    ANNOTATE = "annotate"


class Phase(enum.StrEnum):
    """Where a day lies with respect to the submission round."""

    BEFORE = "before"
    OPEN = "open"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class Annotations:
    """How many findings become annotations, and whether those of unchanged files do."""

    limit: int = 250
    unchanged_files: UnchangedFiles = UnchangedFiles.SUMMARY


@dataclass(frozen=True, slots=True)
class Waiver:
    """Findings of ``rule`` under the glob ``path`` are set aside until the end of the day ``until`` (UTC).

    ``line`` is that of the configuration, ``author`` the maintainer who gave the waiver by a command.
    """

    rule: str
    path: str
    reason: str
    until: datetime.date
    line: int | None = field(default=None, compare=False)
    author: str | None = None

    def matches(self, rule: str, path: str) -> bool:
        """Whether a finding of ``rule`` on ``path`` (inside form) falls under this waiver, whatever the day."""
        return rule == self.rule and _glob(self.path).fullmatch(path) is not None

    @property
    def is_glob(self) -> bool:
        """Whether the path has wildcards, and so may match more than itself."""
        return re.search("[*?]", self.path) is not None

    @property
    def folder(self) -> str:
        """The deepest folder or file that certainly holds everything the glob can match."""
        literal, wildcard, _ = re.split(r"([*?]|\Z)", self.path, maxsplit=1)
        return literal.rpartition("/")[0] if wildcard else literal


@dataclass(frozen=True, slots=True)
class Round:
    """A submission round with its first and last day (UTC) and the levels that hold in one phase only."""

    name: str
    opens: datetime.date
    closes: datetime.date
    levels: Mapping[Phase, Mapping[str, Level]] = field(default_factory=lambda: MappingProxyType({}))

    def phase(self, day: datetime.date) -> Phase:
        """The phase in which ``day`` lies."""
        if day < self.opens:
            return Phase.BEFORE
        return Phase.OPEN if day <= self.closes else Phase.CLOSED


@dataclass(frozen=True, slots=True)
class Policy:
    """One configuration. ``rules`` and ``edition`` are None where the tree and the product decide.

    ``baseline_fails``: findings that the base already has fail the check too. ``results_preview``: the summary shows
    figures. ``comment``: one comment on the pull request is kept up to date.
    """

    rules: str | None = None
    edition: str | None = None
    root: str = names.ROOT
    levels: Mapping[str, Level] = field(default_factory=lambda: MappingProxyType({}))
    disputed: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    waivers: tuple[Waiver, ...] = ()
    owners: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    annotations: Annotations = Annotations()
    round: Round | None = None
    baseline_fails: bool = True
    results_preview: bool = False
    comment: bool = False
    present: bool = True

    def levels_on(self, day: datetime.date) -> Mapping[str, Level]:
        """Levels by rule id that hold on ``day``: those of the round's phase go before the general ones."""
        if self.round is None:
            return self.levels
        return MappingProxyType({**self.levels, **self.round.levels.get(self.round.phase(day), {})})


DEFAULT = Policy(present=False)
"""What holds where the base commit has no configuration."""


@functools.cache
def _glob(pattern: str) -> re.Pattern[str]:
    """A glob as an expression: ``*`` and ``?`` stay within a name, ``**`` does not, ``x/**`` includes ``x``."""
    translated = {"/**": r"(?:/.*)?", "**/": r"(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    parts = re.split(r"(/\*\*\Z|\*\*/|\*\*|\*|\?)", pattern)
    return re.compile("".join(translated.get(part) or re.escape(part) for part in parts), re.DOTALL)
