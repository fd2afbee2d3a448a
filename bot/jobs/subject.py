"""What a check is asked for: the commit, what it is to be judged for, and how that is stored."""

from __future__ import annotations

from dataclasses import dataclass

from bot.check_run import Key
from bot.intake import check_job
from bot.jobs.context import Context
from bot.jobs.records import encoded
from bot.jobs.runs import Target, external_id
from bot.queue import Job
from bot.store import CheckRequest
from bot.work import Place


@dataclass(frozen=True, slots=True)
class Subject:
    """The commit ``head_sha``, and what it is to be judged for: one merge group, or pull requests.

    ``number`` is the pull request that asks, ``again`` the delivery that wants a new run where there is one already.
    """

    place: Place
    head_sha: str
    targets: tuple[Target, ...]
    number: int | None = None
    again: str | None = None

    def key(self, context: Context) -> Key:
        """The run that is meant for it."""
        external = external_id(self.targets, self.again)
        url = context.details_url(self.place.repository, self.head_sha)
        return Key(context.settings.check_name, self.head_sha, external, url)


def request_for(job: Job, subject: Subject, external: str, run_id: int) -> CheckRequest:
    """The row that asks, by the delivery of ``job``, for the check of ``subject`` in the run ``run_id``."""
    delivery = str(job.payload["delivery"])
    return CheckRequest(
        job=check_job(delivery, job.payload["attempt"], str(subject.number or subject.head_sha)),
        delivery=delivery,
        repository_id=subject.place.repository_id,
        repository=subject.place.repository,
        installation_id=subject.place.installation_id,
        number=subject.number,
        head_sha=subject.head_sha,
        targets=encoded(subject.targets),
        run_id=run_id,
        external_id=external,
    )
