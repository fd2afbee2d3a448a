"""Engagement: replicas fill the system, or the point says why not."""

from typing import Any

import pytest

from checks.endpoints.parallelism import Parallelism, judge_engagement, read_parallelism
from checks.endpoints.point_power import Ensemble

NODES = [Ensemble(ensemble_id=0, nodes=4, watts=None, accelerators_per_node=8)]


def mapping(**sizes: Any) -> dict[str, Any]:
    return {"tensor_parallel": 8, "pipeline_parallel": 1, "expert_parallel": 1, **sizes}


def shortfall(actual: object = 2, formula: object = 4, reason: object = "low load") -> dict[str, object]:
    return {"dp_actual": actual, "dp_formula": formula, "reason": reason}


def test_fields_left_out_count_as_one() -> None:
    found, problems = read_parallelism({"tensor_parallel": 8})
    assert (found, problems) == (Parallelism(8, 1, 1, 1, is_disaggregated=False), ())


def test_nothing_declared_is_nothing_read() -> None:
    assert read_parallelism({"system_name": "x"}) == (None, ())


@pytest.mark.parametrize("value", [0, -1, 1.5, "8", True, [8]])
def test_a_size_is_a_whole_number_from_one(value: object) -> None:
    found, (problem,) = read_parallelism(mapping(data_parallel=value))
    assert found is None
    assert (problem.pointer, problem.level) == ("/data_parallel", "error")


@pytest.mark.parametrize(("value", "expected"), [(True, True), (2, True), (1, False), (False, False), (None, False)])
def test_disaggregated_is_a_flag_or_a_number_of_parts(value: object, expected: bool) -> None:
    found, _ = read_parallelism(mapping(data_parallel=4, disaggregated=value))
    assert found is not None
    assert found.is_disaggregated is expected


@pytest.mark.parametrize(
    ("data", "declared", "level", "said"),
    [
        (4, None, None, ""),
        (4, shortfall(4, 4), "warning", "engages the whole system"),
        (5, None, "error", "more than the system holds"),
        (5, shortfall(5, 4), "error", "more than the system holds"),
        (2, None, "error", "32 accelerators / 8 of a replica = 4"),
        (2, shortfall(), "warning", "2 of 4 replicas"),
        (2, shortfall(actual=3), "error", "dp_actual 2"),
        (2, shortfall(formula=8), "error", "dp_formula 4"),
        (2, shortfall(actual=2.0), "error", "dp_actual 2"),
        (2, shortfall(reason=" "), "error", "no reason"),
        (2, shortfall(reason=None), "error", "no reason"),
        (2, "low load", "error", "has to state"),
    ],
)
def test_replicas_fill_the_system(data: int, declared: object, level: str | None, said: str) -> None:
    found, _ = read_parallelism(mapping(data_parallel=data))
    problem = judge_engagement(found, NODES, declared)
    assert (problem.level if problem else None) == level
    assert said in (problem.message if problem else "")


@pytest.mark.parametrize(
    ("described", "ensembles", "said"),
    [
        ({}, NODES, "No parallelism"),
        (mapping(data_parallel=4, disaggregated=True), NODES, "disaggregated"),
        (mapping(data_parallel=4), [Ensemble(0, 4, None, None)], "not stated"),
        (mapping(data_parallel=4), [], "not stated"),
    ],
)
def test_what_can_not_be_judged_is_a_warning(described: dict[str, Any], ensembles: list[Ensemble], said: str) -> None:
    found, _ = read_parallelism(described)
    problem = judge_engagement(found, ensembles, None)
    assert problem is not None
    assert problem.level == "warning"
    assert said in problem.message


def test_a_remainder_of_accelerators_is_no_replica() -> None:
    found, _ = read_parallelism(mapping(tensor_parallel=12, data_parallel=2))
    assert judge_engagement(found, NODES, None) is None
