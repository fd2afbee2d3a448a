"""What the terminal shows: findings grouped by scope in the order of the tree, the verdict last."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator

from checks.findings import Finding, Report, Verdict
from checks.units import counted

Paint = Callable[[str, str], str]

WIDTH = 118
_MARKS = {"error": "✗ error", "warning": "! warning", "notice": "· notice"}
_COLOURS = {"error": "31", "warning": "33", "notice": "36", "pass": "32", "fail": "31", "bold": "1", "dim": "2"}


def render(report: Report, colour: bool = False) -> str:
    """The report for people. ``colour`` uses ANSI escapes; paths read ``path:line``, which terminals make clickable."""
    paint = _painted if colour else _plain
    lines = [*_scopes(report, paint), *_rest(report, paint), _verdict(report, paint)]
    return "\n".join(lines) + "\n"


def _painted(text: str, kind: str) -> str:
    return f"\x1b[{_COLOURS[kind]}m{text}\x1b[0m"


def _plain(text: str, kind: str) -> str:
    del kind
    return text


def _scopes(report: Report, paint: Paint) -> Iterator[str]:
    kinds = {scope.path: scope for scope in report.scopes}
    for path, findings in report.findings_by_scope().items():
        scope = kinds.get(path)
        if not findings and (scope is None or scope.kind != "system"):
            continue
        verdict = report.scope_verdict(findings)
        reason = f" ({scope.reason})" if scope is not None and scope.reason != "checked" else ""
        removed = scope is not None and scope.reason == "removed"
        state = "removed" if removed else "passes" if verdict is Verdict.PASS else "fails"
        yield paint(f"{path}{'' if removed else reason}: {state}", "dim" if removed else str(verdict))
        for finding in findings:
            yield from _finding(finding, paint)
        yield ""


def _finding(finding: Finding, paint: Paint) -> Iterator[str]:
    place = finding.path if finding.line is None else f"{finding.path}:{finding.line}"
    level = str(finding.level)
    times = f" ({finding.count} times)" if finding.count > 1 else ""
    times += " (already on the base)" if finding.on_base else ""
    yield f"  {paint(_MARKS[level], level)} {paint(f'{finding.rule} {finding.name}', 'bold')}{times}  {place}"
    yield from _wrapped(finding.message)
    if finding.hint:
        yield from _wrapped(f"→ {finding.hint}")


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(
        text, WIDTH, initial_indent="      ", subsequent_indent="      ", break_long_words=False, break_on_hyphens=False
    )


def _rest(report: Report, paint: Paint) -> Iterator[str]:
    if report.not_run:
        yield paint(
            f"Could not be judged ({counted(len(report.not_run), 'rule and place', 'rules and places')}):", "bold"
        )
        yield from (f"  {item.rule} on {item.path}: {item.reason}" for item in report.not_run)
        yield ""
    if report.waived:
        yield paint("Waived by the maintainers:", "bold")
        yield from (f"  {item.finding.rule} on {item.finding.path}: {item.reason}" for item in report.waived)
        yield ""
    for fault in report.faults:
        yield paint(
            f"The checker failed on rule {fault.rule} at {fault.path} ({fault.error}, reference {fault.reference}); "
            "this is not a fault of the submission.",
            "fail",
        )
    yield from (f"Note: {note}" for note in report.notes)


def _verdict(report: Report, paint: Paint) -> str:
    counts = report.counts
    numbers = ", ".join(
        (counted(counts.error, "error"), counted(counts.warning, "warning"), counted(counts.notice, "notice"))
    )
    systems = sum(scope.kind == "system" and scope.reason != "removed" for scope in report.scopes)
    seen = f"{counted(systems, 'system')}, rules {report.rules} {report.edition}"
    if report.faults:
        return paint(f"NO VERDICT: the checker itself failed ({numbers}; {seen}; exit code 2)", "fail")
    passed = report.verdict is Verdict.PASS
    word = "PASS" if passed else "FAIL"
    meaning = "nothing failed" if passed else "warnings count as failures" if not counts.error else "errors to mend"
    return paint(f"{word}: {numbers} ({seen}; exit code {0 if passed else 1}: {meaning})", str(report.verdict))
