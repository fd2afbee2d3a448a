"""Why a code image may not match its recorded hash; pure. Each guess is tested by hashing again where that can tell."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from checks import names
from checks.documents import LFS_HEADER, PRUNED
from checks.storage.tree_hash import Exclusion, Hashed, SourceFile, tree_hash, without_one
from checks.units import counted, listed

HASHED_AGAIN_BYTES = 1024**3
"""What may be hashed again to find the one file too many: about two seconds of MD5."""

BINARY_PROBE_BYTES = 8000
"""git calls a file binary when a NUL byte stands among its first 8,000 (gitattributes, "text=auto")."""


@dataclass(frozen=True)
class Facts:
    """What is known of a mismatch: the eight digits of the folder's name, the recorded hash, what was computed under
    each reading, the names of all hashed files, and the files with content (None when there is too much of it).
    """

    hash8: str | None
    recorded: str
    tried: tuple[tuple[Exclusion, Hashed], ...]
    names: frozenset[str]
    files: list[SourceFile] | None

    @property
    def readings(self) -> Iterator[tuple[Exclusion, list[SourceFile]]]:
        """Each reading with the files that it hashes."""
        for exclusion, _ in self.tried:
            yield exclusion, [file for file in self.files or () if exclusion.includes(file[0])]


def likely_causes(facts: Facts, code: Mapping[str, Any]) -> Iterator[str]:
    """Sentences, the surest first; ``code`` is the edition's part of that name. A cause that rehashing proves stands
    alone.
    """
    if not facts.names:
        yield "the image holds no source files at all"
        return
    proven = next(_proven(facts, code["stray_files"]), None)
    if proven is not None:
        yield proven
        return
    yield from _record_edited(facts)
    yield from _not_the_content(facts)
    yield from _missing(facts.names, code["upstream_files"])
    yield from _stray(facts.names, code["stray_files"])


def _proven(facts: Facts, stray: Iterable[str]) -> Iterator[str]:
    """What makes the recorded hash come out when it is undone."""
    for ends, others, change in (("LF", "CRLF", _to_lf), ("CRLF", "LF", _to_crlf)):
        files = _rehashed(facts, lambda path, content, change=change: change(content))  # type: ignore[misc]
        if files is not None:
            changed = [path for path, content in files if change(content) != content]
            yield (
                f"the line ends of {counted(len(changed), 'text file')} ({listed(changed, 3)}) were converted from "
                f"{ends} to {others}; with {ends} the recorded hash comes out"
            )
    patterns = tuple(stray)
    if _rehashed(facts, lambda path, content: None if _matches(path, patterns) else content) is not None:
        yield f"{listed(_strays(facts.names, patterns))} do not belong to the source: without them the hash matches"
    if (extra := _one_too_many(facts)) is not None:
        yield f"{listed([extra])} was added: without it the recorded hash comes out"


def _rehashed(facts: Facts, change: Callable[[str, bytes], bytes | None]) -> list[SourceFile] | None:
    """The files of the reading under which the changed files (None leaves one out) give the recorded hash."""
    for exclusion, files in facts.readings:
        changed = [(path, new) for path, content in files if (new := change(path, content)) is not None]
        if changed != files and tree_hash(changed, exclusion).hash == facts.recorded:
            return files
    return None


def _to_lf(content: bytes) -> bytes:
    return content if _is_binary(content) else content.replace(b"\r\n", b"\n")


def _to_crlf(content: bytes) -> bytes:
    return content if _is_binary(content) else _to_lf(content).replace(b"\n", b"\r\n")


def _is_binary(content: bytes) -> bool:
    return b"\0" in content[:BINARY_PROBE_BYTES]


def _one_too_many(facts: Facts) -> str | None:
    for _, files in facts.readings:
        size = sum(len(content) for _, content in files)
        if size * len(files) // 2 <= HASHED_AGAIN_BYTES and (extra := without_one(files, facts.recorded)) is not None:
            return extra
    return None


def _record_edited(facts: Facts) -> Iterator[str]:
    found = {hashed.hash[:8] for _, hashed in facts.tried}
    if facts.hash8 is not None and facts.hash8 in found and facts.hash8 != facts.recorded[:8]:
        yield "the folder's name agrees with the files, so the recorded hash was changed"


def _not_the_content(facts: Facts) -> Iterator[str]:
    pointers = [path for path, content in facts.files or () if content.startswith(LFS_HEADER)]
    if pointers:
        yield f"{listed(pointers)} are Git LFS pointers: their content is not in git"
    pruned = [path for path, content in facts.files or () if content.strip() == PRUNED]
    if pruned:
        yield f"{listed(pruned)} were replaced by a placeholder (PRUNED BY STAFF)"


def _missing(found: frozenset[str], upstream: Iterable[str]) -> Iterator[str]:
    missing = [name for name in upstream if name not in found]
    if missing:
        them = "it" if len(missing) == 1 else "them"
        yield f"{listed(missing)} {'is' if len(missing) == 1 else 'are'} missing, and the upstream source has {them}"


def _stray(found: frozenset[str], patterns: Iterable[str]) -> Iterator[str]:
    strays = _strays(found, tuple(patterns))
    if strays:
        yield f"{listed(strays)} look like leftovers of an editor or a merge"


def _strays(found: Iterable[str], patterns: tuple[str, ...]) -> list[str]:
    return sorted((path for path in found if _matches(path, patterns)), key=names.encode)


def _matches(path: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatchcase(names.basename(path), pattern) for pattern in patterns)
