"""Repositories that maintainers configure, and the bot beside them: what the tests of their control work with."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from checks.rule_sets import rule_set
from tests.bot.conftest import FILES
from tests.bot.service import Service, until
from tests.github import GitHub
from tests.github.records import CheckRun, Comment
from tests.github.sender import MAINTAINER
from tests.github.state import PullRequest, Repository

CONFIGURATION = ".github/submission-checks.yml"
NUMBERS = itertools.count(1)
AUTHOR, STRANGER = "octocat", "hubot"

B_WITHOUT_PDF: dict[str, bytes | None] = {
    "closed/Acme/systems/B.yaml": b"name: B\n",
    "closed/Acme/results/B/training/unet3d/notes.txt": b"x\n",
}
"""A system whose description lacks its PDF: one finding of 2.1.7, the only rule of the documents that is on here."""


def configuration(more: str = "", on: tuple[str, ...] = ("2.1.7",), rules: str = "storage") -> bytes:
    """A configuration with all rules of the documents off but those of ``on``, and ``more`` lines."""
    book = rule_set(rules).book
    off = sorted({rule.id for rule in book.rules if not rule.id.startswith(("input.", "owner."))} - set(on))
    levels = "".join(f'  "{rule}": "off"\n' for rule in off)
    return f"{more}\nrules: {rules}\nlevels:\n{levels}".encode()


def serving(folder: Path) -> Iterator[Service]:
    """A stand-in GitHub and the bot beside it, for all tests of a module."""
    with GitHub(folder / "github") as github:
        service = Service(github, folder / "bot")
        service.start()
        until(lambda: service.jobs() == 0, "the first sweep has ended")
        yield service
        service.stop()
        github.faults.clear()
        github.check()


def new_repository(
    github: GitHub,
    more: str = "",
    files: Mapping[str, bytes] = FILES,
    on: tuple[str, ...] = ("2.1.7",),
    rules: str = "storage",
) -> Repository:
    """A repository of one test alone."""
    name = f"octo-org/maintained-{next(NUMBERS)}"
    return github.add_repository(name, {**files, CONFIGURATION: configuration(more, on, rules)})


def pull(github: GitHub, repository: Repository, files: dict[str, bytes | None], author: str = AUTHOR) -> PullRequest:
    """A pull request by ``author``; None as content removes a file."""
    parent = repository.git.ref("refs/heads/main")
    return github.open_pull_request(repository, _commit(repository, files, str(parent)), author=author)


def push(github: GitHub, one: PullRequest, files: dict[str, bytes | None]) -> None:
    """Another commit on a pull request."""
    github.synchronize(one, _commit(one.repository, files, one.head_sha))


def _commit(repository: Repository, files: Mapping[str, bytes | None], base: str) -> str:
    present = {path: data for path, data in files.items() if data is not None}
    return repository.git.commit(present, base=base, remove=[path for path, data in files.items() if data is None])


def completed(github: GitHub, repository: Repository, sha: str, runs: int = 1) -> CheckRun:
    """The newest run on a commit, once there are ``runs`` and all are completed."""

    def done() -> bool:
        found = github.check_runs(repository, sha)
        return len(found) == runs and all(run.status == "completed" for run in found)

    until(done, f"{runs} completed runs on {sha}")
    return github.check_runs(repository, sha)[-1]


def settled(service: Service) -> None:
    """Waits until no job is left."""
    until(lambda: service.jobs() == 0, "all jobs have ended")


def said(github: GitHub, one: PullRequest) -> list[Comment]:
    """The bot's own comments on a pull request."""
    found = [comment for comment in github.state.comments.values() if comment.by_app is not None]
    return [comment for comment in found if comment.repository is one.repository and comment.number == one.number]


def answer(service: Service, one: PullRequest, text: str, author: str = MAINTAINER) -> str | None:
    """What the bot says to a comment; None when it stays silent."""
    before = len(said(service.github, one))
    service.github.comment(one, text, author)
    settled(service)
    new = said(service.github, one)[before:]
    assert len(new) <= 1
    return new[0].body if new else None


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """One service for all tests of a module."""
    yield from serving(tmp_path_factory.mktemp("maintained"))


@pytest.fixture
def github(service: Service) -> Iterator[GitHub]:
    """The stand-in that the service works with; at the end nothing may have been done against GitHub's rules."""
    yield service.github
    service.github.faults.clear()
    service.github.check()
