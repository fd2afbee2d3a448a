"""Power of one point: scaled by the nodes it engages."""

from typing import Any

import pytest

from checks.endpoints.point_power import PointPower, ensembles_of, judge_capacity, point_power
from checks.endpoints.power import judge_power
from checks.endpoints.system_facts import SystemFacts, read_system
from tests.checks.endpoints.power_documents import (
    TABLE,
    Document,
    appendix_e,
    described,
    fabric,
    groups,
    node_set,
    sourced,
)


def used(*nodes: tuple[int, int]) -> list[Document]:
    return [{"system_node_ensemble_id": ensemble, "nodes": count} for ensemble, count in nodes]


def powered(document: Document, nodes_used: object, system: SystemFacts | None = None) -> PointPower:
    facts = system or described("air")
    power = judge_power(document, facts, TABLE)
    assert power.total_w is not None
    return point_power(power, nodes_used, facts)


FABRIC = appendix_e(node_set(nodes=4), scale_out=fabric())
MIXED = appendix_e(
    node_set(0, nodes=2),
    node_set(1, nodes=2, power_method="published_system", published_power=sourced(10000)),
    scale_out=fabric(),
)


@pytest.mark.parametrize(
    ("document", "nodes_used", "kilowatts"),
    [
        (FABRIC, None, 61.5),
        (FABRIC, used((0, 4)), 61.5),
        (FABRIC, used((0, 2)), 30.75),
        (MIXED, used((0, 1), (1, 2)), 35.83),
        (MIXED, used((0, 1)), 35.83),
        (MIXED, used((1, 1)), 40.98),
        (MIXED, None, 51.2),
        ({**FABRIC, "declared_provisioned_power": sourced(60, "value_kw")}, used((0, 1)), 15.0),
        ({**MIXED, "declared_provisioned_power": sourced(60, "value_kw")}, used((0, 1)), 60.0),
        ({**MIXED, "declared_provisioned_power": sourced(60, "value_kw")}, used((0, 1), (1, 1)), 30.0),
    ],
)
def test_node_sets_of_appendix_e(document: Document, nodes_used: object, kilowatts: float) -> None:
    found = powered(document, nodes_used)
    assert [problem for problem in found.problems if problem.level == "error"] == []
    assert found.kw == pytest.approx(kilowatts, abs=1e-9)


@pytest.mark.parametrize(
    ("nodes", "nodes_used", "kilowatts"),
    [
        ([4], None, 14.7),
        ([4], used((0, 1)), 3.675),
        ([4], used((0, 4)), 14.7),
        ([4, 2], used((0, 1), (1, 1)), 7.35),
        ([4, 2], used((0, 1)), 14.7),
    ],
)
def test_the_checker_shape_takes_its_nodes_from_the_description(
    nodes: list[int], nodes_used: object, kilowatts: float
) -> None:
    system = read_system(
        [
            {
                "cooling": "air",
                "node_types": [
                    {"system_node_ensemble_id": str(index), "number_of_nodes": count}
                    for index, count in enumerate(nodes)
                ],
            }
        ]
    )
    found = powered(groups(), nodes_used, system)
    assert found.kw == pytest.approx(kilowatts)
    told = [problem.level for problem in found.problems]
    assert told == (["notice"] if nodes_used and len(nodes) > 1 else [])


@pytest.mark.parametrize(
    ("nodes_used", "pointer"),
    [
        (used((0, 0)), "/nodes_used/0/nodes"),
        (used((0, 5)), "/nodes_used/0/nodes"),
        (used((0, -1)), "/nodes_used/0/nodes"),
        (used((9, 1)), "/nodes_used/0/system_node_ensemble_id"),
        (used((0, 1), (0, 1)), "/nodes_used/1"),
        ([{"system_node_ensemble_id": 0, "nodes": 1.5}], "/nodes_used/0/nodes"),
        ([{"system_node_ensemble_id": 0, "nodes": "1"}], "/nodes_used/0/nodes"),
        ([{"system_node_ensemble_id": True, "nodes": 1}], "/nodes_used/0/system_node_ensemble_id"),
        ([{"system_node_ensemble_id": 0}], "/nodes_used/0"),
        ([5], "/nodes_used/0"),
        ({"0": 1}, "/nodes_used"),
        ("all", "/nodes_used"),
        (0, "/nodes_used"),
    ],
)
def test_a_wrong_declaration_gives_no_power(nodes_used: Any, pointer: str) -> None:
    found = powered(FABRIC, nodes_used)
    assert found.kw is None
    assert {problem.rule for problem in found.problems} == {"nodes-used"}
    assert pointer in {problem.pointer for problem in found.problems if problem.level == "error"}


def test_an_ensemble_that_two_sets_share_can_not_be_named() -> None:
    document = appendix_e(node_set(0), {**node_set(1), "system_node_ensemble_id": 0})
    assert powered(document, None).kw == 29.4
    assert powered(document, used((0, 1))).kw is None


def test_without_a_total_there_is_no_point_power() -> None:
    system = described("passive")
    assert point_power(judge_power(groups(), system, TABLE), None, system).kw is None


@pytest.mark.parametrize(
    ("nodes_used", "accelerators", "level"),
    [
        (used((0, 2)), 16, None),
        (used((0, 2)), 17, "error"),
        (used((0, 2)), 9, None),
        (used((0, 2)), 8, "warning"),
        (None, 32, None),
        (None, 24, "warning"),
    ],
)
def test_the_engaged_nodes_hold_the_accelerators_in_use(
    nodes_used: object, accelerators: int, level: str | None
) -> None:
    system = described("air")
    power = judge_power(FABRIC, system, TABLE)
    declared = point_power(power, nodes_used, system).nodes_used
    problem = judge_capacity(declared, ensembles_of(power, system), accelerators)
    assert (problem.level if problem else None) == level


def test_capacity_is_not_judged_where_accelerators_are_unknown() -> None:
    system = described("air", nodes=[4])
    assert judge_capacity({}, ensembles_of(judge_power(groups(), system, TABLE), system), 99) is None
