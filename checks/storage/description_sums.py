"""What ties the figures of a system description together: rack units, power supplies, deployment, networking.

Only values of the right type are compared; what is absent or of the wrong type is told by the schema in the same rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from checks.storage.inputs import SystemDescription
from checks.units import counted

_ROOT = "/system_under_test"
_ARCHITECTURE = f"{_ROOT}/solution/architecture"
_NETWORKED = ("remote", "remote_and_local")
_NOT_APPLICABLE = "n/a"


class Disagreement(NamedTuple):
    """Two places that contradict each other: JSON pointer of the one to look at, what is wrong, what to do.

    ``cause`` is the same for the same contradiction in several items of a list.
    """

    pointer: str
    message: str
    hint: str
    cause: str | None = None


class Part(NamedTuple):
    """A group of nodes or switches of one kind: the list that it stands in, its position, how many, and what one is."""

    group: str
    position: int
    quantity: int | None
    chassis: Mapping[str, Any]

    @property
    def pointer(self) -> str:
        """Where it stands."""
        return f"{_ROOT}/{self.group}/{self.position}"

    @property
    def place(self) -> str:
        """The same as people write it."""
        return f"`{self.group}[{self.position}]`"

    @property
    def rack_units(self) -> int | None:
        """Rack units of all of them."""
        return _product(_whole(self.chassis, "rack_units"), self.quantity)

    @property
    def supplies(self) -> list[Any]:
        """The kinds of power supply in one."""
        power = self.chassis.get("power")
        found = power.get("psus_configured") if isinstance(power, dict) else None
        return found if isinstance(found, list) else []

    def stated(self, *keys: str) -> list[str]:
        """Those of ``keys`` that the chassis gives a value."""
        return [key for key in keys if self.chassis.get(key) is not None]


def disagreements(document: SystemDescription) -> Iterator[Disagreement]:
    """Every contradiction, in no particular order."""
    yield from _client(document)
    yield from _networking(document)
    yield from _supplies(document)
    if document.get(f"{_ROOT}/deployment") == "onprem":
        yield from _on_premises(document)
        yield from _rack_units(document)
    elif document.get(f"{_ROOT}/deployment") == "cloud":
        yield from _cloud(document)


def provisioned_watts(document: SystemDescription) -> int | None:
    """Nameplate power of all supplies of product nodes and switches, in watts; None where it is not stated whole."""
    parts = [*_parts(document, "product_nodes"), *_parts(document, "product_switches")]
    watts = [_product(part.quantity, _total(_supply_watts(item) for item in part.supplies)) for part in parts]
    return _total(watts) if parts and all(part.supplies for part in parts) else None


def _supply_watts(supply: Any) -> int | None:
    return _product(_whole(supply, "unit_count"), _whole(supply, "nameplate_power_watts"))


def _client(document: SystemDescription) -> Iterator[Disagreement]:
    """Client footprint and installation are both n/a, or neither is."""
    found = [document.get(f"{_ARCHITECTURE}/{key}") for key in ("client_footprint", "client_installation")]
    if all(isinstance(item, str) for item in found) and found.count(_NOT_APPLICABLE) == 1:
        message = f"`client_footprint` is `{found[0]}` and `client_installation` is `{found[1]}`."
        hint = "Both are `n/a` (nothing is installed on clients) or neither is."
        yield Disagreement(f"{_ARCHITECTURE}/client_installation", message, hint)


def _networking(document: SystemDescription) -> Iterator[Disagreement]:
    location = document.get(f"{_ARCHITECTURE}/storage_location")
    if location == "local" and _list(document, "product_switches"):
        message = "`product_switches` are listed, but `storage_location` is `local`."
        yield Disagreement(f"{_ROOT}/product_switches", message, "Take the switches out, or correct the location.")
    if location not in _NETWORKED:
        return
    for part in [*_parts(document, "product_nodes"), *_parts(document, "clients")]:
        if not document.get(f"{part.pointer}/networking"):
            message = f"{part.place} has no `networking`, but `storage_location` is `{location}`."
            hint = "List the network ports that carry data, with type, state, speed and traffic."
            yield Disagreement(part.pointer, message, hint, f"networking of {part.group}")


def _supplies(document: SystemDescription) -> Iterator[Disagreement]:
    """No more power supplies are needed than there are."""
    for part in _all_parts(document):
        needed = _whole(part.chassis.get("power"), "min_psus_active")
        total = _total(_whole(supply, "unit_count") for supply in part.supplies)
        if needed is not None and total is not None and needed > total:
            there = counted(total, "power supply is", "power supplies are")
            message = f"{part.place} needs {needed} active power supplies (`min_psus_active`), but {there} configured."
            yield Disagreement(part.pointer, message, "Correct the one that is wrong.", f"supplies of {part.group}")


def _on_premises(document: SystemDescription) -> Iterator[Disagreement]:
    """Racks and power are stated; storage that is not in the clients is listed."""
    if document.get(f"{_ROOT}/total_rack_units") is None:
        yield Disagreement(_ROOT, "`total_rack_units` is missing; `deployment` is `onprem`.", "State it.")
    remote = document.get(f"{_ARCHITECTURE}/storage_location") == "remote"
    if remote and not _list(document, "product_nodes"):
        message = "`product_nodes` is empty: the storage is on premises and remote, but its hardware is not listed."
        hint = "List each kind of storage node with rack units and power supplies; tables take both from here."
        yield Disagreement(f"{_ROOT}/product_nodes", message, hint)
    needed = ["rack_units"] if _list(document, "rack_power_supplies") else ["rack_units", "power"]
    for part in _all_parts(document):
        if absent := [key for key in needed if key not in part.stated(*needed)]:
            message = f"{part.place} lacks {_named(absent)}, which `deployment: onprem` needs."
            yield Disagreement(part.pointer, message, "State what one unit takes.", f"{absent} of {part.group}")


def _cloud(document: SystemDescription) -> Iterator[Disagreement]:
    for key in ("product_switches", "rack_power_supplies"):
        if _list(document, key):
            message = f"`{key}` is listed, but `deployment` is `cloud`."
            yield Disagreement(f"{_ROOT}/{key}", message, "Take it out: a cloud system has no racks of its own.")
    for part in [*_parts(document, "product_nodes"), *_parts(document, "clients")]:
        if told := part.stated("rack_units", "power"):
            message = f"{part.place} states {_named(told)}, but `deployment` is `cloud`."
            pointer = f"{part.pointer}/chassis/{told[0]}"
            yield Disagreement(pointer, message, "Take it out.", f"{told} of {part.group}")


def _rack_units(document: SystemDescription) -> Iterator[Disagreement]:
    """The total is that of product nodes and switches; clients don't count."""
    total = _whole(document.get(_ROOT), "total_rack_units")
    nodes, switches = _parts(document, "product_nodes"), _parts(document, "product_switches")
    of_nodes, of_switches = (_total(part.rack_units for part in group) for group in (nodes, switches))
    if total is None or of_nodes is None or of_switches is None or not [*nodes, *switches]:
        return
    if of_nodes + of_switches != total:
        message = (
            f"`total_rack_units` is {total}, but product nodes take {of_nodes} and product switches {of_switches}: "
            f"{of_nodes + of_switches} rack units. Clients don't count."
        )
        yield Disagreement(
            f"{_ROOT}/total_rack_units", message, "Correct the total, or the units or quantities listed."
        )


