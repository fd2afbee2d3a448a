"""Rules 5.4.1, 5.4.2 and 5.5.1: where a vector database keeps its data, and by which API it reaches it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from checks.edition import Edition
from checks.findings import Level
from checks.rules import Each, Outcome, Present
from checks.storage.book import rule
from checks.storage.filesystems import Evidence, Places, through_objects
from checks.storage.inputs import Metadata, Summary, SystemDescription
from checks.storage.runs import beside, each_run
from checks.storage.vdb_inputs import word
from checks.storage.workloads import VectorDatabaseWorkload
from checks.units import listed

STORED = "the vector database"
ARGUMENTS = ("storage_root", "data_dir", "vdb_data_path")
"""The tool's arguments for the folder of the data, today's name first (5.4.1); older tools had the others."""


@rule("5.4.1", "vdbPathArgs")
def vdb_path_arguments(
    workload: VectorDatabaseWorkload, records: Each[Metadata], description: SystemDescription | None
) -> Outcome:
    """The tool's arguments for the folder of the database's data (`--storage-root`) and for the folder of results and
    logs (`--results-dir`) are both set, and set to different folders. Runs by the object API need no storage root.

    Why: Logs written into the folder under test would add their own reads and writes to what is measured.

    Mend: Run again with `--storage-root` and `--results-dir` on different storage.

    Contested: In the v3.0 round an unset storage root was a warning.
    """
    del workload
    by_files = [record for record in records if not through_objects(record, description)]
    yield from each_run(by_files, lambda record: Places.of(record, STORED, ARGUMENTS).path_findings())


@rule("5.4.2", "vdbFilesystemCheck")
def vdb_filesystems(
    workload: VectorDatabaseWorkload,
    records: Each[Metadata],
    evidence: Present[Evidence],
    description: SystemDescription | None,
    edition: Edition,
) -> Outcome:
    """The run recorded that the database's data and the results lie on different filesystems.

    Why: Logs that land on the storage under test by accident skew the results.

    Mend: Run again with `--results-dir` on another filesystem than `--storage-root`. If the evidence is only missing,
    restore `fs_separation.json` as the tool wrote it.

    Contested: The document asks for the output of `df` in the log; the tool writes `fs_separation.json` instead. Either
    is taken, the file first. No evidence at all is an error in edition 2.0 and a warning in 3.0, where older tool
    versions were admitted that wrote neither.
    """
    by_files = [record for record in records if not through_objects(record, description)]
    no_evidence = Level(edition["filesystems"]["no_evidence"])
    yield from each_run(by_files, partial(_apart, workload, evidence, no_evidence))


def _apart(
    workload: VectorDatabaseWorkload, evidence: Present[Evidence], no_evidence: Level, record: Metadata
) -> Outcome:
    leaf = next(leaf for leaf in workload.runs if leaf.path == record.folder)
    places = Places.of(record, STORED, ARGUMENTS)
    yield from places.separation_findings(leaf, beside(record, evidence), no_evidence)


@rule("5.5.1", "vdbObjectStorageBackend")
def vdb_object_storage_backend(
    workload: VectorDatabaseWorkload,
    *,
    records: Each[Metadata],
    summaries: Present[Summary],
    description: SystemDescription | None,
    edition: Edition,
) -> Outcome:
    """A submission by the object API records an S3-compatible storage backend, and the recorded backend agrees with
    the API that the system's description declares.

    Why: The two APIs are compared apart; a database on a local filesystem is no result of object storage.

    Mend: Correct `benchmark_API` in the system's description, or run again on the backend that it declares.

    Contested: The document does not say which key records the backend. Taken is `database.storage_backend` of
    summary.json, else the tool's argument `storage_type`. The other way round, S3 under a declared file API, is a
    warning, since the document speaks of object-API submissions.
    """
    del workload
    yield from each_run(records, partial(_backend, summaries, description, edition["vector_database"]))


def _backend(
    summaries: Present[Summary], description: SystemDescription | None, limits: Mapping[str, Any], record: Metadata
) -> Outcome:
    summary = beside(record, summaries)
    pointer = "/database/storage_backend"
    if (found := word(pointer, summary)) is None:
        pointer = "/args/storage_type"
        found = word(pointer, record)
    by_objects = through_objects(record, description) or _declared(description) == "object"
    if found is None:
        if by_objects:
            message = "The run is by the object API and records no storage backend."
            hint = "Record it as `database.storage_backend` in summary.json, or run with `--storage-type s3`."
            yield record.finding("/args", message, hint)
    elif by_objects != _is_s3(found[1], limits):
        said = "S3-compatible object storage" if by_objects else "a filesystem"
        api = "object" if by_objects else "file"
        message = f"The recorded storage backend is {listed([found[1]])}; the {api} API means {said}."
        hint = "Correct `benchmark_API` in the system's description, or run again on the backend that it declares."
        yield found[0].finding(pointer, message, hint, None if by_objects else Level.WARNING)


def _declared(description: SystemDescription | None) -> str | None:
    return description.benchmark_api if description is not None else None


def _is_s3(backend: str, limits: Mapping[str, Any]) -> bool:
    plain = backend.strip().lower()
    return plain in limits["s3_backends"] or plain.startswith(limits["s3_prefix"])
