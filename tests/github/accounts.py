"""Accounts, Apps, repositories, installations and tokens as plain records.

Their shapes for the wire are made in `represent*.py`; what happens in a repository is in `records.py`.
"""

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
    archived: bool = False
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
