"""A running stand-in with one repository, and plain HTTP clients for it."""

import json
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import jwt
import pytest
import requests

from tests.github import GitHub
from tests.github.records import PullRequest, Repository


@dataclass
class Client:
    """Sends requests to the API with one `Authorization` header."""

    api_url: str
    authorization: str
    session: requests.Session = field(default_factory=requests.Session)

    def __call__(self, method: str, path: str, body: Any = None, **headers: str) -> requests.Response:
        """Send JSON, take any answer."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        sent = {"Authorization": self.authorization, **named}
        return self.session.request(method, self.api_url + path, json=body, headers=sent, timeout=10)


@dataclass
class Receiver:
    """An App's webhook address on a loopback port: remembers what came, answers with `status`."""

    url: str = ""
    status: int = 202
    received: list[tuple[dict[str, str], bytes]] = field(default_factory=list)

    @property
    def last(self) -> Any:
        """The newest payload."""
        return json.loads(self.received[-1][1])


@pytest.fixture
def github(tmp_path: Path) -> Iterator[GitHub]:
    """The stand-in, running."""
    with GitHub(tmp_path / "github") as running:
        yield running


@pytest.fixture
def repository(github: GitHub) -> Repository:
    """A private repository with one file on `main`, the App installed."""
    return github.add_repository("octo-org/submissions", {"closed/Acme/systems/A.yaml": b"name: A\n"})


@pytest.fixture
def pull(github: GitHub, repository: Repository) -> PullRequest:
    """A pull request from a fork that adds one file."""
    base = repository.git.ref("refs/heads/main")
    head = repository.git.commit({"closed/Acme/systems/B.yaml": b"name: B\n"}, base=base)
    return github.open_pull_request(repository, head, fork=True, send=False)


@pytest.fixture
def as_installation(github: GitHub, repository: Repository) -> Iterator[Client]:
    """A client with an installation token that holds every permission."""
    more = {"administration": "read", "statuses": "write"}
    github.installation_on("octo-org").permissions.update(more)
    with requests.Session() as session:
        yield Client(github.api_url, f"Bearer {github.token(repository)}", session)


@pytest.fixture
def as_app(github: GitHub) -> Iterator[Client]:
    """A client that signs as the App."""
    with requests.Session() as session:
        yield Client(github.api_url, f"Bearer {app_jwt(github)}", session)


@pytest.fixture
def receiver(github: GitHub) -> Iterator[Receiver]:
    """A listening webhook address, set as the App's."""
    kept = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            kept.received.append((dict(self.headers), body))
            self.send_response(kept.status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            """Quiet."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        kept.url = f"http://127.0.0.1:{server.server_port}/api/github/webhooks"
        github.app.webhook_url = kept.url
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield kept
        server.shutdown()
        thread.join()


def app_jwt(github: GitHub, **claims: object) -> str:
    """A JWT of the App, valid for five minutes unless claims say otherwise."""
    present = int(time.time())
    standard = {"iss": str(github.app.id), "iat": present - 60, "exp": present + 300}
    return jwt.encode(standard | claims, github.private_key, algorithm="RS256")
