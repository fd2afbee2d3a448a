"""Files that a timestamp folder must hold (2.1.14, 2.1.19, 2.1.25), and the names of timestamp folders."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from typing import Any

from checks import names
from checks.findings import Finding, Level
from checks.storage.expected_names import placeholders
from checks.storage.leaves import Leaf, timestamp_of
from checks.units import Folder, counted, listed, near_miss

AS_WRITTEN = "Add it as the benchmark tool wrote it."


def required_files(leaf: Leaf, table: dict[str, Any]) -> Iterator[Finding]:
    """One finding for each required name or pattern that nothing matches, one warning for those often absent, one
    notice for placeholders. A pattern ends with ``/`` for a folder; a dot-prefixed name satisfies none.
    """
    for pattern in table["required"]:
        if not _matching(leaf, pattern):
            yield leaf.finding(f"{_called(pattern)} is missing in `{leaf.shown}`.{_near(leaf, pattern)}", AS_WRITTEN)
    absent = [pattern for pattern in table["often_absent"] if not _matching(leaf, pattern)]
    if absent:
        yield leaf.finding(
            f"{counted(len(absent), 'file')} that the rule lists {'is' if len(absent) == 1 else 'are'} missing in "
            f"`{leaf.shown}`: {listed(absent)}. The tool does not write {'it' if len(absent) == 1 else 'them'} when it "
            "only generates data.",
            "Add them if the benchmark tool wrote them; leave it so if it did not.",
            level=Level.WARNING,
        )
    patterns = [*table["required"], *table["often_absent"]]
    yield from placeholders(leaf, dict.fromkeys(name for pattern in patterns for name in _matching(leaf, pattern)))


def _matching(leaf: Leaf, pattern: str) -> list[str]:
    if pattern.endswith("/"):
        return [name for name in leaf.folders if name == pattern[:-1]]
    return [name for name in leaf.files if fnmatchcase(name, pattern) and not names.is_dot(name)]


def _called(pattern: str) -> str:
    if pattern.endswith("/"):
        return f"The folder `{pattern[:-1]}`"
    return f"A file named `{pattern}`" if "*" in pattern else f"`{pattern}`"


def _near(leaf: Leaf, pattern: str) -> str:
    """`` Did you mean it by …?`` for an entry of another case, or one that holds the name among others."""
    wanted = pattern.strip("/*")
    stem, dot, end = wanted.rpartition(".")
    close = [name for name in leaf.entries if dot and stem in name and name.endswith(f".{end}") and name != wanted]
    alike = [name for name in leaf.entries if name.casefold() == wanted.casefold()]
    return "".join(f" Did you mean it by `{names.shown(near)}`?" for near in (alike or close)[:1])


def timestamps_only(folder: Folder, found: Iterable[str], allowed: Iterable[str] = ()) -> Iterator[Finding]:
    """One finding for each folder whose name is no timestamp and not ``allowed`` besides."""
    choices = set(allowed)
    for name in found:
        if timestamp_of(name) is None and name not in choices:
            yield folder.finding(
                f"The folder `{names.shown(name)}` in `{folder.shown}` is not named YYYYMMDD_HHmmss, with a date and a "
                "time that exist.",
                "Give it the name that the benchmark tool gave it, or move it out.",
                at=name,
            )


def in_order(leaves: Iterable[Leaf]) -> list[Leaf]:
    """The leaves whose name is a timestamp, oldest first."""
    return sorted((leaf for leaf in leaves if leaf.timestamp is not None), key=lambda leaf: leaf.name)


def result_tables(folder: Folder) -> Iterator[Finding]:
    """A finding when ``results.json`` is not in the folder (2.1.16, 2.1.22)."""
    if "results.json" not in folder.files:
        near = near_miss("results.json", folder.entries)
        seen = f" Did you mean it by `{names.shown(near)}`?" if near else ""
        yield folder.finding(
            f"`results.json` is missing in `{folder.shown}`.{seen}", "Add it as the benchmark tool's report wrote it."
        )
