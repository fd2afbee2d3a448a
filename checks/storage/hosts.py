"""On which hosts a run's processes were, by the tool's recorded arguments and command."""

from __future__ import annotations

import re

from checks.storage.inputs import Metadata

_HOST_OPTION = re.compile(r"\s-{1,2}(?:host|H)[\s=](?P<hosts>\S+)")
_SLOTS = re.compile(r"(?P<host>.*?):(?P<slots>\d+)\Z")


COMMAND, ARGUMENT = "/executed_command", "/args/hosts"
"""The two places where a record names the hosts of a run."""


def host_entries(record: Metadata) -> dict[str, list[str]]:
    """The hosts as recorded, each perhaps with ``:<slots>``, by the place that names them. Raises Unusable."""
    option = _HOST_OPTION.search(f" {record.text(COMMAND, None) or ''}")
    ordered = [entry for entry in option["hosts"].split(",") if entry] if option else []
    count = len(record.array(ARGUMENT, []))
    return {COMMAND: ordered, ARGUMENT: [record.text(f"{ARGUMENT}/{place}") for place in range(count)]}


def slots_of(entry: str) -> tuple[str, int | None]:
    """Host and number of processes of one entry: ``10.0.0.1:4``, ``client7``, ``[fe80::1]:4``; a bare IPv6 has none."""
    found = _SLOTS.match(entry)
    if found and (":" not in found["host"] or found["host"].endswith("]")):
        return found["host"], int(found["slots"])
    return entry, None


def host_names(record: Metadata) -> tuple[str, list[str]]:
    """The different hosts, without slots, and the place that names most of them. Raises Unusable."""
    by_place = {
        place: list(dict.fromkeys(slots_of(entry)[0] for entry in entries))
        for place, entries in host_entries(record).items()
    }
    return max(by_place.items(), key=lambda item: len(item[1]))


def placements(record: Metadata, total: int) -> dict[str, dict[str, int]]:
    """How many of ``total`` processes ran on each host, by the place that says so; empty when none does.

    Slots are room, not processes: they count only where they add up to the total. Raises Unusable.
    """
    found: dict[str, dict[str, int]] = {}
    for place, entries in host_entries(record).items():
        by_host: dict[str, int] = {}
        for host, slots in map(slots_of, entries):
            by_host[host] = by_host.get(host, 0) + (slots or 0)
        if sum(by_host.values()) == total:
            found[place] = by_host
    return found
