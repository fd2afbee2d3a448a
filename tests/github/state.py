"""What the stand-in knows: all records, and how they are found."""

import threading
from collections.abc import Iterator
from itertools import count

from tests.github.records import (
    App,
    CheckRun,
    CheckSuite,
    Comment,
    Delivery,
    Installation,
    Json,
    PullRequest,
    Repository,
    Review,
    Token,
    User,
)


class State:
    """All records, found by the ids that GitHub uses. `lock` is held while a request reads or changes them."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.ids: Iterator[int] = count(1001)
        self.users: dict[str, User] = {}
        self.apps: list[App] = []
        self.installations: dict[int, Installation] = {}
        self.tokens: dict[str, Token] = {}
        self.repositories: dict[int, Repository] = {}
        self.renamed: dict[str, Repository] = {}
        self.pulls: dict[tuple[int, int], PullRequest] = {}
        self.suites: dict[int, CheckSuite] = {}
        self.runs: dict[int, CheckRun] = {}
        self.comments: dict[int, Comment] = {}
        self.reviews: list[Review] = []
        self.reactions: dict[tuple[int, int], list[Json]] = {}
        self.deliveries: list[Delivery] = []
        self.manifests: dict[str, Json] = {}

    def next_id(self) -> int:
        """A new id, never used before."""
        return next(self.ids)

    def user(self, login: str, type: str = "User") -> User:
        """The account of that login, made on first use."""
        with self.lock:
            if login not in self.users:
                self.users[login] = User(self.next_id(), login, type)
            return self.users[login]

    def repository(self, full_name: str) -> Repository | None:
        """By `owner/name`, upper and lower case being one."""
        wanted = full_name.lower()
        with self.lock:
            return next((one for one in self.repositories.values() if one.full_name.lower() == wanted), None)

    def installation_of(self, repository: Repository, app: App) -> Installation | None:
        """Where that App may reach the repository."""
        with self.lock:
            living = [one for one in self.installations.values() if one.app is app and not one.deleted]
        return next((one for one in living if repository in one.repositories), None)

    def pulls_of(self, repository: Repository) -> list[PullRequest]:
        """All pull requests into a repository, newest first as GitHub lists them."""
        with self.lock:
            found = [pull for pull in self.pulls.values() if pull.repository is repository]
        return sorted(found, key=lambda pull: -pull.number)

    def suite(self, app: App, repository: Repository, head_sha: str) -> CheckSuite:
        """The one suite of an App for a commit, made on first use."""
        with self.lock:
            for suite in self.suites.values():
                if suite.app is app and suite.repository is repository and suite.head_sha == head_sha:
                    return suite
            suite = CheckSuite(self.next_id(), app, repository, head_sha)
            self.suites[suite.id] = suite
            return suite

    def runs_of(self, repository: Repository, head_sha: str | None = None) -> list[CheckRun]:
        """Check runs of a repository (and commit), oldest first."""
        with self.lock:
            runs = list(self.runs.values())
        return [run for run in runs if run.suite.repository is repository and head_sha in (None, run.head_sha)]
