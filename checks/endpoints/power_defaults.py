"""Default power figures of Appendix D, where the file leaves a figure out and the component can be recognised."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from checks.endpoints.table_types import PowerTable

_CORES: Final = re.compile(r"([0-9]{1,6})[\s-]*core")
_NOT_ALPHANUMERIC: Final = re.compile(r"[^a-z0-9]")


class Default(NamedTuple):
    """A default: watts per unit and the subsection of Appendix D that it stands in."""

    watts: float
    section: str


def cpu_default(model: str | None, cores: int | None, table: PowerTable) -> Default | None:
    """D.2, by the architecture in the model name and the core count (``cores`` of the description, else the name's)."""
    lowered = (model or "").lower()
    if cores is None and (match := _CORES.search(lowered)):
        cores = int(match[1])
    architecture = next((kind for kind in table.cpus if kind.pattern.search(lowered)), None)
    if cores is None or architecture is None:
        return None
    row = next((row for row in architecture.rows if row.cores is None or cores <= row.cores), None)
    return Default(row.watts, "D.2") if row else None


def accelerator_default(model: str | None, table: PowerTable) -> Default | None:
    """D.3, by the accelerator's name."""
    squeezed = _squeezed(model)
    return next((Default(watts, "D.3") for name, watts in table.accelerators.items() if name in squeezed), None)


def nic_default(table: PowerTable) -> Default:
    """D.4, a scale-out adapter."""
    return Default(table.nic_w, "D.4")


def switch_default(model: str | None, cabling: str | None, table: PowerTable) -> Default | None:
    """D.4, a reference switch under its cabling; a pairing without a published figure has no default."""
    squeezed = _squeezed(model)
    by_cabling = next((watts for name, watts in table.switches.items() if name in squeezed), {})
    watts = by_cabling.get(cabling or "")
    return None if watts is None else Default(watts, "D.4")


def _squeezed(model: str | None) -> str:
    return _NOT_ALPHANUMERIC.sub("", (model or "").lower())
