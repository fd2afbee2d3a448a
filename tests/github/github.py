"""The stand-in as tests use it: `with GitHub(folder) as github: ...`."""

import functools
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from tests.github import api_app, api_checks, api_git, api_issues, api_pulls, api_repo
from tests.github.api import Context
from tests.github.auth import TOKEN_LIFE, issue_token
from tests.github.faults import Faults
from tests.github.git_http import GitRequest
from tests.github.gitrepo import Content, GitRepository
from tests.github.represent import ORGANIZATION, Shapes
from tests.github.scenarios import MAINTAINER, Scenarios
from tests.github.server import API_PREFIX, ApiRequest, Application, Server
from tests.github.state import App, CheckRun, Delivery, Installation, Json, Repository, State
from tests.github.webhooks import PATIENCE, Webhooks

# Importing these registers their operations.
OPERATION_MODULES = (api_app, api_checks, api_git, api_issues, api_pulls, api_repo)
APP_ID, APP_SLUG = 4711, "submission-bot"


class GitHub(Scenarios):
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

    def add_app(self, slug: str, id: int | None = None) -> App:
        """Register an App; the first is the one under test, others make checks of other Apps possible."""
        owner = self.state.user("octo-org", ORGANIZATION)
        number = id or self.state.next_id()
        app = App(number, slug, owner, _key(slug), f"Iv23li{number:014d}", "client-secret-of-a-test", "webhook-secret")
        self.state.apps.append(app)
        return app

    def add_repository(
        self,
        full_name: str,
        files: Mapping[str | bytes, Content] | None = None,
        *,
        private: bool = True,
        install: bool = True,
        git: GitRepository | None = None,
    ) -> Repository:
        """A repository of an organization with a first commit on `main`, where the App is installed.

        `git` takes a bare repository that exists already instead of making one.
        """
        login, name = full_name.split("/")
        number = self.state.next_id()
        store = git or GitRepository(self.root / "repositories" / f"{number}.git")
        if git is None:
            store.commit({"README.md": b"# Submissions\n"} if files is None else files, branch="main")
        repository = Repository(number, self.state.user(login, ORGANIZATION), name, store, private)
        repository.permissions[self.state.user(MAINTAINER).login] = "admin"
        with self.state.lock:
            self.state.repositories[number] = repository
        if install:
            self.installation_on(login).repositories.append(repository)
        return repository

    def installation_on(self, login: str) -> Installation:
        """The App's installation on an account, made on first use."""
        for one in self.state.installations.values():
            if one.account.login == login and one.app is self.app and not one.deleted:
                return one
        return self.add_installation(login)

    def add_installation(self, login: str, app: App | None = None) -> Installation:
        """Install an App on an account, without repositories, with what the App asks for."""
        app = app or self.app
        account = self.state.user(login, ORGANIZATION)
        one = Installation(self.state.next_id(), app, account, [], dict(app.permissions), list(app.events))
        with self.state.lock:
            self.state.installations[one.id] = one
        return one

    def token(self, repository: Repository) -> str:
        """An installation token for a repository, without a request being recorded."""
        installation = self.state.installation_of(repository, self.app)
        if installation is None:
            raise ValueError(f"the App is not installed on {repository.full_name}")
        return issue_token(self.state, installation, self.context.token_life).value

    def set_token_life(self, seconds: float) -> None:
        """How long tokens issued from now on are good for."""
        self.context.token_life = seconds

    def expire_tokens(self) -> None:
        """Let all tokens lapse now."""
        for token in self.state.tokens.values():
            token.expires = 0.0

    def permit(self, repository: Repository, login: str, role: str) -> None:
        """Give a person a role: admin, maintain, write, triage or read."""
        repository.permissions[self.state.user(login).login] = role

    def check_runs(self, repository: Repository, sha: str | None = None, name: str | None = None) -> list[CheckRun]:
        """Check runs, oldest first."""
        return [run for run in self.state.runs_of(repository, sha) if name in (None, run.name)]

    def add_check_run(self, repository: Repository, sha: str, name: str, app: App, **fields: object) -> CheckRun:
        """A check run of another App (or of the bot, as left over from earlier); `fields` of CheckRun."""
        run = CheckRun(self.state.next_id(), self.state.suite(app, repository, sha), name)
        for key, value in fields.items():
            setattr(run, key, value)
        with self.state.lock:
            self.state.runs[run.id] = run
        return run

    def offer_manifest(self, manifest: Json) -> str:
        """A code as the manifest flow hands it back; good for one conversion."""
        code = f"code{self.state.next_id()}"
        self.state.manifests[code] = manifest
        return code

    def deliver(
        self, event: str, payload: Json, to: str | None = None, secret: str | None = None, delivery: str | None = None
    ) -> Delivery:
        """Sign and send any payload, record the attempt; `delivery` is the GUID."""
        return self.webhooks.deliver(event, payload, to, secret, delivery)


@functools.cache
def _key(slug: str) -> rsa.RSAPrivateKey:
    """One key for each App of a process: making one takes a tenth of a second."""
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)
