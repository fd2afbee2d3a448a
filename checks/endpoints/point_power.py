"""Power of one point (rules 4.5.3).

The provisioned power, scaled by the nodes that the point engages (`nodes_used`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

from checks.endpoints.numbers import number_fault
from checks.endpoints.power_result import (
    ERROR,
    NODES_USED,
    NOTICE,
    WARNING,
    PowerPart,
    PowerProblem,
    PowerResult,
)
from checks.endpoints.system_facts import NodeType, SystemFacts

_ROOT: Final = "/nodes_used"


class Ensemble(NamedTuple):
    """A set of identical nodes that a point may engage in part.

    ``watts`` is None where the file gives no share of its own; ``ensemble_id`` None where no point can name the set,
    so that it counts as engaged in full.
    """

    ensemble_id: int | None
    nodes: int
    watts: float | None
    accelerators_per_node: int | None

    def engaged(self, declared: Mapping[int, int]) -> int:
        """Nodes that a point engages which declares ``declared`` nodes by ensemble id.

        A set that it leaves out, in full.
        """
        return self.nodes if self.ensemble_id is None else declared.get(self.ensemble_id, self.nodes)

    @classmethod
    def of(cls, part: PowerPart | NodeType, watts: float | None) -> Ensemble:
        """A set of nodes as a file describes it; where it does not say how many there are, nobody can name a part."""
        if not part.nodes:
            return cls(None, 1, watts, None)
        return cls(part.ensemble_id, part.nodes, watts, part.accelerators_per_node)


class PointPower(NamedTuple):
    """Power of one point in kilowatts, and the declared nodes by ensemble id.

    ``kw`` is None where the system has no total or the declaration is wrong. Pointers of the problems are into
    point.yaml.
    """

    kw: float | None
    nodes_used: Mapping[int, int] = MappingProxyType({})
    problems: tuple[PowerProblem, ...] = ()


def ensembles_of(power: PowerResult, system: SystemFacts) -> tuple[Ensemble, ...]:
    """The sets of nodes of the system: node sets of Appendix E, else the node types of the system description."""
    if power.shape == "appendix_e":
        return tuple(Ensemble.of(part, part.watts) for part in power.parts)
    return tuple(Ensemble.of(kind, None) for kind in system.node_types)


def point_power(power: PowerResult, nodes_used: object, system: SystemFacts) -> PointPower:
    """Power of the point whose point.yaml holds ``nodes_used`` (None: the whole system is engaged)."""
    if nodes_used is None:
        return PointPower(power.provisioned_power_kw)
    ensembles = ensembles_of(power, system)
    problems: list[PowerProblem] = []
    declared = _read_declaration(nodes_used, ensembles, problems)
    if problems:
        return PointPower(None, problems=tuple(problems))
    if power.total_w is None:
        return PointPower(None, declared)
    watts = _engaged_watts(power, power.total_w, ensembles, declared, problems)
    return PointPower(power.in_kw(watts), declared, tuple(problems))


def _read_declaration(
    nodes_used: object, ensembles: Sequence[Ensemble], problems: list[PowerProblem]
) -> dict[int, int]:
    """Nodes by ensemble id. Anything but whole nodes of known sets, each named once, is an error."""
    if not isinstance(nodes_used, list):
        problems.append(_problem(_ROOT, "`nodes_used` is not a list of node sets."))
        return {}
    declared: dict[int, int] = {}
    sets: dict[int, list[Ensemble]] = {}
    for ensemble in ensembles:
        if ensemble.ensemble_id is not None:
            sets.setdefault(ensemble.ensemble_id, []).append(ensemble)
    for index, entry in enumerate(nodes_used):
        pointer = f"{_ROOT}/{index}"
        ensemble_id = _whole(entry, "system_node_ensemble_id", pointer, problems)
        nodes = _whole(entry, "nodes", pointer, problems)
        if ensemble_id is None or nodes is None:
            continue
        if ensemble_id in declared:
            problems.append(_problem(pointer, f"Ensemble {ensemble_id} is named twice.", "Name each node set once."))
        declared[ensemble_id] = nodes
        problems.extend(_judge_entry(pointer, ensemble_id, nodes, sets))
    return declared


def _whole(entry: object, key: str, pointer: str, problems: list[PowerProblem]) -> int | None:
    value = entry.get(key) if isinstance(entry, dict) else None
    fault = number_fault(value, whole=True)
    if fault is None and isinstance(value, int | float):
        return int(value)
    place = f"{pointer}/{key}" if isinstance(entry, dict) and key in entry else pointer
    problems.append(_problem(place, f"`{key}` is {'missing' if value is None else fault}."))
    return None


def _judge_entry(
    pointer: str, ensemble_id: int, nodes: int, sets: Mapping[int, Sequence[Ensemble]]
) -> list[PowerProblem]:
    matches = sets.get(ensemble_id, ())
    if len(matches) != 1:
        known = ", ".join(map(str, sets)) or "none with a number of nodes"
        text = f"Ensemble {ensemble_id} matches {len(matches)} node sets; it has to match one."
        return [_problem(f"{pointer}/system_node_ensemble_id", text, f"Node sets of the system: {known}.")]
    if not 1 <= nodes <= matches[0].nodes:
        text = (
            f"`nodes` is {nodes}; ensemble {ensemble_id} has {matches[0].nodes}, of which a point engages at least 1."
        )
        return [_problem(f"{pointer}/nodes", text)]
    return []


def _engaged_watts(
    power: PowerResult,
    total_w: float,
    ensembles: Sequence[Ensemble],
    declared: Mapping[int, int],
    problems: list[PowerProblem],
) -> float:
    """Each set's power by its engaged share, switches by that of all nodes.

    One figure for several sets by the largest share.

    A declared total and the groups of the checker shape have no share per set, so the largest engaged share is the
    one that never flatters.
    """
    used = [entry.engaged(declared) for entry in ensembles]
    shares = [nodes / entry.nodes for nodes, entry in zip(used, ensembles, strict=True)]
    if power.derived == "node_sets":
        own_w = sum((entry.watts or 0.0) * share for entry, share in zip(ensembles, shares, strict=True))
        return own_w + power.switches_w * sum(used) / sum(entry.nodes for entry in ensembles)
    largest = max(shares, default=1.0)
    if len(shares) > 1:
        text = f"The total has no share per node set; it is scaled by the largest engaged share, {largest:.6g}."
        problems.append(PowerProblem(_ROOT, NOTICE, text, None, NODES_USED))
    return total_w * largest


def judge_capacity(
    declared: Mapping[int, int], ensembles: Sequence[Ensemble], accelerators_used: int
) -> PowerProblem | None:
    """Whether the engaged nodes hold the accelerators that the point's parallelism uses (DP x TP x PP x EP).

    Too few nodes understate the power (error), more than needed overstate it (warning). None: fits, or a node's
    accelerators are not known.
    """
    known = [
        (entry.engaged(declared), entry.accelerators_per_node)
        for entry in ensembles
        if entry.accelerators_per_node is not None
    ]
    if not ensembles or len(known) != len(ensembles):
        return None
    capacity = sum(nodes * count for nodes, count in known)
    if capacity < accelerators_used:
        text = f"The engaged nodes hold {capacity} accelerators; the parallelism uses {accelerators_used}."
        return _problem(_ROOT, text, "Name every node that the point used.")
    if any(nodes and capacity - count >= accelerators_used for nodes, count in known):
        text = f"The engaged nodes hold {capacity} accelerators; fewer nodes would hold the {accelerators_used} in use."
        return PowerProblem(_ROOT, WARNING, text, "Name only the nodes that the point used.", NODES_USED)
    return None


def _problem(pointer: str, message: str, hint: str | None = None) -> PowerProblem:
    return PowerProblem(pointer, ERROR, message, hint, NODES_USED)
