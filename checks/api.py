"""The two questions the product answers: is this tree right, and is what this change touches right.

Command line and service both ask here, so both give the same findings for the same trees.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import astuple, dataclass, field, replace
from typing import TypeVar

from checks import __version__, baseline, names, parallel
from checks.changes import Affected
from checks.collector import few_collections
from checks.comparison import Comparison, Merge
from checks.engine import Engine
from checks.findings import Fact, Fault, Finding, Level, NotRun, Report, ResultRow, Scope, Touched, merged
from checks.layout import Layout
from checks.parallel import Progress
from checks.results import Results
from checks.rule_sets import RuleSet, RulesUnclear, recognised, rule_set
from checks.session import Session
from checks.tree import Tree
from checks.units import counted


class UnknownScope(ValueError):
    """``only`` names a scope that the tree does not have; the message lists near ones."""


@dataclass(frozen=True)
class Options:
    """How to check. ``rules`` None: recognised from the tree; ``edition`` None: the rule set's default.

    ``levels`` are the configuration's; ``only`` limits the check to scopes by path; ``base`` and ``head`` are commit
    ids for the report; ``jobs`` processes share the work (None: as many as save time); ``results_preview`` asks for
    rows of the results table; ``progress`` is told of each scope done.
    """

    rules: str | None = None
    edition: str | None = None
    levels: Mapping[str, Level] = field(default_factory=dict)
    only: tuple[str, ...] = ()
    strict: bool = False
    base: str | None = None
    head: str | None = None
    jobs: int | None = 1
    results_preview: bool = False
    progress: Progress | None = None


@few_collections()
def check_tree(tree: Tree, options: Options = Options()) -> Report:
    """Checks every scope of ``tree``. Raises RulesUnclear, UnknownEdition, UnknownScope, TreeError."""
    rules = _rules(tree, options)
    session = Session(tree, rules.edition(options.edition))
    scopes = _only(rules.layout(session).scopes(), options.only)
    results = _results(rules, session, scopes, options)
    return _report(rules, session, scopes, results, options)


@few_collections()
def check_change(base: Tree, head: Tree, options: Options = Options(), merge: Merge | None = None) -> Report:
    """Checks the scopes of ``head`` that differ from ``base`` (the merge base). Raises as :func:`check_tree`.

    With ``merge`` they are judged as they will stand after it (:mod:`checks.comparison`).
    """
    rules, change = _compared(base, head, options, merge)
    scopes = _only(change.affected.scopes, options.only)
    _fetch_along(rules, change.before, change.after, scopes, options)
    results = _results(rules, change.after, scopes, options)
    report = _report(rules, change.after, [*scopes, *change.affected.removed], results, options)
    report = _with_change(report, change, rules)
    return replace(report, findings=baseline.marked(report.findings, _on_base(rules, change.before, report, options)))


def fetch_change(base: Tree, head: Tree, options: Options = Options(), merge: Merge | None = None) -> None:
    """Fetches what :func:`check_change` will read, without judging: so that what decides how to judge can come in the
    same request. Raises as :func:`check_change`.
    """
    rules, change = _compared(base, head, options, merge)
    scopes = list(change.affected.scopes)
    _fetch_along(rules, change.before, change.after, scopes, options)
    Engine(rules.book, rules.layout(change.after), change.after, options.levels).fetch(scopes)


def _compared(base: Tree, head: Tree, options: Options, merge: Merge | None) -> tuple[RuleSet, Comparison]:
    before, after = (merge.tip, merge.result) if merge else (base, head)
    rules = _rules(after, options, before)
    return rules, Comparison.of(rules, rules.edition(options.edition), base, head, merge)


def _fetch_along(rules: RuleSet, base: Session, head: Session, scopes: list[Scope], options: Options) -> None:
    """Lets the head's fetch bring what the same scopes of the base need, should they have to be judged, too."""
    if not head.tree.partial:
        return
    paths = {scope.path for scope in scopes}
    layout = rules.layout(base)
    there = [scope for scope in layout.scopes() if scope.path in paths]
    head.tree.along(base.tree, Engine(rules.book, layout, base, options.levels).wanted(there))


def _on_base(rules: RuleSet, base: Session, report: Report, options: Options) -> list[Finding]:
    """What the same rules find in the same scopes of the base; scopes without findings are not looked at."""
    wanted = {finding.scope for finding in report.findings}
    scopes = [scope for scope in rules.layout(base).scopes() if names.shown_path(scope.path) in wanted]
    if not scopes:
        return []
    found = _results(rules, base, scopes, replace(options, progress=None))
    return merged(_placed(finding, base.tree) for finding in found.findings)


def _results(rules: RuleSet, session: Session, scopes: list[Scope], options: Options) -> Results:
    return parallel.run(rules.name, session, scopes, options.levels, jobs=options.jobs, progress=options.progress)


