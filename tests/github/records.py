"""GitHub's nouns as plain records. Their shapes for the wire are made in `represent*.py`."""

import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from cryptography.hazmat.primitives.asymmetric import rsa

from tests.github.gitrepo import GitRepository

Json = dict[str, Any]

# What the bot asks for in its manifest; each may be taken away by a test.
DEFAULT_PERMISSIONS = {
    "checks": "write",
    "contents": "read",
    "issues": "write",
    "merge_queues": "read",
    "metadata": "read",
    "pull_requests": "write",
}
DEFAULT_EVENTS = ["check_run", "check_suite", "issue_comment", "merge_group", "pull_request", "push", "repository"]
# Requests an hour for one installation: https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api
RATE_LIMIT = 5000


def now() -> str:
    """The present as GitHub writes it."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


@dataclass
class User:
    """A person, organization or bot account."""

    id: int
    login: str
    type: str = "User"


@dataclass
class App:
    """A registered GitHub App, with the key whose signatures it accepts and the address of its webhook."""

    id: int
    slug: str
    owner: User
    key: rsa.RSAPrivateKey
    client_id: str
    client_secret: str
    webhook_secret: str
    webhook_url: str = ""
    permissions: dict[str, str] = field(default_factory=lambda: dict(DEFAULT_PERMISSIONS))
    events: list[str] = field(default_factory=lambda: list(DEFAULT_EVENTS))
    created_at: str = field(default_factory=now)


@dataclass
class Repository:
    """A repository; `permissions` is login -> admin, maintain, write, triage, read."""

    id: int
    owner: User
    name: str
    git: GitRepository
    private: bool = True
    default_branch: str = "main"
    parent: "Repository | None" = None
    permissions: dict[str, str] = field(default_factory=dict)
    labels: dict[str, Json] = field(default_factory=dict)
    required_checks: list[Json] = field(default_factory=list)
    statuses: list[Json] = field(default_factory=list)
    created_at: str = field(default_factory=now)

    @property
    def full_name(self) -> str:
        """`owner/name`."""
        return f"{self.owner.login}/{self.name}"


@dataclass
class Installation:
    """The App on one account. `remaining` is what is left of its hourly requests; `reset` is in epoch seconds."""

    id: int
    app: App
    account: User
    repositories: list[Repository]
    permissions: dict[str, str]
    events: list[str]
    suspended_at: str | None = None
    deleted: bool = False
    remaining: int = RATE_LIMIT
    reset: int = field(default_factory=lambda: int(time.time()) + 3600)
    created_at: str = field(default_factory=now)


@dataclass
class Token:
    """An installation token; `repositories` None means all of the installation's."""

    value: str
    installation: Installation
    permissions: dict[str, str]
    repositories: list[Repository] | None
    expires: float
    revoked: bool = False

    def reaches(self, repository: Repository) -> bool:
        """Whether this token was given for that repository."""
        inside = repository in self.installation.repositories
        return inside and (self.repositories is None or repository in self.repositories)


@dataclass
class PullRequest:
    """A pull request. `head_repository` is None when the fork is gone. `stale` holds the older heads
    that the API still answers with, one a call."""

    id: int
    number: int
    repository: Repository
    head_repository: Repository | None
    head_owner: User
    head_ref: str
    head_sha: str
    base_ref: str
    base_sha: str
    author: User
    title: str
    body: str | None = None
    state: str = "open"
    draft: bool = False
    merged_at: str | None = None
    closed_at: str | None = None
    merge_sha: str | None = None
    mergeable: bool | None = None
    changed_files: int | None = None
    labels: list[str] = field(default_factory=list)
    stale: list[str] = field(default_factory=list)
    created_at: str = field(default_factory=now)
    updated_at: str = field(default_factory=now)

    @property
    def from_fork(self) -> bool:
        """Whether the head lies in another repository (or in one that is gone)."""
        return self.head_repository is not self.repository


@dataclass
class CheckSuite:
    """All runs of one App for one commit."""

    id: int
    app: App
    repository: Repository
    head_sha: str
    rerequested: bool = False
    created_at: str = field(default_factory=now)


@dataclass
class CheckRun:
    """A check run; `annotations` grows with every update."""

    id: int
    suite: CheckSuite
    name: str
    status: str = "queued"
    conclusion: str | None = None
    external_id: str = ""
    details_url: str | None = None
    started_at: str | None = None
    completed_at: str | None = None
    title: str | None = None
    summary: str | None = None
    text: str | None = None
    annotations: list[Json] = field(default_factory=list)
    actions: list[Json] = field(default_factory=list)
    statuses: list[str] = field(default_factory=list)

    @property
    def head_sha(self) -> str:
        """The commit that is judged."""
        return self.suite.head_sha


@dataclass
class Comment:
    """A comment in a pull request's conversation."""

    id: int
    repository: Repository
    number: int
    author: User
    body: str
    by_app: App | None = None
    reactions: list[Json] = field(default_factory=list)
    created_at: str = field(default_factory=now)
    updated_at: str = field(default_factory=now)


@dataclass
class Review:
    """A review of a pull request."""

    id: int
    pull: PullRequest
    author: User
    body: str
    state: str
    commit_id: str
    submitted_at: str = field(default_factory=now)


@dataclass
class Delivery:
    """One attempt to deliver a webhook; redeliveries share the `guid`. Status code 0 stands for no connection."""

    id: int
    guid: str
    event: str
    payload: Json
    body: bytes
    request_headers: dict[str, str]
    status: str
    status_code: int
    response_headers: dict[str, str]
    response_body: str
    duration: float
    redelivery: bool
    delivered_at: str = field(default_factory=now)
