"""Editions: the limits, tables and levels of a rules document, as data with the section each comes from.

A file ``editions/<name>.yaml`` may build on another (``extends``); its own entries replace the other's, mapping by
mapping.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any, Self

import yaml

from checks.findings import Level


class UnknownEdition(ValueError):
    """No edition of that name; the message lists those there are."""


@dataclass(frozen=True)
class Edition:
    """One edition: ``edition["training"]["steps_per_epoch"]``. ``levels`` are those that differ from the rules' own."""

    name: str
    title: str
    data: Mapping[str, Any] = field(repr=False)
    levels: Mapping[str, Level] = field(repr=False)

    def __getitem__(self, key: str) -> Any:
        return self.data[key]

    @classmethod
    def of(cls, unit: Any, session: Any) -> Self:
        """The edition of the check (an input that is always there)."""
        found: Self = session.edition
        return found


def editions(package: str) -> list[str]:
    """The names of the editions that ``package`` (``checks.storage``) ships, oldest first."""
    folder = resources.files(package) / "editions"
    return sorted(item.name.removesuffix(".yaml") for item in folder.iterdir() if item.name.endswith(".yaml"))


@cache
def load(package: str, name: str) -> Edition:
    """The edition ``name`` of ``package``. Raises UnknownEdition."""
    known = editions(package)
    if name not in known:
        raise UnknownEdition(f"there is no edition {name!r}; there are {', '.join(known)}")
    data = _merged(package, name)
    levels = {rule: Level(level) for rule, level in data.pop("levels", {}).items()}
    return Edition(name, data.pop("title"), data, levels)


def _merged(package: str, name: str) -> dict[str, Any]:
    text = (resources.files(package) / "editions" / f"{name}.yaml").read_text(encoding="utf-8")
    own: dict[str, Any] = yaml.load(text, Loader=yaml.CSafeLoader)
    below = own.pop("extends", None)
    return _over(_merged(package, below), own) if below else own


def _over(below: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    merged = dict(below)
    for key, value in own.items():
        known = merged.get(key)
        merged[key] = _over(known, value) if isinstance(known, dict) and isinstance(value, dict) else value
    return merged
