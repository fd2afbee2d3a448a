"""Sends a result to GitHub: each annotation once, all of them, and the conclusion last.

GitHub only adds annotations and may lose some, or the answer that says how many it has. So whenever that is not known
for certain, the run's own list decides what is still to be sent.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from bot import check_run
from bot.annotations import PER_REQUEST
from bot.check_run import Body
from bot.github import Installation, Refused
from bot.queue import Job
from bot.store import CheckRequest

LOG = logging.getLogger(__name__)

REPAIRS = 3
"""How often annotations that GitHub lost are sent again; what it never keeps stands in the summary's counts."""


def post(job: Job, installation: Installation, request: CheckRequest, bodies: Sequence[Body], fresh: bool) -> str:
    """Sends ``bodies`` and returns the conclusion that GitHub took; ``fresh`` means that the run holds no annotation.

    What GitHub refuses is said in plain words instead. Raises GitHubError; calling it again then goes on.
    """
    try:
        _send(job, installation, request, bodies, fresh)
        return str(bodies[-1]["conclusion"])
    except Refused as error:
        LOG.error("GitHub refused a result", extra={"job": job.id, "status": error.status, "reason": error.text})
        plain = check_run.plain(bodies[-1])
        installation.update_check_run(request.repository, request.run_id, plain)
        return str(plain["conclusion"])


def _send(job: Job, installation: Installation, request: CheckRequest, bodies: Sequence[Body], fresh: bool) -> None:
    held = [] if fresh else installation.annotations(request.repository, request.run_id)
    count = len(held)
    for number, body in unsent(bodies, held):
        sent = check_run.annotations_in(body)
        count += sent
        state = installation.update_check_run(request.repository, request.run_id, body, count - sent)
        if state.annotations_count < count:
            LOG.warning("GitHub lost annotations", extra={"job": job.id, "lost": count - state.annotations_count})
            count = _repair(job, installation, request, bodies[: number + 1])


def _repair(job: Job, installation: Installation, request: CheckRequest, bodies: Sequence[Body]) -> int:
    """Sends again what the run lacks of ``bodies``; returns how many annotations it has then."""
    held: list[Mapping[str, Any]] = []
    for _ in range(REPAIRS):
        held = installation.annotations(request.repository, request.run_id)
        lost = [one for _, body in unsent(bodies, held) for one in _annotations(body)]
        if not lost:
            return len(held)
        for start in range(0, len(lost), PER_REQUEST):
            output = {**_bare(bodies[-1]["output"]), "annotations": lost[start : start + PER_REQUEST]}
            installation.update_check_run(request.repository, request.run_id, {"output": output}, len(held) + start)
    LOG.error("GitHub does not keep all annotations", extra={"job": job.id, "run": request.run_id})
    return len(held)


def unsent(bodies: Sequence[Body], held: Iterable[Mapping[str, Any]]) -> Iterator[tuple[int, Body]]:
    """``bodies`` (with their places) without the annotations that the run holds; the last one comes in any case."""
    there = Counter(map(_mark, held))
    for number, body in enumerate(bodies):
        missing = [one for one in _annotations(body) if not _taken(there, _mark(one))]
        if missing:
            yield number, {**body, "output": {**body["output"], "annotations": missing}}
        elif body is bodies[-1]:
            yield number, {**body, "output": _bare(body["output"])}


def _taken(there: Counter[tuple[Any, ...]], mark: tuple[Any, ...]) -> bool:
    """Whether one of that kind is left, which is then used up."""
    there[mark] -= 1
    return there[mark] >= 0


def _annotations(body: Body) -> Sequence[Mapping[str, Any]]:
    found: Sequence[Mapping[str, Any]] = body["output"].get("annotations", ())
    return found


def _bare(output: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in output.items() if name != "annotations"}


def _mark(annotation: Mapping[str, Any]) -> tuple[Any, ...]:
    """What tells annotations apart; GitHub does not give titles back reliably (PyGithub issue 3227)."""
    fields = ("path", "start_line", "end_line", "annotation_level")
    return (*(annotation.get(name) for name in fields), str(annotation.get("message", "")).strip())
