"""JSON and YAML documents of a submission: read strictly, typed on access, located by line when a finding needs it.

A rule asks for a document by its class (:mod:`checks.rules`). What can't be read at all is a finding with an
``input.…`` id, made once for the file; a value that a rule needs and that is absent or of the wrong type raises
:class:`Unusable`, which the engine turns into a finding of that rule at that line. So nothing passes because
something was missing.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, ClassVar, Self

from checks import json_text, names, plain_yaml, yaml_text
from checks.findings import Finding, Level
from checks.json_text import Repeated, TextFault
from checks.tree import TooLarge, Tree

LFS_HEADER = b"version https://git-lfs.github.com/spec/v1"
"""First line of a Git LFS pointer (git-lfs specification, version 1)."""

PRUNED = b"PRUNED BY STAFF"
"""What the v3.0 round's staff put in place of files over GitHub's size limit."""

_NUMERIC = re.compile(r"\s*[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?\s*\Z", re.ASCII)
_REQUIRED: Any = object()


class Unusable(Exception):
    """A value that a rule needs is absent or of the wrong type; carries the finding to make."""

    def __init__(self, finding: Finding) -> None:
        self.finding = finding
        super().__init__(finding.message)


class NotJudged(Exception):
    """A rule can't judge ``path`` because of what another rule reports; ``reason`` names that."""

    def __init__(self, path: str, reason: str) -> None:
        self.path, self.reason = path, reason
        super().__init__(reason)


class Unreadable(NotJudged):
    """The document as a whole can't be read; carries the fault."""

    def __init__(self, path: str, fault: TextFault) -> None:
        self.fault = fault
        super().__init__(path, f"{names.basename(path)} can't be read: {fault.message}")


