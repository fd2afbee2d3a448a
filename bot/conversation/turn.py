"""One command in its conversation: what it is about, how it is answered, and which checks it sets off."""

from __future__ import annotations

from dataclasses import dataclass

from bot.conversation.answers import SAID, Answers
from bot.conversation.concerned import concerned
from bot.conversation.results import Result
from bot.github import Comment, Installation, PullRequest
from bot.jobs import pulls
from bot.jobs.context import Context
from bot.policy import Waiver
from bot.queue import Job
from bot.work import CheckPull, Said


@dataclass(frozen=True, slots=True)
class Turn:
    """One command in its conversation."""

    context: Context
    job: Job
    said: Said
    installation: Installation
    answers: Answers

    def pull(self) -> PullRequest:
        """The pull request as it stands."""
        return self.installation.pull_request(self.said.place.repository, self.said.number)

    def result(self, pull: PullRequest) -> Result | None:
        """What the last check of its head found."""
        return Result.of(self.context.store, self.said.place.repository_id, pull.head_sha)

    def say(self, text: str, kind: str = SAID) -> Comment:
        """Answers."""
        return self.answers.give(kind, text)

    def check_again(self, pull: PullRequest) -> None:
        """Orders a new run; its id follows from the delivery, so that doing it twice orders nothing twice."""
        work = CheckPull(self.said.place, pull.number, pull.head_sha, self.said.cause, pull.updated_at, forced=True)
        self.context.intake.accept(f"{self.job.payload['delivery']}-command", self.said.cause, "", work)

    def check_concerned(self, pull: PullRequest, waiver: Waiver) -> None:
        """Orders new runs where ``waiver`` began or ceased to hold: for this pull request, and others it can matter to.
        One run is for all pull requests of a head.
        """
        if pull.state == "open":
            self.check_again(pull)
        place, store = self.said.place, self.context.store
        done = pull.head_sha if pull.state == "open" else None
        others = [one for one in concerned(store, place.repository_id, waiver) if one.head_sha != done]
        pulls.hand_in(self.context, self.job, place, others, cause=self.said.cause, forced=True)
