"""Many places of one kind in one scope: the first few are told one by one, the rest counted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from checks import names
from checks.findings import Finding, Level
from checks.units import Folder, listed

ONE_BY_ONE = 10
"""Places of one kind that a scope tells one by one: as many as a person goes through before looking for the cause."""


def each(owner: Folder, paths: Iterable[str], message: str, hint: str, level: Level | None = None) -> Iterator[Finding]:
    """A finding for each path, ``{name}`` in ``message`` being its name; of many, the rest as one on the scope."""
    found = list(paths)
    for path in found[:ONE_BY_ONE]:
        yield Finding(path, message.format(name=listed([names.basename(path)])), hint, level=level)
    if rest := [path.removeprefix(owner.path).lstrip("/") for path in found[ONE_BY_ONE:]]:
        first = message.format(name=listed([names.basename(found[0])]))
        yield owner.finding(f"{first} The same holds for {len(rest):,} more: {listed(rest, 3)}.", hint, level=level)
