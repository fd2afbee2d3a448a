"""JUnit XML as Jenkins reads it: a test suite per scope, a test case per rule that found something or could not run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import TypeVar
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from checks.findings import Fault, Finding, Level, NotRun, Report

Placed = TypeVar("Placed", Fault, NotRun)


def render(report: Report) -> str:
    """The report as one ``testsuites`` document. Own faults are errors, rules that could not be judged are skipped."""
    root = Element("testsuites", name=f"submission-bot {report.rules} {report.edition}")
    by_scope = report.findings_by_scope()
    faults, not_run = _by_scope(report.faults), _by_scope(report.not_run)
    for scope in dict.fromkeys([*by_scope, *not_run, *faults]):
        suite = ElementTree.SubElement(root, "testsuite", name=scope)
        suite.extend(_found(report, by_scope.get(scope, ())))
        suite.extend(_case(f"{one.rule} on {one.path}", "skipped", one.reason) for one in not_run.get(scope, ()))
        suite.extend(
            _case(one.rule, "error", f"checker fault, reference {one.reference}") for one in faults.get(scope, ())
        )
        if not len(suite):
            suite.append(Element("testcase", name="all rules"))
        for case in suite:
            case.set("classname", scope)
        suite.attrib.update(_totals(suite), skipped=_holding(suite, "skipped"))
    root.attrib.update(_totals(root))
    ElementTree.indent(root, " ")
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _by_scope(items: Iterable[Placed]) -> dict[str, list[Placed]]:
    grouped: dict[str, list[Placed]] = {}
    for item in items:
        grouped.setdefault(item.scope, []).append(item)
    return grouped


def _totals(element: Element) -> dict[str, str]:
    return {
        "tests": str(len(list(element.iter("testcase")))),
        "failures": _holding(element, "failure"),
        "errors": _holding(element, "error"),
    }


def _holding(element: Element, outcome: str) -> str:
    """How many test cases have that outcome, however often."""
    return str(sum(case.find(outcome) is not None for case in element.iter("testcase")))


def _case(name: str, outcome: str, message: str) -> Element:
    case = Element("testcase", name=name)
    ElementTree.SubElement(case, outcome, message=message)
    return case


def _found(report: Report, findings: Iterable[Finding]) -> Iterator[Element]:
    """A test case for each rule, failed by what fails the check; the rest is its output."""
    for rule, group in groupby(sorted(findings, key=lambda item: item.rule), key=lambda item: item.rule):
        found = list(group)
        case = Element("testcase", name=f"{rule} {found[0].name}")
        others = []
        for item in found:
            if _fails(report, item):
                ElementTree.SubElement(case, "failure", type=str(item.level), message=item.message).text = _line(item)
            else:
                others.append(_line(item))
        if others:
            ElementTree.SubElement(case, "system-out").text = "\n".join(others)
        yield case


def _fails(report: Report, finding: Finding) -> bool:
    heavy = finding.level is Level.ERROR or (report.strict and finding.level is Level.WARNING)
    return heavy and (report.base_counts or not finding.on_base)


def _line(finding: Finding) -> str:
    place = finding.path if finding.line is None else f"{finding.path}:{finding.line}"
    return f"{place}: {finding.level}: {finding.message}" + (f" {finding.hint}" if finding.hint else "")
