"""Rules on power, on whole trees: every worked example, the nodes of a point, engagement, throughput per kilowatt."""

from typing import Any

import pytest

from tests.checks.endpoints.one_curve import POWER, SYSTEM, all_of, curve_tree, facts, heavy, line_of, not_run
from tests.checks.endpoints.power_documents import Document, appendix_e, groups
from tests.checks.endpoints.test_power import CHECKER_EXAMPLES
from tests.checks.endpoints.test_power_appendix_e import EXAMPLES, mixed, nodes_on_a_fabric
from tests.checks.support import places
from tests.trees.endpoints import EndpointsTree
from tests.trees.storage_files import GONE, FileTree

CURVE = f"{SYSTEM}/llama3_1-8b"
R16 = f"{CURVE}/r16"


def powered(document: Document, cooling: str | None, *, nodes: dict[int, int] | None = None) -> FileTree:
    """A valid tree but for the descriptor, whose system is cooled as the text says."""
    tree, _ = curve_tree(nodes=nodes)
    tree.put_json(POWER, document)
    for path in tree.find("*/system_desc.json"):
        description = tree.json(path)
        for node in description["node_types"]:
            node["cooling"] = cooling
        tree.put_json(path, description)
    return tree


@pytest.mark.parametrize("name", CHECKER_EXAMPLES)
def test_worked_examples_of_the_checker_shape_in_a_tree(name: str) -> None:
    document, cooling, total = CHECKER_EXAMPLES[name]
    tree = powered(document, cooling)
    errors = [finding for finding in heavy(tree, "power-descriptor") if finding.level == "error"]
    if total is None:
        assert facts(tree, "provisioned_power_w") == {}
        assert {finding.path for finding in errors} == {POWER}
        assert all(finding.line for finding in errors)
    else:
        assert facts(tree, "provisioned_power_w") == {POWER: pytest.approx(total)}
        assert errors == []
        assert any(f"Provisioned power {total:,} W" in found.message for found in all_of(tree, "power-descriptor"))


@pytest.mark.parametrize("name", EXAMPLES)
def test_worked_examples_of_appendix_e_in_a_tree(name: str) -> None:
    document, total, _, is_estimated = EXAMPLES[name]
    tree = powered(document, document["cooling"])
    assert facts(tree, "provisioned_power_w") == {POWER: pytest.approx(total)}
    assert [finding for finding in heavy(tree, "power-descriptor") if finding.level == "error"] == []
    assert bool(heavy(tree, "power-estimated")) is is_estimated


@pytest.mark.parametrize(
    ("document", "used", "kilowatts"),
    [
        (nodes_on_a_fabric(), {0: 2}, 30.75),
        (EXAMPLES["E12 declared over fabric"][0], {0: 1}, 15.0),
        (mixed(), {0: 1, 1: 2}, 35.83),
    ],
    ids=["E6", "E12", "E8"],
)
def test_worked_examples_of_a_point_in_a_tree(document: Document, used: dict[int, int], kilowatts: float) -> None:
    tree = powered(document, "air", nodes={0: 4} if len(used) == 1 else {0: 2, 1: 2})
    declared = [{"system_node_ensemble_id": ensemble, "nodes": count} for ensemble, count in used.items()]
    tree.edit_yaml(f"{R16}/point.yaml", {"/nodes_used": declared})
    assert facts(tree, "point_power_kw")[f"{R16}/point.yaml"] == pytest.approx(kilowatts, abs=1e-9)


@pytest.mark.parametrize("division", ["Standardized", "Serviced", "RDI"])
def test_a_system_without_a_descriptor_fails_in_every_division(division: str) -> None:
    tree = EndpointsTree()
    tree.submission(division=division).system("sys_000").curve(offline="elected")
    tree.remove(POWER)
    assert places(heavy(tree, "power-descriptor")) == [("power-descriptor", "error", SYSTEM, None)]
    for rule in ("power-estimated", "nodes-used", "maximal-engagement", "metric-consistency-tps-per-kw"):
        assert not_run(tree, rule)


def test_a_descriptor_under_another_name_is_not_the_descriptor() -> None:
    tree, _ = curve_tree()
    tree.rename(POWER, f"{SYSTEM}/System_Power.json")
    assert places(heavy(tree, "power-descriptor")) == [("power-descriptor", "error", SYSTEM, None)]


def test_no_total_names_the_two_places_that_decide() -> None:
    (finding,) = heavy(powered(groups(), "passive"), "power-descriptor")
    assert (finding.level, finding.path, finding.line) == ("error", POWER, 1)
    assert "`overhead_fraction` is absent" in finding.message
    assert '"passive"' in finding.message


