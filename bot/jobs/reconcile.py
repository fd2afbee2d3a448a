"""One repository held against what GitHub shows: heads without a verdict, runs without a job, moved base branches."""

from __future__ import annotations

import datetime
import logging
from collections.abc import Iterable, Sequence
from itertools import groupby

from sqlalchemy import select

from bot import check_run
from bot.github import Installation, NotFound, Refused
from bot.intake import check_job, event_job
from bot.jobs import pulls
from bot.jobs.context import Context
from bot.jobs.records import first_seen, groups, targets_of
from bot.jobs.runs import VERDICTS, Target, answers, external_id
from bot.jobs.unfinished import complete
from bot.queue import Job
from bot.settings import Settings
from bot.store import Branch, CheckRequest, Delivery, PullState, Run, now
from bot.work import BaseMoved, CheckGroup, CheckPull, Place, pull_subject

LOG = logging.getLogger(__name__)

LONGEST_REST = datetime.timedelta(hours=6)
"""What keeps failing is tried after 1, 2, 4, … sweeps, at the latest after this time."""

LONGEST_QUEUE = datetime.timedelta(hours=12)
"""A merge queue waits for checks for 6 hours at most; a group that is older left it although nothing was heard of."""

MOST_DOUBLINGS = 15
"""From there on LONGEST_REST holds, however short a period is."""

LATEST = 5
"""Requests of one commit that are looked at to see whether a job is alive; older ones have ended."""

SETTLED_SECONDS = 60
"""A run that nothing happened to for so long is no longer about to be written down."""


def reconcile(context: Context, job: Job, place: Place) -> int:
    """Hands in what ``place`` needs; returns how much. Raises GitHubError."""
    installation = context.github.installation(place.installation_id)
    shown = installation.open_pull_requests(place.repository)
    states = [one for one in pulls.remember_all(context.store, place.repository_id, shown) if one.open]
    ordered = _follow_branches(context, job, installation, place, states)
    for head_sha, having in groupby(sorted(states, key=_head_and_number), key=lambda one: one.head_sha):
        ordered += _check(context, job, place, head_sha, list(having))
    ordered += _check_groups(context, job, place)
    _settle(context, installation, place, {state.head_sha for state in states})
    return ordered


def rest(settings: Settings, failures: int) -> datetime.timedelta:
    """How long to let pass after so many failures."""
    if not failures:
        return datetime.timedelta()
    sweeps = 1 << min(failures - 1, MOST_DOUBLINGS)
    return min(datetime.timedelta(seconds=settings.reconcile_seconds * sweeps), LONGEST_REST)


def _head_and_number(state: PullState) -> tuple[str, int]:
    return state.head_sha, state.number


def _follow_branches(
    context: Context, job: Job, installation: Installation, place: Place, states: Sequence[PullState]
) -> int:
    """Notices that a base branch moved although no push was heard of."""
    ordered = 0
    for name in sorted({state.base_ref for state in states}):
        try:
            tip = installation.branch_head(place.repository, name)
        except (NotFound, Refused):  # deleted, its pull requests not closed yet; those of other branches go on
            continue
        with context.store.session() as session:
            known = session.get(Branch, (place.repository_id, name))
        seen = {known.sha} if known else {state.base_sha for state in states if state.base_ref == name}
        for before in sorted(seen - {tip}):
            work = BaseMoved(place, name, before, tip, "sweep")
            ordered += _accept(context, f"{job.id}-{place.repository_id}-{before}-{tip}", work)
    return ordered


def _check(context: Context, job: Job, place: Place, head_sha: str, states: Sequence[PullState]) -> int:
    if not _wants(context, place, head_sha, states):
        return 0
    first = states[0]
    work = CheckPull(place, first.number, head_sha, "sweep", first.updated_at)
    return _accept(context, f"{job.id}-{place.repository_id}-{first.number}", work)


def _check_groups(context: Context, job: Job, place: Place) -> int:
    """Hands in the commits of the merge queue whose check ended without a verdict."""
    ordered = 0
    for request in groups(context.store, place.repository_id):
        if _group_wants(context, place, request):
            target = targets_of(request)[0]
            work = CheckGroup(place, request.head_sha, target.base_sha, target.base_ref, "sweep")
            ordered += _accept(context, f"{job.id}-{place.repository_id}-{request.head_sha}", work)
    return ordered


def _group_wants(context: Context, place: Place, request: CheckRequest) -> bool:
    seen = first_seen(context.store, place.repository_id, request.head_sha)
    if seen is None or now() > seen.replace(tzinfo=None) + LONGEST_QUEUE:
        return False
    with context.store.session() as session:
        run = session.get(Run, request.run_id)
    if run is None or run.conclusion in VERDICTS or now() < run.updated_at + rest(context.settings, run.faults):
        return False
    return not _live(context, place, request.head_sha)


def _accept(context: Context, delivery: str, work: CheckPull | CheckGroup | BaseMoved) -> int:
    return int(context.intake.accept(delivery.replace(":", "-"), "sweep", "", work))


def _wants(context: Context, place: Place, head_sha: str, states: Sequence[PullState]) -> bool:
    """Whether a head has neither a verdict for all its pull requests nor a job, and is not to rest a while."""
    key = external_id([Target(state.number, state.base_sha, state.base_ref) for state in states])
    of_head = (Run.repository_id == place.repository_id, Run.head_sha == head_sha)
    with context.store.session() as session:
        run = session.scalar(select(Run).where(*of_head).order_by(Run.id.desc()).limit(1))
    if run is not None and run.conclusion in VERDICTS and answers(run.external_id, key):
        return False
    if run is not None and now() < run.updated_at + rest(context.settings, run.faults):
        return False
    subjects = [pull_subject(place.repository_id, state.number) for state in states]
    return not _live(context, place, head_sha, subjects)


def _live(context: Context, place: Place, head_sha: str, subjects: Iterable[str] = ()) -> bool:
    """Whether a job for this head, or for one of the pull requests ``subjects``, waits or runs."""
    of_head = (CheckRequest.repository_id == place.repository_id, CheckRequest.head_sha == head_sha)
    latest = select(CheckRequest.delivery).where(*of_head).order_by(CheckRequest.id.desc()).limit(LATEST)
    accepted = select(Delivery.id).where(Delivery.subject.in_(list(subjects)), Delivery.outcome == "accepted")
    with context.store.session() as session:
        deliveries = {*session.scalars(latest), *session.scalars(accepted)}
    ids = [prefix(delivery) for delivery in sorted(deliveries) for prefix in (event_job, check_job)]
    return bool(ids) and context.queue.live(ids)


def _settle(context: Context, installation: Installation, place: Place, open_heads: set[str]) -> None:
    """Completes the runs of pull requests' former heads that a lost job left unfinished.

    One that GitHub does not show or change is tried more and more rarely, and keeps no other from its end.
    """
    before = now() - datetime.timedelta(seconds=SETTLED_SECONDS)
    unfinished = select(Run).where(
        Run.repository_id == place.repository_id,
        Run.status != "completed",
        Run.updated_at < before,
        Run.external_id.not_like("group:%"),
    )
    with context.store.session() as session:
        runs = session.scalars(unfinished.order_by(Run.id)).all()
    for run in (one for one in runs if now() >= one.updated_at + rest(context.settings, one.faults)):
        if run.head_sha not in open_heads and not _live(context, place, run.head_sha):
            complete(context, installation, place.repository, run, check_run.closed())
