"""The second stage: fetch, judge, post. A job that is started again goes on where it was interrupted."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Iterator, Sequence
from typing import Any

from bot import check_run, isolated
from bot.check_run import Body, Key
from bot.github import Installation, Refused
from bot.isolated import StoppedError
from bot.jobs.context import Context, Outcome, again, patience
from bot.jobs.judge import Answer, Question, judge
from bot.jobs.records import finish_delivery, judged, save_run, see_head, superseding
from bot.queue import Job
from bot.store import CheckRequest, StoredReport

LOG = logging.getLogger(__name__)

FETCH_PATIENCE_SECONDS = 120
"""So long a git fetch that fails is tried again (contract, section Check run)."""

JUDGE_SECONDS = 900
"""Hard time limit of fetching and judging; the largest submissions known take seconds."""


def check(context: Context, job: Job, request: CheckRequest) -> str:
    """Completes the run of ``request`` and returns the conclusion.

    Raises LaterError, GivenUpError, CrashedError, TooSlowError, Suspended and Refused.
    """
    if judged(context.store, request):
        return _finish(context, request, None)
    with patience(job):
        installation = context.github.installation(request.installation_id)
        try:
            bodies = _stored(context, request) or _made(context, job, installation, request)
        except StoppedError:
            return _superseded(context, installation, request)
        begun = time.monotonic()
        _send(job, installation, request, bodies)
        context.metrics.stage("post", time.monotonic() - begun)
    return _finish(context, request, bodies[-1]["conclusion"])


def _stored(context: Context, request: CheckRequest) -> list[Body]:
    """The bodies that this job made before it was interrupted; empty when it had not come so far."""
    with context.store.session() as session:
        found = session.get(StoredReport, request.id)
    return list(json.loads(found.payloads)) if found else []


def _made(context: Context, job: Job, installation: Installation, request: CheckRequest) -> list[Body]:
    """Fetches and judges. Raises StoppedError as soon as the pull request has moved on."""
    _stop_if_superseded(context, request)
    key = Key(context.settings.check_name, request.head_sha, request.external_id, _details_url(context, request))
    installation.update_check_run(request.repository, request.run_id, check_run.in_progress(key))
    with context.store.session() as session:
        save_run(session, request, "in_progress")
    answer = _judged(context, job, installation, request)
    _stop_if_superseded(context, request)
    _store(context, request, answer)
    return list(answer.bodies)


def _judged(context: Context, job: Job, installation: Installation, request: CheckRequest) -> Answer:
    question = Question(
        settings=context.settings,
        repository_id=request.repository_id,
        repository=request.repository,
        number=request.number,
        head_sha=request.head_sha,
        base_sha=request.base_sha,
        token=installation.token(),
        details_url=_details_url(context, request),
    )
    answer = isolated.run(judge, (question,), JUDGE_SECONDS, lambda: superseding(context.store, request) is not None)
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
    )
    with context.store.session() as session:
        session.merge(report)
        see_head(session, request.repository_id, request.head_sha, answer.tree_sha)


def _send(job: Job, installation: Installation, request: CheckRequest, bodies: Sequence[Body]) -> None:
    """Posts the bodies in order, each as a step of its own; when GitHub refuses one, the outcome in plain words."""

    def post(body: Body, before: int) -> int:
        return installation.update_check_run(request.repository, request.run_id, body, before).annotations_count

    try:
        for number, (before, body) in enumerate(unsent(bodies, int(job.payload["held"]))):
            job.step(f"post {number}", post, body, before)
    except Refused as error:
        LOG.error("GitHub refused a result", extra={"job": job.id, "status": error.status, "reason": error.text})
        installation.update_check_run(request.repository, request.run_id, check_run.plain(bodies[-1]))


def unsent(bodies: Sequence[Body], held: int) -> Iterator[tuple[int, Body]]:
    """The bodies still to be sent to a run that holds ``held`` annotations of this result, with the count before each.

    The same trees give the same annotations in the same order, so those that a lost worker sent are the first ones.
    """
    before = 0
    for body in bodies:
        count = check_run.annotations_in(body)
        if before >= held:
            yield before, body
        elif body is bodies[-1]:
            yield held, {**body, "output": _without_annotations(body["output"])}
        before += count


def _without_annotations(output: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in output.items() if name != "annotations"}


def _superseded(context: Context, installation: Installation, request: CheckRequest) -> str:
    """Closes the run of a head that was pushed over, unless the newer check goes on in the same run."""
    newer = superseding(context.store, request)
    if newer is not None and newer.run_id != request.run_id:
        installation.update_check_run(request.repository, request.run_id, check_run.cancelled(newer.head_sha))
        return _finish(context, request, "cancelled")
    return _finish(context, request, None)


def _finish(context: Context, request: CheckRequest, conclusion: str | None) -> str:
    """Writes the outcome down; None means that the run is another job's."""
    with context.store.session() as session:
        if conclusion is not None:
            save_run(session, request, "completed", conclusion)
        finish_delivery(session, request.delivery, well=conclusion != "action_required")
    if conclusion is not None:
        context.metrics.check(conclusion)
    return conclusion or Outcome.DONE


def _stop_if_superseded(context: Context, request: CheckRequest) -> None:
    if superseding(context.store, request) is not None:
        raise StoppedError


def _details_url(context: Context, request: CheckRequest) -> str | None:
    return context.details_url(request.repository, request.head_sha)
