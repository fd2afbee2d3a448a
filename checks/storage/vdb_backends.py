"""Rules 5.6.2, 5.6.3 and 5.6.5: the databases and index types of vector-database runs in CLOSED and in OPEN."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import partial

from checks import names
from checks.documents import Document
from checks.edition import Edition
from checks.rules import Outcome, Present
from checks.storage.book import rule
from checks.storage.inputs import Metadata, Summary
from checks.storage.runs import beside, each_run
from checks.storage.terms import CLOSED, OPEN, VECTOR_DATABASE
from checks.storage.vdb_inputs import RunConfig, figures, word
from checks.storage.workloads import VectorDatabaseWorkload
from checks.units import did_you_mean, listed

Recorded = tuple[Document, str, str]
"""A document, the pointer of a value in it, and the value."""


def _recorded(places: Iterable[tuple[Document | None, Iterable[str]]]) -> list[Recorded]:
    """Everything that the records of a run say, by the pointers at which each says it."""
    return [
        (found[0], pointer, found[1])
        for document, pointers in places
        for pointer in pointers
        if (found := word(pointer, document)) is not None
    ]


def _backend(
    allowed: Collection[str], configs: Present[RunConfig], records: Present[Metadata], run: Document
) -> Outcome:
    """The database by every record of a run: none may name another than those ``allowed``."""
    own, config, record = "/database/database", beside(run, configs), beside(run, records)
    recorded = _recorded([(run, [own]), (config, [own]), (record, ["/args/vdb_engine"])])
    if not recorded:
        hint = f"Restore {run.what} as the benchmark tool wrote it."
        yield run.finding(own, "`database.database` is not recorded; the database can't be told.", hint)
    for document, pointer, name in recorded:
        if name.strip().lower() not in allowed:
            verb = "is" if len(allowed) == 1 else "are"
            message = f"The database is {listed([name])}; {listed(allowed)} {verb} allowed."
            hint = "Run again on an allowed database."
            yield document.finding(pointer, message + did_you_mean(name, allowed), hint)
            return  # the other records of a run say the same, or are told of once this is mended


@rule("5.6.2", "vdbClosedDatabaseBackend")
def vdb_closed_backend(
    workload: VectorDatabaseWorkload,
    *,
    summaries: Present[Summary],
    configs: Present[RunConfig],
    records: Present[Metadata],
    edition: Edition,
) -> Outcome:
    """A CLOSED submission runs on Milvus.

    Why: CLOSED compares storage, so the database is the same for all.

    Mend: Run again on Milvus, or submit to OPEN.

    Contested: Beside summary.json and config.json, which the document names, the tool's argument `vdb_engine` counts:
    whichever of them records another database fails the run.
    """
    if not workload.closed:
        return
    allowed = edition["vector_database"]["backends"][CLOSED]
    findings = list(each_run(figures(summaries, configs, records), partial(_backend, allowed, configs, records)))
    yield from findings
    engine = names.basename(names.parent(workload.path))
    if not findings and engine not in (VECTOR_DATABASE, *allowed):
        message = f"The results stand in {listed([engine])}; the runs and CLOSED are of {listed(allowed)}."
        yield workload.finding(message, "Move them to the folder of the database that they were run on.")


@rule("5.6.3", "vdbClosedIndexTypes")
def vdb_closed_index_types(
    workload: VectorDatabaseWorkload,
    *,
    summaries: Present[Summary],
    configs: Present[RunConfig],
    records: Present[Metadata],
    edition: Edition,
) -> Outcome:
    """A CLOSED submission uses one of the three index types DISKANN, HNSW and AISAQ: as the folder's name, in upper
    case, and in the runs' own record alike.

    Why: Other index types trade accuracy and memory so differently that results can't be compared.

    Mend: Run again with one of the three, or submit to OPEN; rename a folder that is only misspelt.

    Contested: Beside `index_type` of summary.json and config.json the tool's argument `vdb_index` counts: whichever of
    them records another index type fails the run.
    """
    if workload.closed:
        allowed = edition["vector_database"]["index_types"]
        judge = partial(_index_type, workload.index_type, allowed, configs, records)
        yield from each_run(figures(summaries, configs), judge)


@rule("5.6.3", "vdbClosedIndexTypes")
def vdb_closed_index_folder(workload: VectorDatabaseWorkload, edition: Edition) -> Outcome:
    """The folder of a CLOSED index type has the name of one of the three, in upper case.

    Why: The name is what tables and tools look for.

    Mend: Rename a folder that is misspelt; submit another index type to OPEN.
    """
    allowed = edition["vector_database"]["index_types"]
    if workload.closed and workload.index_type not in allowed:
        message = f"{listed([workload.index_type])} is not one of the index types of CLOSED: {listed(allowed)}."
        hint = did_you_mean(workload.index_type, allowed).strip() or "Submit it to OPEN."
        yield workload.finding(message, f"{hint} Names are case-sensitive.")


def _index_type(
    folder: str, allowed: Collection[str], configs: Present[RunConfig], records: Present[Metadata], run: Document
) -> Outcome:
    own = "/index_type"
    recorded = _recorded([(run, [own]), (beside(run, configs), [own])])
    if not recorded:
        message = "The run does not record `index_type`; nothing shows that CLOSED permits it."
        yield run.finding(own, message, f"Restore {run.what} as the benchmark tool wrote it.")
        return
    recorded += _recorded([(beside(run, records), ["/args/vdb_index"])])
    for document, pointer, used in recorded:
        if used not in allowed:
            message = f"The index type is {listed([used])}; CLOSED permits {listed(allowed)}."
            yield document.finding(pointer, message + did_you_mean(used, allowed), "Submit it to OPEN.")
            return
        if used != folder:
            message = f"The index type is {listed([used])}; the results stand in the folder {listed([folder])}."
            yield document.finding(pointer, message, "Move the run to the folder of its index type.")
            return


@rule("5.6.5", "vdbOpenSubmissionParameters")
def vdb_open_backend(
    workload: VectorDatabaseWorkload,
    *,
    summaries: Present[Summary],
    configs: Present[RunConfig],
    records: Present[Metadata],
    edition: Edition,
) -> Outcome:
    """An OPEN submission runs on one of the supported databases.

    Why: The tool measures no other.

    Mend: Run again on a supported database, or have it added by the working group.
    """
    if not workload.closed:
        allowed = edition["vector_database"]["backends"][OPEN]
        yield from each_run(figures(summaries, configs, records), partial(_backend, allowed, configs, records))
