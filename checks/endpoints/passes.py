"""One pass over the data set of a point: how many samples it has, and how far that is known (rules 6.4)."""

from __future__ import annotations

from typing import Final, NamedTuple

from checks.endpoints.inputs import PointConfig
from checks.endpoints.tables import EditionTables
from checks.endpoints.values import text, whole

_OVERRIDES: Final = ("/n_samples_from_dataset", "/runtime_settings/n_samples_from_dataset")


class Subset(NamedTuple):
    """A part of the data set that a point declares as its pass: where, and how many samples."""

    pointer: str
    size: int


class Pass(NamedTuple):
    """What a point.yaml says of its pass: the data set's key as declared, the published ``samples`` of that data set,
    the declared subset, and the ``size`` that counts. None: not declared, not known.
    """

    dataset: str | None
    samples: int | None
    subset: Subset | None
    size: int | None


def pass_of(config: PointConfig, tables: EditionTables) -> Pass:
    """The pass of a point. A name stands in for an absent key; a smaller subset counts at Ultra Low only."""
    dataset, subset = text(config.get("/dataset")), _subset(config)
    samples = tables.datasets.get(dataset or text(config.get("/dataset_name")) or "")
    if subset is None or subset.size < 1 or (samples is not None and not _is_ultra_low(config, tables)):
        return Pass(dataset, samples, subset, samples)
    return Pass(dataset, samples, subset, subset.size)


def _is_ultra_low(config: PointConfig, tables: EditionTables) -> bool:
    concurrency = whole(config.get("/concurrency"))
    return concurrency is not None and concurrency <= tables.limits.ultra_low_maximum


def _subset(config: PointConfig) -> Subset | None:
    for pointer in _OVERRIDES:
        if (size := whole(config.get(pointer))) is not None:
            return Subset(pointer, size)
    return None
