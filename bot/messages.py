"""Every text that a person reads on GitHub: titles, summaries, headings, faults.

Each says what, where, why and what to do now; symbols always stand beside words. Text that came from a pull request
goes through :mod:`checks.markdown` before it gets here or is escaped here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from checks import names
from checks.findings import Counts, Report, Scope, Verdict

PRODUCT = "submission-bot"
REMOVED = "removed"
"""The reason of a scope that exists on the base only (contract, section Scopes)."""

FOLLOWING = frozenset({"named by a changed run", "its submission changed"})
"""Reasons of scopes that did not change themselves: they are checked because of what stands beside them."""

NO_CHANGE = "No submitted system changed"
OWN_FAULT = "Checker fault, not your submission"
FAULTY_CONFIGURATION = "The checker's configuration is faulty, not your submission"
WAITING = "Waiting to be checked"
CHECKING = "Being checked"
SUPERSEDED = "Superseded by a newer push"
CLOSED = "Not checked to the end: nobody waits for it any more"
REPLACED = "Checked anew in another run"
SET_UP = "Ready to check submissions"

WAITING_SUMMARY = "The check has been accepted and starts as soon as a worker is free."
CHECKING_SUMMARY = "The changed systems are being fetched and checked."
SUPERSEDED_SUMMARY = "A newer commit was pushed, so this one is not checked to the end. See the check of {sha}."
CLOSED_SUMMARY = """\
The pull request was closed, or the merge queue gave up this group, before the check was done. If it is opened again, \
it is checked again."""
REPLACED_SUMMARY = "This commit is being checked again, and the result stands in a newer run of the same name."
SET_UP_SUMMARY = """\
This repository's pull requests are checked from now on; open ones are being looked at. Nothing was judged on this \
commit: this run is here so that the check can be chosen as a required one in the rules of a branch. Pin it there to \
this App, since otherwise anybody who may push could report a check of this name."""
OWN_FAULT_SUMMARY = """\
The checker could not finish. **This is not a fault of your submission**, and it does not count as passed.

What happened: {why}

Reference {reference}, under which the operators of the checker find the details in its log. The check is tried again \
by itself; a maintainer can also start it again with the Re-run button."""
FAULTY_CONFIGURATION_SUMMARY = """\
Nothing was checked, because {path} at the base commit {base} can't be used. **This is not a fault of your submission.**

{place}{reason}

A maintainer has to mend the file on the base branch; `submission-bot config check` names all of its faults."""
BASE_FAULT_SUMMARY = """\
Nothing was checked, because the base branch at {base} can't be. **This is not a fault of your submission.**

{reason} {remedy}"""
MEND_OBJECT = "A maintainer has to take the object that git refuses out of the history of the base branch."
MEND_TOO_LARGE = "A maintainer has to make the base branch smaller there, or have the limit raised."
REJECTED_SUMMARY = "{reason}\n\nNothing was checked. {remedy}"
NO_CHANGE_SUMMARY = "This change touches nothing that belongs to a submitted system, so no rule had to be applied."
PLAIN_SUMMARY = "GitHub did not accept the full text of this result; `submission-bot check` on your machine shows it."

WORST_SUMMARY = "This commit is the head of several pull requests and was judged for each. The worst follows."

NO_CONFIGURATION = "There is no .github/submission-checks.yml at the base commit; the built-in defaults hold."
NO_CONFIGURATION_HERE = "There is no .github/submission-checks.yml in this folder; the built-in defaults hold."
DISPUTED = "This rule is disputed and therefore only warns: {link}"
FOREIGN_FOLDER = "{author} is not among the people who may touch the folder of {submitter}."
FOREIGN_HINT = "Change only your own submission, or ask a maintainer to add you under owners in {path}."
OWNERS_ARE_TEAMS = "{author} is not listed by name, and the bot can't see who is in the teams that are."
SEVERAL_FOLDERS = "This change touches the folders of {number} submitters."
SEVERAL_HINT = "One pull request for each submitter keeps their results apart and lets good ones go ahead."
OWN_WAIVERS = "This file waives nothing: levels and waivers are read only from {path} on the base branch."
OWN_WAIVERS_HINT = "Ask a maintainer for a waiver, and remove the file."
LATE_SYSTEM = """\
{system} was added after round {name} had closed (last day {closes}, UTC; first seen {seen}). The verdict does not \
depend on it; whether it is late, the maintainers decide."""
WAIVER_UNUSED = "The waiver of {rule} on {path} matches no finding of this check; it may be stale."
WAIVER_EXPIRED = "The waiver of {rule} on {path} ended on {until} and has no effect."

