"""Scopes judged in several processes: each has its own view of the tree, so that nothing is shared but the result."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed

from checks.engine import Engine
from checks.findings import Level, Scope
from checks.results import Results
from checks.rule_sets import rule_set
from checks.session import Session

Progress = Callable[[int, int], None]
"""Told how many scopes of how many are done."""

PARTS_PER_JOB = 4
"""Parts that the scopes are cut into for each process: enough to even out large and small ones."""


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
    if jobs <= 1 or len(scopes) <= 1:
        return engine.run(scopes, progress)
    engine.fetch(scopes)
    results = Results()
    parts = [part for part in (scopes[start :: jobs * PARTS_PER_JOB] for start in range(jobs * PARTS_PER_JOB)) if part]
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=context) as pool:
        work = {pool.submit(_part, rules, session, part, dict(levels)): len(part) for part in parts}
        done = 0
        for future in as_completed(work):
            results.extend(future.result())
            done += work[future]
            if progress is not None:
                progress(done, len(scopes))
    return results


def _part(rules: str, session: Session, scopes: Sequence[Scope], levels: Mapping[str, Level]) -> Results:
    found = rule_set(rules)
    return Engine(found.book, found.layout(session), session, levels).run(scopes)
