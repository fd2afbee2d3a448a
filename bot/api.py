"""One REST call: PyGithub's connection and credentials, our reading of the answer.

PyGithub's objects are passed over on purpose: its retry policy repeats POST and sleeps through limits, and its CheckRun
can't be read when the suite is null. A client is used by one thread only.
"""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

import requests
from github import Github
from github.Requester import Requester

from bot.retries import HTTP_ERRORS, SERVER_ERROR_WAIT, Refused, RetryLater, error_of, repeating, sent_once
from bot.tokens import Credentials
from checks import __version__

log = logging.getLogger(__name__)

API_VERSION = "2022-11-28"  # https://docs.github.com/rest/about-the-rest-api/api-versions
TIMEOUT_SECONDS = 15
PAGE = 100
"""Items per page, the most that GitHub gives."""

HTTP_REDIRECTS = (302, 307, 308)
"""How a write to a renamed repository is answered; PyGithub follows 301 by itself, on the same host only."""

MESSAGE_CHARACTERS = 500
"""Of GitHub's error texts, which can be whole pages of HTML."""

REPEATABLE = frozenset({"GET", "PATCH", "DELETE"})
"""Methods that may be sent again after a failure that leaves open whether they took effect."""


class Api:
    """Calls to the one host of ``base_url`` (``https://api.github.com``, or an enterprise server's ``…/api/v3``)."""

    def __init__(self, base_url: str, backoff: float = 0.3) -> None:
        self._base_url = base_url
        self._prefix = urlsplit(base_url).path.rstrip("/")
        self._backoff = backoff
        self._local = threading.local()
        self._lock = threading.Lock()
        self._clients: list[_Client] = []

    def call(
        self,
        verb: str,
        path: str,
        credentials: str,
        *,
        parameters: Mapping[str, Any] | None = None,
        body: Any = None,
        repeat: bool | None = None,
        limits_in_a_row: int = 0,
    ) -> tuple[Mapping[str, str], Any]:
        """Headers (names in lower case) and JSON of the answer to ``verb`` on ``path``, which begins with ``/``.

        ``repeat`` tells whether a call of unknown outcome may be sent again; the default goes by the method.
        Raises GitHubError.
        """
        client = self._client(verb in REPEATABLE if repeat is None else repeat)
        status, headers, text = client.send(verb, path, credentials, parameters, body)
        if status in HTTP_REDIRECTS:
            status, headers, text = client.send(verb, self._moved(status, headers), credentials, parameters, body)
        if status >= HTTP_ERRORS:
            raise error_of(status, headers, _message(text), limits_in_a_row)
        return headers, _parsed(text)

    def close(self) -> None:
        """Ends all connections, of all threads; no call may be under way."""
        with self._lock:
            while self._clients:
                self._clients.pop().close()
        self._local = threading.local()

    def _client(self, repeat: bool) -> _Client:
        """This thread's client for calls that may, or must not, be sent again."""
        name = "repeating" if repeat else "once"
        client: _Client | None = getattr(self._local, name, None)
        if client is None:
            client = _Client(self._base_url, repeat, self._backoff)
            setattr(self._local, name, client)
            with self._lock:
                self._clients.append(client)
        return client

    def _moved(self, status: int, headers: Mapping[str, str]) -> str:
        """The path to which a renamed repository's address points. Raises Refused for any other host."""
        target, own = urlsplit(headers.get("location", "")), urlsplit(self._base_url)
        if (target.scheme, target.netloc) != (own.scheme, own.netloc) or not target.path.startswith(self._prefix + "/"):
            raise Refused(status, "redirected away from the API's own host")
        return target.path.removeprefix(self._prefix)


class _Client:
    def __init__(self, base_url: str, repeat: bool, backoff: float) -> None:
        self._credentials = Credentials()
        self._github = Github(
            auth=self._credentials,
            base_url=base_url,
            timeout=TIMEOUT_SECONDS,
            user_agent=f"submission-bot/{__version__}",
            per_page=PAGE,
            retry=repeating(backoff=backoff) if repeat else sent_once(backoff=backoff),
            pool_size=1,
            seconds_between_requests=0,
            seconds_between_writes=0,
            api_version=API_VERSION,
        )

    def send(
        self, verb: str, path: str, credentials: str, parameters: Mapping[str, Any] | None, body: Any
    ) -> tuple[int, Mapping[str, str], str]:
        """Status, headers and text. Raises GitHubError when no answer came."""
        self._credentials.value = credentials
        requester: Requester = self._github.requester
        try:
            return requester.requestJson(verb, path, dict(parameters or {}), input=body)
        except requests.RequestException as error:
            raise RetryLater(SERVER_ERROR_WAIT, f"GitHub can't be reached: {type(error).__name__}") from error
        except RuntimeError as error:  # PyGithub's word for a redirect to another host or protocol
            raise Refused(301, str(error)) from error
        finally:
            self._credentials.value = ""

    def close(self) -> None:
        self._github.close()


def _message(text: str) -> str:
    """What an error says: the JSON's message with its details, or the beginning of the text."""
    try:
        data = json.loads(text)
    except ValueError:
        return text[:MESSAGE_CHARACTERS]
    if not isinstance(data, dict):
        return text[:MESSAGE_CHARACTERS]
    details = "".join(f"; {detail}" for detail in data.get("errors") or ())
    return f"{data.get('message') or ''}{details}"[:MESSAGE_CHARACTERS]


def _parsed(text: str) -> Any:
    try:
        return json.loads(text) if text else None
    except ValueError as error:
        raise RetryLater(SERVER_ERROR_WAIT, "GitHub's answer is not JSON") from error
