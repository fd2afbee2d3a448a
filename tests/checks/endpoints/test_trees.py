"""The trees that the tests build are what they claim to be: judged here by the arithmetic, elsewhere by all rules."""

from typing import Any

import pytest

from checks.endpoints.metrics import agrees, summary_system_tps, summary_tps_per_user, tps_per_kw, utilization_agrees
from checks.endpoints.point_power import ensembles_of, judge_capacity, point_power
from checks.endpoints.power import judge_power
from checks.endpoints.regions import compute_regions, minimum_concurrency
from checks.endpoints.seeds import Cohort, may_adopt, runtime_mismatches
from checks.endpoints.system_facts import read_system
from checks.endpoints.tables import load_tables
from tests.trees.endpoints import CONCURRENCIES, EndpointsTree, many_points, spread, whole_tree

TABLES = load_tables("2026-10")
TREE = whole_tree()
POINTS = [path.removesuffix("/point.yaml") for path in TREE.find("*/point.yaml")]


def documents(point: str) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """point.yaml, system_desc.json and result_summary.json of a point's folder."""
    return (
        TREE.yaml(f"{point}/point.yaml"),
        TREE.json(f"{point}/system_desc.json"),
        TREE.json(f"{point}/result_summary.json"),
    )


@pytest.mark.parametrize("path", TREE.find("*/system_power.json"))
def test_power_descriptors_have_nothing_to_mend(path: str) -> None:
    copies = [TREE.json(copy) for copy in TREE.find(f"{path.rpartition('/')[0]}/*/system_desc.json")]
    result = judge_power(TREE.json(path), read_system(copies), TABLES.power)
    assert [problem for problem in result.problems if problem.level != "notice"] == []


@pytest.mark.parametrize("point", POINTS)
def test_points_are_consistent(point: str) -> None:
    disclosure, description, summary = documents(point)
    system = read_system([description])
    power = judge_power(TREE.json(f"{point.rsplit('/', 2)[0]}/system_power.json"), system, TABLES.power)
    engaged = point_power(power, disclosure.get("nodes_used"), system)
    tps = summary_system_tps(summary)
    assert tps is not None
    assert engaged.kw is not None
    assert agrees(summary["system_tps"], tps, 1e-9)
    assert agrees(summary["system_tps_per_kw"], tps_per_kw(tps, engaged.kw) or 0, 1e-3)
    used = description["data_parallel"] * description["tensor_parallel"]
    assert judge_capacity(engaged.nodes_used, ensembles_of(power, system), used) is None
    if disclosure.get("offline") != "dedicated":
        assert agrees(summary["tps_per_user"], summary_tps_per_user(summary) or 0, 1e-9)


@pytest.mark.parametrize("curve", sorted({point.rpartition("/")[0] for point in POINTS}))
def test_curves_cover_their_regions(curve: str) -> None:
    points = [documents(point) for point in POINTS if point.startswith(f"{curve}/")]
    concurrencies = [point["concurrency"] for point, _, _ in points if point.get("offline") != "dedicated"]
    c_max = points[0][1]["max_supported_concurrency"]
    regions = compute_regions(minimum_concurrency(concurrencies, TABLES.limits).value, c_max, TABLES.limits)
    assert regions.uncovered(concurrencies) == ()
    highest = max(summary_system_tps(summary) or 0 for _, _, summary in points)
    for _, description, summary in points:
        declared = description["tps_utilization"]
        assert utilization_agrees(declared, summary_system_tps(summary) or 0, highest, 0.001)


@pytest.mark.parametrize("point", POINTS)
def test_points_bind_the_published_seeds(point: str) -> None:
    disclosure, _, _ = documents(point)
    seed_set = TABLES.seed_sets[disclosure["seed_set"]]
    assert runtime_mismatches(disclosure["runtime_settings"]["runtime"], seed_set) == ()
    target = Cohort.parse(disclosure["target_cohort"])
    assert may_adopt(Cohort.parse(seed_set.published_for), target, TABLES.limits.adoption_cohorts)


def test_the_whole_tree_holds_every_kind() -> None:
    points = [documents(point) for point in POINTS]
    assert {point["division"] for point, _, _ in points} == set(TABLES.disclosure.divisions)
    assert {point.get("offline") for point, _, _ in points} == {None, "elected", "dedicated"}
    assert {point["model_name"] for point, _, _ in points} == set(TABLES.models) - {"deepseek-v4_1-flash"}
    assert any("nodes_used" in point for point, _, _ in points)
    assert {"node_sets" in TREE.json(path) for path in TREE.find("*/system_power.json")} == {True, False}


@pytest.mark.parametrize("points", [7, 8, 31, 32])
def test_spread_points_are_distinct_and_cover_the_regions(points: int) -> None:
    concurrencies = spread(points)
    assert len(set(concurrencies)) == points
    assert compute_regions(16, 1000, TABLES.limits).uncovered(concurrencies) == ()
    assert max(concurrencies) == 1000


def test_trees_of_any_size() -> None:
    tree = many_points(systems=2, models=6, points=8)
    assert len(tree.find("*/point.yaml")) == 2 * 6 * 8
    assert len(tree.find("*/system_power.json")) == 2


def test_pieces_add_up() -> None:
    tree = EndpointsTree()
    curve = tree.submission().system().curve()
    assert len(tree.find(f"{curve.path}/*/point.yaml")) == len(CONCURRENCIES)
    curve.add(64)
    assert tree.yaml(curve.file(64, "point.yaml"))["concurrency"] == 64