TABLE_HEAD = "| Checked | Verdict | Errors | Warnings | Why checked |\n|---|---|---:|---:|---|"
MEND_FIRST = "### What must be mended first"
ON_BASE = "### Already on the base, not brought by this pull request; to be mended as well"
ON_BASE_PASSES = "### Already on the base, not brought by this pull request; not counted here"
PREVIEW = "### Preview of the results table"
CURVES = "### Preview of the results table: measured curves"
NOT_RUN = "### Rules that could not be judged"
WAIVED = "### WAIVED by the maintainers"
FAULTS = "### The checker failed here; this is not a fault of your submission"
NOTES = "### Notes"
MERGED_INTO = """\
The base branch has moved on since this branch left it: the verdict is for the merge into {ref} at {base}."""
AT_HOME = "### The same check on your machine"
MORE_ROWS = "\n{} more rows are left out here; the command below shows all."
MORE_LINES = "- and {} more; the command below shows all"
MORE = "- and {} more"
"""For lists of which a check on another machine does not know everything."""
MORE_PREVIEW_ROWS = "\n{} more rows are left out here; the command below with `--format markdown` shows all."
MORE_CURVES = "\n{} more curves are left out here; the command below with `--format markdown` shows all."
MORE_COMPARISONS = "- and {} more pull requests"
WAIVED_BY_COMMAND = """\
Waivers that maintainers gave by command (`/waive`) are not known there: what they set aside is found again."""
DETAILS_CUT = "Only the {shown} most urgent have room here; the command in the summary shows all of the {total}."

SUBJECTS = {
    "system": ("system", "systems"),
    "submission": ("submission", "submissions"),
    "submitter": ("submitter's folder", "submitters' folders"),
    "code": ("code image", "code images"),
    "tree": ("top level", "top levels"),
}
"""What people call a scope of each kind, one and many."""


