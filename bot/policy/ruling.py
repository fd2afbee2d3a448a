"""What the maintainers' configuration does to a report: levels, disputed rules, waivers, and the notes about them."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from dataclasses import replace

from bot.messages import DISPUTED, NO_CONFIGURATION, WAIVER_EXPIRED, WAIVER_UNUSED, round_note
from bot.policy.model import Policy, Waiver
from checks import names
from checks.findings import Finding, Level, Report, Waived


def apply(report: Report, policy: Policy, today: datetime.date) -> Report:
    """``report`` as ``policy`` wants it on ``today`` (UTC). The checker's own faults are never touched.

    The engine has given each finding its level already, :meth:`Policy.levels_on` included; here a level only caps, so
    that a rule set to ``warning`` makes no error even where it weighs one of its findings by itself.
    """
    findings, waived = [], list(report.waived)
    used: set[Waiver] = set()
    levels = policy.levels_on(today)
    for given in report.findings:
        finding = _capped(given, levels.get(given.rule))
        if finding.level is Level.OFF:
            continue
        if waiver := _waiver(policy, finding, today):
            used.add(waiver)
            waived.append(Waived(finding, waiver.reason, waiver.until.isoformat()))
        else:
            findings.append(_disputed(finding, policy.disputed.get(finding.rule)))
    notes = (*report.notes, *_notes(policy, today), *_idle_waivers(report, policy, used, today))
    return replace(report, findings=tuple(findings), waived=tuple(waived), notes=notes)


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


def _notes(policy: Policy, today: datetime.date) -> Iterator[str]:
    if not policy.present:
        yield NO_CONFIGURATION
    if policy.round:
        yield round_note(policy.round.name, policy.round.phase(today), policy.round.closes.isoformat())


def _idle_waivers(report: Report, policy: Policy, used: set[Waiver], today: datetime.date) -> Iterator[str]:
    """A line for each waiver that belongs to what was checked and yet had no effect.

    Waivers of other folders are passed over: they say nothing about this pull request, and may name other submitters.
    """
    checked = [names.inside_path(scope.path) for scope in report.scopes]
    for waiver in policy.waivers:
        if waiver in used or not any(_overlap(waiver.folder, scope) for scope in checked):
            continue
        if waiver.until >= today:
            yield WAIVER_UNUSED.format(rule=waiver.rule, path=names.shown_path(waiver.path))
        elif any(waiver.matches(finding.rule, finding.path) for finding in report.findings):
            yield WAIVER_EXPIRED.format(
                rule=waiver.rule, path=names.shown_path(waiver.path), until=waiver.until.isoformat()
            )


def _overlap(one: str, other: str) -> bool:
    return names.is_under(one, other) or names.is_under(other, one)
