"""The Appendix E shape: worked examples, sourced values, defaults, scale-out, recomputation."""

import math
from typing import Any

import pytest

from checks.endpoints.power import judge_power
from checks.endpoints.power_defaults import accelerator_default, cpu_default, switch_default
from checks.endpoints.power_result import PowerResult
from checks.endpoints.system_facts import NodeType
from tests.checks.endpoints.power_documents import (
    TABLE,
    Document,
    appendix_e,
    components,
    described,
    errors,
    fabric,
    judged,
    node_set,
    problems_of,
    rules_of,
    sourced,
    with_value,
)

SCALING: Document = {"power_method": "node_scaling", "published_power": sourced(120, "value_kw")}
MLC_DEFAULT = {"value_w": 75, "source_type": "mlc_default", "source": "D.4"}


def combined() -> Document:
    network = {
        "method": "bandwidth_estimate",
        "aggregate_bandwidth_tbps": 14.4,
        "energy_per_bit_pj": {"value_pj": 5, "source_type": "mlc_default", "source": "D.1"},
    }
    return {"combined_cpu_accelerator": sourced(10800), "scale_up_network": network}


def nodes_on_a_fabric(cooling: str = "air", **more: Any) -> Document:
    return appendix_e(node_set(nodes=4), cooling=cooling, scale_out=fabric(), **more)


def mixed() -> Document:
    """Two nodes by formula with adapters, two published ones, one switch."""
    published = node_set(1, nodes=2, power_method="published_system", published_power=sourced(10000))
    return appendix_e(node_set(0, nodes=2), published, scale_out=fabric())


# name: document, total in W, kilowatts, whether a default reaches the total
EXAMPLES: dict[str, tuple[Document, float, float, bool]] = {
    "E1 liquid": (appendix_e(cooling="liquid"), 12740, 12.74, False),
    "E2 air": (appendix_e(), 14700, 14.70, False),
    "E3 declared": (appendix_e(declared_provisioned_power=sourced(20, "value_kw")), 20000, 20.0, False),
    "E4 node scaling": (
        appendix_e(node_set(nodes=5, **SCALING, nodes_in_published_rack=8), cooling="liquid"),
        75000,
        75.0,
        False,
    ),
    "E5 fabric, liquid": (nodes_on_a_fabric("liquid"), 53420, 53.42, False),
    "E6 fabric, air": (nodes_on_a_fabric(), 61500, 61.5, False),
    "E7 published": (
        appendix_e(node_set(nodes=3, power_method="published_system", published_power=sourced(14500))),
        43500,
        43.5,
        False,
    ),
    "E8 mixed": (mixed(), 51200, 51.2, False),
    "E10 combined": (appendix_e(node_set(components=combined()), cooling="liquid"), 14788.8, 14.79, True),
    "E12 declared over fabric": (
        nodes_on_a_fabric(declared_provisioned_power=sourced(60, "value_kw")),
        60000,
        60.0,
        False,
    ),
}


def judged_air(document: object) -> PowerResult:
    return judge_power(document, described("air"), TABLE)


@pytest.mark.parametrize("name", EXAMPLES)
def test_worked_examples(name: str) -> None:
    document, total, kilowatts, is_estimated = EXAMPLES[name]
    result = judged(document, document["cooling"])
    assert errors(result) == {}
    assert result.shape == "appendix_e"
    assert result.total_w == pytest.approx(total)
    assert result.provisioned_power_kw == kilowatts
    assert bool(result.estimated) is is_estimated
    assert ("power-estimated" in rules_of(result.problems)) is is_estimated


def test_e3_the_sum_stays_as_a_cross_check() -> None:
    result = judged_air(EXAMPLES["E3 declared"][0])
    assert (result.derived, result.component_total_w) == ("declared", 14700)


@pytest.mark.parametrize("name", ["E4 node scaling", "E7 published"])
def test_many_published_nodes_without_a_fabric_are_a_warning(name: str) -> None:
    document = EXAMPLES[name][0]
    assert "/scale_out/present" in problems_of(judged(document, document["cooling"]), "warning")


def test_e9_a_cpu_without_model_and_figure_has_no_default() -> None:
    document = with_value(appendix_e(), "/node_sets/0/components/cpu", {"count_per_node": 2})
    result = judged_air(document)
    assert result.total_w is None
    assert "Appendix D has no default" in errors(result)["/node_sets/0/components/cpu"]


def test_e9_is_no_error_beside_a_declared_total() -> None:
    document = appendix_e(declared_provisioned_power=sourced(20, "value_kw"))
    result = judged_air(with_value(document, "/node_sets/0/components/cpu", {"count_per_node": 2}))
    assert (result.total_w, result.component_total_w, errors(result)) == (20000, None, {})


