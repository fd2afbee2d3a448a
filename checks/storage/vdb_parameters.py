"""Rules 5.6.4 and 5.6.5: the parameters that vector-database runs may change in CLOSED and in OPEN.

The metadata of published runs has empty ``override_parameters``; what a submitter changed stands in ``args``. There
only a value that differs from the tool's own is a change.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import partial
from typing import Any

from checks.documents import described, number_in
from checks.edition import Edition
from checks.findings import Finding, Level
from checks.rules import Each, Outcome, Present
from checks.storage.book import rule
from checks.storage.inputs import DatagenMetadata, Metadata
from checks.storage.overrides import overridden
from checks.storage.runs import each_run
from checks.storage.terms import CLOSED, OPEN
from checks.storage.workloads import VectorDatabaseWorkload
from checks.units import did_you_mean, listed


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


def _changes(division: str, allowed: Collection[str], limits: Mapping[str, Any], record: Metadata) -> Outcome:
    """What a load or run changed beyond ``allowed``: overrides, arguments, configuration files."""
    native = tuple(limits["parameters"]["native"]) if division == OPEN and _other_backend(record, limits) else ()
    for given, change in overridden(record).items():
        parameter = limits["arguments"].get(given, given)
        if parameter not in allowed and not parameter.startswith(native):
            message = f"{listed([parameter])} was changed; the table of {division.upper()} doesn't list it."
            yield record.finding(change.pointer, message + did_you_mean(parameter, allowed), _without(division))
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
