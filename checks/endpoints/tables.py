"""Loads the tables of an edition from ``tables/<edition>/*.yaml`` into typed, frozen objects.

A table that does not fit its type is our own fault: loading raises (KeyError, TypeError, ValueError), it never judges
a submission.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from checks.endpoints.table_types import (
    AgenticGates,
    Architecture,
    CoolingClass,
    CpuRow,
    Disclosure,
    Drafter,
    Gate,
    Limits,
    Model,
    PowerTable,
    SeedSet,
    Tables,
)
from checks.session import Session

_FOLDER = Path(__file__).with_name("tables")


@dataclass(frozen=True, slots=True)
class EditionTables(Tables):
    """The tables of the check's edition, as an input of rules."""

    @classmethod
    def of(cls, unit: Any, session: Session) -> EditionTables:
        """The tables of the session's edition (an input that is always there)."""
        return load_tables(session.edition.name)


def editions() -> tuple[str, ...]:
    """Names of the editions that there are tables for, oldest first."""
    return tuple(sorted(folder.name for folder in _FOLDER.iterdir() if folder.is_dir()))


@cache
def load_tables(edition: str) -> EditionTables:
    """The tables of ``edition`` (``2026-10``). ValueError: there is no such edition."""
    if edition not in editions():
        raise ValueError(f"unknown Endpoints edition {edition!r}; known: {', '.join(editions())}")
    models, limits = _read(edition, "models"), _read(edition, "limits")
    vocabulary, severities = _read(edition, "vocabulary"), _read(edition, "severities")
    return EditionTables(
        edition=edition,
        models={name: _model(name, row) for name, row in models["models"].items()},
        datasets=models["datasets"],
        seed_sets={row["id"]: SeedSet(**row) for row in _read(edition, "seeds")["seed_sets"]},
        drafters=tuple(Drafter(**row) for row in _read(edition, "drafters")["drafters"]),
        power=_power(_read(edition, "power")),
        limits=Limits(**{name: row["value"] for name, row in limits.items()}),
        disclosure=_disclosure(_read(edition, "disclosure")),
        vocabulary={name: frozenset(row["values"]) for name, row in vocabulary.items()},
        severities=severities["rules"],
        case_severities=severities["cases"],
        sections={name: row["section"] for name, row in (limits | vocabulary).items()},
    )


def _read(edition: str, name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.load((_FOLDER / edition / f"{name}.yaml").read_text("utf-8"), Loader=yaml.CSafeLoader)
    return loaded


def _model(name: str, row: Mapping[str, Any]) -> Model:
    agentic = row.get("agentic")
    return Model(
        name=name,
        family=row["family"],
        section=row["section"],
        minimum_samples=row.get("minimum_samples"),
        gates={metric: Gate(**bounds) for metric, bounds in row.get("gates", {}).items()},
        agentic=AgenticGates(**{**agentic, "osl_range": tuple(agentic["osl_range"])}) if agentic else None,
    )


def _power(data: Mapping[str, Any]) -> PowerTable:
    return PowerTable(
        cooling=tuple(
            CoolingClass(row["name"], re.compile(row["pattern"]), row["overhead"]) for row in data["cooling"]["classes"]
        ),
        mixed_overhead=data["cooling"]["mixed_overhead"],
        cpus=tuple(_architecture(row) for row in data["cpu_defaults"]["architectures"]),
        accelerators=data["accelerator_defaults"]["watts"],
        nic_w=data["nic_default"]["watts"],
        switches=data["switch_defaults"]["watts"],
        default_sections=tuple(data["default_sections"]),
        computed_tolerance_w=data["computed_tolerance_w"],
        computed_tolerance_kw=data["computed_tolerance_kw"],
        largest_power_w=data["largest_power_w"],
        largest_count=data["largest_count"],
    )


def _architecture(row: Mapping[str, Any]) -> Architecture:
    return Architecture(row["name"], re.compile(row["pattern"]), tuple(CpuRow(**entry) for entry in row["rows"]))


def _disclosure(data: Mapping[str, Any]) -> Disclosure:
    return Disclosure(divisions=tuple(data["divisions"]), items=data["items"])
