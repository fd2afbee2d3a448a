"""The table of a Pareto curve: only where the configuration asks for it, from the facts of the check."""

from __future__ import annotations

from dataclasses import replace

import pytest

from checks.findings import Fact, Finding, Level, Report
from checks.formats import RENDERERS, pareto
from tests.checks.endpoints.one_curve import curve_tree
from tests.checks.support import checked

CURVE = "acme_corp/sub-0001/results/sys_000/llama3_1-8b"


def shown(report: Report) -> str:
    return RENDERERS["markdown"](replace(report, results_preview=True))


def rows(text: str) -> dict[str, list[str]]:
    """The cells of each line of the curve's table by the first of them."""
    table = text[text.index("system_tps") :].splitlines()[2:]
    lines = [line.strip("| ").split(" | ") for line in table if line.startswith("|")]
    return {first: cells for first, *cells in lines}


@pytest.fixture(scope="module")
def report() -> Report:
    tree, curve = curve_tree()
    tree.edit_json(curve.file(512, "result_summary.json"), {"/system_tps": 1})
    tree.edit_json(curve.file(768, "result_summary.json"), {"/duration_ns": -1, "/system_tps": None, "/tpot": None})
    return checked(tree)


def test_figures_stay_out_of_the_text_by_default(report: Report) -> None:
    text = RENDERERS["markdown"](report)
    assert "Measured curves" not in text
    assert "| Concurrency |" not in text
    assert {fact.name for fact in report.facts} > {"system_tps", "tps_per_user", "duration_s", "concurrency", "region"}


def test_every_point_is_a_row_in_the_order_of_concurrency(report: Report) -> None:
    assert list(rows(shown(report))) == ["16", "20", "88", "256", "512", "768", "1,000"]


def test_a_row_holds_region_figures_and_verdict(report: Report) -> None:
    found = rows(shown(report))
    tree, curve = curve_tree()
    summary = tree.json(curve.file(256, "result_summary.json"))
    assert found["256"] == [
        "high\\_concurrency",
        f"{summary['system_tps']:,.1f}",
        f"{summary['tps_per_user']:,.1f}",
        "1,200.0",
        "✅ passes",
    ]
    assert found["16"][0] == "low\\_latency"
    assert found["512"][-1] == "❌ 1 error"


def test_a_figure_that_is_not_known_is_a_dash(report: Report) -> None:
    region, system_tps, tps_per_user, duration, verdict = rows(shown(report))["768"]
    assert (region, system_tps, tps_per_user, duration) == ("high\\_concurrency", "–", "–", "–")
    assert verdict.startswith("❌")


def test_a_dedicated_offline_run_lies_in_no_region() -> None:
    tree, _ = curve_tree("gpt-oss-120b", offline="dedicated")
    assert rows(shown(checked(tree)))["6,396"][0] == "Offline"


def test_errors_of_the_curve_as_a_whole_are_told_above_its_table() -> None:
    tree, curve = curve_tree()
    tree.remove(curve.point(16))
    assert "The curve as a whole has " in shown(checked(tree))


def test_names_from_the_tree_can_not_break_the_table() -> None:
    folder = "a/b/results/s|x/@octocat"
    facts = (
        Fact("a/b", "concurrency", 16, "", f"{folder}/r16"),
        Fact("a/b", "region", "a|b", "", f"{folder}/r16"),
    )
    text = "\n".join(pareto.tables(Report("endpoints", "2026-10", "0", facts=facts)))
    assert "@octocat" not in text
    assert "| 16 | a\\|b |" in text


def test_a_report_without_curves_has_no_table() -> None:
    finding = Finding("closed/A", "m", level=Level.ERROR, rule="1", name="n", scope="closed/A")
    facts = (Fact("closed/A", "accelerator_utilization", 90.0, "%", "closed/A/summary.json"),)
    assert "Measured" not in shown(Report("storage", "2.0", "0", findings=(finding,), facts=facts))
