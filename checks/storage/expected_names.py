"""Names that a folder must or may hold, as the rules of section 2.1 list them: what is missing, misspelt, too many."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from checks import names
from checks.findings import Finding, Level
from checks.storage.placeholders import is_placeholder
from checks.tree import Entry, Kind
from checks.units import Folder, counted, listed, near_miss

KINDS = {
    Kind.FILE: "a file",
    Kind.DIRECTORY: "a folder",
    Kind.SYMLINK: "a symbolic link",
    Kind.SUBMODULE: "a submodule",
}


@dataclass(frozen=True)
class Difference:
    """How found names differ from a list: ``misspelt`` maps a found name to the absent one that it stands for."""

    missing: list[str]
    misspelt: dict[str, str]
    extra: list[str]


def difference(found: Iterable[str], required: Collection[str], optional: Collection[str] = ()) -> Difference:
    """Compares names byte for byte; a near one (another case or spelling) of an absent name counts for it."""
    here = list(found)
    absent = [name for name in (*required, *optional) if name not in here]
    misspelt: dict[str, str] = {}
    for name in [name for name in here if name not in required and name not in optional]:
        meant = near_miss(name, [item for item in absent if item not in misspelt.values()])
        if meant is not None:
            misspelt[name] = meant
    missing = [name for name in required if name in absent and name not in misspelt.values()]
    extra = [name for name in here if name not in required and name not in optional and name not in misspelt]
    return Difference(missing, misspelt, extra)


def misspelt(folder: Folder, found: Difference, kind: str = "folder") -> Iterator[Finding]:
    """One finding for each misspelt name, at it."""
    for name, meant in found.misspelt.items():
        yield folder.finding(
            f"The {kind} `{names.shown(name)}` stands where `{meant}` belongs; names are case-sensitive.",
            f"Rename it to `{meant}`.",
            at=name,
        )


def extra(folder: Folder, found: Difference, allowed: Iterable[str], kind: str = "folder") -> Iterator[Finding]:
    """One finding for each name that is not allowed, at it."""
    choices = list(allowed)
    for name in found.extra:
        yield folder.finding(
            f"The {kind} `{names.shown(name)}` stands in `{folder.shown}`, where only {listed(choices)} may.",
            "Move it out of the submission, or to where its content belongs.",
            at=name,
        )


def loose_files(folder: Folder, allowed: Collection[str] = ()) -> Iterator[Finding]:
    """One notice for the files that stand beside the folders that a rule lists; dot-prefixed ones are seen, too."""
    loose = [name for name in folder.files if name not in allowed]
    if loose:
        yield folder.finding(
            f"{counted(len(loose), 'file')} in `{folder.shown}` beside the folders: {listed(loose)}. "
            "They belong to no result.",
            "Nothing to do if they were meant to be here.",
            level=Level.NOTICE,
        )


def of_other_kind(folder: Folder, entry: Entry, wanted: Kind = Kind.FILE) -> Finding:
    """The finding on what stands where a file (or a folder) of that very name is required."""
    return folder.finding(
        f"`{names.shown(entry.name)}` is {KINDS[entry.kind]}, {KINDS[wanted]} is required.",
        f"Commit the {KINDS[wanted].removeprefix('a ')} itself.",
        at=entry.name,
    )


def exact_files(folder: Folder, required: Collection[str]) -> Iterator[Finding]:
    """Findings on a folder that must hold exactly these files and nothing else, dot-prefixed or not."""
    found = difference(folder.entries, required)
    yield from misspelt(folder, found, "entry")
    for name in found.extra:
        yield folder.finding(
            f"`{names.shown(name)}` stands in `{folder.shown}`, which holds {listed(required)} and nothing else.",
            "Remove it.",
            at=name,
        )
    for name in found.missing:
        yield folder.finding(f"`{name}` is missing in `{folder.shown}`.", "Add it as the benchmark tool wrote it.")
    for name in required:
        if (entry := folder.entries.get(name)) is not None and entry.kind is not Kind.FILE:
            yield of_other_kind(folder, entry)


def placeholders(folder: Folder, files: Iterable[str]) -> Iterator[Finding]:
    """One notice for the required files that are placeholders: they count as present."""
    pruned = [name for name in files if is_placeholder(folder.tree, folder.inside(name))]
    if pruned:
        yield folder.finding(
            f"{counted(len(pruned), 'file')} that staff took out for size (PRUNED BY STAFF): {listed(pruned)}. What "
            "stands there counts as present.",
            "Nothing to do if staff did it; submitters commit the files themselves.",
            level=Level.NOTICE,
        )