@pytest.mark.parametrize("rack", [8, 7, 0, None, 8.5, True])
def test_e11_a_rack_holds_more_than_the_provisioned_nodes(rack: object) -> None:
    result = judged_air(appendix_e(node_set(nodes=8, **SCALING, nodes_in_published_rack=rack)))
    assert result.total_w is None
    assert any("nodes_in_published_rack" in message for message in errors(result).values())


def test_a_figure_left_out_takes_the_default_of_its_model() -> None:
    document = appendix_e()
    parts = document["node_sets"][0]["components"]
    parts["cpu"] = {"model": "AMD EPYC 9654", "count_per_node": 2}
    parts["accelerator"] = {"model": "NVIDIA GB300", "count_per_node": 4}
    system = described("air")
    kind = NodeType(ensemble_id=0, nodes=1, accelerators_per_node=4, cpu_cores=96)
    with_cores = judge_power(document, system._replace(node_types=(kind,)), TABLE)
    assert with_cores.total_w == pytest.approx((2 * 500 + 4 * 1400 + 3500) * 1.5)
    assert len(with_cores.estimated) == 2
    assert judge_power(document, system, TABLE).total_w is None


@pytest.mark.parametrize(
    ("model", "cores", "watts"),
    [
        ("AMD EPYC 9654", 64, 350),
        ("Intel Xeon 6980P", 65, 500),
        ("AMD Venice 256-core", None, 500),
        ("NVIDIA Grace", 72, 300),
        ("Ampere Altra", 128, 300),
        ("AmpereOne 192 core ARM", None, None),
        ("AMD EPYC 9654", None, None),
        ("Loongson", 64, None),
        (None, 64, None),
    ],
)
def test_cpu_defaults(model: str | None, cores: int | None, watts: float | None) -> None:
    found = cpu_default(model, cores, TABLE)
    assert (found.watts if found else None) == watts


@pytest.mark.parametrize(
    ("model", "watts"),
    [
        ("NVIDIA GB300 NVL72", 1400),
        ("NVIDIA B300", 1100),
        ("NVIDIA GB200", 1200),
        ("B200-SXM", 1000),
        ("AMD Instinct MI355X", 1400),
        ("AMD Instinct MI455X", 2500),
        ("TPU v7", 1000),
        ("H100", None),
        (None, None),
    ],
)
def test_accelerator_defaults(model: str | None, watts: float | None) -> None:
    found = accelerator_default(model, TABLE)
    assert (found.watts if found else None) == watts


@pytest.mark.parametrize(
    ("model", "cabling", "watts"),
    [
        ("SN5610", "passive", 900),
        ("NVIDIA SN-5610", "active_optical", 2080),
        ("SN6810-LD", "active_optical", 1960),
        ("SN5400", "active_optical", None),
        ("SN4700", "passive", 630),
        ("SN5610", None, None),
        ("other", "passive", None),
    ],
)
def test_switch_defaults(model: str, cabling: str | None, watts: float | None) -> None:
    found = switch_default(model, cabling, TABLE)
    assert (found.watts if found else None) == watts


def test_defaults_of_adapters_and_switches_reach_the_total() -> None:
    document = nodes_on_a_fabric()
    del document["scale_out"]["nics"]["tdp_per_nic"]
    del document["scale_out"]["switches"][0]["power_per_switch"]
    result = judged_air(document)
    assert result.total_w == pytest.approx(61500)
    assert len(result.estimated) == 2


def test_a_stated_default_tags_the_result() -> None:
    result = judged_air(with_value(nodes_on_a_fabric(), "/scale_out/nics/tdp_per_nic", MLC_DEFAULT))
    assert result.total_w == pytest.approx(61500)
    assert len(result.estimated) == 1


def test_a_stated_default_that_appendix_d_does_not_give_is_a_warning() -> None:
    wrong = {**MLC_DEFAULT, "value_w": 25}
    told = problems_of(judged_air(with_value(nodes_on_a_fabric(), "/scale_out/nics/tdp_per_nic", wrong)), "warning")
    assert "75 W" in told["/scale_out/nics/tdp_per_nic"]


TDP = "/node_sets/0/components/accelerator/tdp_per_unit"


