"""GitHub's nouns as plain records: what happens in repositories, and (from `accounts.py`) who and where."""

from dataclasses import dataclass, field

from tests.github.accounts import App, Installation, Json, Repository, Token, User, now

__all__ = [
    "App",
    "CheckRun",
    "CheckSuite",
    "Comment",
    "Delivery",
    "Installation",
    "Json",
    "PullRequest",
    "Repository",
    "Review",
    "Token",
    "User",
    "now",
]


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
