"""Which submissions and systems of an MLPerf Endpoints tree a change touches.

The changed unit is the submission: its requirements speak of all its curves together (one seed set, copies of one
system's description, points in the merged result), so a change anywhere in it checks all its systems.
"""

from __future__ import annotations

from checks import names
from checks.changes import Affected, Change, changed_paths
from checks.endpoints.layout import EndpointsLayout
from checks.findings import Scope
from checks.session import Session
from checks.tree import Kind


def affected(base: Session, head: Session) -> Affected:
    """The scopes that differ between the trees of two sessions, each with the reason."""
    changes = changed_paths(base.tree, head.tree)
    before, after = EndpointsLayout(base), EndpointsLayout(head)
    reasons: dict[str, str] = {}
    exempt = 0
    for change in changes:
        if _exempt_at_top(change, after):
            exempt += 1
            continue
        for path, reason in _touched(change, before, after):
            reasons.setdefault(path, reason)
    kinds = {scope.path: scope.kind for scope in (*before.scopes(), *after.scopes())}
    here = {scope.path for scope in after.scopes()}
    scopes = [Scope(path, kinds[path], reason) for path, reason in reasons.items() if path in here]
    removed = [Scope(path, kinds[path], "removed") for path in reasons if path not in here]
    return Affected(_ordered(scopes), _ordered(removed), tuple(changes), exempt)


def _exempt_at_top(change: Change, after: EndpointsLayout) -> bool:
    """Dot-prefixed entries and loose regular files at the top of a merged tree belong to no submission."""
    if "" in after.submissions:
        return False
    top, _, below = change.path.partition("/")
    entry = change.new or change.old
    return names.is_dot(top) or (not below and entry is not None and entry.kind is Kind.FILE)


def _touched(change: Change, before: EndpointsLayout, after: EndpointsLayout) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for layout, other in ((after, before), (before, after)):
        scope = layout.scope_of(change.path)
        submission = _submission_of(scope, layout)
        if submission is None:
            found.append((scope, f"{names.shown_path(change.path)} changed"))
            continue
        found.append((submission, "changed" if submission in other.submissions else "added"))
        if scope != submission:
            found.append((scope, "results changed" if scope in other.systems else "added"))
        found += [(path, "its submission changed") for path in after.systems if names.is_under(path, submission)]
    if any(scope for scope, _ in found):
        found = [item for item in found if item[0] or "" in after.submissions]
    return found


def _submission_of(scope: str, layout: EndpointsLayout) -> str | None:
    if scope in layout.submissions:
        return scope
    system = layout.systems.get(scope)
    return system.submission.path if system is not None else None


def _ordered(scopes: list[Scope]) -> tuple[Scope, ...]:
    return tuple(sorted(scopes, key=lambda scope: names.tree_order(scope.path)))
