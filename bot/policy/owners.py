"""Whose folders a pull request touches: findings on what belongs to somebody else, or to several submitters.

Only people can be judged: an App sees who is in a team only with ``members: read``, which the bot does not ask for. Of
an author who is not listed by name where teams are, nothing is said but that.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping

from bot import messages
from bot.policy.file import PATH
from bot.policy.model import Policy
from checks import names
from checks.findings import Finding, Level, NotRun, Report, Touched
from checks.input_rules import INPUT_RULES

FOREIGN, SEVERAL, OWN_WAIVERS = "owner.foreign-folder", "owner.several-folders", "owner.own-waivers"

EVERY_FOLDER = "*"
"""The key of ``owners`` for people who may touch all folders, such as the maintainers."""

_WAIVER_FILE = re.compile(r"(submission-checks|(.*[._-])?waivers?)\.(ya?ml|json|toml|txt)\Z", re.IGNORECASE)


def findings(report: Report, policy: Policy, author: str | None, levels: Mapping[str, Level]) -> Iterator[Finding]:
    """What ``report``'s change touches and should not; ``author`` None (a merge group, a local check) is not judged."""
    for touched in report.touched:
        people = _people(policy, touched)
        if author and people is not None and not _listed(author, people) and not _teams(people):
            message = messages.FOREIGN_FOLDER.format(author=author, submitter=touched.submitter)
            hint = messages.FOREIGN_HINT.format(path=PATH)
            yield _finding(FOREIGN, _at(report, policy, touched), message, hint, levels)
    if len(report.touched) > 1 and not _answers_for_all(policy, author, report.touched):
        least = min(report.touched, key=lambda one: one.paths)
        message = messages.SEVERAL_FOLDERS.format(number=len(report.touched))
        yield _finding(SEVERAL, _at(report, policy, least), message, messages.SEVERAL_HINT, levels)
    yield from _own_waivers(report, policy, levels)


def not_judged(report: Report, policy: Policy, author: str | None) -> Iterator[NotRun]:
    """The folders of which it can't be told whether ``author`` may touch them."""
    for touched in report.touched:
        people = _people(policy, touched)
        if author and people is not None and _teams(people) and not _listed(author, people):
            reason = messages.OWNERS_ARE_TEAMS.format(author=author)
            yield NotRun(FOREIGN, _scope(report, touched), reason, touched.folder)


def _own_waivers(report: Report, policy: Policy, levels: Mapping[str, Level]) -> Iterator[Finding]:
    """Files by which a submitter would excuse itself."""
    for touched in report.touched:
        folder = _from_root(policy, touched.folder)
        for path in sorted(path for path in report.changed_paths if names.is_under(path, folder)):
            if _WAIVER_FILE.match(names.basename(path)):
                at = path, _scope(report, touched)
                text = messages.OWN_WAIVERS.format(path=PATH)
                yield _finding(OWN_WAIVERS, at, text, messages.OWN_WAIVERS_HINT, levels)


def _people(policy: Policy, touched: Touched) -> tuple[str, ...] | None:
    """Who may touch the folder; None where nobody is named for it."""
    own = policy.owners.get(touched.submitter)
    return None if own is None else own + policy.owners.get(EVERY_FOLDER, ())


def _listed(author: str, people: Iterable[str]) -> bool:
    return author.casefold() in {one.removeprefix("@").casefold() for one in people}


def _teams(people: Iterable[str]) -> bool:
    """Whether an entry may be a team: ``@org/team`` or ``@team``."""
    return any(one.startswith("@") or "/" in one for one in people)


def _answers_for_all(policy: Policy, author: str | None, touched: Collection[Touched]) -> bool:
    """Whether the author is named for every one of the folders."""
    everywhere = policy.owners.get(EVERY_FOLDER, ())
    return author is not None and all(
        _listed(author, policy.owners.get(one.submitter, ()) + everywhere) for one in touched
    )


def _from_root(policy: Policy, folder: str) -> str:
    return names.join(names.inside_path(policy.root), folder)


def _at(report: Report, policy: Policy, touched: Touched) -> tuple[str, str]:
    """Path and scope for a finding on a submitter's folder: the root's path where the change removed that folder."""
    folder = _from_root(policy, touched.folder)
    live = [scope.path for scope in report.scopes if scope.reason != messages.REMOVED]
    there = any(names.is_under(path, folder) for path in report.changed_paths) or touched.folder in live
    return folder if there else names.ROOT, _scope(report, touched)


def _scope(report: Report, touched: Touched) -> str:
    """The first scope that was checked in the folder; the folder itself where none was."""
    inside = (scope.path for scope in report.scopes if scope.reason != messages.REMOVED and _in(touched, scope.folder))
    return next(inside, touched.folder)


def _in(touched: Touched, folder: str | None) -> bool:
    return folder is not None and names.basename(folder) == touched.submitter


def _finding(rule: str, at: tuple[str, str], message: str, hint: str, levels: Mapping[str, Level]) -> Finding:
    path, scope = at
    known = INPUT_RULES[rule]
    level = levels.get(rule, known.level)
    return Finding(path, message, hint, level=level, rule=rule, name=known.name, scope=scope)
