"""What the maintainers' configuration does to a report: levels, disputed rules, waivers, and the notes about them."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from dataclasses import dataclass, replace

from bot import messages
from bot.messages import DISPUTED, WAIVER_EXPIRED, WAIVER_UNUSED, round_note
from bot.others import foreign_scopes
from bot.policy import owners
from bot.policy.model import Phase, Policy, Waiver
from checks import names
from checks.findings import Finding, Level, Report, Waived


@dataclass(frozen=True, slots=True)
class Occasion:
    """When and for whom a report is ruled on: the day (UTC), the pull request's author, and its content's first sight.

    ``author`` is None for a merge group and for a check on a person's machine, ``first_seen`` where nobody knows.
    """

    today: datetime.date
    author: str | None = None
    first_seen: datetime.datetime | None = None


def apply(report: Report, policy: Policy, occasion: Occasion) -> Report:
    """``report`` as ``policy`` wants it, with paths from the repository's root. Own faults are never touched.

    The engine has given each finding its level already, :meth:`Policy.levels_on` included; here a level only caps, so
    that a rule set to ``warning`` makes no error even where it weighs one of its findings by itself.
    """
    today = occasion.today
    report = replace(
        _from_root(report, policy), base_counts=policy.baseline_fails, results_preview=policy.results_preview
    )
    levels = policy.levels_on(today)
    foreign = owners.findings(report, policy, occasion.author, levels)
    report = replace(report, findings=(*report.findings, *foreign))
    findings, waived = [], list(report.waived)
    used: set[Waiver] = set()
    for given in report.findings:
        finding = _capped(given, levels.get(given.rule))
        if finding.level is Level.OFF:
            continue
        if waiver := _waiver(policy, finding, today):
            used.add(waiver)
            waived.append(Waived(finding, _reason(waiver), waiver.until.isoformat()))
        else:
            findings.append(_disputed(finding, policy.disputed.get(finding.rule)))
    notes = (*report.notes, *_notes(report, policy, occasion), *_idle_waivers(report, policy, used, today))
    not_run = (*report.not_run, *owners.not_judged(report, policy, occasion.author))
    return replace(report, findings=tuple(findings), waived=tuple(waived), notes=notes, not_run=not_run)


def _from_root(report: Report, policy: Policy) -> Report:
    """``report`` with the paths of findings and changes as in the repository, where the tree lies in a folder of it."""
    folder = names.shown_path(names.inside_path(policy.root))
    if folder == names.ROOT:
        return report
    findings = tuple(replace(finding, path=_below(folder, finding.path)) for finding in report.findings)
    facts = tuple(fact._replace(path=_below(folder, fact.path)) for fact in report.facts)
    changed = frozenset(_below(folder, path) for path in report.changed_paths)
    return replace(report, findings=findings, facts=facts, changed_paths=changed)


def _below(folder: str, path: str) -> str:
    return folder if path == names.ROOT else names.join(folder, path)


def _reason(waiver: Waiver) -> str:
    return waiver.reason if waiver.author is None else f"{waiver.reason} ({waiver.author}, by /waive)"


def _capped(finding: Finding, level: Level | None) -> Finding:
    own = finding.level or Level.ERROR
    return replace(finding, level=own if level is None or own.weight <= level.weight else level)


def _waiver(policy: Policy, finding: Finding, today: datetime.date) -> Waiver | None:
    fitting = (one for one in policy.waivers if one.until >= today and one.matches(finding.rule, finding.path))
    return next(fitting, None)


def _disputed(finding: Finding, link: str | None) -> Finding:
    """A finding of a disputed rule: at most a warning, with the link to the discussion."""
    if link is None:
        return finding
    hint = " ".join(filter(None, (finding.hint, DISPUTED.format(link=link))))
    return replace(_capped(finding, Level.WARNING), hint=hint)


def _notes(report: Report, policy: Policy, occasion: Occasion) -> Iterator[str]:
    if not policy.present:
        yield messages.NO_CONFIGURATION if report.base else messages.NO_CONFIGURATION_HERE
    if policy.round:
        yield round_note(policy.round.name, policy.round.phase(occasion.today), policy.round.closes.isoformat())
        yield from _late(report, policy, occasion)


def _late(report: Report, policy: Policy, occasion: Occasion) -> Iterator[str]:
    """A line for each system that came after the round had closed, by the first sight of its content if that is known.

    Only a note: clocks, and days on which the checker itself stood still, are for people to weigh.
    """
    seen = occasion.first_seen.date() if occasion.first_seen else occasion.today
    if policy.round is None or policy.round.phase(seen) is not Phase.CLOSED:
        return
    when = f"{occasion.first_seen:%Y-%m-%d %H:%M:%S} UTC" if occasion.first_seen else f"{seen}"
    for scope in report.scopes:
        if scope.kind == "system" and "added" in scope.reason.split(", "):
            yield messages.LATE_SYSTEM.format(
                system=messages.scope_name(scope.path),
                name=policy.round.name,
                closes=policy.round.closes,
                seen=when,
            )


def _idle_waivers(report: Report, policy: Policy, used: set[Waiver], today: datetime.date) -> Iterator[str]:
    """A line for each waiver that belongs to what was checked and yet had no effect.

    Waivers of other folders are passed over: they say nothing about this pull request, and may name other submitters.
    """
    root = names.inside_path(policy.root)
    foreign = foreign_scopes(report)
    checked = [names.inside_path(scope.path) for scope in report.scopes if scope not in foreign]
    for waiver in policy.waivers:
        if waiver in used or not any(_concerns(waiver, root, scope) for scope in checked):
            continue
        if waiver.until >= today:
            yield WAIVER_UNUSED.format(rule=waiver.rule, path=names.shown_path(waiver.path))
        elif any(waiver.matches(finding.rule, finding.path) for finding in report.findings):
            yield WAIVER_EXPIRED.format(
                rule=waiver.rule, path=names.shown_path(waiver.path), until=waiver.until.isoformat()
            )


def _concerns(waiver: Waiver, root: str, scope: str) -> bool:
    """Whether the waiver can be for what lies in ``scope``; what lies loose in the tree is no submitter's folder."""
    if not scope:
        return "/" not in waiver.path.removeprefix(f"{root}/")
    folder = names.join(root, scope)
    return names.is_under(waiver.folder, folder) or names.is_under(folder, waiver.folder)
