"""SARIF and JUnit as others take them: by the published schema, by Jenkins' structure, within GitHub's limits."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from xml.etree import ElementTree

import jsonschema
import pytest

from checks.findings import Fault, Finding, Level, NotRun, Report, Scope
from checks.formats import RENDERERS
from checks.formats.sarif import MOST_RESULTS
from checks.names import shown

SCHEMA = json.loads((Path(__file__).parent / "data" / "sarif-2.1.0-rtm.5.json").read_text())
A, B = "closed/Acme/results/A", "closed/Acme/results/B"
GZIPPED_BYTES = 10 * 1024 * 1024
"""What GitHub takes, compressed: https://docs.github.com/rest/code-scanning."""

ODD = [
    "a\x00\x01\x08\x0b\x0c\x1f\x7f\x85\ufffe\uffffb",
    "x\u202ey\u2066z\u200f",
    "\udc80\ud800",
    "a b#c?d%e:f&g<h>\"i'j]]>k\\l",
    "漢🚀é" * 30,
    "n" * 300,
    "/".join(["folder"] * 43),
]
"""Names and texts that a tree may hold, as the checker takes them."""


def finding(number: int = 0, **given) -> Finding:
    known = {
        "path": f"{A}/x{number}.json",
        "message": f"{number} %, at least 90 % required.",
        "level": Level.ERROR,
        "rule": "3.3.2",
        "name": "trainingAcceleratorUtilizationCheck",
        "scope": A,
    }
    return Finding(**{**known, **given})


def report(*findings: Finding, **given) -> Report:
    return Report("storage", "2.0", "0.1.0", **{"scopes": (Scope(A, "system", "changed"),), **given}, findings=findings)


def odd_report() -> Report:
    """Every odd text in every place, shown as the checker shows them."""
    texts = [shown(text) for text in ODD]
    found = [finding(path=text, message=text, hint=text, scope=text, line=1, end_line=3) for text in texts]
    return report(
        *found,
        finding(path=".", rule="x.unknown", name="noSuchRule", level=Level.NOTICE),
        scopes=tuple(Scope(text, "system", text) for text in texts),
        not_run=tuple(NotRun("3.1.2", text, text, text) for text in texts),
        faults=tuple(Fault("3.3.2", text, text, "7f3a", "KeyError") for text in texts),
        base="b" * 40,
        head="a" * 40,
    )


def sarif(given: Report) -> dict:
    document = json.loads(RENDERERS["sarif"](given))
    jsonschema.Draft4Validator(SCHEMA).validate(document)
    return document["runs"][0]


def junit(given: Report) -> ElementTree.Element:
    return ElementTree.fromstring(RENDERERS["junit"](given).encode())


@pytest.mark.parametrize("given", [report(), report(finding()), odd_report()], ids=["empty", "one", "odd"])
def test_sarif_is_valid_and_has_what_code_scanning_wants(given):
    run = sarif(given)
    rules = run["tool"]["driver"]["rules"]

    assert len({rule["id"] for rule in rules}) == len(rules)
    for rule in rules:
        assert all(0 < len(rule[key]["text"]) <= 1024 for key in ("shortDescription", "fullDescription"))
        assert rule["help"]["text"]
    assert len(run["results"]) == len(given.findings)
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert len(result["locations"]) == 1
        uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        assert uri.isascii()
        assert not set(uri) & set(' #?:<>"\\')
        assert result["partialFingerprints"]["primaryLocationLineHash"]


def test_one_id_under_two_names_is_one_rule():
    run = sarif(report(finding(), finding(1, name="another")))
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["3.3.2"]
    assert {result["ruleIndex"] for result in run["results"]} == {0}


def test_a_fingerprint_outlives_lines_and_tells_findings_apart():
    def fingerprints(*findings: Finding) -> list[str]:
        results = sarif(report(*findings))["results"]
        return [result["partialFingerprints"]["primaryLocationLineHash"] for result in results]

    first, moved = fingerprints(finding(line=3), finding(line=90))
    assert first == moved
    others = fingerprints(finding(), finding(1), finding(scope=B), finding(rule="3.3.3"), finding(message="else"))
    assert len(set(others)) == len(others)


def test_a_folder_without_a_base_is_compared_with_nothing():
    assert "baselineState" not in sarif(report(finding()))["results"][0]
    compared = sarif(report(finding(), finding(1, on_base=True), base="b" * 40))["results"]
    assert [result["baselineState"] for result in compared] == ["new", "unchanged"]


def test_more_findings_than_code_scanning_takes_leave_out_the_lightest_and_say_so():
    notices = [finding(number, level=Level.NOTICE, message="word " * 50) for number in range(MOST_RESULTS)]
    given = report(*notices, finding(0))
    text = RENDERERS["sarif"](given)
    run = json.loads(text)["runs"][0]

    assert len(run["results"]) == MOST_RESULTS
    assert run["results"][-1]["level"] == "error"
    (note,) = run["invocations"][0]["toolExecutionNotifications"]
    assert note["message"]["text"].startswith("1 finding left out")
    assert len(gzip.compress(text.encode())) < GZIPPED_BYTES


CHILDREN = {
    "testsuites": {"testsuite"},
    "testsuite": {"testcase"},
    "testcase": {"skipped", "error", "failure", "system-out"},
}
ATTRIBUTES = {
    "testsuites": {"name", "tests", "failures", "errors"},
    "testsuite": {"name", "tests", "failures", "errors", "skipped"},
    "testcase": {"name", "classname"},
    "failure": {"type", "message"},
    "error": {"message"},
    "skipped": {"message"},
}
"""The part of Jenkins' junit-10.xsd that is used; all of these are in it, ``name`` is required where it stands."""


@pytest.mark.parametrize("given", [report(), report(finding()), odd_report()], ids=["empty", "one", "odd"])
def test_junit_has_the_structure_that_jenkins_reads(given):
    for element in junit(given).iter():
        assert {child.tag for child in element} <= CHILDREN.get(element.tag, set())
        assert set(element.attrib) == ATTRIBUTES.get(element.tag, set())
        if element.tag == "testsuite":
            assert len(element) == int(element.attrib["tests"]) > 0


def test_junit_adds_up_and_shows_what_could_not_be_judged():
    root = junit(
        report(
            finding(), finding(1), finding(rule="4.3.1", scope=B), not_run=(NotRun("3.1.2", B, "no file", f"{B}/run"),)
        )
    )
    assert {name: root.get(name) for name in ("tests", "failures", "errors")} == {
        "tests": "3",
        "failures": "2",
        "errors": "0",
    }
    (skipped,) = root.iter("skipped")
    assert skipped.get("message") == "no file"
    assert [suite.get("skipped") for suite in root] == ["0", "1"]


def test_junit_fails_by_what_the_verdict_depends_on():
    given = report(finding(on_base=True), base_counts=False)
    assert junit(given).get("failures") == "0"
    assert json.loads(RENDERERS["json"](given))["verdict"] == "pass"


@pytest.mark.parametrize("name", RENDERERS)
def test_ten_thousand_findings_are_all_written(name):
    text = RENDERERS[name](report(*(finding(number) for number in range(10_000))))
    assert text.count("x9999.json") >= 1
    assert text.count("at least 90 % required") + text.count("at least 90 %25 required") >= 10_000
