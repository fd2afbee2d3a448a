"""Runs of commits that are not checked: overtaken, closed, or not to be looked up. Each says only why."""

from __future__ import annotations

import logging

from bot import check_run
from bot.check_run import Body, Key
from bot.jobs.context import OUTAGE_SECONDS, Context, Outcome, patience
from bot.jobs.records import save_request, save_run
from bot.jobs.runs import newest
from bot.jobs.subject import Subject, request_for
from bot.queue import Job
from bot.work import CheckPull, Place

LOG = logging.getLogger(__name__)

UNJUDGED = "unjudged"
"""The key of a run that only says why a commit is not checked; any check of the commit takes it over."""


def complete(context: Context, place: Place, head_sha: str, outcome: Body) -> None:
    """Gives a commit that will not be checked its one completed run; one that it has already stays as it is.

    Raises GitHubError.
    """
    installation = context.github.installation(place.installation_id)
    name = context.settings.check_name
    runs = installation.check_runs(place.repository, head_sha, name)
    if any(run.status == "completed" for run in runs):
        return
    if runs:
        installation.update_check_run(place.repository, max(run.id for run in runs), outcome)
    else:
        key = Key(name, head_sha, UNJUDGED, context.details_url(place.repository, head_sha))
        installation.create_check_run(place.repository, check_run.queued(key) | outcome)


def give_up(context: Context, job: Job, work: CheckPull, head_sha: str, why: str) -> Outcome:
    """Completes the commit of the event as the bot's own fault, since nothing must stay without an answer.

    A verdict that the commit has may be for another base or for fewer pull requests: it is taken back, and a check that
    is under way is overtaken, so that it can't complete the run with such a verdict. Where GitHub does not take that
    either, the job comes again for as long as an outage may last, and then follows the event if it can:
    raises LaterError then, and GivenUpError at the end of that time.
    """
    LOG.error("a pull request can't be looked up", extra={"job": job.id, "reference": job.id, "reason": why})
    with patience(job, OUTAGE_SECONDS):
        run_id = _fail_closed(context, work.place, head_sha, check_run.fault(job.id, why))
    request = request_for(job, Subject(work.place, head_sha, (), work.number), UNJUDGED, run_id)
    with context.store.session() as session:
        save_request(session, request)
        save_run(session, request, "completed", "action_required")
    return Outcome.GIVEN_UP


def _fail_closed(context: Context, place: Place, head_sha: str, outcome: Body) -> int:
    """Completes the run that GitHub shows for a commit, whatever it says, or a new one; returns its id."""
    installation = context.github.installation(place.installation_id)
    name = context.settings.check_name
    shown = newest(installation.check_runs(place.repository, head_sha, name))
    if shown is not None:
        return installation.update_check_run(place.repository, shown.id, outcome).id
    key = Key(name, head_sha, UNJUDGED, context.details_url(place.repository, head_sha))
    return installation.create_check_run(place.repository, check_run.queued(key) | outcome).id
