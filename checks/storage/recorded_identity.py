"""What runs record of where they belong, against where they stand: system, submitter, division, time (2.1.9), code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Self

from checks.documents import shortened
from checks.findings import Finding, Level
from checks.names import shown
from checks.rules import Missing, Outcome
from checks.session import Session
from checks.storage.book import rule
from checks.storage.code_inputs import POINTER, Pointed
from checks.storage.code_use import CodeUse
from checks.storage.inputs import Metadata
from checks.storage.leaves import Leaf
from checks.storage.runs import named
from checks.storage.terms import VECTOR_DATABASE
from checks.storage.units import System
from checks.units import counted

POOL_HASH = "/args/_validated_pool_hash"
"""Where the tool records which code image it found itself to be."""

_UNPORTABLE = re.compile(r"[^A-Za-z0-9._-]")
"""What 2.1.1 replaces by a dash in a submitter's name."""


class Records:
    """The metadata of all timestamp folders of a system. Files that are missing or unreadable are left out: other rules
    tell of them.
    """

    what = "*_metadata.json"

    def __init__(self, system: System, session: Session) -> None:
        found = [(leaf, Metadata.of(leaf, session)) for leaf in system.leaves if leaf.timestamp is not None]
        self._found = [(leaf, record) for leaf, record in found if not isinstance(record, Missing)]

    @classmethod
    def of(cls, unit: System, session: Session) -> Self:
        """The records of ``unit``; there may be none."""
        return cls(unit, session)

    def paths(self) -> Iterator[str]:
        """The metadata files."""
        yield from (record.path for _, record in self._found)

    def saying(self, pointer: str) -> Iterator[tuple[Leaf, Metadata, str]]:
        """Each timestamp folder whose record has a text at ``pointer``, with the text."""
        for leaf, record in self._found:
            value: Any = record.get(pointer) if record.fault is None else None
            if isinstance(value, str) and value.strip():
                yield leaf, record, value.strip()


@rule("2.1.9", "identicalSystemConfig", Level.WARNING)
def runs_stand_where_they_were_made(system: System, records: Records) -> Outcome:
    """Each run records the system, the submitter and the division under which its results stand.

    Why: Runs of another system or division that were put here show something else than the name says.
    Mend: If the name was changed after the run, tell the reviewers; else put the results where they belong.
    Contested: The document does not ask for it, and names have been changed for good reasons; hence a warning.
    """
    places = {
        "/args/systemname": ("system", system.name),
        "/args/orgname": ("submitter", system.submitter.name),
        "/args/mode": ("division", "closed" if system.closed else "open"),
    }
    for pointer, (what, here) in places.items():
        others: dict[str, list[Metadata]] = {}
        for _, record, said in records.saying(pointer):
            if here not in (said, _UNPORTABLE.sub("-", said)):
                others.setdefault(said, []).append(record)
        for said, found in others.items():
            yield found[0].finding(pointer, *_elsewhere(system, what, said, found))


def _elsewhere(system: System, what: str, said: str, found: list[Metadata]) -> tuple[str, str]:
    here = {"system": system.shown, "submitter": system.submitter.shown, "division": system.submitter.division.shown}
    folders = named(system, found, "timestamp folder")
    message = f"The {what} `{here[what]}` holds {folders} recorded for the {what} `{shortened(said)}`."
    return message, f"If the {what} was renamed, tell the reviewers; else put the results where they belong."


@rule("2.1.9", "identicalSystemConfig", Level.WARNING)
def runs_are_of_their_model(system: System, records: Records) -> Outcome:
    """Each run records the model under whose name its results stand; a vector database has none.

    Why: Results that are copied to another model's folder are published as that model's.
    Mend: Put the results where they belong.
    Contested: The document does not ask for it; hence a warning. Every published record names the model of its folder.
    """
    others: dict[tuple[str, str], list[Metadata]] = {}
    for leaf, record, said in records.saying("/model"):
        here = leaf.workload.name
        if leaf.workload.benchmark not in (VECTOR_DATABASE, here) and _plain(said) != _plain(here):
            others.setdefault((here, said), []).append(record)
    for (here, said), found in others.items():
        folders = named(system, found, "timestamp folder")
        message = f"The model `{shown(here)}` holds {folders} recorded for the model `{shortened(said)}`."
        yield found[0].finding("/model", message, "Put the results where they belong.")


def _plain(model: str) -> str:
    """A model's name whatever its case and however its parts are put together."""
    return "".join(filter(str.isalnum, model.casefold()))


@rule("2.1.9", "identicalSystemConfig", Level.WARNING)
def runs_stand_under_their_own_time(system: System, records: Records) -> Outcome:
    """Each timestamp folder holds the record of the invocation that its name tells of.

    Why: A folder that is copied or renamed shows one invocation as another, and gaps between runs are told by names.
    Mend: Give the folder the name that the tool gave it, or put in the files of the run that it should hold.
    Contested: The document does not ask for it; hence a warning. Every published record has the time of its folder.
    """
    others = [(record, said) for leaf, record, said in records.saying("/run_datetime") if said != leaf.name]
    if others:
        (first, said), *_ = others
        folders = named(system, [record for record, _ in others], "timestamp folder")
        recorded = f"recorded as of `{shortened(said)}`" if len(others) == 1 else "recorded as of other times"
        hint = "Give each folder the name that the tool gave it, or put in the files of its own run."
        yield first.finding("/run_datetime", f"The system holds {folders} {recorded}.", hint)


@rule("2.1.6", "codeDirectoryContents", Level.WARNING)
def pointers_agree_with_records(system: System, code: CodeUse, records: Records) -> Outcome:
    """The pointer of a timestamp folder names the code image that the tool recorded when it ran.

    Why: A pointer written by hand shows code that may not be what ran.
    Mend: Restore the pointer as the tool wrote it, with the image that it names.
    Contested: The document does not ask for it, and older tools record no image; hence a warning.
    """
    others: dict[tuple[str, str], list[Leaf]] = {}
    for leaf, _, said in records.saying(POOL_HASH):
        pointed = _sound(code, leaf)
        if pointed is not None and pointed.hash != said:
            others.setdefault((pointed.hash, said), []).append(leaf)
    for (hash, said), leaves in others.items():
        yield _other_code(hash, said, leaves)


def _sound(code: CodeUse, leaf: Leaf) -> Pointed | None:
    """What the pointer of ``leaf`` names, where it names an image that is there; anything else is told already."""
    pointer = code.pointer(leaf)
    pointed = pointer.pointed if pointer is not None else None
    image = code.image(leaf, pointed) if pointed is not None else None
    if pointed is None or image is None or code.recorded(image) not in (None, pointed.hash):
        return None
    return pointed


def _other_code(hash: str, said: str, leaves: list[Leaf]) -> Finding:
    where = "the metadata" if len(leaves) == 1 else f"the metadata of {counted(len(leaves), 'timestamp folder')}"
    message = f"The pointer names the code {hash}, {where} recorded {shortened(said, 40)}."
    return leaves[0].finding(
        message, "Restore the pointer as the tool wrote it, and add the image it names.", at=POINTER
    )
