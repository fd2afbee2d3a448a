"""Which findings become annotations, on which file and line. GitHub only takes a file that is in the head tree.

https://docs.github.com/rest/checks/runs, parameter ``output.annotations``.
"""

from __future__ import annotations

import bisect
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from bot import lines
from bot.markdown import clipped
from bot.policy.model import Annotations as Wanted
from bot.policy.model import UnchangedFiles
from checks import names
from checks.findings import Finding, Level

PER_REQUEST = 50
MESSAGE_BYTES = 64 * 1024
TITLE_BYTES = 255

GITHUB_LEVELS = {Level.ERROR: "failure", Level.WARNING: "warning", Level.NOTICE: "notice"}


@dataclass(frozen=True, slots=True)
class Annotation:
    """A finding and the file that carries it; another file than the finding's own where that can't be annotated."""

    finding: Finding
    path: str

    def body(self) -> dict[str, Any]:
        """The annotation as GitHub takes it."""
        finding = self.finding
        own = self.path == finding.path
        line = (finding.line or 1) if own else 1
        return {
            "path": self.path,
            "start_line": line,
            "end_line": max(line, finding.end_line or line) if own else 1,
            "annotation_level": GITHUB_LEVELS[finding.level or Level.ERROR],
            "title": clipped(names.shown(lines.rule_name(finding)), TITLE_BYTES),
            "message": clipped(lines.finding_text(finding, None if own else finding.path), MESSAGE_BYTES),
        }


@dataclass(frozen=True, slots=True)
class Placed:
    """The annotations of a report, and how many findings have none: for want of a file, or beyond the limit."""

    annotations: tuple[Annotation, ...]
    without_file: int
    beyond_limit: int


def urgency(finding: Finding, base_counts: bool) -> tuple[bool, int, bool]:
    """Sort key for what stands first where not everything has room: errors before warnings before notices, and at the
    same level what is new before what the base has already; before all of that, where it does not count.
    """
    weight = (finding.level or Level.ERROR).weight
    return (finding.on_base and not base_counts, -weight, finding.on_base)


def placed(
    findings: Sequence[Finding],
    changed_files: frozenset[str],
    is_file: Callable[[str], bool] | None,
    wanted: Wanted,
    base_counts: bool = True,
) -> Placed:
    """Finds each finding's file; beyond the limit the most urgent ones stay.

    ``changed_files`` are paths of files in the head tree, ``is_file`` tells whether any path of it is one (None: only
    the changed ones are known to be). Both leave out files that were judged with another content than the head's.
    """
    places = _Places(changed_files, is_file, wanted.unchanged_files)
    found = [Annotation(finding, path) for finding in findings if (path := places.of(finding.path)) is not None]
    urgent = sorted(range(len(found)), key=lambda index: urgency(found[index].finding, base_counts))
    kept = [found[index] for index in sorted(urgent[: wanted.limit])]
    return Placed(tuple(kept), len(findings) - len(found), len(found) - len(kept))


class _Places:
    def __init__(
        self, changed_files: Iterable[str], is_file: Callable[[str], bool] | None, unchanged: UnchangedFiles
    ) -> None:
        self._changed = sorted(path for path in changed_files if _sendable(path))
        self._changed_set = frozenset(self._changed)
        self._is_file = is_file or self._changed_set.__contains__
        self._annotate_unchanged = unchanged is UnchangedFiles.ANNOTATE

    def of(self, path: str) -> str | None:
        """The file that can carry an annotation for ``path``; None leaves it to the summary."""
        if path in self._changed_set:
            return path
        if self._is_file(path):
            return path if self._annotate_unchanged and _sendable(path) else None
        return self._under(names.inside_path(path))

    def _under(self, folder: str) -> str | None:
        """The first changed file below ``folder``."""
        prefix = f"{folder}/" if folder else ""
        index = bisect.bisect_left(self._changed, prefix)
        found = self._changed[index] if index < len(self._changed) else None
        return found if found is not None and found.startswith(prefix) else None


def _sendable(path: str) -> bool:
    """Whether JSON can carry the path as it is: UTF-8 without control characters."""
    return bool(path) and names.shown(path) == path