def _all_parts(document: SystemDescription) -> list[Part]:
    return [part for group in ("product_nodes", "product_switches", "clients") for part in _parts(document, group)]


def _parts(document: SystemDescription, group: str) -> list[Part]:
    """The groups of nodes or switches; a switch may state its figures flat or in a chassis, as nodes do."""
    found = []
    for index, item in enumerate(_list(document, group)):
        if isinstance(item, dict):
            chassis = item.get("chassis", item if group == "product_switches" else {})
            quantity = _whole(item, "unit_count" if "unit_count" in item else "quantity")
            found.append(Part(group, index, quantity, chassis if isinstance(chassis, dict) else {}))
    return found


def _list(document: SystemDescription, key: str) -> list[Any]:
    found = document.get(f"{_ROOT}/{key}")
    return found if isinstance(found, list) else []


def _named(keys: list[str]) -> str:
    return " and ".join(f"`{key}`" for key in keys)


def _whole(holder: Any, key: str) -> int | None:
    """The whole number under ``key``; None when there is none or ``holder`` is no mapping."""
    value = holder.get(key) if isinstance(holder, dict) else None
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _product(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else one * other


def _total(numbers: Iterable[int | None]) -> int | None:
    """The sum; None when one of them is not known."""
    found = list(numbers)
    known = [number for number in found if number is not None]
    return sum(known) if len(known) == len(found) else None