def _rules(tree: Tree, options: Options, base: Tree | None = None) -> RuleSet:
    """The rule set asked for, else the one of the head's shape, else of the base's (a change may empty a tree)."""
    if options.rules:
        return rule_set(options.rules)
    try:
        return recognised(tree)
    except RulesUnclear:
        if base is None:
            raise
        return recognised(base)


def _only(scopes: Iterable[Scope], wanted: tuple[str, ...]) -> list[Scope]:
    chosen = list(scopes)
    if not wanted:
        return chosen
    by_path = {scope.path: scope for scope in chosen}
    asked = [names.inside_path(path) for path in wanted]
    if unknown := [path for path in asked if path not in by_path]:
        near = [path for path in by_path if any(names.basename(path) == names.basename(item) for item in unknown)]
        known = ", ".join(names.shown_path(path) for path in (near or list(by_path))[:8]) or "none"
        raise UnknownScope(f"no scope {names.shown_path(unknown[0])} to check here; there are: {known}")
    return [by_path[path] for path in asked]


def _report(rules: RuleSet, session: Session, scopes: list[Scope], results: Results, options: Options) -> Report:
    return Report(
        rules=rules.name,
        edition=session.edition.name,
        version=__version__,
        base=options.base,
        head=options.head,
        strict=options.strict,
        scopes=tuple(_shown_scope(scope, rules.layout(session)) for scope in scopes),
        findings=tuple(merged(_placed(finding, session.tree) for finding in results.findings)),
        not_run=tuple(sorted({_safe_not_run(item) for item in results.not_run}, key=astuple)),
        facts=tuple(sorted(map(_shown_fact, results.facts), key=_in_order)),
        faults=tuple(sorted((_shown_places(fault) for fault in results.faults), key=astuple)),
        rules_run=results.rules_run,
        results_preview=options.results_preview,
        results=tuple(_result_rows(rules, session, scopes)) if options.results_preview else (),
    )


def _result_rows(rules: RuleSet, session: Session, scopes: list[Scope]) -> Iterable[ResultRow]:
    return rules.results(session, [scope.path for scope in scopes]) if rules.results else ()


def _shown_scope(scope: Scope, layout: Layout) -> Scope:
    folder = layout.folder_of(scope.path)
    return replace(scope, path=names.shown_path(scope.path), folder=names.shown_path(folder) if folder else None)


Placed = TypeVar("Placed", NotRun, Fault)


def _shown_places(item: Placed) -> Placed:
    return replace(item, scope=names.shown_path(item.scope), path=names.shown_path(item.path))


def _shown_fact(fact: Fact) -> Fact:
    scope, path = names.shown_path(fact.scope), names.shown_path(fact.path)
    return fact if (scope, path) == (fact.scope, fact.path) else fact._replace(scope=scope, path=path)


def _in_order(fact: Fact) -> tuple[object, ...]:
    return (names.tree_order(fact.scope), names.tree_order(fact.path), fact.name)


def _safe_not_run(item: NotRun) -> NotRun:
    return replace(_shown_places(item), reason=names.shown(item.reason))


def _placed(finding: Finding, tree: Tree) -> Finding:
    """The finding on an entry that exists, with texts safe to show."""
    path = tree.nearest(finding.path)
    return replace(
        finding,
        path=names.shown_path(path),
        scope=names.shown_path(finding.scope),
        message=names.shown(finding.message),
        hint=names.shown(finding.hint) if finding.hint else None,
        line=finding.line if path == finding.path else None,
        end_line=finding.end_line or finding.line if path == finding.path else None,
    )


def _with_change(report: Report, change: Comparison, rules: RuleSet) -> Report:
    affected, notes = change.affected, (*report.notes, *change.notes)
    if affected.exempt:
        paths = counted(affected.exempt, "changed path")
        notes = (*notes, f"{paths} at the top: dot-prefixed entries and loose files, which belong to no submission.")
    return replace(
        report,
        notes=notes,
        paths_changed=len(affected.changes),
        paths_seen=len(affected.changes),
        changed_paths=frozenset(names.shown_path(path) for path in affected.paths),
        touched=_touched(affected, (rules.layout(change.after), rules.layout(change.before))),
    )


def _touched(affected: Affected, layouts: tuple[Layout, Layout]) -> tuple[Touched, ...]:
    """The submitters whose folders hold changed paths, by the layouts after and before the change."""
    folders: dict[str, list[str]] = {}
    for change in affected.changes:
        found = (layout.folder_of(change.path) for layout in layouts)
        if (folder := next(filter(None, found), None)) is not None:
            folders.setdefault(names.shown(names.basename(folder)), []).append(names.shown_path(folder))
    return tuple(Touched(name, where[0], len(where)) for name, where in sorted(folders.items()))
