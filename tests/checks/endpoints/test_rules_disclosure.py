"""Disclosure by division: the table of the requirements page, row by row and division by division."""

from __future__ import annotations

from typing import Any

import pytest

from tests.checks.endpoints.one_curve import all_of, line_of
from tests.checks.support import places
from tests.trees.endpoints import EndpointsTree
from tests.trees.storage_files import GONE

RULE = "disclosure-by-division"
SUBMISSION = "acme_corp/sub-0001"
CURVE = f"{SUBMISSION}/results/sys_000/llama3_1-8b"
FIRST = f"{CURVE}/r16/system_desc.json"


def of_division(division: str) -> EndpointsTree:
    tree = EndpointsTree()
    tree.submission(division=division).system("sys_000").curve(offline="elected")
    return tree


def without(tree: EndpointsTree, pointer: str, value: Any = GONE) -> EndpointsTree:
    for path in tree.find("*/system_desc.json"):
        tree.edit_json(path, {pointer: value})
    return tree


ROWS = {
    "/node_types/0/host_processor_model_name": {"Standardized", "RDI"},
    "/node_types/0/host_memory_capacity": {"Standardized", "RDI"},
    "/node_types/0/accelerator_info/0/accelerator_model_name": {"Standardized", "Serviced", "RDI"},
    "/node_types/0/accelerator_info": {"Standardized", "Serviced", "RDI"},
    "/tensor_parallel": {"Standardized"},
    "/data_parallel": {"Standardized"},
    "/serving_framework": {"Standardized", "RDI"},
    "/node_types/0/operating_system": {"Standardized", "RDI"},
}


@pytest.mark.parametrize("division", ["Standardized", "Serviced", "RDI"])
@pytest.mark.parametrize("pointer", ROWS)
def test_a_value_that_the_division_must_disclose(pointer: str, division: str) -> None:
    told = all_of(without(of_division(division), pointer), RULE)
    if division in ROWS[pointer]:
        (finding,) = told
        assert (finding.level, finding.path) == ("error", FIRST)
        assert finding.line is not None
        assert f"The division {division} must disclose" in finding.message
    else:
        assert told == []


@pytest.mark.parametrize("division", ["Standardized", "Serviced", "RDI"])
def test_a_full_disclosure(division: str) -> None:
    assert all_of(of_division(division), RULE) == []


def test_blanks_disclose_nothing() -> None:
    tree = without(of_division("RDI"), "/node_types/0/operating_system", " ")
    assert places(all_of(tree, RULE)) == [(RULE, "error", FIRST, line_of(tree, FIRST, "{\n      "))]


def test_a_framework_without_a_version_is_warned_of() -> None:
    tree = without(of_division("Standardized"), "/serving_framework", "vLLM")
    assert places(all_of(tree, RULE)) == [(RULE, "warning", FIRST, line_of(tree, FIRST, "serving_framework"))]


@pytest.mark.parametrize(("division", "is_told"), [("Standardized", True), ("Serviced", False), ("RDI", False)])
def test_source_beside_the_readme(division: str, is_told: bool) -> None:
    tree = of_division(division)
    tree.remove(f"{SUBMISSION}/src/vllm/launch.sh")
    assert places(all_of(tree, RULE)) == ([(RULE, "warning", f"{SUBMISSION}/src/vllm", None)] if is_told else [])


@pytest.mark.parametrize(("division", "is_told"), [("Standardized", True), ("Serviced", False), ("RDI", True)])
def test_the_software_disclosure(division: str, is_told: bool) -> None:
    tree = of_division(division)
    page = f"{SUBMISSION}/docs/software_disclosure.md"
    tree.put(page, "We used the latest versions.\n")
    assert places(all_of(tree, RULE)) == ([(RULE, "warning", page, 1)] if is_told else [])
    tree.rename(page, f"{SUBMISSION}/docs/other.md")
    assert places(all_of(tree, RULE)) == ([(RULE, "warning", f"{SUBMISSION}/docs", None)] if is_told else [])


@pytest.mark.parametrize(
    ("text", "lacking"),
    [
        ("Pricing: 2 USD. Rate limit: 5 per s.", None),
        ("The price is 2 USD; 1000 requests per minute.", None),
        ("Pricing: 2 USD.", "rate limits"),
        ("1000 tokens per second", "prices"),
        ("Nothing of the kind; appreciate it.", "prices and rate limits"),
    ],
)
def test_prices_and_rate_limits_of_a_service(text: str, lacking: str | None) -> None:
    tree = of_division("Serviced")
    tree.put(f"{SUBMISSION}/docs/pricing.md", text)
    told = all_of(tree, RULE)
    assert places(told) == ([] if lacking is None else [(RULE, "warning", f"{SUBMISSION}/docs", None)])
    assert all(f"speaks of {lacking}," in finding.message for finding in told)
