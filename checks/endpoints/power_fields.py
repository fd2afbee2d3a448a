"""Strict, located reading of a power document: every value that does not fit becomes a problem at its JSON pointer."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from checks.endpoints.numbers import number_fault
from checks.endpoints.power_result import Problems
from checks.endpoints.table_types import PowerTable

_NAMED: Final = 5
_SHOWN: Final = 60


@dataclass(frozen=True, slots=True)
class Fields:
    """One JSON object of a power document with its place, and where its problems go.

    A null counts as absent. A value that is present but unusable is reported and read as None: :meth:`has` tells the
    two apart.
    """

    values: Mapping[str, object]
    pointer: str
    problems: Problems
    table: PowerTable

    def at(self, key: str | int) -> str:
        """JSON pointer of a member."""
        return f"{self.pointer}/{str(key).replace('~', '~0').replace('/', '~1')}"

    def has(self, key: str) -> bool:
        """Whether the member is present and not null."""
        return self.values.get(key) is not None

    def number(self, key: str) -> float | None:
        """A finite figure from 0 to the table's plausibility bound."""
        value = self._checked(key, largest=self.table.largest_power_w)
        return None if value is None else float(value)

    def count(self, key: str) -> int | None:
        """A whole number from 0 to the table's plausibility bound; 2.0 is one, 2.5 is not."""
        value = self._checked(key, largest=self.table.largest_count, whole=True)
        return None if value is None else int(value)

    def identifier(self, key: str) -> int | None:
        """A whole number of any sign, required."""
        value = self.values.get(key)
        fault = number_fault(value, whole=True)
        if fault is None and isinstance(value, int | float):
            return int(value)
        self.problems.error(self._nearest(key), f"`{key}` is {fault if self.has(key) else 'missing'}.")
        return None

    def _checked(self, key: str, *, largest: float, whole: bool = False) -> int | float | None:
        if not self.has(key):
            return None
        value = self.values[key]
        fault = number_fault(value, whole=whole)
        if fault or not isinstance(value, int | float):
            self.problems.error(self.at(key), f"`{key}` is {fault}.")
            return None
        if value < 0:
            self.problems.error(self.at(key), f"`{key}` is {value}; a negative figure is not possible.")
            return None
        if value > largest:
            self.problems.error(
                self.at(key), f"`{key}` is {value:.6g}; at most {largest:.6g} is plausible. Check the unit."
            )
            return None
        return value

    def text(self, key: str) -> str | None:
        """A non-blank text."""
        if not self.has(key):
            return None
        value = self.values[key]
        if isinstance(value, str) and value.strip():
            return value
        self.problems.error(self.at(key), f"`{key}` is {'empty' if isinstance(value, str) else 'not a text'}.")
        return None

    def choice(self, key: str, allowed: Collection[str]) -> str | None:
        """One of a closed list of words, required."""
        value = self.values.get(key)
        if isinstance(value, str) and value in allowed:
            return value
        found = f"is {value!r}" if self.has(key) else "is missing"
        self.problems.error(self._nearest(key), f"`{key}` {found}.", f"Write one of: {', '.join(allowed)}.")
        return None

    def flag(self, key: str) -> bool | None:
        """True or false, required."""
        value = self.values.get(key)
        if isinstance(value, bool):
            return value
        found = "is not true or false" if self.has(key) else "is missing; write true or false"
        self.problems.error(self._nearest(key), f"`{key}` {found}.")
        return None

    def child(self, key: str) -> Fields | None:
        """An object below this one."""
        if not self.has(key):
            return None
        value = self.values[key]
        if isinstance(value, dict):
            return Fields(value, self.at(key), self.problems, self.table)
        self.problems.error(self.at(key), f"`{key}` is not an object.")
        return None

    def children(self, key: str) -> Iterator[Fields]:
        """The objects of a list below this one; other entries are reported and left out."""
        value = self.values.get(key)
        if not isinstance(value, list):
            if value is not None:
                self.problems.error(self.at(key), f"`{key}` is not a list.")
            return
        for index, entry in enumerate(value):
            pointer = f"{self.at(key)}/{index}"
            if isinstance(entry, dict):
                yield Fields(entry, pointer, self.problems, self.table)
            else:
                self.problems.error(pointer, f"Entry {index} of `{key}` is not an object.")

    def report_unknown(self, known: Collection[str]) -> None:
        """One notice for the members that nothing reads, at the first of them."""
        unknown = [key for key in self.values if key not in known]
        if unknown:
            named = ", ".join(f"`{key[:_SHOWN]}`" for key in unknown[:_NAMED])
            more = f" and {len(unknown) - _NAMED} more" if len(unknown) > _NAMED else ""
            self.problems.notice(self.at(unknown[0]), f"Not fields of this place, so not read: {named}{more}.")

    def _nearest(self, key: str) -> str:
        return self.at(key) if key in self.values else self.pointer