def test_passive_cooling_with_a_stated_fraction_passes() -> None:
    tree = powered(groups(overhead_fraction=0.0), "passive")
    assert heavy(tree, "power-descriptor") == []
    assert facts(tree, "overhead_fraction") == {POWER: 0.0}


def test_the_second_figure_with_scale_out_switches_is_a_notice() -> None:
    document, cooling, total = CHECKER_EXAMPLES["S9 scale-out"]
    tree = powered(document, cooling)
    told = [finding.message for finding in all_of(tree, "power-descriptor") if finding.level == "notice"]
    assert any("14,540 W" in message for message in told)
    assert facts(tree, "provisioned_power_w") == {POWER: total}
    assert facts(tree, "provisioned_power_with_scale_out_w") == {POWER: 14540}


@pytest.mark.parametrize(
    ("content", "rule", "line"),
    [
        (b'{"provisioned_power_w":\n NaN}', "input.json", 2),
        (b'{"provisioned_power_w":\n 1e999}', "input.json", 2),
        (b'{"provisioned_power_w": 1,\n "provisioned_power_w": 2}', "input.duplicate-key", 2),
        (b'\xef\xbb\xbf{"provisioned_power_w": 1}', "input.encoding", 1),
        (b'{"provisioned_power_w": 1,\n"\xff": 2}', "input.encoding", 2),
        (b"[" * 100_000, "input.json", 1),
        (b'{\n"provisioned_power_w": "350"}', "power-descriptor", 2),
        (b'{"provisioned_power_w": 1,\n "cpu": {"count": true, "tdp_per_unit": 1}}', "power-descriptor", 2),
        (b"[]", "power-descriptor", 1),
        (b"{}", "power-descriptor", 1),
    ],
)
def test_bad_descriptors_are_findings_with_a_line(content: bytes, rule: str, line: int) -> None:
    tree, _ = curve_tree()
    tree.put(POWER, content)
    assert (POWER, line) in {(found.path, found.line) for found in heavy(tree, rule) if found.level == "error"}


def test_an_absent_group_makes_the_total_an_estimate() -> None:
    tree, _ = curve_tree()
    tree.edit_json(POWER, {"/scale_up_network": GONE})
    assert places(heavy(tree, "power-estimated")) == [("power-estimated", "warning", POWER, 1)]


def test_no_switches_stated_as_zero_is_no_estimate() -> None:
    tree, _ = curve_tree()
    tree.edit_json(POWER, {"/scale_up_network/num_switches": 0, "/scale_up_network/tdp_per_switch": 0})
    assert heavy(tree, "power-estimated") == []


def cluster(used: Any) -> FileTree:
    """Four nodes of eight accelerators, of which the point r16 declares some, with the replicas that they hold."""
    tree = EndpointsTree()
    system = tree.submission().system("sys_000", nodes={0: 4})
    system.curve(offline="elected", nodes_used={16: {0: 2}})
    tree.edit_yaml(f"{R16}/point.yaml", {"/nodes_used": used})
    return tree


@pytest.mark.parametrize("nodes", [0, 5, -1, 2.5, "2", True, None])
def test_nodes_that_the_set_does_not_have_are_an_error(nodes: Any) -> None:
    tree = cluster([{"system_node_ensemble_id": 0, "nodes": nodes}])
    (finding,) = heavy(tree, "nodes-used")
    line = line_of(tree, f"{R16}/point.yaml", "  nodes:")
    assert (finding.level, finding.path, finding.line) == ("error", f"{R16}/point.yaml", line)
    assert f"{R16}/point.yaml" not in facts(tree, "point_power_kw")


@pytest.mark.parametrize(
    "used",
    [
        "all",
        [{"system_node_ensemble_id": 1, "nodes": 1}],
        [{"nodes": 2}],
        [{"system_node_ensemble_id": 0, "nodes": 1}, {"system_node_ensemble_id": 0, "nodes": 1}],
        [{"system_node_ensemble_id": 0, "nodes": 1}],
    ],
    ids=["no list", "unknown set", "no id", "set named twice", "too few nodes for the replicas"],
)
def test_a_wrong_declaration_of_nodes_is_an_error(used: Any) -> None:
    errors = [finding for finding in heavy(cluster(used), "nodes-used") if finding.level == "error"]
    assert {finding.path for finding in errors} == {f"{R16}/point.yaml"}
    assert all(finding.line for finding in errors)