@pytest.mark.parametrize(
    ("value", "place"),
    [
        ({**sourced(700), "value_kw": 0.7}, ""),
        ({"source_type": "vendor_spec", "source": "https://v.example"}, ""),
        (sourced(700, "value_pj"), ""),
        ({**sourced(700), "note": "x"}, "/note"),
        ({**sourced(700), "source_type": "hearsay"}, "/source_type"),
        ({"value_w": 700, "source": "https://v.example"}, ""),
        ({**sourced(700), "source": "D.3"}, "/source"),
        ({**sourced(700), "source": ""}, "/source"),
        ({"value_w": 700, "source_type": "vendor_spec"}, ""),
        ({"value_w": 700, "source_type": "mlc_default", "source": "https://v.example"}, "/source"),
        ({"value_w": 700, "source_type": "mlc_default", "source": "D.5"}, "/source"),
        (sourced(-1), "/value_w"),
        ({**sourced(1), "value_w": "700"}, "/value_w"),
        ({**sourced(1), "value_w": True}, "/value_w"),
        (sourced(math.inf), "/value_w"),
        (700, ""),
        ("700 W", ""),
    ],
)
def test_a_bare_or_badly_sourced_figure_is_an_error(value: object, place: str) -> None:
    result = judged_air(with_value(appendix_e(), TDP, value))
    assert result.total_w is None
    assert TDP + place in errors(result)


@pytest.mark.parametrize(
    ("pointer", "value", "place"),
    [
        ("/node_sets", [], ""),
        ("/node_sets", None, ""),
        ("/node_sets", {}, "/node_sets"),
        ("/node_sets/0", 5, "/node_sets/0"),
        ("/node_sets/0/nodes_provisioned", 0, "/node_sets/0/nodes_provisioned"),
        ("/node_sets/0/nodes_provisioned", 1.5, "/node_sets/0/nodes_provisioned"),
        ("/node_sets/0/nodes_provisioned", None, "/node_sets/0"),
        ("/node_sets/0/power_method", "guess", "/node_sets/0/power_method"),
        ("/node_sets/0/power_method", "published_system", "/node_sets/0"),
        ("/node_sets/0/node_set_id", "0", "/node_sets/0/node_set_id"),
        ("/node_sets/0/system_node_ensemble_id", None, "/node_sets/0/system_node_ensemble_id"),
        ("/node_sets/0/components", None, "/node_sets/0"),
        ("/node_sets/0/components/scale_up_network", None, "/node_sets/0/components"),
        ("/node_sets/0/components/scale_up_network", {}, "/node_sets/0/components/scale_up_network"),
        ("/node_sets/0/components/accelerator", None, None),
        ("/node_sets/0/components/cpu/count_per_node", None, "/node_sets/0/components/cpu"),
        ("/node_sets/0/components/cpu/count_per_node", 1.5, "/node_sets/0/components/cpu/count_per_node"),
        ("/node_sets/0/components/combined_cpu_accelerator", sourced(1), "/node_sets/0/components/cpu/tdp_per_unit"),
        ("/cooling", None, "/cooling"),
        ("/cooling", "passive", "/cooling"),
        ("/cooling", "liquid", "/cooling"),
        ("/system_desc_id", None, ""),
        ("/system_desc_id", " ", "/system_desc_id"),
        ("/scale_out", None, ""),
        ("/scale_out", {}, "/scale_out"),
        ("/scale_out/present", "no", "/scale_out/present"),
        ("/declared_provisioned_power", sourced(5, "value_pj"), "/declared_provisioned_power"),
        ("/declared_provisioned_power", 20000, "/declared_provisioned_power"),
        ("/declared_provisioned_power", sourced(0), ""),
    ],
)
def test_a_broken_descriptor_has_no_total(pointer: str, value: object, place: str | None) -> None:
    result = judged_air(with_value(appendix_e(), pointer, value))
    assert result.total_w is None
    assert errors(result)
    assert place is None or place in errors(result)


@pytest.mark.parametrize("part", ["cpu", "accelerator"])
@pytest.mark.parametrize("absent", ["left out", "null"])
def test_absent_processors_are_an_error_never_a_smaller_total(part: str, absent: str) -> None:
    document = appendix_e()
    if absent == "null":
        document["node_sets"][0]["components"][part] = None
    else:
        del document["node_sets"][0]["components"][part]
    result = judged_air(document)
    assert "needs `cpu` and `accelerator`" in errors(result)["/node_sets/0/components"]
    assert result.total_w is None


def test_figures_that_the_method_does_not_use_have_to_be_sound_too() -> None:
    document = appendix_e(node_set(published_power=sourced(-5)))
    assert list(errors(judged_air(document))) == ["/node_sets/0/published_power/value_w"]


def test_an_unreadable_set_brings_no_further_errors() -> None:
    document = with_value(nodes_on_a_fabric(), "/node_sets/0/node_set_id", True)
    assert list(errors(judged_air(document))) == ["/node_sets/0/node_set_id"]


