"""Every format says the same: all findings, verdicts that agree with the exit codes, nothing hostile let through."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest

from checks.findings import Fact, Fault, Finding, Level, NotRun, Report, Scope, Waived
from checks.formats import RENDERERS, text
from checks.names import shown, shown_path

A, B = "closed/Acme/results/A", "closed/Acme/results/B"


def finding(path: str = f"{A}/x.json", level: Level = Level.ERROR, **given) -> Finding:
    return Finding(
        path=path,
        message=given.pop("message", "88.7 %, at least 90 % required."),
        level=level,
        rule=given.pop("rule", "3.3.2"),
        name=given.pop("name", "trainingAcceleratorUtilizationCheck"),
        scope=given.pop("scope", A),
        **given,
    )


def report(*findings: Finding, **given) -> Report:
    scopes = (Scope(A, "system", "results changed"), Scope(B, "system", "removed"))
    return Report("storage", "2.0", "0.1.0", scopes=scopes, findings=findings, **given)


FULL = report(
    finding(line=14, end_line=14, hint="Run it again.", count=3),
    finding(level=Level.WARNING, rule="4.3.1", message="a | b * c ` @octocat %\n::error::x"),
    finding(level=Level.NOTICE, path=A, rule="2.1.2"),
    not_run=(NotRun("3.1.2", A, "summary.json is missing (see 2.1.19)", f"{A}/run"),),
    facts=(Fact(A, "utilization", 88.7, "%", f"{A}/x.json"),),
    waived=(Waived(finding(rule="2.1.7"), "agreed", "2026-12-31"),),
    notes=("A note.",),
)
FAULTY = report(faults=(Fault("3.3.2", A, f"{A}/x.json", "7f3a", "KeyError"),))


def test_json_has_every_key_of_the_contract():
    data = json.loads(RENDERERS["json"](FULL))

    assert data["schema"] == 1
    assert data["tool"] == {"name": "submission-bot", "version": "0.1.0"}
    assert data["rules"] == {"name": "storage", "edition": "2.0"}
    assert (data["base"], data["head"], data["verdict"]) == (None, None, "fail")
    assert data["counts"] == {"error": 1, "warning": 1, "notice": 1}
    assert data["scopes"][0] == {
        "path": A,
        "kind": "system",
        "verdict": "fail",
        "counts": {"error": 1, "warning": 1, "notice": 1},
        "reason": "results changed",
    }
    assert data["scopes"][1]["verdict"] == "pass"
    assert data["findings"][0] == {
        "rule": "3.3.2",
        "name": "trainingAcceleratorUtilizationCheck",
        "level": "error",
        "path": f"{A}/x.json",
        "line": 14,
        "end_line": 14,
        "scope": A,
        "message": "88.7 %, at least 90 % required.",
        "hint": "Run it again.",
        "count": 3,
        "on_base": False,
    }
    assert data["findings"][2]["line"] is None
    assert data["not_run"][0]["reason"].startswith("summary.json is missing")
    assert data["facts"] == [{"scope": A, "name": "utilization", "value": 88.7, "unit": "%", "path": f"{A}/x.json"}]


@pytest.mark.parametrize(
    ("given", "verdict"),
    [
        (report(), "pass"),
        (report(finding(level=Level.WARNING)), "pass"),
        (report(finding(level=Level.WARNING), strict=True), "fail"),
        (report(finding(level=Level.NOTICE), strict=True), "pass"),
        (report(finding()), "fail"),
        (FAULTY, "fail"),
    ],
)
def test_verdicts(given, verdict):
    assert json.loads(RENDERERS["json"](given))["verdict"] == verdict


def test_text_names_place_rule_figure_and_way_out_and_ends_with_the_verdict():
    lines = RENDERERS["text"](FULL).splitlines()

    assert any("✗ error 3.3.2" in line and "(3 times)" in line and f"{A}/x.json:14" in line for line in lines)
    assert any("→ Run it again." in line for line in lines)
    assert lines[-1].startswith("FAIL: 1 error, 1 warning, 1 notice")
    assert "exit code 1" in lines[-1]
    assert "\x1b" not in "".join(lines)
    assert "\x1b[31m" in text.render(FULL, colour=True)


def test_text_of_an_own_fault_blames_nobody_else():
    lines = RENDERERS["text"](FAULTY).splitlines()

    assert lines[-1].startswith("NO VERDICT")
    assert "exit code 2" in lines[-1]
    assert any("not a fault of the submission" in line and "7f3a" in line for line in lines)


def test_sarif_points_at_lines_and_keeps_own_faults_out_of_results():
    run = json.loads(RENDERERS["sarif"](FULL))["runs"][0]
    location = run["results"][0]["locations"][0]["physicalLocation"]

    assert location == {
        "artifactLocation": {"uri": f"{A}/x.json", "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": 14, "endLine": 14},
    }
    assert [result["level"] for result in run["results"]] == ["error", "warning", "note"]
    assert all(
        run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"] for result in run["results"]
    )
    faulty = json.loads(RENDERERS["sarif"](FAULTY))["runs"][0]
    assert faulty["results"] == []
    assert faulty["invocations"][0]["executionSuccessful"] is False


def test_junit_counts_rules_not_occurrences():
    suites = ElementTree.fromstring(RENDERERS["junit"](FULL).split("\n", 1)[1])
    first, second = suites.findall("testsuite")

    assert (first.get("tests"), first.get("failures"), first.get("errors")) == ("4", "1", "0")
    assert second.get("failures") == "0"
    assert first.find("testcase/failure").text.startswith(f"{A}/x.json:14: error:")
    faulty = ElementTree.fromstring(RENDERERS["junit"](FAULTY).split("\n", 1)[1])
    assert faulty.find("testsuite/testcase/error") is not None


def test_github_commands_cannot_be_forged_by_a_message():
    lines = RENDERERS["github"](FULL).splitlines()

    assert lines[0].startswith(f"::error file={A}/x.json,title=3.3.2 trainingAcceleratorUtilizationCheck,line=14")
    assert sum(line.startswith("::error") for line in lines) == 1
    assert "%0A::error" in lines[1]
    assert "%25" in lines[1]


def test_markdown_escapes_what_comes_from_the_tree():
    rendered = RENDERERS["markdown"](FULL)

    assert "a \\| b \\* c" in rendered
    assert "@octocat" not in rendered
    assert "| Scope | Verdict |" in rendered
    assert "WAIVED 2.1.7" in rendered
    assert "### Notes\n\n- A note." in rendered


@pytest.mark.parametrize("name", RENDERERS)
def test_every_format_is_the_same_each_time_and_holds_every_finding(name):
    first, second = RENDERERS[name](FULL), RENDERERS[name](FULL)

    assert first == second
    assert first.endswith("\n")
    assert all(rule in first for rule in ("3.3.2", "4.3.1", "2.1.2"))


@pytest.mark.parametrize(
    ("raw", "safe"),
    [
        (b"plain", "plain"),
        ("Größe".encode(), "Größe"),
        (b"a\nb", "a\\x0ab"),
        (b"\xff\xfe", "\\xff\\xfe"),
        (b"a\x7fb", "a\\x7fb"),
        ("\u202ex".encode(), "\\xe2\\x80\\xaex"),
        ("S\u3164".encode(), "S\\xe3\\x85\\xa4"),
        ("S\ufe0f".encode(), "S\\xef\\xb8\\x8f"),
        ("⚠\ufe0f".encode(), "⚠\ufe0f"),
    ],
)
def test_names_are_shown_without_losing_a_byte(raw, safe):
    assert shown(raw.decode("utf-8", "surrogateescape")) == safe


@pytest.mark.parametrize(
    "mark", "\u034f\u115f\u1160\u17b4\u17b5\u180b\u2800\u3164\ufe00\ufe0f\uffa0\U000e0100\U000e01ef"
)
def test_names_that_look_alike_are_told_apart(mark):
    assert shown(f"S1{mark}").isascii()
    assert shown(f"S1{mark}").isprintable()


def test_the_root_is_shown_as_a_dot():
    assert shown_path("") == "."


def test_junit_shows_what_belongs_to_no_checked_scope():
    stray = Fault("9.9", ".", ".", "7f3a", "KeyError")
    root = ElementTree.fromstring(
        RENDERERS["junit"](report(finding(scope="closed/Acme"), faults=(stray,))).split("\n", 1)[1]
    )
    assert {suite.get("name"): (suite.get("failures"), suite.get("errors")) for suite in root} == {
        A: ("0", "0"),
        B: ("0", "0"),
        "closed/Acme": ("1", "0"),
        ".": ("0", "1"),
    }


@pytest.mark.parametrize("character", ["\ufffe", "\uffff", "\U000e0041", "\xad", "\u2060", "\x0b", "\ud800"])
def test_what_can_not_be_shown_or_written_as_xml_is_escaped(character):
    told = shown(f"a{character}b")
    assert told.isascii()
    assert told.startswith("a\\x")
    ElementTree.fromstring(RENDERERS["junit"](report(finding(message=told))).split("\n", 1)[1].encode())


def test_json_items_are_lines_whatever_their_texts_hold():
    odd = [
        finding(message=f'a}}, {{"b": {number} \\" }}, {{'[::step], path=f"p{number}")
        for number in (1, 2)
        for step in (1, -1)
    ]
    text = RENDERERS["json"](report(*odd))
    assert len(json.loads(text)["findings"]) == len(odd)
    assert text.count('\n  {"rule": ') == len(odd)


@pytest.mark.parametrize(
    ("value", "shown"),
    [(float("inf"), "inf"), (float("nan"), "nan"), (88.7, 88.7), (2**70, 2**70), ("17\u201320", "17\u201320"), (3, 3)],
)
def test_facts_are_strict_json(value, shown):
    def refused(constant):
        raise AssertionError(f"{constant} is no JSON")

    rendered = RENDERERS["json"](report(facts=(Fact(A, 'a "name"', value, "%", B),)))

    (fact,) = json.loads(rendered, parse_constant=refused)["facts"]
    assert fact == {"scope": A, "name": 'a "name"', "value": shown, "unit": "%", "path": B}
