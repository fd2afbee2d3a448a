"""Rule 2.1.7: in ``systems``, a YAML and a PDF for each system, Markdown, dot-prefixed entries, and nothing more."""

from __future__ import annotations

from collections.abc import Iterator

from checks import names
from checks.findings import Finding
from checks.rules import Outcome
from checks.storage.book import rule
from checks.storage.expected_names import KINDS, of_other_kind
from checks.storage.terms import SYSTEMS
from checks.storage.units import Submitter, System
from checks.tree import Kind
from checks.units import Folder

ENDS = (".yaml", ".pdf")
"""The two files that every system has."""

MARKDOWN = ".md"
_PAIRED = {".yaml": "the description", ".pdf": "the PDF"}


@rule("2.1.7", "systemsDirectoryFiles")
def each_system_is_described(system: System) -> Outcome:
    """Each system has `systems/<name>.yaml` and `systems/<name>.pdf`, named exactly as its folder in `results`.

    Why: Nobody can judge a result without knowing what was measured.
    Mend: Add the missing file, or rename the one that is there; names and endings are case-sensitive.
    """
    if SYSTEMS in system.submitter.folders:
        yield from _pair(system.submitter.descriptions, system.name, system.path)


@rule("2.1.7", "systemsDirectoryFiles")
def systems_directory_files(submitter: Submitter) -> Outcome:
    """Besides a `.yaml` and a `.pdf` for each system, `systems` holds only Markdown files and dot-prefixed entries.

    Why: A stray file is an unpaired description or a document that no reader will find from its system.
    Mend: Turn supplementary documents into `.md`, fold further PDFs into the system's own, remove the rest.
    """
    folder = submitter.descriptions
    described = {name.removesuffix(end) for name in folder.files for end in ENDS if name.endswith(end)}
    orphans = sorted(stem for stem in described if stem not in submitter.results.folders and not names.is_dot(stem))
    expected = {f"{stem}{end}" for stem in (*submitter.results.folders, *orphans) for end in ENDS}
    for stem in orphans:
        if not _renamed_system(submitter, stem):
            yield from _pair(folder, stem, folder.path)
    for name, entry in folder.entries.items():
        if names.is_dot(name) or name in expected or _stands_for(folder, name, expected):
            continue
        if entry.kind is Kind.FILE and name.endswith(MARKDOWN):
            continue
        yield _stray(folder, name, entry.kind)


def _pair(folder: Folder, stem: str, otherwise: str) -> Iterator[Finding]:
    """What is wrong with the two files of ``stem``, placed on the one that is there, else on ``otherwise``."""
    there = [f"{stem}{end}" for end in ENDS if f"{stem}{end}" in folder.entries]
    for end in ENDS:
        name = f"{stem}{end}"
        entry = folder.entries.get(name)
        if entry is not None and entry.kind is not Kind.FILE:
            yield of_other_kind(folder, entry)
        elif entry is None:
            yield _missing(folder, name, folder.inside(there[0]) if there else otherwise)


def _missing(folder: Folder, name: str, place: str) -> Finding:
    stem, end = name.rsplit(".", 1)
    near = next((other for other in folder.files if _meant(other) == name.casefold()), None)
    if near is not None:
        return folder.finding(
            f"`{names.shown(near)}` stands where `{names.shown(name)}` belongs; names are case-sensitive.",
            f"Rename it to `{names.shown(name)}`.",
            at=near,
        )
    return Finding(
        place,
        f"`systems/{names.shown(name)}` is missing: the system `{names.shown(stem)}` needs {_PAIRED['.' + end]}.",
        f"Add it, named exactly `{names.shown(name)}`.",
    )


def _meant(name: str) -> str:
    """The name in lower case, its ending as the rule writes it: what it was likely meant to be."""
    lower = name.casefold()
    return lower.removesuffix(".yml") + ".yaml" if lower.endswith(".yml") else lower


def _stands_for(folder: Folder, name: str, expected: set[str]) -> bool:
    """Whether ``name`` is the near miss of an absent file, which is told there."""
    return any(_meant(name) == item.casefold() for item in expected if item not in folder.entries)


def _renamed_system(submitter: Submitter, stem: str) -> bool:
    """Whether ``stem`` differs only by case from a system with results: one finding tells of both."""
    return any(stem.casefold() == name.casefold() for name in submitter.results.folders)


def _stray(folder: Folder, name: str, kind: Kind) -> Finding:
    what = KINDS[kind].removeprefix("a ")
    return folder.finding(
        f"The {what} `{names.shown(name)}` does not belong in `systems`: only a .yaml and a .pdf for each system, and "
        "Markdown (*.md).",
        "Remove it, or turn it into Markdown.",
        at=name,
    )