@pytest.mark.parametrize(
    ("pointer", "value", "level"),
    [
        ("/scale_out/nics/counted", False, "error"),
        ("/scale_out/required_bandwidth_tbps", 6.3, "error"),
        ("/scale_out/required_bandwidth_tbps", 6.5, "warning"),
        ("/scale_out/switches", [], "error"),
        ("/scale_out/switches/0/bandwidth_tbps", 6.0, "error"),
        ("/scale_out/switches/0/count", 0, "error"),
        ("/scale_out/cabling", "copper", "error"),
        ("/scale_out/cabling", None, "error"),
        ("/scale_out/nics", None, "error"),
        ("/scale_out/nics/counted", None, "error"),
        ("/scale_out/nics/count_per_node", None, "error"),
        ("/scale_out/nics/count_per_node", -4, "error"),
    ],
)
def test_a_fabric_that_does_not_add_up(pointer: str, value: object, level: str) -> None:
    result = judged_air(with_value(nodes_on_a_fabric(), pointer, value))
    assert problems_of(result, level)
    assert (result.total_w is None) is (level == "error")


def test_adapters_of_published_nodes_count_only_on_evidence() -> None:
    published = node_set(nodes=4, power_method="published_system", published_power=sourced(10000))
    refused = judged_air(appendix_e(published, scale_out=fabric()))
    assert "/scale_out/nics/counted" in errors(refused)
    evidenced = judged_air(appendix_e(published, scale_out=fabric(excluded_from_published_power="data sheet, page 3")))
    assert evidenced.total_w == pytest.approx(1200 * 1.5 + 40000 + 900)


def test_nodes_that_nothing_joins_are_an_error() -> None:
    alone = {**components(), "scale_up_network": {"method": "none"}}
    result = judged_air(appendix_e(node_set(nodes=2, components=alone)))
    assert "no scale-up network joins them" in errors(result)["/scale_out/present"]
    assert errors(judged_air(appendix_e(node_set(nodes=1, components=alone)))) == {}


def test_a_fabric_on_one_node_is_a_warning() -> None:
    result = judged_air(appendix_e(node_set(nodes=1), scale_out=fabric(nodes=1)))
    assert "/scale_out/present" in problems_of(result, "warning")


@pytest.mark.parametrize(
    ("figures", "agree"),
    [
        ({"total_system_power_w": 61500.4}, True),
        ({"total_system_power_w": 61501}, False),
        ({"major_components_w": 40400, "other_components_w": 20200, "scale_out_switch_power_w": 900}, True),
        ({"other_components_w": 20100}, False),
        ({"published_node_power_w": 1}, False),
        ({"scale_out_switch_power_w": 0}, False),
        ({"overhead_fraction": 0.5}, True),
        ({"overhead_fraction": 0.500001}, False),
        ({"overhead_fraction": "0.5"}, False),
    ],
)
def test_computed_figures_have_to_agree(figures: Document, agree: bool) -> None:
    result = judged_air(nodes_on_a_fabric(computed=figures))
    assert (errors(result) == {}) is agree
    assert (result.total_w is None) is not agree


@pytest.mark.parametrize(("kilowatts", "agrees"), [(61.5, True), (61.504, True), (61.51, False), (61500, False)])
def test_the_stated_kilowatts_have_to_agree(kilowatts: float, agrees: bool) -> None:
    assert (errors(judged_air(nodes_on_a_fabric(provisioned_power_kw=kilowatts))) == {}) is agrees


def test_two_sets_of_one_id_are_an_error() -> None:
    result = judged_air(appendix_e(node_set(0), node_set(0)))
    assert "used twice" in errors(result)["/node_sets/1/node_set_id"]


def test_node_sets_are_compared_with_the_description() -> None:
    document = appendix_e(node_set(0, nodes=4), node_set(7), scale_out=fabric(nodes=5))
    told = problems_of(judge_power(document, described("air", nodes=[2]), TABLE), "warning")
    assert "is 2" in told["/node_sets/0/nodes_provisioned"]
    assert "no node type" in told["/node_sets/1/system_node_ensemble_id"]


def test_passive_cooling_in_the_description_leaves_the_file_its_own() -> None:
    assert judged(appendix_e(), "passive").total_w == pytest.approx(14700)


def test_mixed_cooling_in_the_description_is_air_in_the_file() -> None:
    assert judged(appendix_e(cooling="air"), "air", "liquid").total_w == pytest.approx(14700)
    assert "/cooling" in errors(judged(appendix_e(cooling="liquid"), "air", "liquid"))


def test_unknown_keys_are_notices_outside_sourced_values() -> None:
    document = with_value(with_value(appendix_e(), "/vendor", 1), "/node_sets/0/vendor", 1)
    assert {"/vendor", "/node_sets/0/vendor"} <= set(problems_of(judged_air(document), "notice"))
