"""The GitHub App's client: what the App asks by itself, and the door to its installations.

Every method raises a GitHubError of :mod:`bot.retries`; none waits longer than a few seconds. Ids, names and object ids
are tested before they become part of an address, and no address of an answer is followed to another host.
"""

from __future__ import annotations

import datetime
import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qs, urlsplit

from github import Auth
from requests.utils import parse_header_links

from bot import identifiers
from bot.api import PAGE, Api
from bot.installation import Installation
from bot.pace import SECONDS_BETWEEN_WRITES, Pace
from bot.resources import AppInfo, CheckRunState, Comment, Delivery, InstallationInfo, PullRequest, RepositoryInfo
from bot.retries import (
    SERVER_ERROR_WAIT,
    GitHubError,
    Limited,
    NotFound,
    Refused,
    RetryLater,
    Suspended,
    Unauthorized,
)
from bot.settings import Settings
from bot.tokens import Token, TokenCache

__all__ = [
    "AppInfo",
    "CheckRunState",
    "Comment",
    "Delivery",
    "GitHub",
    "GitHubError",
    "Installation",
    "InstallationInfo",
    "Limited",
    "NotFound",
    "PullRequest",
    "Refused",
    "RepositoryInfo",
    "RetryLater",
    "Suspended",
    "Unauthorized",
]

MAX_PAGES = 100


class GitHub:
    """One per process; threads share it. ``seconds_between_writes`` is for tests, GitHub's advice being a second."""

    def __init__(
        self, settings: Settings, *, seconds_between_writes: float = SECONDS_BETWEEN_WRITES, backoff: float = 0.3
    ) -> None:
        self._api = Api(settings.github_api_url, backoff)
        self._app_id = int(settings.app_id)
        self._app = Auth.AppAuth(self._app_id, settings.private_key)
        self._tokens = TokenCache(self._new_token)
        self._between = seconds_between_writes
        self._lock = threading.Lock()
        self._paces: dict[int, Pace] = {}

    def installation(self, id: int) -> Installation:
        """The App as installation ``id``; asks nothing."""
        with self._lock:
            pace = self._paces.setdefault(identifiers.number(id), Pace(self._between))
        return Installation(self._api, self._app_id, id, self._tokens, pace)

    def app(self) -> AppInfo:
        """The App as it is registered."""
        return AppInfo.read(self._call("GET", "/app")[1])

    def installations(self) -> list[InstallationInfo]:
        """All accounts that have the App."""
        found: list[InstallationInfo] = []
        for page in range(1, MAX_PAGES + 1):
            data = self._call("GET", "/app/installations", {"per_page": PAGE, "page": page})[1]
            found += [InstallationInfo.read(one) for one in data]
            if len(data) < PAGE:
                break
        return found

    def repositories(self) -> list[RepositoryInfo]:
        """All repositories of all installations that are not suspended."""
        working = [one for one in self.installations() if not one.suspended]
        return [repository for one in working for repository in self.installation(one.id).repositories()]

    def failed_deliveries(self, since: datetime.datetime) -> list[Delivery]:
        """Webhooks sent after ``since`` (with zone) of which no attempt has succeeded: the newest attempt of each."""
        newest: dict[str, Delivery] = {}
        succeeded: set[str] = set()
        for attempt in self._deliveries(since):
            if attempt.succeeded:
                succeeded.add(attempt.guid)
            known = newest.setdefault(attempt.guid, replace(attempt, attempts=0))
            newest[attempt.guid] = replace(known, attempts=known.attempts + 1)
        return [attempt for guid, attempt in newest.items() if guid not in succeeded]

    def redeliver(self, id: int) -> None:
        """Asks GitHub to send a delivery again; it keeps its guid."""
        self._call("POST", f"/app/hook/deliveries/{identifiers.number(id)}/attempts")

    def close(self) -> None:
        """Ends all connections."""
        self._api.close()

    def _deliveries(self, since: datetime.datetime) -> Iterator[Delivery]:
        """All attempts since then, newest first. GitHub keeps three days of them."""
        query: dict[str, Any] = {"per_page": PAGE}
        for _ in range(MAX_PAGES):
            headers, data = self._call("GET", "/app/hook/deliveries", query)
            for attempt in map(Delivery.read, data):
                if datetime.datetime.fromisoformat(attempt.delivered_at) < since:
                    return
                yield attempt
            cursor = _next_cursor(headers.get("link", ""))
            if cursor is None:
                return
            query["cursor"] = cursor

    def _new_token(self, installation_id: int) -> Token:
        """Asks for an installation token. Sent again on failure: one token too many does no harm."""
        path = f"/app/installations/{installation_id}/access_tokens"
        data = self._call("POST", path, repeat=True)[1]
        try:
            return Token(str(data["token"]), datetime.datetime.fromisoformat(data["expires_at"]).timestamp())
        except (KeyError, TypeError, ValueError) as error:
            raise RetryLater(SERVER_ERROR_WAIT, "GitHub's answer holds no token") from error

    def _call(
        self, verb: str, path: str, parameters: dict[str, Any] | None = None, repeat: bool | None = None
    ) -> tuple[Any, Any]:
        return self._api.call(verb, path, self._app.create_jwt(), parameters=parameters, repeat=repeat)


def _next_cursor(link: str) -> str | None:
    """The cursor of the next page; only the query of GitHub's address is used."""
    for one in parse_header_links(link) if link else ():
        if one.get("rel") == "next":
            return parse_qs(urlsplit(one["url"]).query).get("cursor", [None])[0]
    return None