class Document:
    """One file of the tree with structured content, read on first use and once."""

    what: ClassVar[str] = "document"
    """How people call this file (``summary.json``)."""

    remedy: ClassVar[str] = "Restore {what} as the benchmark tool wrote it."
    """What to do about a value that can't be used; another sentence for files that people write."""

    def __init__(self, tree: Tree, path: str) -> None:
        self.tree = tree
        self.path = path
        self._data: Any = None
        self._fault: TextFault | None = None
        self._loaded = False
        self._located: tuple[dict[str, int], list[Repeated]] | None = None

    @property
    def folder(self) -> str:
        """The path of the folder it lies in: a run's document tells its run by this."""
        return names.parent(self.path)

    @property
    def leaf(self) -> str:
        """The name of that folder (a run's timestamp), safe to show."""
        return names.shown(names.basename(self.folder))

    def paths(self) -> Iterator[str]:
        """The files whose content this input needs."""
        yield self.path

    @property
    def data(self) -> Any:
        """The parsed content. Raises Unreadable."""
        if (not self._loaded or self._fault is not None) and (fault := self.fault) is not None:
            raise Unreadable(self.path, fault)
        return self._data

    @property
    def fault(self) -> TextFault | None:
        """Why the content can't be read; None when it can."""
        if not self._loaded:
            self._load()
            self._loaded = True
        return self._fault

    def _load(self) -> None:
        try:
            raw = self.tree.read(self.path)
        except TooLarge as error:
            hint = "Check that this is the file the tool wrote; documents of this kind are far smaller."
            self._fault = TextFault("input.too-large", f"The file can't be read whole: {error}.", hint)
            return
        text, self._fault = text_of(raw)
        if self._fault is None:
            self._data, self._fault = self._parse(text)

    def _parse(self, text: str) -> tuple[Any, TextFault | None]:
        raise NotImplementedError

    def _locate(self) -> tuple[dict[str, int], list[Repeated]]:
        raise NotImplementedError

    @property
    def repeated(self) -> list[Repeated]:
        """Names given twice in one object."""
        raise NotImplementedError

    def _places(self) -> tuple[dict[str, int], list[Repeated]]:
        if self._located is None:
            self._located = self._locate()
        return self._located

    def line_of(self, pointer: str = "") -> int | None:
        """The line of the value at ``pointer``, or of the nearest value above it; None when the file can't be read."""
        if self.fault is not None:
            return self.fault.line
        lines = self._places()[0]
        while pointer and pointer not in lines:
            pointer = pointer.rpartition("/")[0]
        return lines.get(pointer, 1)

    def finding(
        self,
        pointer: str,
        message: str,
        hint: str | None = None,
        level: Level | None = None,
        cause: str | None = None,
    ) -> Finding:
        """A finding at the line of the value at ``pointer`` (JSON pointer, ``""`` the whole document)."""
        return Finding(self.path, message, hint, self.line_of(pointer), level, cause)

    def get(self, pointer: str, default: Any = None) -> Any:
        """The value at a JSON pointer, of whatever type; ``default`` when it is absent. Raises Unreadable."""
        value = self._data if self._loaded and self._fault is None else self.data
        for part in _parts(pointer):
            if isinstance(value, dict):
                value = value.get(part, _REQUIRED)
                if value is _REQUIRED:
                    return default
            elif isinstance(value, list) and part.isdecimal() and int(part) < len(value):
                value = value[int(part)]
            else:
                return default
        return value

    def has(self, pointer: str) -> bool:
        """Whether a value, also null, stands at ``pointer``."""
        return self.get(pointer, _REQUIRED) is not _REQUIRED

    def number(self, pointer: str, default: Any = _REQUIRED, *, text_ok: bool = False) -> Any:
        """The number at ``pointer``: int or float, never a boolean, never NaN.

        ``text_ok`` also takes a number written as text (``"148000"``), as the tool writes parameters. Absent or null
        gives ``default``; without one, and for any other type, raises Unusable.
        """
        value = self.get(pointer)
        if isinstance(value, str) and text_ok and (read := number_in(value)) is not None:
            return read
        if isinstance(value, int | float) and not isinstance(value, bool) and _finite(value):
            return value
        return self._otherwise(pointer, value, default, "a number")

    def integer(self, pointer: str, default: Any = _REQUIRED, *, text_ok: bool = False) -> Any:
        """The whole number at ``pointer`` (also 5.0); else as :meth:`number`."""
        value = self.number(pointer, default, text_ok=text_ok)
        if isinstance(value, float) and value.is_integer():
            return int(value)
        if isinstance(value, float):
            raise self.unusable(pointer, "a whole number")
        return value

    def text(self, pointer: str, default: Any = _REQUIRED) -> Any:
        """The text at ``pointer``; absent or null gives ``default``; else raises Unusable."""
        value = self.get(pointer)
        return value if isinstance(value, str) else self._otherwise(pointer, value, default, "text")

    def boolean(self, pointer: str, default: Any = _REQUIRED, *, text_ok: bool = False) -> Any:
        """The boolean at ``pointer``; ``text_ok`` also takes ``"True"`` and ``"false"``; else as :meth:`text`."""
        value = self.get(pointer)
        if isinstance(value, str) and text_ok and value.strip().lower() in ("true", "false"):
            return value.strip().lower() == "true"
        return value if isinstance(value, bool) else self._otherwise(pointer, value, default, "true or false")

    def mapping(self, pointer: str, default: Any = _REQUIRED) -> Any:
        """The object at ``pointer`` as a dict; else as :meth:`text`."""
        value = self.get(pointer)
        return value if isinstance(value, dict) else self._otherwise(pointer, value, default, "an object")

    def array(self, pointer: str, default: Any = _REQUIRED) -> Any:
        """The array at ``pointer`` as a list; else as :meth:`text`."""
        value = self.get(pointer)
        return value if isinstance(value, list) else self._otherwise(pointer, value, default, "a list")

    def _otherwise(self, pointer: str, value: Any, default: Any, wanted: str) -> Any:
        if value is None and default is not _REQUIRED:
            return default
        raise self.unusable(pointer, wanted)

    def unusable(self, pointer: str, wanted: str) -> Unusable:
        """The exception to raise when the value at ``pointer`` is not ``wanted`` (``"a number"``)."""
        if self.has(pointer):
            message = f"{_named(pointer)} is {described(self.get(pointer))}; {wanted} is required."
        else:
            pointer, wanted = self._first_absent(pointer, wanted)
            message = f"{_named(pointer)} is missing; {wanted} is required here."
            if self.has(pointer):
                message = f"{_named(pointer)} is {described(self.get(pointer))}; {wanted} is required."
        finding = self.finding(pointer, message, self.remedy.format(what=self.what))
        return Unusable(replace(finding, needed=True))

    def _first_absent(self, pointer: str, wanted: str) -> tuple[str, str]:
        """What keeps a value from being at ``pointer``: the nearest thing above it that is absent or no object."""
        above = pointer.rpartition("/")[0]
        if isinstance(self.get(above), dict | list):
            return pointer, wanted
        return (above, "an object") if self.has(above) else self._first_absent(above, "an object")


class JsonDocument(Document):
    """A JSON file."""

    _text = ""
    _has_repeated = False

    def _parse(self, text: str) -> tuple[Any, TextFault | None]:
        value, fault, self._has_repeated = json_text.parse(text)
        self._text = text
        return value, fault

    def _locate(self) -> tuple[dict[str, int], list[Repeated]]:
        return json_text.locate(self._text)

    @property
    def repeated(self) -> list[Repeated]:
        """Names given twice in one object."""
        return self._places()[1] if self.fault is None and self._has_repeated else []


