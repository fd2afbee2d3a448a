"""The stand-in as tests use it: `with GitHub(folder) as github: ...`."""

from pathlib import Path
from types import TracebackType
from typing import Self

from cryptography.hazmat.primitives import serialization

from tests.github import api_app, api_checks, api_contents, api_git, api_issues, api_pulls, api_repo
from tests.github.administration import Administration
from tests.github.api import Context
from tests.github.application import API_PREFIX, ApiRequest, Application
from tests.github.auth import TOKEN_LIFE
from tests.github.faults import Faults
from tests.github.git_http import GitRequest
from tests.github.records import Delivery, Json
from tests.github.represent import Shapes
from tests.github.scenarios_app import AppScenarios
from tests.github.scenarios_pulls import PullScenarios
from tests.github.server import Server
from tests.github.state import State
from tests.github.webhooks import PATIENCE, Webhooks

# Importing these registers their operations.
OPERATION_MODULES = (api_app, api_checks, api_contents, api_git, api_issues, api_pulls, api_repo)
APP_ID, APP_SLUG = 4711, "submission-bot"


class GitHub(Administration, PullScenarios, AppScenarios):
    """GitHub's servers on one loopback port, with one App whose key and webhook secret the tests know.

    `url` is what GITHUB_SERVER_URL wants (git lies below it), `api_url` what GITHUB_API_URL wants. `faults` injects
    faults; `check()` raises if a client broke GitHub's description or limits.
    """

    def __init__(
        self,
        root: Path,
        *,
        port: int = 0,
        webhook_url: str = "",
        webhook_secret: str = "It's a Secret to Everybody",
        token_life: float = TOKEN_LIFE,
        patience: float = PATIENCE,
    ) -> None:
        self.root = root
        (root / "repositories").mkdir(parents=True, exist_ok=True)
        self.state = State()
        self.faults = Faults()
        self._server = Server(port)
        self.url = self._server.url
        self.api_url = self.url + API_PREFIX
        self.shapes = Shapes(self.state, self.api_url, self.url)
        self.app = self.add_app(APP_SLUG, APP_ID)
        self.app.webhook_url, self.app.webhook_secret = webhook_url, webhook_secret
        self.webhooks = Webhooks(self.state, self.app, patience)
        self.context = Context(self.state, self.shapes, self.webhooks, token_life)
        self._application = Application(self.context, self.faults)
        self.private_key_path = root / "private-key.pem"
        self.private_key_path.write_text(self.private_key)
        self.private_key_path.chmod(0o600)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def start(self) -> None:
        """Begin to answer."""
        self._server.start(self._application)

    def stop(self) -> None:
        """Cut all connections and end."""
        self._application.stopping.set()
        self.webhooks.settle()
        self._server.stop()

    @property
    def private_key(self) -> str:
        """The App's private key as PEM."""
        plain = serialization.NoEncryption()
        pem = self.app.key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain)
        return pem.decode()

    @property
    def requests(self) -> list[ApiRequest]:
        """API requests so far, in order of arrival; paths without the prefix."""
        return self._application.requests

    @property
    def git_requests(self) -> list[GitRequest]:
        """Git requests so far."""
        return self._application.git_requests

    @property
    def deliveries(self) -> list[Delivery]:
        """Attempts to deliver webhooks so far."""
        return self.state.deliveries

    @property
    def violations(self) -> list[str]:
        """What clients (or the stand-in's own replies) did against GitHub's description and limits."""
        return self.context.violations

    def check(self) -> None:
        """Raises AssertionError with all violations, if there were any."""
        if self.violations:
            raise AssertionError("against GitHub's description or limits:\n" + "\n".join(self.violations))

    def clear_requests(self) -> None:
        """Forget recorded requests, to count from here."""
        self.requests.clear()
        self.git_requests.clear()

    def deliver(
        self, event: str, payload: Json, to: str | None = None, secret: str | None = None, delivery: str | None = None
    ) -> Delivery:
        """Sign and send any payload, record the attempt; `delivery` is the GUID."""
        return self.webhooks.deliver(event, payload, to, secret, delivery)
