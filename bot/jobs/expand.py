"""Events that concern no single pull request become one check for each that they touch."""

from __future__ import annotations

from collections.abc import Iterable

from bot.github import Installation, NotFound, PullRequest
from bot.jobs.context import Context, Outcome, patience
from bot.jobs.runs import number_of
from bot.queue import Job
from bot.work import Access, CheckHead, CheckPull, Installed, Place


def check_head(context: Context, job: Job, work: CheckHead) -> Outcome:
    """Checks every open pull request of this commit again: those that the event names, and those that GitHub finds.

    Events of forks name none, and the list of a commit may be slow to hold a new one, so the bot's own key of the run
    is asked too. Raises LaterError, GivenUpError and what GitHub refuses.
    """
    with patience(job):
        installation = context.github.installation(work.place.installation_id)
        runs = installation.check_runs(work.place.repository, work.head_sha, context.settings.check_name)
        named = {number for run in runs if (number := number_of(run.external_id)) is not None} | set(work.numbers)
        pulls = {pull.number: pull for pull in installation.pulls_of_commit(work.place.repository, work.head_sha)}
        for number in named - set(pulls):
            if pull := _pull(installation, work.place, number):
                pulls[number] = pull
    wanted = [pull for pull in pulls.values() if pull.state == "open" and pull.head_sha == work.head_sha]
    _hand_in(context, job, work.place, wanted, cause=work.cause, forced=work.forced)
    return Outcome.DONE


def installed(context: Context, job: Job, work: Installed) -> Outcome:
    """Checks all open pull requests of the repositories that the App may now work on.

    Without a list (an installation that is no longer suspended) all that the installation has. Raises as check_head.
    """
    if work.access is not Access.ACTIVE:
        return Outcome.DONE
    with patience(job):
        installation = context.github.installation(work.installation_id)
        places = work.places or _places(installation)
        found = [(place, installation.open_pull_requests(place.repository)) for place in places]
    for place, pulls in found:
        _hand_in(context, job, place, pulls, cause=work.cause, forced=False)
    return Outcome.DONE


def _pull(installation: Installation, place: Place, number: int) -> PullRequest | None:
    try:
        return installation.pull_request(place.repository, number)
    except NotFound:
        return None


def _places(installation: Installation) -> tuple[Place, ...]:
    return tuple(Place(one.id, one.full_name, installation.id) for one in installation.repositories())


def _hand_in(
    context: Context, job: Job, place: Place, pulls: Iterable[PullRequest], *, cause: str, forced: bool
) -> None:
    """Orders a check for each; the ids follow from this delivery's, so that doing it twice orders nothing twice."""
    delivery = f"{job.payload['delivery']}-{job.payload['attempt']}"
    for pull in pulls:
        work = CheckPull(place, pull.number, pull.head_sha, cause, pull.updated_at, forced)
        context.intake.accept(f"{delivery}-{place.repository_id}-{pull.number}", cause, "", work)
