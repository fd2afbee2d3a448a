"""Engagement of a point (rules 4.5.3): replicas, the accelerators they use, and whether the whole system is engaged.

A replica takes TP x PP x EP accelerators; DP replicas are to fill the system: DP = floor(provisioned / replica). A
point that runs fewer says so in `dp_shortfall`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from checks.endpoints.numbers import number_fault
from checks.endpoints.point_power import Ensemble
from checks.endpoints.power_result import ERROR, MAXIMAL_ENGAGEMENT, WARNING, PowerProblem

_FIELDS: Final = ("tensor_parallel", "pipeline_parallel", "expert_parallel", "data_parallel")
_SHORTFALL: Final = "/dp_shortfall"
_DATA_PARALLEL: Final = "/data_parallel"


class Parallelism(NamedTuple):
    """The parallelism mapping of one point; a field that is left out counts as 1."""

    tensor: int
    pipeline: int
    expert: int
    data: int
    is_disaggregated: bool

    @property
    def replica(self) -> int:
        """Accelerators of one replica."""
        return self.tensor * self.pipeline * self.expert

    @property
    def accelerators_used(self) -> int:
        """Accelerators of all replicas."""
        return self.data * self.replica


def read_parallelism(description: Mapping[str, object]) -> tuple[Parallelism | None, tuple[PowerProblem, ...]]:
    """The mapping in a parsed system_desc.json, and what is wrong with it.

    None: nothing is declared, or a field is wrong.
    """
    problems, sizes = [], []
    for key in _FIELDS:
        value = description.get(key)
        if value is None:
            sizes.append(1)
            continue
        fault = number_fault(value, whole=True)
        if fault is None and isinstance(value, int | float) and value >= 1:
            sizes.append(int(value))
        else:
            text = f"`{key}` is {fault or value}; at least 1 is meant."
            problems.append(PowerProblem(f"/{key}", ERROR, text, None, MAXIMAL_ENGAGEMENT))
    if problems or all(description.get(key) is None for key in _FIELDS):
        return None, tuple(problems)
    tensor, pipeline, expert, data = sizes
    return Parallelism(tensor, pipeline, expert, data, _is_disaggregated(description.get("disaggregated"))), ()


def _is_disaggregated(value: object) -> bool:
    """True, or a number of parts above 1."""
    return value is True or (isinstance(value, int | float) and value > 1)


def judge_engagement(
    parallelism: Parallelism | None, ensembles: Sequence[Ensemble], shortfall: object
) -> PowerProblem | None:
    """Whether a point engages the whole system; ``shortfall`` is its `dp_shortfall`.

    Pointers are into system_desc.json, except those of `dp_shortfall`, which stands in point.yaml. None: all is well.
    """
    if parallelism is None:
        return _warning(_DATA_PARALLEL, "No parallelism is declared, so the engagement of the system can't be judged.")
    if parallelism.is_disaggregated:
        return _warning("/disaggregated", "The rules don't say what a replica is in a disaggregated deployment.")
    per_node = [entry.accelerators_per_node for entry in ensembles]
    counts = [count for count in per_node if count is not None]
    if not counts or len(counts) != len(per_node):
        return _warning(
            "/node_types", "The nodes or their accelerators are not stated, so the engagement can't be judged."
        )
    provisioned = sum(entry.nodes * count for entry, count in zip(ensembles, counts, strict=True))
    return _compare(parallelism, provisioned, shortfall)


def _compare(parallelism: Parallelism, provisioned: int, shortfall: object) -> PowerProblem | None:
    data, formula = parallelism.data, provisioned // parallelism.replica
    worked = f"{provisioned} accelerators / {parallelism.replica} of a replica = {formula}"
    if data > formula:
        return _error(_DATA_PARALLEL, f"`data_parallel` is {data}, more than the system holds: {worked}.")
    if data == formula:
        text = f"`dp_shortfall` is given, but `data_parallel` {data} engages the whole system."
        return None if shortfall is None else _warning(_SHORTFALL, text)
    if shortfall is None:
        text = f"`data_parallel` is {data}; the whole system runs {formula} replicas: {worked}."
        return _error(
            _DATA_PARALLEL, text, "Declare `dp_shortfall` with dp_actual, dp_formula and reason in point.yaml."
        )
    return _judge_shortfall(shortfall, data, formula)


def _judge_shortfall(shortfall: object, data: int, formula: int) -> PowerProblem:
    fields = shortfall if isinstance(shortfall, dict) else {}
    stated = [fields.get("dp_actual"), fields.get("dp_formula")]
    if [type(value) for value in stated] != [int, int] or stated != [data, formula]:
        return _error(_SHORTFALL, f"`dp_shortfall` has to state dp_actual {data} and dp_formula {formula}.")
    reason = fields.get("reason")
    if not isinstance(reason, str) or not reason.strip():
        return _error(_SHORTFALL, "`dp_shortfall` gives no reason.")
    return _warning(_SHORTFALL, f"{data} of {formula} replicas run; the reason given is for reviewers to judge.")


def _error(pointer: str, message: str, hint: str | None = None) -> PowerProblem:
    return PowerProblem(pointer, ERROR, message, hint, MAXIMAL_ENGAGEMENT)


def _warning(pointer: str, message: str) -> PowerProblem:
    return PowerProblem(pointer, WARNING, message, None, MAXIMAL_ENGAGEMENT)
