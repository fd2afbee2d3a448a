"""A stand-in GitHub with a submissions repository, and the service beside it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from checks.rule_sets import rule_set
from tests.bot.service import Service
from tests.bot.told import Told, settled
from tests.github import GitHub
from tests.github.state import PullRequest, Repository

FILES = {
    "README.md": b"# Submissions\n",
    "closed/Acme/systems/A.yaml": b"name: A\n",
    "closed/Acme/systems/A.pdf": b"%PDF-1.7\n",
    "closed/Acme/results/A/training/unet3d/notes.txt": b"to come\n",
}


@pytest.fixture
def github(tmp_path: Path) -> Iterator[GitHub]:
    """The stand-in, running; at the end nothing may have been done against GitHub's rules."""
    with GitHub(tmp_path / "github") as running:
        yield running
        running.check()


@pytest.fixture
def repository(github: GitHub) -> Repository:
    """A private repository of submissions, the App installed. What the real rules find is not these tests' business."""
    return add_repository(github, "octo-org/submissions")


@pytest.fixture
def service(github: GitHub, tmp_path: Path) -> Iterator[Service]:
    """The bot, not yet started."""
    made = Service(github, tmp_path / "bot")
    yield made
    made.stop()


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Told]:
    """One started service for all tests of a file; each makes a repository of its own."""
    folder = tmp_path_factory.mktemp("told")
    with GitHub(folder / "github") as github:
        service = Told(github, folder / "bot")
        service.tell()
        service.start()
        settled(service)
        yield service
        service.stop()


@pytest.fixture
def told(running: Told) -> Iterator[Told]:
    """The running service; at the end nothing may have been done against GitHub's rules."""
    running.tell()
    yield running
    running.github.faults.clear()
    running.github.check()


def add_repository(github: GitHub, full_name: str, more: str = "") -> Repository:
    """A repository with one system, whose configuration turns the real rules off and has ``more`` lines."""
    rules = sorted({rule.id for rule in rule_set("storage").book.rules})
    levels = "".join(f'  "{rule}": "off"\n' for rule in rules)
    configuration = f"{more}\nrules: storage\nlevels:\n{levels}".encode()
    return github.add_repository(full_name, {**FILES, ".github/submission-checks.yml": configuration})


def commit(repository: Repository, files: dict[str, bytes | None], base: str | None = None) -> str:
    """A commit with changed files on top of `base` (default: main)."""
    parent = base or repository.git.ref("refs/heads/main")
    return repository.git.commit(files, base=parent)


def open_pull(github: GitHub, repository: Repository, files: dict[str, bytes | None], **options: bool) -> PullRequest:
    """A pull request that changes files, its webhook sent unless told otherwise."""
    return github.open_pull_request(repository, commit(repository, files), **options)
