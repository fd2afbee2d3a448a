"""Rules on what texts give away: keys and passwords in logs, names of people in paths."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, cached_property
from typing import ClassVar, Self

from checks import names
from checks.entries import Recorded
from checks.findings import Finding
from checks.hygiene.limits import limits, matches
from checks.hygiene.secret_marks import secrets_in
from checks.rules import Outcome
from checks.session import Session
from checks.tree import Entry, Kind, TooLarge
from checks.units import counted, listed


class Texts:
    """Texts of an invocation, or of several, read up to the cap for logs; of copies in one folder one."""

    what = "logs and records"
    kinds: ClassVar[tuple[str, ...]] = ("logs", "records")

    def __init__(self, unit: Recorded, session: Session) -> None:
        self.unit = unit
        self.tree = unit.tree
        self._session = session

    @classmethod
    def of(cls, unit: Recorded, session: Session) -> Self:
        """Those of ``unit``; there may be none."""
        return session.keep((cls, unit.path), lambda: cls(unit, session))

    def paths(self) -> Iterator[str]:
        """The files."""
        return iter(self._paths)

    @cached_property
    def _paths(self) -> list[str]:
        patterns = tuple(pattern for kind in self.kinds for pattern in getattr(limits(), kind))
        files = self._session.derive((Texts, "files", self.unit.path), lambda: list(self._files()))
        matching = ((path, entry) for path, entry in files if matches(entry.name, patterns))
        return list({(names.parent(path), entry.oid or path): path for path, entry in matching}.values())

    def _files(self) -> Iterator[tuple[str, Entry]]:
        try:
            for path, entry in self.tree.walk(self.unit.path):
                if entry.kind is Kind.FILE:
                    yield path, entry
        except TooLarge:  # told by input.too-large; the texts up to there are scanned
            return

    def __iter__(self) -> Iterator[tuple[str, bytes]]:
        for path in self._paths:
            yield path, self.tree.head(path, self.tree.limits.log_bytes)


class Records(Texts):
    """Metadata and configuration of an invocation."""

    what = "metadata and configuration"
    kinds = ("records",)


def secrets(unit: Recorded, texts: Texts) -> Outcome:
    """No key, token or password stands in a log or a record.

    Why: The repository is public, and stays so in its history: what is printed once is known for good.
    Mend: Revoke the key or change the password first, then replace it in the file by `REDACTED` and tell the organisers
    that the file was edited.
    """
    for path, content in texts:
        yield from secrets_of(path, content)


def secrets_of(path: str, content: bytes) -> Iterator[Finding]:
    """A finding for each kind of secret in the content of a file; none of them shows it."""
    by_kind: dict[str, list[tuple[int, str]]] = {}
    for secret in secrets_in(content):
        by_kind.setdefault(secret.kind, []).append((secret.line, secret.hint_of_value))
    for kind, places in by_kind.items():
        lines = sorted({line for line, _ in places})
        more = f" here and on {counted(len(lines) - 1, 'more line')}" if len(lines) > 1 else " here"
        message = f"What looks like a secret ({kind}{min(places)[1]}) is printed{more}."
        hint = "Revoke it first: the history keeps it. Then put REDACTED in its place and tell the organisers."
        yield Finding(path, message, hint, lines[0])


_ACCOUNT = r"([A-Za-z0-9][A-Za-z0-9._-]*)"


@cache
def _homes() -> tuple[tuple[bytes, ...], re.Pattern[bytes]]:
    """The folders that hold home folders, and what finds an account in one of them."""
    folders = limits().home_folders
    pattern = re.compile(f"(?:{'|'.join(map(re.escape, folders))}){_ACCOUNT}".encode())
    return tuple(folder.encode() for folder in folders), pattern


def _accounts(content: bytes) -> set[str]:
    folders, pattern = _homes()
    if not any(folder in content for folder in folders):
        return set()
    return {account.decode() for account in pattern.findall(content)}


def home_folders(unit: Recorded, records: Records) -> Outcome:
    """Metadata and configuration name no home folder of a person.

    Why: Paths give user names away; nobody needs them to read a result.
    Mend: Nothing has to be done; run the benchmark from a neutral folder next time.
    """
    people: set[str] = set()
    files = 0
    for _, content in records:
        found = _accounts(content) - limits().impersonal
        people |= found
        files += bool(found)
    if people:
        message = f"Metadata and configuration name the home folder of {listed(sorted(people), 3)}."
        hint = "Nothing has to be done; next time run the benchmark from a neutral folder."
        yield Finding(unit.whole.path, message, hint, cause="home folders", count=files)
