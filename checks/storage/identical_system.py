"""Rule 2.1.9: everything that was measured under one system name was measured on the same system."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from checks import names
from checks.edition import Edition
from checks.findings import Finding, Level
from checks.rules import Outcome
from checks.storage.book import rule
from checks.storage.client_hosts import ClientHosts, Recorded
from checks.storage.inputs import SystemDescription
from checks.storage.runs import named
from checks.storage.units import System
from checks.units import counted

MULTI_HOST = (
    "/system_under_test/solution/capabilities/multi_host",
    "/System/shared_capabilities/multi_host_support",
)
"""Where the two known shapes of a description say whether several hosts may use the system at once."""

OTHER_NAME = "Correct the description, or submit the runs of another configuration under another system name."


@rule("2.1.9", "identicalSystemConfig")
def description_matches_runs(
    system: System, description: SystemDescription, hosts: ClientHosts, edition: Edition
) -> Outcome:
    """The client machines that the runs record are those that the system description names: their number, their memory,
    and that several may use the system at once.

    Why: A result belongs to one configuration; any change of hardware or software needs a system name of its own.
    Mend: Correct the description, or give the runs of another configuration another system name.
    Contested: Nameplate memory and what the operating system reports differ a little; a tolerance of 10 % is allowed.
    """
    clients = _clients(description)
    quantities = [number for client in clients if isinstance(number := client.get("quantity"), int)]
    counted_all = bool(clients) and len(quantities) == len(clients)
    other_numbers = list(_numbers(system, hosts.counts(), sum(quantities))) if counted_all else []
    yield from other_numbers
    if len(clients) == 1 and not other_numbers:
        yield from _memory(system, hosts.memories(), clients[0], edition["structure"]["memory_tolerance"])
    yield from _several(system, hosts.counts(), description)


def _clients(description: SystemDescription) -> list[dict[str, Any]]:
    found = description.get("/system_under_test/clients")
    return [client for client in found if isinstance(client, dict)] if isinstance(found, list) else []


def _numbers(system: System, counts: list[Recorded], described: int) -> Iterator[Finding]:
    for value, runs in _by_value(count for count in counts if count.value != described).items():
        yield runs[0].finding(
            f"{counted(value, 'client machine')} ran {_runs(system, runs)}, the system description has {described} "
            "(the sum of `clients[].quantity`).",
            OTHER_NAME,
        )


def _memory(system: System, memories: list[Recorded], client: dict[str, Any], tolerance: float) -> Iterator[Finding]:
    chassis = client.get("chassis")
    described = chassis.get("memory_capacity") if isinstance(chassis, dict) else None
    if not isinstance(described, int | float) or isinstance(described, bool) or described <= 0:
        return
    off = (item for item in memories if abs(item.value - described) > tolerance * described)
    for value, runs in _by_value(off, lambda value: round(value, 1)).items():
        yield runs[0].finding(
            f"A client machine had {value:,} GiB of memory in {_runs(system, runs)}, the system description has "
            f"{described:,} GiB (`memory_capacity`); at most {tolerance:.0%} apart is allowed.",
            OTHER_NAME,
        )


def _several(system: System, counts: list[Recorded], description: SystemDescription) -> Iterator[Finding]:
    pointer = next((item for item in MULTI_HOST if description.get(item) is False), None)
    many = [count for count in counts if count.value > 1]
    if pointer is not None and many:
        yield description.finding(
            pointer,
            f"`{pointer.rpartition('/')[2]}` is false, but {_runs(system, many)} ran on {many[0].value} client "
            "machines.",
            "Correct the description: a system that several hosts used at once is multi-host.",
        )


@rule("2.1.9", "identicalSystemConfig", Level.WARNING)
def runs_match_each_other(system: System, hosts: ClientHosts, edition: Edition) -> Outcome:
    """All runs of one system record the same client machines: memory, processor, cores, operating system.

    Why: What differs between two runs was changed under one system name.
    Mend: Explain the difference to the reviewers, or submit the runs of another configuration under another name.
    Contested: The recorded inventory is what the tool could see of the clients; hence a warning. Generating data and
    computing its size may be done on another machine and are left out.
    """
    tolerance = edition["structure"]["memory_tolerance"]
    yield from _differing(
        system, hosts.memories(), "GiB of memory", lambda one, other: abs(one - other) <= tolerance * one
    )
    yield from _differing(system, hosts.processors(), "as processor", _same)
    yield from _differing(system, hosts.cores(), "cores", _same)
    yield from _differing(system, hosts.systems(), "as operating system", _same)


def _differing(system: System, found: list[Recorded], what: str, same: Callable[[Any, Any], bool]) -> Iterator[Finding]:
    others = [item for item in found[1:] if not same(found[0].value, item.value)]
    if others:
        yield others[0].finding(
            f"The client machines differ between runs: {_shown(found[0].value)} {what} in {_runs(system, found[:1])}, "
            f"{_shown(others[0].value)} in {_runs(system, others)}.",
            "Explain the difference to the reviewers, or submit those runs under another system name.",
        )


def _same(one: Any, other: Any) -> bool:
    return bool(one == other)


def _shown(value: Any) -> str:
    return f"{value:,.1f}" if isinstance(value, float) else " and ".join(names.shown(item) for item in value)


def _by_value(found: Iterator[Recorded], key: Callable[[Any], Any] = lambda value: value) -> dict[Any, list[Recorded]]:
    grouped: dict[Any, list[Recorded]] = {}
    for item in found:
        grouped.setdefault(key(item.value), []).append(item)
    return grouped


def _runs(system: System, found: list[Recorded]) -> str:
    return named(system, [item.document for item in found])
