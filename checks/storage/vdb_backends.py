"""Rules 5.6.2, 5.6.3 and 5.6.5: the databases and index types of vector-database runs in CLOSED and in OPEN."""

from __future__ import annotations

from collections.abc import Collection
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


def _backend_of(run: Document, configs: Present[RunConfig], records: Present[Metadata]) -> tuple[Document, str, str]:
    """The document, pointer and name of the database that a run records; the name is empty where none is."""
    if found := word("/database/database", run, beside(run, configs)):
        return found[0], "/database/database", found[1]
    if found := word("/args/vdb_engine", beside(run, records)):
        return found[0], "/args/vdb_engine", found[1]
    return run, "/database/database", ""


def _backend(
    allowed: Collection[str], configs: Present[RunConfig], records: Present[Metadata], run: Document
) -> Outcome:
    document, pointer, name = _backend_of(run, configs, records)
    if not name:
        hint = f"Restore {document.what} as the benchmark tool wrote it."
        yield document.finding(pointer, "`database.database` is not recorded; the database can't be told.", hint)
    elif name.strip().lower() not in allowed:
        message = f"The database is {listed([name])}; {listed(allowed)} {'is' if len(allowed) == 1 else 'are'} allowed."
        yield document.finding(pointer, message + did_you_mean(name, allowed), "Run again on an allowed database.")


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

    Contested: Where summary.json and config.json don't name the database, the tool's argument `vdb_engine` is taken.
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
    workload: VectorDatabaseWorkload, summaries: Present[Summary], configs: Present[RunConfig], edition: Edition
) -> Outcome:
    """A CLOSED submission uses one of the three index types DISKANN, HNSW and AISAQ: as the folder's name, in upper
    case, and in the runs' own record alike.

    Why: Other index types trade accuracy and memory so differently that results can't be compared.

    Mend: Run again with one of the three, or submit to OPEN; rename a folder that is only misspelt.
    """
    if workload.closed:
        allowed = edition["vector_database"]["index_types"]
        yield from each_run(figures(summaries, configs), partial(_index_type, workload.index_type, allowed, configs))


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


def _index_type(folder: str, allowed: Collection[str], configs: Present[RunConfig], run: Document) -> Outcome:
    used = word("/index_type", run, beside(run, configs))
    if used is None:
        message = "The run does not record `index_type`; nothing shows that CLOSED permits it."
        yield run.finding("/index_type", message, f"Restore {run.what} as the benchmark tool wrote it.")
    elif used[1] not in allowed:
        message = f"The index type is {listed([used[1]])}; CLOSED permits {listed(allowed)}."
        yield used[0].finding("/index_type", message + did_you_mean(used[1], allowed), "Submit it to OPEN.")
    elif used[1] != folder:
        message = f"The index type is {listed([used[1]])}; the results stand in the folder {listed([folder])}."
        yield used[0].finding("/index_type", message, "Move the run to the folder of its index type.")


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
