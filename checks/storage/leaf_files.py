"""Files that a timestamp folder must hold (2.1.14, 2.1.19, 2.1.25), and the names of timestamp folders."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import partial
from typing import Any

from checks import names
from checks.findings import Finding, Level
from checks.rules import Outcome
from checks.storage.expected_names import of_other_kind, placeholders
from checks.storage.leaves import Leaf, timestamp_of
from checks.storage.runs import each_leaf
from checks.tree import Entry, Kind
from checks.units import Folder, counted, listed, near_miss

AS_WRITTEN = "Add it as the benchmark tool wrote it."


def required_files(leaves: Iterable[Leaf], table: Mapping[str, Any]) -> Outcome:
    """One finding for each required name or pattern that nothing matches, one warning for those often absent, one
    notice for placeholders; what several of the ``leaves`` lack alike is told once. Folders whose name is no timestamp
    are left to the rule on names. A pattern ends with ``/`` for a folder; a dot-prefixed name satisfies none.
    """
    stamped = [leaf for leaf in leaves if leaf.timestamp is not None]
    yield from each_leaf(stamped, partial(_required, table["required"]))
    yield from each_leaf(stamped, partial(_often_absent, table["often_absent"]))
    yield from each_leaf(stamped, partial(_pruned, [*table["required"], *table["often_absent"]]))


def _required(patterns: list[str], leaf: Leaf) -> Iterator[Finding]:
    missing = [pattern for pattern in patterns if not _matching(leaf, pattern)]
    if missing == patterns and not any(_candidates(leaf, pattern) for pattern in patterns):
        yield leaf.finding(f"Nothing of a run is here: {listed(missing, len(missing))} are missing.", AS_WRITTEN)
        return
    for pattern in missing:
        if others := _candidates(leaf, pattern):
            yield of_other_kind(leaf, others[0], _kind(pattern))
        else:
            yield leaf.finding(f"{_called(pattern)} is missing.{_near(leaf, pattern)}", AS_WRITTEN)


def _often_absent(patterns: list[str], leaf: Leaf) -> Iterator[Finding]:
    absent = [pattern for pattern in patterns if not _matching(leaf, pattern)]
    if absent:
        yield leaf.finding(
            f"{counted(len(absent), 'file')} that the rule lists {'is' if len(absent) == 1 else 'are'} missing: "
            f"{listed(absent)}. The tool does not write {'it' if len(absent) == 1 else 'them'} when it only generates "
            "data.",
            "Add them if the benchmark tool wrote them; leave it so if it did not.",
            level=Level.WARNING,
        )


def _pruned(patterns: list[str], leaf: Leaf) -> Iterator[Finding]:
    found = dict.fromkeys(name for pattern in patterns for name in _matching(leaf, pattern))
    yield from placeholders(leaf, [name for name in found if name in leaf.files])


def _matching(leaf: Leaf, pattern: str) -> list[str]:
    return [entry.name for entry in _candidates(leaf, pattern) if entry.kind is _kind(pattern)]


def _candidates(leaf: Leaf, pattern: str) -> list[Entry]:
    """The entries of any kind whose name the pattern asks for."""
    wanted = pattern.removesuffix("/")
    return [item for name, item in leaf.entries.items() if fnmatchcase(name, wanted) and not names.is_dot(name)]


def _kind(pattern: str) -> Kind:
    return Kind.DIRECTORY if pattern.endswith("/") else Kind.FILE


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
    """One finding for the folders whose name is no timestamp and not ``allowed`` besides, on the first of them."""
    choices = set(allowed)
    others = [name for name in found if timestamp_of(name) is None and name not in choices]
    if not others:
        return
    what = "The folder {} in `{}` is" if len(others) == 1 else "The folders {} in `{}` are"
    message = (
        f"{what.format(listed(others), folder.shown)} not named YYYYMMDD_HHmmss, with a date and a time that exist."
    )
    hint = "Give each run folder the name that the benchmark tool gave it; move anything else out."
    yield replace(folder.finding(message, hint, at=others[0]), count=len(others))


def in_order(leaves: Iterable[Leaf]) -> list[Leaf]:
    """The leaves whose name is a timestamp, oldest first."""
    return sorted((leaf for leaf in leaves if leaf.timestamp is not None), key=lambda leaf: leaf.name)


def result_tables(folder: Folder) -> Iterator[Finding]:
    """A finding when ``results.json`` is not in the folder (2.1.16, 2.1.22)."""
    entry = folder.entries.get("results.json")
    if entry is not None and entry.kind is not Kind.FILE:
        yield of_other_kind(folder, entry)
    elif entry is None:
        near = near_miss("results.json", folder.entries)
        seen = f" Did you mean it by `{names.shown(near)}`?" if near else ""
        yield folder.finding(
            f"`results.json` is missing in `{folder.shown}`.{seen}", "Add it as the benchmark tool's report wrote it."
        )
