"""JUnit XML: one test suite per scope, one test case per rule that found something, so that any CI shows it."""

from __future__ import annotations

from itertools import groupby
from xml.etree import ElementTree

from checks.findings import Finding, Level, Report


def render(report: Report) -> str:
    """The report as one ``testsuites`` document."""
    root = ElementTree.Element("testsuites", name=f"submission-bot {report.rules} {report.edition}")
    by_scope = report.findings_by_scope()
    for path in dict.fromkeys([*by_scope, *(fault.scope for fault in report.faults)]):
        _suite(root, report, path, by_scope.get(path, ()))
    ElementTree.indent(root, " ")
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _suite(root: ElementTree.Element, report: Report, scope: str, findings: tuple[Finding, ...]) -> None:
    suite = ElementTree.SubElement(root, "testsuite", name=scope)
    cases = failures = errors = 0
    for rule, group in groupby(sorted(findings, key=lambda item: item.rule), key=lambda item: item.rule):
        found = list(group)
        case = ElementTree.SubElement(suite, "testcase", classname=scope, name=f"{rule} {found[0].name}")
        failing = [
            item for item in found if item.level is Level.ERROR or (report.strict and item.level is Level.WARNING)
        ]
        for item in failing:
            ElementTree.SubElement(case, "failure", type=str(item.level), message=item.message).text = _line(item)
        if others := [item for item in found if item not in failing]:
            ElementTree.SubElement(case, "system-out").text = "\n".join(map(_line, others))
        cases, failures = cases + 1, failures + bool(failing)
    for fault in report.faults:
        if fault.scope == scope:
            case = ElementTree.SubElement(suite, "testcase", classname=scope, name=fault.rule)
            ElementTree.SubElement(case, "error", message=f"checker fault, reference {fault.reference}")
            cases, errors = cases + 1, errors + 1
    if not cases:
        ElementTree.SubElement(suite, "testcase", classname=scope, name="all rules")
    suite.attrib.update(tests=str(cases or 1), failures=str(failures), errors=str(errors))


def _line(finding: Finding) -> str:
    place = finding.path if finding.line is None else f"{finding.path}:{finding.line}"
    return f"{place}: {finding.level}: {finding.message}" + (f" {finding.hint}" if finding.hint else "")
