"""Rules 5.2.1 and 5.2.2: the load of a vector-database workload, which filled and indexed what the runs query."""

from __future__ import annotations

from functools import partial

from checks.edition import Edition
from checks.findings import Level
from checks.rules import Each, Outcome, Present
from checks.storage.book import rule
from checks.storage.inputs import DatagenMetadata, DatagenSummary, Metadata, Summary
from checks.storage.runs import beside, each_run
from checks.storage.terms import DATAGEN
from checks.storage.vdb_inputs import RunConfig, figure, word
from checks.storage.workloads import VectorDatabaseWorkload
from checks.units import counted, listed

_AS_WRITTEN = "Restore summary.json as the benchmark tool wrote it; don't fill figures in by hand."
_OTHER_LOAD = "Put in the record of the load that was queried, or run again on what was loaded."


@rule("5.2.1", "vdbCollectionPopulated")
def vdb_load_recorded(workload: VectorDatabaseWorkload, edition: Edition) -> Outcome:
    """A load (`datagen`) is on record with its summary.json.

    Why: Without it nothing shows how many vectors the queried collection holds and how it was indexed.

    Mend: Add the datagen folder of the load that filled the queried collection.

    Contested: The v3.0 round took a missing load summary as a warning, since the single-node launcher writes none.
    """
    level = Level(edition["vector_database"]["absent_load"])
    loads = workload.of_phase(DATAGEN)
    lacking = [load.name for load in loads if "summary.json" not in load.files]
    if not loads:
        message = "No load is on record: there is no timestamp folder in `datagen`."
        hint = "Add the datagen folder of the load that filled the queried collection."
        yield workload.finding(message, hint, DATAGEN, level)
    elif lacking:
        yield workload.finding(
            f"{counted(len(lacking), 'load')} without summary.json: {listed(lacking)}; "
            "it records how many vectors were inserted and which index was built.",
            "Add the summary.json that the load wrote.",
            f"{DATAGEN}/{lacking[0]}",
            level,
        )


@rule("5.2.1", "vdbCollectionPopulated")
def vdb_collection_populated(
    workload: VectorDatabaseWorkload, loads: Each[DatagenSummary], summaries: Present[Summary]
) -> Outcome:
    """The number of vectors that the load inserted is the number declared for the scale.

    Why: A smaller collection is faster to search.

    Mend: Load the collection again, completely, and repeat the runs.

    Contested: The document says "must equal" and "fail validation on a shortfall"; only a shortfall fails.
    """
    del workload
    queried = max((found[1] for summary in summaries if (found := figure(summary, "/num_vectors"))), default=0)
    yield from each_run(loads, partial(_populated, queried))
    yield from each_run(summaries, _holds_all)


def _holds_all(summary: Summary) -> Outcome:
    """A run's summary may tell what its collection held, too."""
    declared, inserted = figure(summary, "/num_vectors"), figure(summary, "/inserted_vectors")
    if declared and inserted and inserted[1] < declared[1]:
        short = declared[1] - inserted[1]
        message = f"The collection held {inserted[1]:,} vectors, {short:,} short of the {declared[1]:,} declared."
        hint = "Load the collection again, completely, and repeat the runs."
        yield summary.finding(inserted[0], message, hint)


def _populated(queried: float, load: DatagenSummary) -> Outcome:
    declared, inserted = load.number("/num_vectors", text_ok=True), load.number("/inserted_vectors", text_ok=True)
    wanted = max(declared, queried)
    if inserted < wanted:
        whose = "declared" if declared == wanted else "that the runs record"
        yield load.finding(
            "/inserted_vectors",
            f"The load inserted {inserted:,} vectors, {wanted - inserted:,} short of the {wanted:,} {whose}.",
            "Load the collection again, completely, and repeat the runs.",
        )


@rule("5.2.2", "vdbIndexBuildCompleted")
def vdb_index_build_completed(
    workload: VectorDatabaseWorkload, loads: Each[DatagenSummary], summaries: Each[Summary], configs: Present[RunConfig]
) -> Outcome:
    """The load records the index that it built, and every run used an index of that type.

    Why: An index that is still being built, or another one, is not what the run is said to measure.

    Mend: Put in the record of the load whose index was queried, or run again.
    """
    for load in loads:
        if (built := word("/index_type", load)) is None:
            message = "The load does not record `index_type`; nothing shows that an index was built."
            yield load.finding("/index_type", message, _AS_WRITTEN)
        else:
            yield from each_run(summaries, partial(_same_index, load, built[1], configs, not workload.closed))


def _same_index(
    load: DatagenSummary, built: str, configs: Present[RunConfig], tell_absent: bool, summary: Summary
) -> Outcome:
    """``tell_absent`` is false in CLOSED, where 5.6.3 tells of a run that does not record its index type."""
    used = word("/index_type", summary, beside(summary, configs))
    if used is None and tell_absent:
        message = "The run does not record `index_type`; it can't be compared with the load's."
        yield summary.finding("/index_type", message, _AS_WRITTEN)
    elif used is not None and used[1] != built:
        message = f"The run used the index type {listed([used[1]])}; the load `{load.leaf}` built {listed([built])}."
        yield used[0].finding("/index_type", message, _OTHER_LOAD)


@rule("5.2.2", "vdbIndexBuildCompleted", level=Level.WARNING)
def vdb_same_collection(
    workload: VectorDatabaseWorkload, loads: Each[DatagenMetadata], runs: Each[Metadata]
) -> Outcome:
    """The runs query a collection that a load on record filled.

    Why: Another collection's name means that size and index of the queried collection are not on record. The document
    does not say it in so many words, hence a warning.

    Mend: Add the load of the queried collection in place of the other.
    """
    del workload
    loaded = [found[1] for load in loads if (found := word("/args/collection", load))]
    if loaded:
        yield from each_run(runs, partial(_loaded_collection, loaded))


def _loaded_collection(loaded: list[str], run: Metadata) -> Outcome:
    queried = word("/args/collection", run)
    if queried is not None and queried[1] not in loaded:
        message = f"The run queried the collection {listed([queried[1]])}; the loads on record filled {listed(loaded)}."
        yield run.finding("/args/collection", message, "Put in the record of the load that filled it.")
