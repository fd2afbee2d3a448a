"""Rules 5.6.2 to 5.6.5: databases, index types and parameters of vector-database runs in CLOSED and in OPEN.

The metadata of published runs has empty ``override_parameters``; what a submitter changed stands in ``args``. There
only a value that differs from the tool's own is a change.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import partial
from typing import Any

from checks import names
from checks.documents import described, number_in
from checks.edition import Edition
from checks.findings import Finding, Level
from checks.rules import Each, Outcome, Present
from checks.storage.book import rule
from checks.storage.inputs import DatagenMetadata, Metadata, Summary
from checks.storage.parameters import overridden
from checks.storage.runs import beside, each_run
from checks.storage.units import CLOSED, OPEN, VECTOR_DATABASE, VectorDatabaseWorkload
from checks.storage.vdb_inputs import RunConfig, word
from checks.units import did_you_mean, listed


def _backend_of(summary: Summary, configs: Present[RunConfig], records: Present[Metadata]) -> tuple[Any, str, str]:
    """The document, pointer and name of the database that a run records; the name is empty where none is."""
    if found := word("/database/database", summary, beside(summary, configs)):
        return found[0], "/database/database", found[1]
    if found := word("/args/vdb_engine", beside(summary, records)):
        return found[0], "/args/vdb_engine", found[1]
    return summary, "/database/database", ""


def _backend(
    allowed: Collection[str], configs: Present[RunConfig], records: Present[Metadata], summary: Summary
) -> Outcome:
    document, pointer, name = _backend_of(summary, configs, records)
    if not name:
        hint = "Restore summary.json as the benchmark tool wrote it."
        yield document.finding(pointer, "`database.database` is not recorded; the database can't be told.", hint)
    elif name.strip().lower() not in allowed:
        message = f"The database is {listed([name])}; {listed(allowed)} {'is' if len(allowed) == 1 else 'are'} allowed."
        yield document.finding(pointer, message + did_you_mean(name, allowed), "Run again on an allowed database.")


@rule("5.6.2", "vdbClosedDatabaseBackend")
def vdb_closed_backend(
    workload: VectorDatabaseWorkload,
    *,
    summaries: Each[Summary],
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
    findings = list(each_run(summaries, partial(_backend, allowed, configs, records)))
    yield from findings
    engine = names.basename(names.parent(workload.path))
    if not findings and engine not in (VECTOR_DATABASE, *allowed):
        message = f"The results stand in {listed([engine])}; the runs and CLOSED are of {listed(allowed)}."
        yield workload.finding(message, "Move them to the folder of the database that they were run on.")


@rule("5.6.3", "vdbClosedIndexTypes")
def vdb_closed_index_types(
    workload: VectorDatabaseWorkload, summaries: Each[Summary], configs: Present[RunConfig], edition: Edition
) -> Outcome:
    """A CLOSED submission uses one of the three index types DISKANN, HNSW and AISAQ: as the folder's name, in upper
    case, and in the runs' own record alike.

    Why: Other index types trade accuracy and memory so differently that results can't be compared.

    Mend: Run again with one of the three, or submit to OPEN; rename a folder that is only misspelt.
    """
    if workload.closed:
        allowed = edition["vector_database"]["index_types"]
        yield from each_run(summaries, partial(_index_type, workload.index_type, allowed, configs))


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


def _index_type(folder: str, allowed: Collection[str], configs: Present[RunConfig], summary: Summary) -> Outcome:
    used = word("/index_type", summary, beside(summary, configs))
    if used is None:
        message = "The run does not record `index_type`; nothing shows that CLOSED permits it."
        yield summary.finding("/index_type", message, "Restore summary.json as the benchmark tool wrote it.")
    elif used[1] not in allowed:
        message = f"The index type is {listed([used[1]])}; CLOSED permits {listed(allowed)}."
        yield used[0].finding("/index_type", message + did_you_mean(used[1], allowed), "Submit it to OPEN.")
    elif used[1] != folder:
        message = f"The index type is {listed([used[1]])}; the results stand in the folder {listed([folder])}."
        yield used[0].finding("/index_type", message, "Move the run to the folder of its index type.")


@rule("5.6.4", "vdbClosedSubmissionParameters")
def vdb_closed_parameters(
    workload: VectorDatabaseWorkload, loads: Present[DatagenMetadata], runs: Each[Metadata], edition: Edition
) -> Outcome:
    """A CLOSED load or run changes only the parameters of the rule's table.

    Why: Everything else is part of the workload; changed, results can't be compared.

    Mend: Run again without the parameter, or submit the result to OPEN if OPEN's table lists it.

    Contested: Published runs record no overrides. The tool's arguments are therefore compared with the tool's own
    values, which the document does not ask for in so many words: an error in edition 2.0, a warning in 3.0. What a
    configuration file of one's own changes can't be seen and is a warning.
    """
    if workload.closed:
        limits = edition["vector_database"]
        yield from each_run([*loads, *runs], partial(_changes, CLOSED, limits["parameters"][CLOSED], limits))


@rule("5.6.5", "vdbOpenSubmissionParameters")
def vdb_open_parameters(
    workload: VectorDatabaseWorkload, loads: Present[DatagenMetadata], runs: Each[Metadata], edition: Edition
) -> Outcome:
    """An OPEN load or run changes only the parameters of CLOSED's table and those that OPEN adds; on another database
    than Milvus also any parameter of the index and of the search.

    Why: Even OPEN results are of the same workload.

    Mend: Run again without the parameter.

    Contested: See 5.6.4 for how changes are recognised.
    """
    if not workload.closed:
        limits = edition["vector_database"]
        allowed = [*limits["parameters"][CLOSED], *limits["parameters"][OPEN]]
        yield from each_run([*loads, *runs], partial(_changes, OPEN, allowed, limits))


@rule("5.6.5", "vdbOpenSubmissionParameters")
def vdb_open_backend(
    workload: VectorDatabaseWorkload,
    *,
    summaries: Each[Summary],
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
        yield from each_run(summaries, partial(_backend, allowed, configs, records))


def _changes(division: str, allowed: Collection[str], limits: Mapping[str, Any], record: Metadata) -> Outcome:
    """What a load or run changed beyond ``allowed``: overrides, arguments, configuration files."""
    native = tuple(limits["parameters"]["native"]) if division == OPEN and _other_backend(record, limits) else ()
    for given, pointer in overridden(record).items():
        parameter = limits["arguments"].get(given, given)
        if parameter not in allowed and not parameter.startswith(native):
            message = f"{listed([parameter])} was changed; the table of {division.upper()} doesn't list it."
            yield record.finding(pointer, message + did_you_mean(parameter, allowed), _without(division))
    yield from _changed_arguments(division, allowed, limits, record)
    for name, shipped in limits["configuration_arguments"].items():
        value = record.get(f"/args/{name}")
        if value not in shipped:
            message = f"A configuration of its own was used (`args.{name}` is {described(value)}); what it changes "
            hint = "Show the reviewers that it changes nothing but parameters of the table."
            yield record.finding(f"/args/{name}", f"{message}can't be seen.", hint, Level.WARNING)


def _changed_arguments(
    division: str, allowed: Collection[str], limits: Mapping[str, Any], record: Metadata
) -> Iterator[Finding]:
    level = Level(limits["changed_argument"])
    for name, own in limits["fixed_arguments"].items():
        parameter, value = limits["arguments"].get(name, name), record.get(f"/args/{name}")
        if parameter not in allowed and not _among(value, own):
            message = f"`args.{name}` is {described(value)}, the tool's own is {described(own[0])}; "
            message += f"the table of {division.upper()} doesn't list {listed([parameter])}."
            yield record.finding(f"/args/{name}", message, _without(division), level)
    mode = record.get("/args/benchmark_mode")
    if mode is not None and mode not in limits["modes"]:
        message = f"The benchmark's mode is {described(mode)}; {listed(limits['modes'])} are allowed."
        yield record.finding("/args/benchmark_mode", message, "Run again in an allowed mode.")


def _among(value: Any, own: Collection[Any]) -> bool:
    plain = number_in(value) if isinstance(value, str) and number_in(value) is not None else value
    return value is None or (plain in own and not isinstance(plain, bool))


def _other_backend(record: Metadata, limits: Mapping[str, Any]) -> bool:
    engine = record.text("/args/vdb_engine", None)
    return engine is not None and engine.strip().lower() not in limits["backends"][CLOSED]


def _without(division: str) -> str:
    other = ", or submit the result to OPEN if its table lists it" if division == CLOSED else ""
    return f"Run again without it{other}."