@pytest.mark.parametrize(("nodes", "level"), [(2, None), (3, "warning"), (4, "warning")])
def test_exactly_the_nodes_in_use_pass_and_more_are_a_warning(nodes: int, level: str | None) -> None:
    found = heavy(cluster([{"system_node_ensemble_id": 0, "nodes": nodes}]), "nodes-used")
    assert [finding.level for finding in found] == ([level] if level else [])


def engaged(changes: dict[str, Any], shortfall: Any = None) -> FileTree:
    """A cluster of four nodes of eight accelerators and replicas of eight: DP 4 engages it all."""
    tree, _ = curve_tree(nodes={0: 4})
    tree.edit_json(f"{R16}/system_desc.json", changes)
    return tree.edit_yaml(f"{R16}/point.yaml", {"/dp_shortfall": shortfall}) if shortfall else tree


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"/data_parallel": 5}, '"data_parallel"'),
        ({"/data_parallel": 3}, '"data_parallel"'),
        ({"/tensor_parallel": 4}, '"data_parallel"'),
        ({"/tensor_parallel": 0}, '"tensor_parallel"'),
        ({"/expert_parallel": "1"}, '"expert_parallel"'),
    ],
)
def test_replicas_that_do_not_engage_the_whole_system_are_an_error(changes: dict[str, Any], key: str) -> None:
    tree = engaged(changes)
    path = f"{R16}/system_desc.json"
    assert places(heavy(tree, "maximal-engagement")) == [
        ("maximal-engagement", "error", path, line_of(tree, path, key))
    ]


def test_all_replicas_also_in_another_mapping_engage_the_system() -> None:
    assert heavy(engaged({"/tensor_parallel": 4, "/data_parallel": 8}), "maximal-engagement") == []
    # 32 accelerators hold three replicas of nine, with five left over
    assert heavy(engaged({"/tensor_parallel": 9, "/data_parallel": 3}), "maximal-engagement") == []


@pytest.mark.parametrize(
    ("shortfall", "level"),
    [
        ({"dp_actual": 3, "dp_formula": 4, "reason": "One node was in repair."}, "warning"),
        ({"dp_actual": 3, "dp_formula": 5, "reason": "One node was in repair."}, "error"),
        ({"dp_actual": 3, "dp_formula": 4, "reason": " "}, "error"),
        ("because", "error"),
    ],
)
def test_a_declared_shortfall_has_to_be_the_true_one(shortfall: Any, level: str) -> None:
    tree = engaged({"/data_parallel": 3}, shortfall)
    line = line_of(tree, f"{R16}/point.yaml", "dp_shortfall:")
    assert places(heavy(tree, "maximal-engagement")) == [
        ("maximal-engagement", level, f"{R16}/point.yaml", line),
    ]


@pytest.mark.parametrize(
    "changes",
    [
        {f"/{kind}_parallel": GONE for kind in ("tensor", "pipeline", "expert", "data")},
        {"/disaggregated": True},
    ],
    ids=["not declared", "disaggregated"],
)
def test_what_can_not_be_judged_is_one_warning_for_the_curve(changes: dict[str, Any]) -> None:
    tree, _ = curve_tree(nodes={0: 4})
    for path in tree.find("*/system_desc.json"):
        tree.edit_json(path, changes)
    (finding,) = heavy(tree, "maximal-engagement")
    assert (finding.level, finding.path) == ("warning", f"{R16}/system_desc.json")
    assert "The same in 6 other points" in finding.message


@pytest.mark.parametrize(("factor", "fails"), [(1.0, False), (1.0099, False), (0.9901, False), (1.011, True)])
def test_stored_throughput_per_kilowatt_agrees_within_one_percent(factor: float, fails: bool) -> None:
    tree, curve = curve_tree()
    path = curve.file(256, "result_summary.json")
    summary = tree.json(path)
    tree.edit_json(path, {"/system_tps_per_kw": summary["system_tps"] / 14.7 * factor})
    line = line_of(tree, path, '"system_tps_per_kw"')
    expected = [("metric-consistency-tps-per-kw", "error", path, line)] if fails else []
    assert places(all_of(tree, "metric-consistency-tps-per-kw")) == expected
    assert facts(tree, "system_tps_per_kw")[path] == pytest.approx(summary["system_tps"] / 14.7)


def test_without_a_total_throughput_per_kilowatt_is_not_judged() -> None:
    tree = powered(groups(), "passive")
    assert all_of(tree, "metric-consistency-tps-per-kw") == []
    assert not_run(tree, "metric-consistency-tps-per-kw") == ["system_power.json gives no total (see power-descriptor)"]


