"""Values of a document by JSON pointer, each asked for by its type, so that nothing passes because it was missing."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from dataclasses import replace
from functools import cache
from typing import Any, ClassVar

from checks.findings import Finding, Level
from checks.json_text import TextFault
from checks.unjudged import Unusable
from checks.values import described, is_finite, number_in, shortened

_REQUIRED: Any = object()


class TypedValues(ABC):
    """What a document offers its rules; where its content comes from, and where a value stands, a document says."""

    what: ClassVar[str] = "document"
    """How people call this file (``summary.json``)."""

    remedy: ClassVar[str] = "Restore {what} as the benchmark tool wrote it."
    """What to do about content that can't be used; another sentence for files that people write."""

    _data: Any = None
    _fault: TextFault | None = None
    _loaded = False

    path: str

    @property
    @abstractmethod
    def data(self) -> Any:
        """The parsed content. Raises Unreadable."""

    @abstractmethod
    def line_of(self, pointer: str = "") -> int | None:
        """The line of the value at ``pointer``, or of the nearest value above it; None when the file can't be read."""

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
        for part in _PARTS[pointer]:
            if type(value) is dict:
                value = value.get(part, _REQUIRED)
                if value is _REQUIRED:
                    return default
            elif type(value) is list and part.isdecimal() and int(part) < len(value):
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
        if isinstance(value, int | float) and not isinstance(value, bool) and is_finite(value):
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
        finding = self.finding(pointer, message, self.mending)
        return Unusable(replace(finding, needed=True))

    def _first_absent(self, pointer: str, wanted: str) -> tuple[str, str]:
        """What keeps a value from being at ``pointer``: the nearest thing above it that is absent or no object."""
        above = pointer.rpartition("/")[0]
        if isinstance(self.get(above), dict | list):
            return pointer, wanted
        return (above, "an object") if self.has(above) else self._first_absent(above, "an object")

    @property
    def mending(self) -> str:
        """:attr:`remedy` for this file."""
        return _mending(self.remedy, self.what)


def _named(pointer: str) -> str:
    """A pointer as a message names its value."""
    return f"`{shortened('.'.join(_PARTS[pointer]))}`" if pointer else "The document"


class _Parts(dict[str, tuple[str, ...]]):
    """The names that JSON pointers lead through; rules ask for the same few pointers of every document."""

    MOST = 1 << 12

    def __missing__(self, pointer: str) -> tuple[str, ...]:
        if len(self) >= self.MOST:
            self.clear()
        parts = (part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:])
        found = self[pointer] = tuple(map(sys.intern, parts))  # a dictionary finds the very same text without comparing
        return found


_PARTS = _Parts()


@cache
def _mending(remedy: str, what: str) -> str:
    return remedy.format(what=what)