def counted(number: int, one: str, many: str | None = None) -> str:
    """``1 error``, ``3 errors``."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def listed(parts: Iterable[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    *first, last = parts
    return f"{', '.join(first)} and {last}" if first else last


def problems(counts: Counts, strict: bool = False) -> str:
    """What keeps a scope from passing, as ``3 errors``; with ``strict`` warnings too."""
    found = [counted(counts.error, "error")] if counts.error or not strict else []
    if strict and counts.warning:
        found.append(counted(counts.warning, "warning"))
    return listed(found) if found else counted(0, "error")


def scopes_of(report: Report) -> tuple[Scope, ...]:
    """The scopes that were judged: all but the removed ones, and any that only findings name."""
    known = {scope.path for scope in report.scopes}
    others = dict.fromkeys(finding.scope for finding in report.findings if finding.scope not in known)
    judged = tuple(scope for scope in report.scopes if scope.reason != REMOVED)
    return judged + tuple(Scope(path, "tree" if path == names.ROOT else "submitter", "changed") for path in others)


def title(report: Report) -> str:
    """``2 systems changed: 1 passes, 1 has 3 errors``; with own faults, or nothing changed, the title for that.

    It speaks of the systems (else submissions, else whatever there is) that changed. What else was checked is added
    only where it fails: ``…; 1 code image has 1 error``. The table of the summary has every scope.
    """
    if own_fault(report):
        return OWN_FAULT
    scopes = scopes_of(report)
    if not scopes:
        return NO_CHANGE
    chosen = _changed(scopes)
    failing_paths = _failing(report)
    failing = [scope for scope in scopes if scope.path in failing_paths]
    among = frozenset(chosen)
    named = [scope for scope in failing if scope in among]
    said = f"{_subjects(chosen)} changed: {_outcome(len(chosen), len(named), _problems_in(report, named))}"
    if not (others := [scope for scope in failing if scope not in among]):
        return said
    return f"{said}; {_subjects(others)} {_has(len(others))} {_problems_in(report, others)}"


def _changed(scopes: tuple[Scope, ...]) -> tuple[Scope, ...]:
    """The scopes that a change is said to be about."""
    own = tuple(scope for scope in scopes if scope.reason not in FOLLOWING) or scopes
    kinds = {scope.kind for scope in own}
    kind = next((kind for kind in ("system", "submission") if kind in kinds), None)
    return tuple(scope for scope in own if kind in (None, scope.kind))


def _failing(report: Report) -> frozenset[str]:
    """The paths of the scopes that do not pass."""
    found = report.findings_by_scope()
    return frozenset(path for path in found if report.scope_verdict(found[path]) is Verdict.FAIL)


def _problems_in(report: Report, scopes: Iterable[Scope]) -> str:
    found = report.findings_by_scope()
    counted_ones = report.counted(finding for scope in scopes for finding in found[scope.path])
    return problems(Counts.of(counted_ones), report.strict)


def worst_title(number: int, title: str) -> str:
    """The title where one commit is the head of several pull requests into different commits."""
    return f"Worst of {counted(number, 'comparison')}: {title}"


def own_fault(report: Report) -> bool:
    """Whether the checker itself fell short: a rule that raised, or a changed path that nobody looked at."""
    return bool(report.faults) or report.paths_seen < report.paths_changed


def _subjects(scopes: Iterable[Scope]) -> str:
    kinds = Counter(SUBJECTS.get(scope.kind, SUBJECTS["tree"]) for scope in scopes)
    return listed(counted(number, *words) for words, number in kinds.items())


def _outcome(number: int, failing: int, found: str) -> str:
    if number == 1:
        return f"it has {found}" if failing else "it passes"
    parts = []
    if passing := number - failing:
        parts.append(f"{passing} {'passes' if passing == 1 else 'pass'}")
    if failing:
        parts.append(f"{failing} {_has(failing)} {found}")
    return ", ".join(parts)


def _has(number: int) -> str:
    return "has" if number == 1 else "have"


def scope_name(path: str) -> str:
    """A scope as people name it: ``closed/Acme · S1`` for ``closed/Acme/results/S1``; not escaped."""
    folder, results, system = names.shown_path(path).partition("/results/")
    return f"{folder} · {system}" if results else folder


def coverage(report: Report) -> str:
    """``Checked 214 of 214 changed paths, …``."""
    paths = counted(report.paths_changed, "changed path")
    ran = counted(report.rules_run, "single check")
    return f"Checked {report.paths_seen} of {paths}; {ran} made, {len(report.not_run)} could not be made."


def annotated(report: Report, shown: int, without_file: int, beyond: int, limit: int) -> str:
    """How many findings stand as annotations, and why the others do not; empty without findings."""
    if not report.findings:
        return ""
    counts = report.counts
    levels = {"error": counts.error, "warning": counts.warning, "notice": counts.notice}
    by_level = listed(counted(number, level) for level, number in levels.items() if number)
    reasons = []
    if without_file:
        reasons.append(f"{without_file} without one, for want of a file that this pull request changes")
    if beyond:
        reasons.append(f"{beyond} beyond the limit of {counted(limit, 'annotation')}")
    rest = f"; {listed(reasons)}, to be read in the details below" if reasons else ""
    return f"{counted(len(report.findings), 'finding')} ({by_level}), {counted(shown, 'annotation')}{rest}."


def round_note(name: str, phase: str, closes: str) -> str:
    """Where this check stands in the submission round."""
    return f"Round {name} is in its phase '{phase}' (last day {closes}, UTC); the levels of this phase hold."


def disputed_rules(report: Report, links: Mapping[str, str]) -> dict[str, str]:
    """The disputed rules that this report has findings of, with their links."""
    found = dict.fromkeys(finding.rule for finding in report.findings)
    return {rule: links[rule] for rule in found if rule in links}
