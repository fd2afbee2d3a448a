"""Scopes judged in several processes: each has its own view of the tree, so that nothing is shared but the result."""

from __future__ import annotations

import gc
import multiprocessing
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager

from checks.engine import Engine
from checks.findings import Finding, Level, Scope
from checks.results import Results
from checks.rule_sets import rule_set
from checks.session import Session

Progress = Callable[[int, int], None]
"""Told how many scopes of how many are done."""

PARTS_PER_JOB = 4
"""Parts that the scopes are cut into for each process: enough to even out large and small ones."""

ALLOCATIONS = 200_000
"""New objects after which Python looks for cycles while rules run, in place of its 700: a check makes many values that
live to its end and form no cycles, and looking through them took a seventh of its time."""


def run(
    rules: str,
    session: Session,
    scopes: Sequence[Scope],
    levels: Mapping[str, Level],
    *,
    jobs: int,
    progress: Progress | None = None,
) -> Results:
    """Judges ``scopes`` with ``jobs`` processes; the same results as in one. The tree must be picklable."""
    engine = Engine(rule_set(rules).book, rule_set(rules).layout(session), session, levels)
    with _few_collections():
        if jobs <= 1 or len(scopes) <= 1:
            return engine.run(scopes, progress)
        return _shared_out(engine, rules, scopes, levels, jobs=jobs, progress=progress)


def _shared_out(
    engine: Engine,
    rules: str,
    scopes: Sequence[Scope],
    levels: Mapping[str, Level],
    *,
    jobs: int,
    progress: Progress | None,
) -> Results:
    """What scopes share is judged here, once, while other processes judge what is each scope's own."""
    shared, *_ = engine.fetch(scopes)
    step = jobs * PARTS_PER_JOB
    parts = [part for part in (scopes[start::step] for start in range(step)) if part]
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=context) as pool:
        work = {pool.submit(_part, rules, engine.session, scopes, part, dict(levels)): len(part) for part in parts}
        results = engine.judged(shared, scopes)
        done = 0
        for future in as_completed(work):
            done += work[future]
            if progress is not None:
                progress(done, len(scopes))
        for future in work:
            results.extend(future.result())
    results.findings = list(_told_once(results.findings))
    return results


def _part(
    rules: str, session: Session, scopes: Sequence[Scope], part: Sequence[Scope], levels: Mapping[str, Level]
) -> Results:
    found = rule_set(rules)
    with _few_collections():
        return Engine(found.book, found.layout(session), session, levels).run_own(scopes, part)


def _told_once(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Faults of an input that two processes met are told once, as one process tells them."""
    told: set[tuple[str, str, str]] = set()
    for finding in findings:
        key = (finding.rule, finding.path, finding.message)
        if not finding.rule.startswith("input.") or key not in told:
            told.add(key)
            yield finding


@contextmanager
def _few_collections() -> Iterator[None]:
    before = gc.get_threshold()
    gc.set_threshold(ALLOCATIONS, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
