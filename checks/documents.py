"""JSON and YAML documents of a submission: read strictly, typed on access, located by line when a finding needs it.

A rule asks for a document by its class (:mod:`checks.rules`). What can't be read at all is a finding with an
``input.…`` id, made once for the file; a value that a rule needs and that is absent or of the wrong type raises
:class:`Unusable`, which the engine turns into a finding of that rule at that line. So nothing passes because
something was missing.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import Any, Self

from checks import json_text, names, plain_yaml, yaml_text
from checks.file_text import LFS_HEADER, PRUNED, text_of
from checks.json_text import Repeated, TextFault
from checks.tree import TooLarge, Tree
from checks.typed_values import TypedValues
from checks.unjudged import NotJudged, Unreadable, Unusable
from checks.values import described, number_in, shortened

__all__ = [
    "LFS_HEADER",
    "PRUNED",
    "Document",
    "JsonDocument",
    "NotJudged",
    "TextDocument",
    "Unreadable",
    "Unusable",
    "YamlDocument",
    "described",
    "number_in",
    "shortened",
    "text_of",
]


class Document(TypedValues):
    """One file of the tree with structured content, read on first use and once."""

    def __init__(self, tree: Tree, path: str) -> None:
        self.tree = tree
        self.path = path
        self.folder = self.folder_of(path)
        """The path of the folder it belongs to: a run's document tells its run by this."""
        self._located: tuple[dict[str, int], list[Repeated]] | None = None

    def __getstate__(self) -> dict[str, Any]:
        """For another process: what was read, without the tree that it was read from."""
        return self.__dict__ | {"tree": None}

    @property
    def is_loaded(self) -> bool:
        """Whether it was read already."""
        return self._loaded

    def take(self, other: Document) -> None:
        """Takes over what ``other``, the same document in another process, has read."""
        self.__dict__.update(other.__dict__, tree=self.tree)

    @staticmethod
    def folder_of(path: str) -> str:
        """The path of the folder that the document at ``path`` belongs to: here the one it lies in."""
        return names.parent(path)

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

    @abstractmethod
    def _load(self) -> None:
        """Reads the content, or finds the fault."""

    @abstractmethod
    def _locate(self) -> tuple[dict[str, int], list[Repeated]]:
        """The line of each value by its pointer, and the names given twice."""

    @property
    @abstractmethod
    def repeated(self) -> list[Repeated]:
        """Names given twice in one object."""

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


class ParsedDocument(Document):
    """A file that is read whole and must be text of a certain syntax."""

    def _load(self) -> None:
        try:
            raw = self.tree.read(self.path)
        except TooLarge as error:
            hint = "Check that this is the right file; documents of this kind are far smaller."
            self._fault = TextFault("input.too-large", f"The file can't be read whole: {error}.", hint)
            return
        text, self._fault = text_of(raw, self.mending)
        if self._fault is None:
            self._data, self._fault = self._parse(text)

    @abstractmethod
    def _parse(self, text: str) -> tuple[Any, TextFault | None]:
        """The content of ``text``, or why it has none."""


class JsonDocument(ParsedDocument):
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


class YamlDocument(ParsedDocument):
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