def test_a_descriptor_of_one_system_says_nothing_of_another() -> None:
    tree = EndpointsTree()
    submission = tree.submission()
    for name in ("sys_000", "sys_001"):
        submission.system(name).curve(offline="elected")
    tree.put_json(POWER, appendix_e())
    tree.edit_json(f"{SYSTEM.replace('sys_000', 'sys_001')}/system_power.json", {"/cpu/num_cpu": 4})
    totals = facts(tree, "provisioned_power_w")
    assert totals == {POWER: 14700, POWER.replace("sys_000", "sys_001"): 15750}


def unstored(changes: dict[str, Any], **system: Any) -> FileTree:
    """A valid tree but for the descriptor, without the stored figures that would show another power by themselves."""
    tree, _ = curve_tree(**system)
    for path in tree.find("*/result_summary.json"):
        tree.edit_json(path, {"/system_tps_per_kw": GONE})
    return tree.edit_json(POWER, changes)


@pytest.mark.parametrize(
    ("changes", "system", "at"),
    [
        ({"/accelerator/num_accelerator": 4}, {}, ('"num_accelerator"',)),
        ({"/accelerator/num_accelerator": GONE, "/accelerator/count": 9}, {}, ('"accelerator"', '"count"')),
        ({"/cpu/num_cpu": 1}, {}, ('"num_cpu"',)),
        ({"/cpu/num_cpu": 2}, {"nodes": {0: 4}}, ('"num_cpu"',)),
        (
            {"/node_sets/0/components/accelerator/count_per_node": 4},
            {"shape": "appendix_e"},
            ('"accelerator"', '"count_per_node"'),
        ),
        ({"/node_sets/0/components/cpu/count_per_node": 1}, {"shape": "appendix_e"}, ('"cpu"', '"count_per_node"')),
    ],
)
def test_counts_are_those_of_the_system_description(
    changes: dict[str, Any], system: dict[str, Any], at: tuple[str, ...]
) -> None:
    tree = unstored(changes, **system)
    expected = ("power-descriptor", "warning", POWER, line_of(tree, POWER, *at))
    assert places(heavy(tree, "power-descriptor")) == [expected]
    assert heavy(unstored({}, **system), "power-descriptor") == []


@pytest.mark.parametrize(
    "changes",
    [
        {"/provisioned_power_w": 20000, "/cpu/num_cpu": 1},
        {"/compute": {"count": 4, "tdp_per_unit": 2700, "link": "https://vendor.example/compute"}, "/cpu": GONE},
    ],
)
def test_counts_that_make_no_total_are_not_compared(changes: dict[str, Any]) -> None:
    assert heavy(unstored(changes), "power-descriptor") == []


@pytest.mark.parametrize("shape", ["checker", "appendix_e"])
def test_a_declared_total_is_told_beside_what_the_components_give(shape: Any) -> None:
    declared: dict[str, Any] = {"/provisioned_power_w": 9000}
    if shape == "appendix_e":
        watts = {"value_w": 9000, "source_type": "vendor_spec", "source": "https://vendor.example/rating"}
        declared = {"/declared_provisioned_power": watts}
    messages = [finding.message for finding in all_of(unstored(declared, shape=shape), "power-descriptor")]
    assert any("9,000 W" in message and "the components give 14,700 W" in message for message in messages)


@pytest.mark.parametrize(
    ("changes", "at"),
    [
        ({"/provisioned_power_w": 0}, '"provisioned_power_w"'),
        ({"/rack_power_w": 0, "/rack_nodes": 8, "/submitted_nodes": 1}, '"rack_power_w"'),
        ({"/rack_power_w": 9000, "/rack_nodes": 8, "/submitted_nodes": 0}, '"submitted_nodes"'),
    ],
)
def test_a_total_of_nothing_is_told_at_the_figure(changes: dict[str, Any], at: str) -> None:
    tree = unstored(changes)
    errors = [finding for finding in heavy(tree, "power-descriptor") if finding.level == "error"]
    assert places(errors) == [("power-descriptor", "error", POWER, line_of(tree, POWER, at))]


def test_scale_out_without_figures_says_what_is_not_known() -> None:
    tree = unstored({"/scale_out_network": {"link": "https://vendor.example/fabric"}})
    (finding,) = heavy(tree, "power-estimated")
    assert "newer rules" in finding.message
    assert "understated" not in (finding.hint or "")


def test_a_descriptor_under_another_name_is_named() -> None:
    tree = unstored({})
    tree.rename(POWER, f"{SYSTEM}/System_Power.json")
    (finding,) = heavy(tree, "power-descriptor")
    assert "`System_Power.json`" in (finding.hint or "")


