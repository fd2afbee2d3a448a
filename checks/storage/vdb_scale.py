"""Rules 5.1.1 and 5.1.2: the scale of a vector-database workload's dataset, at load and in every run."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from checks.documents import Document
from checks.edition import Edition
from checks.findings import Level
from checks.rules import Each, Outcome, Present
from checks.storage.book import rule
from checks.storage.inputs import DatagenSummary, Metadata, Summary
from checks.storage.runs import beside, each_run
from checks.storage.vdb_inputs import RunConfig, figure
from checks.storage.workloads import VectorDatabaseWorkload
from checks.units import listed

_AS_WRITTEN = "Restore summary.json as the benchmark tool wrote it; don't fill figures in by hand."
_OTHER_LOAD = "Put in the record of the load that was queried, or run again on what was loaded."


def _vectors(summary: Document, config: Document | None) -> float | None:
    found = figure(summary, "/num_vectors") or (figure(config, "/num_vectors") if config else None)
    return found[1] if found else None


def _dimension(summary: Document, config: Document | None) -> float | None:
    found = figure(summary, "/dimension") or (figure(config, "/dimension", "/vector_dim") if config else None)
    return found[1] if found else None


@rule("5.1.1", "vdbDatasetScale")
def vdb_dataset_scale(
    workload: VectorDatabaseWorkload, summaries: Each[Summary], configs: Present[RunConfig], edition: Edition
) -> Outcome:
    """Every run records `num_vectors` and `dimension`, in summary.json or config.json, and the two are one of the
    defined dataset scales.

    Why: Throughput and recall of collections of different size can't be compared.

    Mend: Load and query one of the defined scales; restore figures that got lost from the tool's own output.

    Contested: The document speaks of a scale table that has not been published. The two scales that the public tool
    ships are taken as defined; any other is reported at the level that the edition gives (a warning in both).
    """
    del workload
    yield from each_run(summaries, partial(_scale, configs, edition["vector_database"]))


def _scale(configs: Present[RunConfig], limits: Mapping[str, Any], summary: Summary) -> Outcome:
    config = beside(summary, configs)
    vectors, dimension = _vectors(summary, config), _dimension(summary, config)
    lacking = [name for name, value in (("num_vectors", vectors), ("dimension", dimension)) if value is None]
    if lacking:
        verb = "is" if len(lacking) == 1 else "are"
        message = f"{listed(lacking)} {verb} not given as a number; the dataset's scale can't be told."
        yield summary.finding(f"/{lacking[0]}", message, _AS_WRITTEN)
        return
    if not any((scale["vectors"], scale["dimension"]) == (vectors, dimension) for scale in limits["scales"]):
        known = ", ".join(f"{scale['vectors']:,} x {scale['dimension']:,}" for scale in limits["scales"])
        yield summary.finding(
            "/num_vectors",
            f"The dataset has {vectors:,} vectors of {dimension:,} dimensions; the defined scales are {known}.",
            "Run a defined scale, or ask the working group to define this one.",
            Level(limits["unknown_scale"]),
        )


@rule("5.1.2", "vdbDimensionConsistency")
def vdb_dimension_consistency(
    workload: VectorDatabaseWorkload,
    loads: Each[DatagenSummary],
    summaries: Each[Summary],
    configs: Present[RunConfig],
    records: Present[Metadata],
) -> Outcome:
    """The vector dimension recorded at load time equals the dimension of every run, by each record of the run:
    summary.json, config.json and the tool's argument `vector_dim`.

    Why: A collection can only be searched with vectors of its own dimension; a difference means that the load on
    record is not the one that was queried.

    Mend: Put in the record of the load that the runs queried, or run again on the loaded collection.
    """
    del workload
    for load in loads:
        if (found := figure(load, "/dimension")) is None:
            message = "The load does not record `dimension`; it can't be compared with the runs'."
            yield load.finding("/dimension", message, _AS_WRITTEN)
        else:
            yield from each_run(summaries, partial(_same_dimension, load, found[1], configs, records))


def _same_dimension(
    load: DatagenSummary, loaded: float, configs: Present[RunConfig], records: Present[Metadata], summary: Summary
) -> Outcome:
    """The first record of a run that gives another dimension than the load; what it lacks is told by 5.1.1."""
    places = (
        (summary, ("/dimension",)),
        (beside(summary, configs), ("/dimension", "/vector_dim")),
        (beside(summary, records), ("/args/vector_dim",)),
    )
    for document, pointers in places:
        found = figure(document, *pointers) if document is not None else None
        if document is not None and found is not None and found[1] != loaded:
            message = f"The run queried vectors of {found[1]:,} dimensions; the load `{load.leaf}` recorded {loaded:,}."
            yield document.finding(found[0], message, _OTHER_LOAD)
            return
