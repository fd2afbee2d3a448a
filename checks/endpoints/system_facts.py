"""What the power model needs from the copies of a system's system_desc.json: cooling texts and node types."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from checks.endpoints.numbers import number_fault
from checks.endpoints.power_result import Overhead
from checks.endpoints.table_types import PowerTable

_DIGITS: Final = re.compile(r"[0-9]{1,9}")


class NodeType(NamedTuple):
    """One kind of node: its ensemble id, how many there are, and per node the accelerators, CPU cores and CPUs.

    None: not stated.
    """

    ensemble_id: int | None
    nodes: int | None
    accelerators_per_node: int | None
    cpu_cores: int | None
    cpus_per_node: int | None = None


class SystemFacts(NamedTuple):
    """Facts of one system over all readable copies of its description.

    ``cooling`` holds the distinct texts of the system level and of the node types; ``node_types`` those of the first
    copy that has any; ``copies_disagree`` tells that the copies give different cooling texts; ``names`` are the names
    the system goes by.
    """

    cooling: tuple[str, ...] = ()
    node_types: tuple[NodeType, ...] = ()
    copies_disagree: bool = False
    names: tuple[str, ...] = ()

    @property
    def accelerators(self) -> int | None:
        """Accelerators in all nodes; None where a node type does not state them."""
        return _total((kind.nodes, kind.accelerators_per_node) for kind in self.node_types)

    @property
    def cpus(self) -> int | None:
        """CPUs in all nodes; None where a node type does not state them."""
        return _total((kind.nodes, kind.cpus_per_node) for kind in self.node_types)


def _total(kinds: Iterable[tuple[int | None, int | None]]) -> int | None:
    """Nodes times parts per node over all kinds; None where one of them is not known, or there are none."""
    counts = [None if nodes is None or parts is None else nodes * parts for nodes, parts in kinds]
    known = [count for count in counts if count is not None]
    return sum(known) if known and len(known) == len(counts) else None


def read_system(descriptions: Iterable[Mapping[str, object]]) -> SystemFacts:
    """Facts from the parsed copies, in path order. Anything malformed counts as not stated: other rules report it."""
    copies = list(descriptions)
    texts = [tuple(_cooling_texts(copy)) for copy in copies]
    names = [copy.get(key) for copy in copies for key in ("system_name", "shortened_system_name")]
    return SystemFacts(
        cooling=tuple(dict.fromkeys(text for copy in texts for text in copy)),
        node_types=next((tuple(map(_node_type, kinds)) for kinds in map(_node_types, copies) if kinds), ()),
        copies_disagree=len({frozenset(copy) for copy in texts if copy}) > 1,
        names=tuple(dict.fromkeys(name for name in names if isinstance(name, str))),
    )


def _node_types(copy: Mapping[str, object]) -> list[dict[str, object]]:
    entries = copy.get("node_types")
    return [entry for entry in entries if isinstance(entry, dict)] if isinstance(entries, list) else []


def _cooling_texts(copy: Mapping[str, object]) -> Iterable[str]:
    values = [copy.get("cooling"), *(entry.get("cooling") for entry in _node_types(copy))]
    return (value.strip() for value in values if isinstance(value, str) and value.strip())


def _node_type(entry: Mapping[str, object]) -> NodeType:
    return NodeType(
        ensemble_id=_count(entry.get("system_node_ensemble_id")),
        nodes=_count(entry.get("number_of_nodes")),
        accelerators_per_node=_accelerators(entry.get("accelerator_info")),
        cpu_cores=_count(entry.get("host_processor_core_count")),
        cpus_per_node=_count(entry.get("host_processors_per_node")),
    )


def _accelerators(entries: object) -> int | None:
    """Accelerators of all kinds in one node; None where an entry does not state them."""
    if not isinstance(entries, list) or not entries:
        return None
    counts = [_count(entry.get("accelerators_per_node")) if isinstance(entry, dict) else None for entry in entries]
    known = [count for count in counts if count is not None]
    return sum(known) if len(known) == len(counts) else None


def _count(value: object) -> int | None:
    """A whole number from 0, also as a text of digits, which descriptions use for ids."""
    if isinstance(value, str) and _DIGITS.fullmatch(value):
        return int(value)
    if isinstance(value, int | float) and number_fault(value, whole=True) is None and value >= 0:
        return int(value)
    return None


def cooling_class(text: str, table: PowerTable) -> tuple[str, float] | None:
    """Name and overhead fraction of the class that a cooling text names; None: none (``passive``).

    Liquid is tested first.
    """
    lowered = text.lower()
    return next(((kind.name, kind.overhead) for kind in table.cooling if kind.pattern.search(lowered)), None)


def cooling_overhead(texts: Iterable[str], table: PowerTable) -> Overhead | None:
    """The overhead fraction that cooling texts stand for (4.5.2).

    Texts that name no class are ignored next to one that does; nodes cooled differently give the mixed fraction.
    """
    named = {text: found for text in texts if (found := cooling_class(text, table))}
    fractions = {fraction for _, fraction in named.values()}
    if not fractions:
        return None
    quoted = ", ".join(f'"{text}"' for text in named)
    fraction = fractions.pop() if len(fractions) == 1 else table.mixed_overhead
    return Overhead(fraction, f"cooling {quoted} in system_desc.json")