def test_a_copy_in_a_point_that_says_something_else() -> None:
    tree = unstored({})
    copy = f"{R16}/system_power.json"
    tree.put(copy, tree.files[POWER])
    assert heavy(tree, "power-descriptor") == []
    tree.edit_json(copy, {"/cpu/tdp_per_cpu": 300})
    assert places(heavy(tree, "power-descriptor")) == [("power-descriptor", "error", copy, 1)]


def test_a_wrong_total_is_one_finding_for_the_curve() -> None:
    tree, curve = curve_tree()
    tree.edit_json(POWER, {"/provisioned_power_w": 20000})
    (finding,) = heavy(tree, "metric-consistency-tps-per-kw")
    assert finding.path == curve.file(16, "result_summary.json")
    assert "6 other points" in finding.message


@pytest.mark.parametrize(
    "changes",
    [
        {"/cpu/num_cpu": True},
        {"/cpu/tdp_per_cpu": "350 W"},
        {"/cpu/link": ""},
        {"/cpu": []},
        {"/rack_nodes": 0},
        {"/provisioned_power_w": 0},
    ],
)
def test_every_fault_says_what_to_do(changes: dict[str, Any]) -> None:
    assert all(finding.hint for finding in heavy(unstored(changes), "power-descriptor"))


def test_a_computed_figure_of_an_unknown_name_is_told() -> None:
    tree = unstored({"/computed": {"total_w": 14700}}, shape="appendix_e")
    (finding,) = [found for found in all_of(tree, "power-descriptor") if "total_w" in found.message]
    assert (finding.level, finding.line) == ("notice", line_of(tree, POWER, '"total_w"'))


def test_node_sets_of_the_wrong_kind_are_told_once() -> None:
    tree = unstored({"/node_sets": {}}, shape="appendix_e")
    assert len(heavy(tree, "power-descriptor")) == 1


@pytest.mark.parametrize("id", [GONE, "decode"])
def test_a_set_of_nodes_that_no_point_can_name_is_engaged_in_full(id: Any) -> None:
    tree = EndpointsTree()
    tree.submission().system("sys_000", nodes={0: 4, 1: 4}).curve(offline="elected", nodes_used={16: {0: 1}})
    for path in tree.find("*/system_desc.json"):
        tree.edit_json(path, {"/node_types/1/system_node_ensemble_id": id})
    power = facts(tree, "point_power_kw")
    assert power[f"{R16}/point.yaml"] == power[f"{SYSTEM}/llama3_1-8b/r88/point.yaml"]
    tree.edit_yaml(f"{SYSTEM}/llama3_1-8b/r88/point.yaml", {"/dp_shortfall": {"dp_actual": 4, "dp_formula": 4}})
    told = [finding.message for finding in all_of(tree, "system-description-valid")]
    assert len(told) == (0 if id is GONE else 1)


def test_the_whole_system_counts_for_its_engagement_with_unnamed_sets() -> None:
    tree = EndpointsTree()
    tree.submission().system("sys_000", nodes={0: 4, 1: 4}).curve(offline="elected")
    changes = {"/node_types/1/system_node_ensemble_id": GONE, "/data_parallel": 4, "/tensor_parallel": 8}
    for path in tree.find("*/system_desc.json"):
        tree.edit_json(path, changes)
    (finding,) = all_of(tree, "maximal-engagement")
    assert finding.level == "error"
    assert "64 accelerators" in finding.message


@pytest.mark.parametrize(
    ("changes", "fails"),
    [
        ({"/provisioned_power_kw": 5}, True),
        ({"/computed": {"overhead_fraction": 0.1}}, True),
        ({"/computed": {"total_system_power_w": "abc"}}, True),
        ({"/computed": {"total_system_power_w": 1}}, False),
        ({"/provisioned_power_kw": 14.7}, False),
    ],
)
def test_figures_beside_a_declared_total_with_gaps_below_it(changes: dict[str, Any], fails: bool) -> None:
    tree, _ = curve_tree(shape="appendix_e")
    declared = {"value_kw": 14.7, "source_type": "vendor_spec", "source": "https://vendor.example/power"}
    gap = {"/node_sets/0/components/accelerator/tdp_per_unit": GONE, "/declared_provisioned_power": declared}
    tree.edit_json(POWER, gap)
    assert [finding.level for finding in heavy(tree, "power-descriptor") if finding.level == "error"] == []
    tree.edit_json(POWER, changes)
    found = [finding for finding in heavy(tree, "power-descriptor") if finding.level == "error"]
    assert [finding.path for finding in found] == ([POWER] if fails else [])
