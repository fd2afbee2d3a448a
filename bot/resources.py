"""GitHub's nouns as the bot needs them, read tolerantly: a field that is not needed may be absent, null or new.

Each ``read`` takes an object of the REST API and raises KeyError or TypeError when a needed field is not there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class PullRequest:
    """A pull request. ``changed_files`` is None in lists; ``head_repo`` (owner/name) is None when the fork is gone,
    ``author`` when the account is.
    """

    number: int
    head_sha: str
    base_sha: str
    base_ref: str
    base_repo_id: int
    state: str
    draft: bool
    changed_files: int | None
    head_repo: str | None
    updated_at: str | None = None
    author: str | None = None

    @classmethod
    def read(cls, data: Json) -> Self:
        """A pull request of the API."""
        head, base = data["head"], data["base"]
        return cls(
            number=data["number"],
            head_sha=head["sha"],
            base_sha=base["sha"],
            base_ref=base["ref"],
            base_repo_id=base["repo"]["id"],
            state=data["state"],
            draft=bool(data.get("draft")),
            changed_files=data.get("changed_files"),
            head_repo=(head.get("repo") or {}).get("full_name"),
            updated_at=data.get("updated_at"),
            author=(data.get("user") or {}).get("login"),
        )


@dataclass(frozen=True, slots=True)
class CheckRunState:
    """What GitHub holds of a check run. ``external_id`` is empty for a run that was made without."""

    id: int
    external_id: str
    status: str
    conclusion: str | None
    head_sha: str
    annotations_count: int = 0
    app_id: int | None = None

    @classmethod
    def read(cls, data: Json) -> Self:
        """A check run of the API; its suite, app and output may be null."""
        return cls(
            id=data["id"],
            external_id=data.get("external_id") or "",
            status=data["status"],
            conclusion=data.get("conclusion"),
            head_sha=data["head_sha"],
            annotations_count=(data.get("output") or {}).get("annotations_count") or 0,
            app_id=(data.get("app") or {}).get("id"),
        )


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment on a pull request; ``app_id`` is that of the App which wrote it, None for people."""

    id: int
    body: str
    author: str | None
    app_id: int | None

    @classmethod
    def read(cls, data: Json) -> Self:
        """An issue comment of the API; the account of its author may be gone."""
        app = data.get("performed_via_github_app") or {}
        return cls(data["id"], data.get("body") or "", (data.get("user") or {}).get("login"), app.get("id"))


@dataclass(frozen=True, slots=True)
class AppInfo:
    """The App as registered: its permissions (``checks: write``) and the events that it hears."""

    id: int
    slug: str
    permissions: Mapping[str, str]
    events: tuple[str, ...]

    @classmethod
    def read(cls, data: Json) -> Self:
        """The App of ``GET /app``."""
        return cls(data["id"], data.get("slug") or "", dict(data["permissions"]), tuple(data["events"]))


@dataclass(frozen=True, slots=True)
class InstallationInfo:
    """The App on one account, with what that account granted."""

    id: int
    account: str
    suspended: bool
    permissions: Mapping[str, str]
    events: tuple[str, ...]

    @classmethod
    def read(cls, data: Json) -> Self:
        """An installation of the API."""
        account = (data.get("account") or {}).get("login") or ""
        permissions, events = data.get("permissions") or {}, data.get("events") or ()
        return cls(data["id"], account, bool(data.get("suspended_at")), dict(permissions), tuple(events))


@dataclass(frozen=True, slots=True)
class RepositoryInfo:
    """A repository that an installation may reach."""

    id: int
    full_name: str
    default_branch: str
    archived: bool
    installation_id: int

    @classmethod
    def read(cls, data: Json, installation_id: int) -> Self:
        """A repository of the API."""
        branch = data.get("default_branch") or ""
        return cls(data["id"], data["full_name"], branch, bool(data.get("archived")), installation_id)


@dataclass(frozen=True, slots=True)
class Delivery:
    """The newest attempt to deliver one webhook, and how many attempts there were. ``guid`` is the same for all."""

    id: int
    guid: str
    event: str
    action: str | None
    delivered_at: str
    status_code: int
    installation_id: int | None
    attempts: int = 1

    @property
    def succeeded(self) -> bool:
        """Whether the service answered with 2xx."""
        return self.status_code // 100 == 2

    @classmethod
    def read(cls, data: Json) -> Self:
        """An item of ``GET /app/hook/deliveries``."""
        return cls(
            id=data["id"],
            guid=data["guid"],
            event=data["event"],
            action=data.get("action"),
            delivered_at=data["delivered_at"],
            status_code=data["status_code"],
            installation_id=data.get("installation_id"),
        )
