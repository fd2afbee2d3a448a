"""The tables of the edition load, and hold the figures of the documents."""

import math

import pytest

from checks.endpoints.drafters import approved_drafter, drafters_of
from checks.endpoints.seeds import Cohort
from checks.endpoints.table_types import Drafter, Gate
from checks.endpoints.tables import editions, load_tables

TABLES = load_tables("2026-10")


def test_every_edition_loads() -> None:
    assert editions() == ("2026-10",)
    assert all(load_tables(edition).edition == edition for edition in editions())


def test_an_unknown_edition_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match="known: 2026-10"):
        load_tables("2025-01")


@pytest.mark.parametrize(
    ("model", "metric", "lower"),
    [
        ("llama3_1-8b", "rouge1", 0.99 * 38.7792),
        ("llama3_1-8b", "rougelsum", 0.99 * 35.793),
        ("gpt-oss-120b", "exact_match", 0.99 * 83.13),
        ("deepseek-r1", "exact_match", 0.99 * 81.3582),
    ],
)
def test_gates_are_99_percent_of_the_reference(model: str, metric: str, lower: float) -> None:
    assert TABLES.models[model].gates[metric].lower == pytest.approx(lower, rel=1e-12)


def test_agentic_models_have_floors_and_the_others_have_gates() -> None:
    for model in TABLES.models.values():
        assert (model.agentic is not None) is model.is_agentic
        assert bool(model.gates) is not model.is_agentic


@pytest.mark.parametrize(
    ("score", "passes"), [(90, True), (110, True), (89.9, False), (110.1, False), (math.nan, False), (math.inf, False)]
)
def test_a_gate_includes_its_bounds_and_never_passes_nan(score: float, passes: bool) -> None:
    assert Gate(90, 110).passes(score) is passes


def test_an_open_gate_still_refuses_nan() -> None:
    assert not Gate().passes(math.nan)
    assert Gate().passes(-1e300)


@pytest.mark.parametrize(
    ("concurrency", "agentic", "seconds"), [(1, False, 600), (32, True, 600), (33, False, 1200), (33, True, 2400)]
)
def test_steady_state_durations(concurrency: int, agentic: bool, seconds: int) -> None:
    assert TABLES.limits.steady_state_seconds(concurrency, agentic=agentic) == seconds


def test_every_division_has_a_word_on_every_item() -> None:
    for item, row in TABLES.disclosure.items.items():
        assert tuple(row) == TABLES.disclosure.divisions, item
    assert TABLES.disclosure.requires("pricing", "Serviced")
    assert not TABLES.disclosure.requires("pricing", "RDI")
    assert not TABLES.disclosure.requires("pricing", "Closed")


def test_severities_are_levels_and_cases_belong_to_rules() -> None:
    levels = {"error", "warning", "notice"}
    assert set(TABLES.severities.values()) <= levels
    assert set(TABLES.case_severities.values()) <= levels
    assert {case.partition(".")[0] for case in TABLES.case_severities} <= set(TABLES.severities)
    assert TABLES.severity("accuracy-coverage") == "error"
    assert TABLES.severity("accuracy-coverage", "surplus") == "warning"


def test_every_limit_has_a_section() -> None:
    assert all(TABLES.sections.values())
    assert {"maximum_points", "load_patterns"} <= set(TABLES.sections)


def test_drafters_belong_to_models_and_cohorts() -> None:
    for drafter in TABLES.drafters:
        assert drafter.benchmark in TABLES.models
        assert str(Cohort.parse(drafter.approved_cohort)) == drafter.approved_cohort
        assert drafter.weight_checksum
    assert len(drafters_of("kimi-k3", TABLES.drafters)) == 2
    assert drafters_of("llama3_1-8b", TABLES.drafters) == ()


def test_a_drafter_is_found_by_its_weights() -> None:
    approved = drafters_of("gpt-oss-120b", TABLES.drafters)
    assert approved_drafter({"weight_checksum": approved[0].weight_checksum}, approved) == approved[0]
    assert approved_drafter({"model_id": approved[0].model_id}, approved) is None
    assert approved_drafter({"weight_checksum": None}, approved) is None


def test_a_drafter_without_weights_is_found_by_target_and_configuration() -> None:
    approved = [Drafter("m", "2026-10-C0", "a/b", target_checksum="sha256:1", configuration={"exit_layer": 24})]
    declared = {"target_checksum": "sha256:1", "configuration": {"exit_layer": 24}}
    assert approved_drafter(declared, approved) == approved[0]
    assert approved_drafter({**declared, "configuration": {"exit_layer": 25}}, approved) is None
    assert approved_drafter({"target_checksum": "sha256:1"}, approved) is None
