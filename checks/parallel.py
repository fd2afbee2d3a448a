"""Scopes judged in several processes: each has its own view of the tree, so that nothing is shared but the result."""

from __future__ import annotations

import multiprocessing
import os
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed

from checks.collector import few_collections
from checks.documents import Document
from checks.engine import Engine
from checks.findings import Finding, Level, Scope
from checks.results import Results
from checks.rule_sets import rule_set
from checks.session import Session

Progress = Callable[[int, int], None]
"""Told how many scopes of how many are done."""

PARTS_PER_JOB = 4
"""Parts that the scopes are cut into for each process: enough to even out large and small ones."""

SCOPES_PER_JOB = 8
"""Scopes below which another process takes longer to start than it saves, measured with small systems."""


def run(
    rules: str,
    session: Session,
    scopes: Sequence[Scope],
    levels: Mapping[str, Level],
    *,
    jobs: int | None,
    progress: Progress | None = None,
) -> Results:
    """Judges ``scopes`` with ``jobs`` processes (None: as many as save time); the same results as in one.

    The tree must be picklable.
    """
    engine = Engine(rule_set(rules).book, rule_set(rules).layout(session), session, levels)
    shares = min(len(scopes), _worthwhile(len(scopes)) if jobs is None else jobs)
    if shares <= 1:
        return engine.run(scopes, progress)
    return _shared_out(engine, rules, scopes, levels, jobs=shares, progress=progress)


def _worthwhile(scopes: int) -> int:
    """As many processes as there are processors for this one, and work for each."""
    free = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(free, scopes // SCOPES_PER_JOB)


def _shared_out(
    engine: Engine,
    rules: str,
    scopes: Sequence[Scope],
    levels: Mapping[str, Level],
    *,
    jobs: int,
    progress: Progress | None,
) -> Results:
    """Other processes judge what is each scope's own; what scopes share is judged here then, with what those read."""
    if engine.session.tree.may_lack:
        engine.fetch(scopes)
    step = jobs * PARTS_PER_JOB
    parts = [part for part in (scopes[start::step] for start in range(step)) if part]
    context = multiprocessing.get_context(_start_method())
    told = (rules, engine.session, scopes, dict(levels))  # handed over when a process starts, which all do at once
    with ProcessPoolExecutor(jobs, mp_context=context, initializer=_begin, initargs=told) as pool:
        work = {pool.submit(_part, part): len(part) for part in parts}
        shared = engine.shared(scopes)
        done = 0
        for future in as_completed(work):
            done += work[future]
            engine.session.take(future.result()[1])
            if progress is not None:
                progress(done, len(scopes))
    results = engine.judged(shared, scopes)
    for future in work:
        results.extend(future.result()[0])
    results.findings = list(_told_once(results.findings))
    return results


def _start_method() -> str:
    """A copy of this process has all modules loaded at once; where that is not safe, a new one is started."""
    return "fork" if sys.platform == "linux" and threading.active_count() == 1 else "spawn"


_own: list[tuple[Engine, Sequence[Scope]]] = []
"""The engine of this process, where it is one of several, and all scopes that are checked."""


def _begin(rules: str, session: Session, scopes: Sequence[Scope], levels: Mapping[str, Level]) -> None:
    found = rule_set(rules)
    _own.append((Engine(found.book, found.layout(session), session, levels), scopes))


def _part(part: Sequence[Scope]) -> tuple[Results, list[Document]]:
    ((engine, scopes),) = _own
    with few_collections():
        return engine.run_own(scopes, part)


def _told_once(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Faults of an input that two processes met are told once, as one process tells them."""
    told: set[tuple[str, str, str]] = set()
    for finding in findings:
        key = (finding.rule, finding.path, finding.message)
        if not finding.rule.startswith("input.") or key not in told:
            told.add(key)
            yield finding
