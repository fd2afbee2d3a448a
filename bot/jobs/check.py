"""The second stage: fetch, judge, post. A job that is started again goes on where it was interrupted."""

from __future__ import annotations

import json
import logging
import time
from dataclasses import asdict

from bot import check_run, isolated
from bot.check_run import Body, Key
from bot.conversation import sticky, waivers
from bot.conversation.sticky import Note
from bot.github import Installation
from bot.isolated import StoppedError
from bot.jobs.context import Context, GivenUpError, Outcome, again, patience
from bot.jobs.judge import Answer, Question, judge
from bot.jobs.post import post
from bot.jobs.records import Overtaken, finish_delivery, first_seen, judged, overtaken, save_run, targets_of
from bot.jobs.sights import trees_seen
from bot.queue import Job
from bot.store import CheckRequest, StoredReport, see_head

LOG = logging.getLogger(__name__)

FETCH_PATIENCE_SECONDS = 120
"""So long a git fetch that fails is tried again (contract, section Check run)."""

JUDGE_SECONDS = 900
"""Hard time limit of fetching and judging; the largest submissions known take seconds."""


def check(context: Context, job: Job, request: CheckRequest) -> str:
    """Completes the run of ``request`` and returns the conclusion.

    Raises LaterError, GivenUpError, CrashedError, TooSlowError, Suspended and Refused.
    """
    if judged(context.store, request) or _taken_over(context, request):
        return _finish(context, request, None)
    with patience(job):
        installation = context.github.installation(request.installation_id)
        try:
            stored = _stored(context, request)
            bodies = stored or _made(context, job, installation, request)
        except StoppedError:
            return _superseded(context, installation, request)
        begun = time.monotonic()
        conclusion = post(job, installation, request, bodies, fresh=not stored and not job.payload["held"])
        context.metrics.stage("post", time.monotonic() - begun)
    _keep_comments(context, job, installation, request)
    return _finish(context, request, conclusion)


def _stored(context: Context, request: CheckRequest) -> list[Body]:
    """The bodies that this job made before it was interrupted; empty when it had not come so far."""
    with context.store.session() as session:
        found = session.get(StoredReport, request.id)
    return list(json.loads(found.payloads)) if found else []


def _made(context: Context, job: Job, installation: Installation, request: CheckRequest) -> list[Body]:
    """Fetches and judges. Raises StoppedError as soon as nobody waits for the result any more."""
    _stop_if_overtaken(context, request)
    key = Key(context.settings.check_name, request.head_sha, request.external_id, _details_url(context, request))
    installation.update_check_run(request.repository, request.run_id, check_run.in_progress(key))
    with context.store.session() as session:
        save_run(session, request, "in_progress")
    answer = _judged(context, job, installation, request)
    _stop_if_overtaken(context, request)
    _store(context, request, answer)
    return list(answer.bodies)


def _judged(context: Context, job: Job, installation: Installation, request: CheckRequest) -> Answer:
    question = Question(
        settings=context.settings,
        repository_id=request.repository_id,
        repository=request.repository,
        head_sha=request.head_sha,
        targets=targets_of(request),
        token=installation.token(),
        details_url=_details_url(context, request),
        first_seen=first_seen(context.store, request.repository_id, request.head_sha),
        trees_seen=trees_seen(context.store, request.repository_id, [one.number for one in targets_of(request)]),
        waivers=waivers.holding(context.store, request.repository_id),
    )
    answer = isolated.run(judge, (question,), JUDGE_SECONDS, lambda: overtaken(context.store, request) is not None)
    if answer.token_refused:
        installation.drop_token(question.token)
    if answer.retry is not None:
        raise again(job, answer.retry, FETCH_PATIENCE_SECONDS)
    for stage, seconds in answer.seconds.items():
        context.metrics.stage(stage, seconds)
    return answer


def _store(context: Context, request: CheckRequest, answer: Answer) -> None:
    report = StoredReport(
        request_id=request.id,
        repository_id=request.repository_id,
        head_sha=request.head_sha,
        json=answer.json,
        payloads=json.dumps(answer.bodies),
        notes=json.dumps([asdict(note) for note in answer.notes]),
    )
    with context.store.session() as session:
        session.merge(report)
        see_head(session, request.repository_id, request.head_sha, answer.tree_sha)


def _keep_comments(context: Context, job: Job, installation: Installation, request: CheckRequest) -> None:
    """Brings the comments up to date that the configuration asks for, unless a newer head is being checked already.

    One that GitHub does not take within the job's patience is left out: the verdict is in the check, and stays there.
    """
    with context.store.session() as session:
        notes = json.loads(session.get_one(StoredReport, request.id).notes)
    try:
        with patience(job):
            for note in notes if overtaken(context.store, request) is None else ():
                sticky.keep(installation, int(context.settings.app_id), request.repository, Note(**note))
    except GivenUpError as error:
        LOG.warning("a comment is not up to date", extra={"job": job.id, "reason": str(error)})


def _taken_over(context: Context, request: CheckRequest) -> bool:
    """Whether a newer check of the commit goes on, or ended, in the run of ``request``: it must not be written over."""
    by = overtaken(context.store, request)
    return by is not None and by.run_id == request.run_id


def _superseded(context: Context, installation: Installation, request: CheckRequest) -> str:
    """Closes the run of a check that nobody waits for, unless a newer check goes on in the same run."""
    by = overtaken(context.store, request)
    if by is None or by.run_id == request.run_id:
        return _finish(context, request, None)
    installation.update_check_run(request.repository, request.run_id, _farewell(by))
    return _finish(context, request, "cancelled")


def _farewell(by: Overtaken) -> Body:
    if by.run_id is not None:
        return check_run.replaced()
    return check_run.cancelled(by.head_sha) if by.head_sha else check_run.closed()


def _finish(context: Context, request: CheckRequest, conclusion: str | None) -> str:
    """Writes the outcome down; None means that the run is another job's."""
    with context.store.session() as session:
        if conclusion is not None:
            save_run(session, request, "completed", conclusion)
        finish_delivery(session, request.delivery, "fault" if conclusion == "action_required" else "done")
    if conclusion is not None:
        context.metrics.check(conclusion)
    return conclusion or Outcome.DONE


def _stop_if_overtaken(context: Context, request: CheckRequest) -> None:
    if overtaken(context.store, request) is not None:
        raise StoppedError


def _details_url(context: Context, request: CheckRequest) -> str | None:
    return context.details_url(request.repository, request.head_sha)
