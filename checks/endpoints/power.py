"""The provisioned power of a system (rules 4.5.2): recognises the shape of a system_power.json and judges it.

Two shapes are in use: the one of the documentation (:mod:`checks.endpoints.power_checker_shape`), and Appendix E
(:mod:`checks.endpoints.power_appendix_e`), told apart by the keys at the top.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from checks.endpoints.power_appendix_e import TOP_LEVEL as APPENDIX_E_KEYS
from checks.endpoints.power_appendix_e import judge_appendix_e
from checks.endpoints.power_checker_shape import TOP_LEVEL as CHECKER_KEYS
from checks.endpoints.power_checker_shape import judge_checker_shape
from checks.endpoints.power_fields import Fields
from checks.endpoints.power_result import PowerResult, Problems
from checks.endpoints.system_facts import SystemFacts
from checks.endpoints.table_types import PowerTable

_ZERO_FIGURES: Final = ("provisioned_power_w", "rack_power_w", "submitted_nodes")
"""Single figures that make a total of nothing."""


def judge_power(document: object, system: SystemFacts, table: PowerTable) -> PowerResult:
    """Judges the parsed content of a system_power.json beside the facts of its system's descriptions.

    Never raises on anything a JSON parser returns. ``total_w``, where given, is finite and above 0.
    """
    problems = Problems()
    if not isinstance(document, dict):
        problems.error("", "The file does not hold a JSON object.")
        return PowerResult(problems=tuple(problems.found))
    result = _judge_object(Fields(document, "", problems, table), system)
    if result.total_w is not None and result.total_w <= 0:
        place = next((f"/{key}" for key in _ZERO_FIGURES if document.get(key) == 0), "")
        problems.error(
            place, "The total is 0 W; a system draws power.", "State the figures of the system as provisioned."
        )
        result = replace(result, total_w=None, derived=None)
    _report_cooling(problems, system, table)
    return replace(result, problems=tuple(problems.found))


def _report_cooling(problems: Problems, system: SystemFacts, table: PowerTable) -> None:
    """Cooling texts that a reader could take in two ways."""
    for text in system.cooling:
        named = [kind.name for kind in table.cooling if kind.pattern.search(text.lower())]
        if len(named) > 1:
            message = f'`cooling` "{text}" in system_desc.json names {" and ".join(named)}; it is read as {named[0]}.'
            problems.notice("", message, "Name one of them per node type, or state `overhead_fraction`.")
    if system.copies_disagree:
        text = "The copies of system_desc.json disagree on `cooling`; all of their texts are counted together."
        problems.warning("", text, "Describe the system alike in every point.")


def _judge_object(fields: Fields, system: SystemFacts) -> PowerResult:
    appendix_e = _present(fields.values, APPENDIX_E_KEYS)
    checker = _present(fields.values, CHECKER_KEYS)
    if appendix_e and checker:
        fields.problems.error(
            fields.at(checker[0]),
            f"The file mixes two shapes: {_quoted(checker)} with {_quoted(appendix_e)} of Appendix E.",
            "Use the fields of one shape only.",
        )
        return PowerResult()
    if appendix_e:
        return judge_appendix_e(fields, system)
    if checker:
        return judge_checker_shape(fields, system)
    fields.report_unknown(())
    fields.problems.error(
        "",
        "No total can be derived: the file has none of the fields of a power descriptor.",
        "State `cpu`, `accelerator` and `scale_up_network`, each with count, power per unit and link.",
    )
    return PowerResult()


def _present(values: Mapping[str, object], keys: frozenset[str]) -> list[str]:
    return [key for key in values if key in keys]


def _quoted(keys: list[str]) -> str:
    return ", ".join(f"`{key}`" for key in keys)
