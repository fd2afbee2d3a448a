"""The bot's answers as comments: each once, however often its job runs.

An answer ends in a hidden mark that names the comment it is for, so that a job that is started again finds it. Only
comments of the App itself are looked at: marks in other people's comments mean nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.github import Comment, Installation
from bot.work import Said

UNKNOWN, UNPERMITTED, SAID, RECORDED = "unknown", "unpermitted", "said", "recorded"
"""Kinds of answers; of the first two a conversation, or a person, gets one only."""


@dataclass(frozen=True, slots=True)
class Answers:
    """The conversation in which ``said`` is answered, with the bot's own comments so far."""

    installation: Installation
    said: Said
    own: Sequence[Comment]

    def given(self) -> Comment | None:
        """The answer to this comment that is there already."""
        mark = f"<!-- submission-bot to:{self.said.comment_id} "
        return next((one for one in self.own if _last_line(one).startswith(mark)), None)

    def told_before(self, kind: str) -> bool:
        """Whether an answer of that kind was given before: to anybody, or to this person where permission lacks."""
        mark = f" {_about(kind, self.said.author)} -->"
        return any(_last_line(one).endswith(mark) for one in self.own)

    def give(self, kind: str, text: str) -> Comment:
        """Comments. Raises GitHubError; when it is not known whether it worked, :meth:`given` tells the next time."""
        mark = f"<!-- submission-bot to:{self.said.comment_id} {_about(kind, self.said.author)} -->"
        place = self.said.place
        return self.installation.create_comment(place.repository, self.said.number, f"{text}\n\n{mark}")


def was_recorded(answer: Comment) -> bool:
    """Whether an answer is the record of something that takes effect."""
    return _last_line(answer).endswith(f" {RECORDED} -->")


def read(installation: Installation, said: Said, app_id: int) -> Answers:
    """Reads the conversation. Raises GitHubError."""
    comments = installation.comments(said.place.repository, said.number)
    return Answers(installation, said, [one for one in comments if one.app_id == app_id])


def _last_line(comment: Comment) -> str:
    """Where the mark stands; what people wrote is quoted above it and is not looked at."""
    return comment.body.rstrip().rpartition("\n")[2]


def _about(kind: str, author: str) -> str:
    return f"{kind}:{author.lower()}" if kind == UNPERMITTED else kind