class YamlDocument(Document):
    """A YAML file of one document."""

    _source: yaml_text.Source | None = None

    def _parse(self, text: str) -> tuple[Any, TextFault | None]:
        if (plain := plain_yaml.read(text)) is not None:
            self._source = yaml_text.Source(text, repeated=False)
            return plain, None
        value, self._source, fault = yaml_text.parse(text)
        return value, fault

    def _locate(self) -> tuple[dict[str, int], list[Repeated]]:
        return yaml_text.locate(self._source)

    @property
    def repeated(self) -> list[Repeated]:
        """Keys given twice in one mapping."""
        if self.fault is not None or not yaml_text.has_repeated_keys(self._source):
            return []
        return self._places()[1]


class TextDocument(Document):
    """A log or another text file, read up to ``limits.log_bytes`` and never refused for its encoding."""

    truncated = False

    def _load(self) -> None:
        cap = self.tree.limits.log_bytes
        raw = self.tree.head(self.path, cap + 1)
        self.truncated = len(raw) > cap
        self._data = raw[:cap].decode("utf-8", "replace")

    def lines(self) -> Iterator[tuple[int, str]]:
        """Line numbers from 1 and lines without their ends; what a carriage return overwrites has the same number."""
        for number, line in enumerate(self.data.split("\n"), start=1):
            yield from ((number, part) for part in line.removesuffix("\r").split("\r"))

    @property
    def repeated(self) -> list[Repeated]:
        """A text has no names."""
        return []

    def _locate(self) -> tuple[dict[str, int], list[Repeated]]:
        return {}, []

    @classmethod
    def over(cls, tree: Tree, path: str) -> Self:
        """The text at ``path``."""
        return cls(tree, path)


def _named(pointer: str) -> str:
    """A pointer as a message names its value."""
    return f"`{shortened('.'.join(_parts(pointer)))}`" if pointer else "The document"


@lru_cache(maxsize=4096)
def _parts(pointer: str) -> tuple[str, ...]:
    """The names that a JSON pointer leads through; rules ask for the same few pointers of every document."""
    return tuple(part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:])


def text_of(raw: bytes) -> tuple[str, TextFault | None]:
    """A document's bytes as text, or why they are none: an LFS pointer, a placeholder, another encoding, empty."""
    if raw.startswith(LFS_HEADER):
        hint = "Commit the file itself: take its pattern out of .gitattributes, then `git add --renormalize`."
        return "", TextFault("input.lfs-pointer", "The content is not in git: this is a Git LFS pointer.", hint, 1)
    if raw.strip() == PRUNED:
        hint = "Commit the file as the benchmark tool wrote it; only staff replaces files."
        return "", TextFault("input.pruned", "A placeholder stands in place of the file (PRUNED BY STAFF).", hint, 1)
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        hint = "Save the file as UTF-8 without a byte-order mark."
        return "", TextFault("input.encoding", "The file is UTF-16, UTF-8 is required.", hint, 1)
    if (at := raw.find(b"\0")) >= 0:
        message = f"The file holds a NUL byte (offset {at:,}): it is UTF-16, binary, or was cut short by a crash."
        hint = "Restore the file as the benchmark tool wrote it, as UTF-8."
        return "", TextFault("input.encoding", message, hint, raw.count(b"\n", 0, at) + 1)
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        message = f"Byte 0x{raw[error.start]:02x} at offset {error.start:,} is not UTF-8."
        return "", TextFault("input.encoding", message, "Save the file as UTF-8.", line)
    if text.startswith("\ufeff"):
        message = "The file begins with a byte-order mark (BOM); strict JSON and YAML readers refuse it."
        return "", TextFault("input.encoding", message, "Save the file as UTF-8 without a byte-order mark.", 1)
    if not text.strip():
        hint = "Restore the file as the benchmark tool wrote it."
        return "", TextFault("input.empty", "The file is empty.", hint, None)
    return text, None


def _finite(value: int | float) -> bool:
    """Neither infinite nor NaN nor, as YAML can spell it, a whole number that no float can hold."""
    return abs(value) <= sys.float_info.max


def number_in(text: str) -> float | int | None:
    """The number within a double's range that ``text`` spells, None when it spells none."""
    if len(text) > json_text.MAX_DIGITS or not _NUMERIC.match(text):
        return None
    found = float(text)
    if not math.isfinite(found):
        return None
    return int(text) if text.strip().lstrip("+-").isdecimal() else found


def described(value: Any) -> str:
    """A value as people read it in a message: kind and, when short, content."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return f"the number {shortened(str(value), 24)}"
    if isinstance(value, str):
        return f'the text "{shortened(value)}"'
    if isinstance(value, Mapping):
        return "an object"
    return "a list" if isinstance(value, Sequence) else type(value).__name__


def shortened(text: str, limit: int = 80) -> str:
    """``text`` safe to show, cut to ``limit`` characters."""
    safe = names.shown(text)
    return safe if len(safe) <= limit else safe[: limit - 1] + "…"
