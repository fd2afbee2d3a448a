"""The power model: every worked example, where the figures come from, and what is refused."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checks.endpoints.power import judge_power
from checks.endpoints.system_facts import SystemFacts, read_system
from tests.checks.endpoints.power_documents import (
    BASE_W,
    TABLE,
    Document,
    appendix_e,
    described,
    errors,
    groups,
    judged,
    node_set,
    problems_of,
    rack,
    rules_of,
    with_value,
)

CHECKER_EXAMPLES = {
    "S1 liquid": (groups(), "liquid", 12740),
    "S2 air-cooled": (groups(), "air-cooled", 14700),
    "S3 stated fraction": (groups(overhead_fraction=0.4), None, 13720),
    "S4 declared": (groups(provisioned_power_w=20000), "air", 20000),
    "S5 rack": (rack(), None, 75000),
    "S6 rack beats groups": (groups(**rack()), "air", 75000),
    "S7 incomplete rack": (groups(rack_power_w=120000, rack_nodes=8), "air", 14700),
    "S8 compute": (groups(compute={"count": 4, "tdp_per_unit": 2700, "link": "https://v.example"}), "liquid", 18590),
    "S9 scale-out": (groups(scale_out_network={"num_switches": 2, "tdp_per_switch": 900}), "liquid", 12740),
    "S10 declared beats rack": (groups(provisioned_power_w=15000, **rack()), "air", 15000),
    "S11 one group": ({"accelerator": {"num_accelerator": 8, "tdp_per_accelerator": 1000}}, "air", 12000),
    "S12 no switches": (groups(scale_up_network={"num_switches": 0, "tdp_per_switch": 0}), "air", 9450),
    "S13 passive": (groups(), "passive", None),
    "S14 fraction 0": (groups(overhead_fraction=0), "air", 9800),
    "S15 negative fraction": (groups(overhead_fraction=-0.5), "air", None),
    "S16 two spellings": (groups(cpu={"num_cpu": 2, "count": 4, "tdp_per_cpu": 350}), "air", None),
    "S18 rack of 0 nodes": ({"rack_nodes": 0}, None, None),
}


@pytest.mark.parametrize("name", CHECKER_EXAMPLES)
def test_worked_examples_of_the_checker_shape(name: str) -> None:
    document, cooling, total = CHECKER_EXAMPLES[name]
    result = judged(document, cooling)
    assert result.shape == "checker"
    assert result.total_w == (None if total is None else pytest.approx(total, abs=1e-9))
    assert bool(errors(result)) is (total is None)


def test_the_declared_figure_keeps_the_sum_as_a_cross_check() -> None:
    result = judged(groups(provisioned_power_w=20000), "air")
    assert (result.derived, result.component_total_w, result.overhead) == ("declared", 14700, None)


def test_the_sources_of_a_total_are_told() -> None:
    result = judged(groups(), "Liquid (direct-to-chip)")
    assert result.derived == "components"
    assert result.overhead is not None
    assert (result.overhead.fraction, result.overhead.source) == (
        0.30,
        'cooling "Liquid (direct-to-chip)" in system_desc.json',
    )
    assert {part.name: part.watts for part in result.parts} == {
        "cpu": 700,
        "accelerator": 5600,
        "scale_up_network": 3500,
    }
    assert result.provisioned_power_kw == 12.74


def test_scale_out_switches_give_a_second_figure() -> None:
    switches = {"num_switches": 2, "tdp_per_switch": 900, "link": "https://vendor.example/s"}
    result = judged(groups(scale_out_network=switches), "liquid")
    assert result.scale_out_total_w == pytest.approx(14540)
    assert "14,540 W" in problems_of(result, "notice")["/scale_out_network"]


def test_absent_groups_are_named_as_estimates() -> None:
    result = judged(groups(cpu=None, scale_up_network=None), "air")
    (warning,) = [problem for problem in result.problems if problem.level == "warning"]
    assert warning.rule == "power-estimated"
    assert "cpu, scale_up_network" in warning.message


def test_a_complete_base_has_nothing_to_say() -> None:
    assert judged(groups(), "liquid").problems == ()


def test_an_incomplete_group_adds_nothing_and_is_named() -> None:
    result = judged(groups(cpu={"num_cpu": 2, "link": "https://v.example"}), "air")
    assert result.total_w == pytest.approx(9100 * 1.5)
    assert "no `tdp_per_cpu`" in problems_of(result, "warning")["/cpu"]


def test_compute_without_a_figure_leaves_cpu_and_accelerators_in_place() -> None:
    result = judged(groups(compute={"count": 4, "link": "https://v.example"}), "air")
    assert result.total_w == pytest.approx(14700)


def test_a_null_total_is_not_declared() -> None:
    document = groups()
    document["provisioned_power_w"] = None
    assert judged(document, "air").total_w == 14700


@pytest.mark.parametrize("value", ["12 kW", "20000", True, -1, math.nan, math.inf, [20000], 10**400, 1e13])
def test_a_broken_declared_figure_is_not_replaced_by_the_next(value: object) -> None:
    result = judged(groups(provisioned_power_w=value), "air")
    assert result.total_w is None
    assert list(errors(result)) == ["/provisioned_power_w"]


@pytest.mark.parametrize(
    ("texts", "fraction"),
    [
        (["liquid"], 0.30),
        (["Direct Water Cooling"], 0.30),
        (["immersion"], 0.30),
        (["Air-cooled"], 0.50),
        (["aircooled"], 0.50),
        (["forced air"], 0.50),
        (["rear door airflow"], 0.50),
        (["liquid", "air"], 0.50),
        (["liquid", "water"], 0.30),
        (["passive", "liquid"], 0.30),
        (["passive", "air"], 0.50),
    ],
)
def test_cooling_decides_the_overhead(texts: list[str], fraction: float) -> None:
    assert judged(groups(), *texts).total_w == pytest.approx(BASE_W * (1 + fraction))


@pytest.mark.parametrize("text", ["passive", "", "chair", "repair", "fair", "none", None])
def test_a_text_that_names_no_cooling_gives_no_total(text: str | None) -> None:
    result = judged(groups(), text)
    assert result.total_w is None
    assert "overhead_fraction" in errors(result)[""]


def test_the_system_level_text_counts_too() -> None:
    result = judge_power(groups(), described("air", top="liquid"), TABLE)
    assert result.total_w == pytest.approx(BASE_W * 1.5)


def test_a_text_that_names_both_is_read_as_liquid_and_told() -> None:
    result = judged(groups(), "liquid and air")
    assert result.total_w == pytest.approx(BASE_W * 1.3)
    assert "liquid and air" in problems_of(result, "notice")[""]


def test_copies_that_disagree_give_the_mixed_overhead_and_a_warning() -> None:
    system = read_system([{"cooling": "liquid"}, {"cooling": "air"}])
    result = judge_power(groups(), system, TABLE)
    assert result.total_w == pytest.approx(BASE_W * 1.5)
    assert "disagree" in problems_of(result, "warning")[""]


def test_a_stated_fraction_against_the_cooling_text_is_accepted_with_a_warning() -> None:
    result = judged(groups(overhead_fraction=0.4), "air")
    assert result.total_w == pytest.approx(13720)
    assert "0.5" in problems_of(result, "warning")["/overhead_fraction"]


def test_a_stated_fraction_serves_passive_cooling() -> None:
    result = judged(groups(overhead_fraction=0.1), "passive")
    assert result.total_w == pytest.approx(10780)
    assert result.problems == ()


@pytest.mark.parametrize(
    "pointer", ["/cpu/num_cpu", "/accelerator/tdp_per_accelerator", "/scale_up_network/num_switches"]
)
@pytest.mark.parametrize("value", [-1, "350", "350 W", True, math.nan, math.inf, -math.inf, [], {}, 10**400, 1e13])
def test_what_is_no_plausible_figure_is_an_error_at_its_place(pointer: str, value: object) -> None:
    result = judged(with_value(groups(), pointer, value), "air")
    assert list(errors(result)) == [pointer]
    assert result.total_w is None


@pytest.mark.parametrize("pointer", ["/cpu/num_cpu", "/scale_up_network/num_switches"])
def test_installed_units_are_whole(pointer: str) -> None:
    assert "whole number" in errors(judged(with_value(groups(), pointer, 2.5), "air"))[pointer]
    assert errors(judged(with_value(groups(), pointer, 2.0), "air")) == {}


@pytest.mark.parametrize(
    ("document", "pointer", "said"),
    [
        (rack(nodes=0), "/rack_nodes", "at least one node"),
        (rack(nodes=-1), "/rack_nodes", "negative"),
        (rack(submitted=2.5), "/submitted_nodes", "whole number"),
        (rack(nodes=7.5), "/rack_nodes", "whole number"),
        (rack(submitted=9), "/submitted_nodes", "more than the 8"),
        (rack(power="120 kW"), "/rack_power_w", "without a unit"),
        (rack(submitted=0), "/submitted_nodes", "0 W"),
        ({"provisioned_power_w": 0}, "/provisioned_power_w", "0 W"),
        (groups(cpu=[]), "/cpu", "not an object"),
        ({**groups(), "cpu": None}, "/cpu", "null"),
        ({**groups(), "scale_up_network": None}, "/scale_up_network", "null"),
        ({"rack_power_w": 120000, "rack_nodes": 8}, "/rack_power_w", "`submitted_nodes` is missing"),
        ({"notes": "x"}, "", "none of the fields"),
        ({}, "", "none of the fields"),
        ([], "", "JSON object"),
        (None, "", "JSON object"),
        ("x", "", "JSON object"),
    ],
)
def test_what_gives_no_total_says_where_and_why(document: object, pointer: str, said: str) -> None:
    result = judged(document, "air")
    assert result.total_w is None
    assert said in errors(result)[pointer]


@pytest.mark.parametrize("submitted", [9, 2.5])
def test_a_broken_rack_is_not_replaced_by_the_groups(submitted: float) -> None:
    result = judged(groups(**rack(submitted=submitted)), "air")
    assert result.total_w is None


def test_an_incomplete_rack_beside_groups_is_a_warning() -> None:
    result = judged(groups(rack_power_w=120000, rack_nodes=8), "air")
    assert "`submitted_nodes` is missing" in problems_of(result, "warning")["/rack_power_w"]


def test_submitted_nodes_are_compared_with_the_description() -> None:
    told = problems_of(judge_power(rack(), described(nodes=[4]), TABLE), "warning")
    assert "describes 4 nodes" in told["/submitted_nodes"]
    assert problems_of(judge_power(rack(), described(nodes=[3, 2]), TABLE), "warning") == {}


@pytest.mark.parametrize(
    ("group", "pointer"),
    [
        ({"num_cpu": 2, "count": 4, "tdp_per_cpu": 350}, "/cpu/count"),
        ({"num_cpu": 2, "tdp_per_cpu": 350, "tdp_per_unit": 500}, "/cpu/tdp_per_unit"),
        (
            {
                "num_cpu": 2,
                "tdp_per_cpu": 350,
                "link": "https://a.example",
                "public_specification": "https://b.example",
            },
            "/cpu/public_specification",
        ),
    ],
)
def test_two_spellings_that_differ_are_a_conflict(group: Document, pointer: str) -> None:
    assert pointer in errors(judged(groups(cpu=group), "air"))


def test_two_spellings_that_agree_are_one() -> None:
    group = {"num_cpu": 2, "count": 2, "tdp_per_cpu": 350, "tdp_per_unit": 350.0, "link": "https://v.example"}
    result = judged(groups(cpu=group), "air")
    assert (result.total_w, result.problems) == (14700, ())


@pytest.mark.parametrize("link", [None, "ftp://vendor.example/cpu", "see the data sheet"])
def test_a_missing_or_odd_link_is_a_warning(link: str | None) -> None:
    result = judged(groups(cpu={"num_cpu": 2, "tdp_per_cpu": 350, "link": link}), "air")
    assert (len(problems_of(result, "warning")), errors(result)) == (1, {})
    assert result.total_w == 14700


def test_public_specification_is_a_link_too() -> None:
    group = {"num_cpu": 2, "tdp_per_cpu": 350, "public_specification": "https://vendor.example/cpu"}
    assert judged(groups(cpu=group), "air").problems == ()


@pytest.mark.parametrize("pointer", ["/vendor", "/cpu/num_accelerator", "/provisioned_power_watts"])
def test_an_unknown_key_is_a_notice(pointer: str) -> None:
    result = judged(with_value(groups(), pointer, 1), "air")
    assert list(problems_of(result, "notice")) == [pointer]
    assert result.total_w == 14700


def test_keys_are_escaped_in_pointers() -> None:
    document = groups()
    document["a/b~c"] = 1
    assert list(problems_of(judged(document, "air"), "notice")) == ["/a~1b~0c"]


def test_both_shapes_in_one_file_are_an_error() -> None:
    result = judged({**groups(), **appendix_e()}, "air")
    assert (result.shape, result.total_w) == (None, None)
    assert "mixes two shapes" in errors(result)["/cpu"]


@pytest.mark.parametrize("document", [groups(), appendix_e()])
def test_a_judgement_leaves_its_input_alone(document: Document) -> None:
    before = repr(document)
    judged(document, "air")
    assert repr(document) == before


def test_the_rules_of_the_problems_are_known() -> None:
    document = groups(cpu={"count": 2}, scale_up_network=None, provisioned=1)
    assert rules_of(judged(document, "air").problems) == {"power-descriptor", "power-estimated"}


anything: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)
figure = st.one_of(st.integers(-2, 10**14), st.floats(), anything)
group = st.fixed_dictionaries(
    {},
    optional=dict.fromkeys(
        ("num_cpu", "num_accelerator", "num_switches", "count", "tdp_per_unit", "tdp_per_cpu", "link"), figure
    ),
)
checker_documents = st.fixed_dictionaries(
    {},
    optional={
        **dict.fromkeys(
            ("provisioned_power_w", "rack_power_w", "rack_nodes", "submitted_nodes", "overhead_fraction"), figure
        ),
        **dict.fromkeys(("cpu", "accelerator", "compute", "scale_up_network", "scale_out_network"), group | anything),
    },
)
node_sets = st.lists(
    st.builds(
        lambda base, changes: {**base, **changes},
        st.just(node_set()),
        st.dictionaries(
            st.sampled_from([*node_set(), "published_power", "nodes_in_published_rack"]), anything, max_size=2
        ),
    ),
    max_size=3,
)
appendix_e_documents = st.builds(
    lambda sets, changes: {**appendix_e(), "node_sets": sets, **changes},
    node_sets,
    st.dictionaries(
        st.sampled_from(["cooling", "scale_out", "computed", "declared_provisioned_power"]), anything, max_size=2
    ),
)


@given(checker_documents | appendix_e_documents | anything, st.sampled_from(["air", "liquid", "passive"]))
def test_a_total_is_finite_and_positive_or_there_is_an_error(document: object, cooling: str) -> None:
    result = judge_power(document, SystemFacts(cooling=(cooling,)), TABLE)
    if result.total_w is None:
        assert errors(result)
    else:
        assert 0 < result.total_w < math.inf


@given(anything, anything)
def test_descriptions_of_any_shape_are_read(cooling: object, kinds: object) -> None:
    system = read_system([{"cooling": cooling, "node_types": kinds}, {"node_types": [kinds]}])
    assert all(kind.nodes is None or kind.nodes >= 0 for kind in system.node_types)
