"""What owners of Apps, accounts and repositories set up, and what tests look up afterwards."""

import functools
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric import rsa

from tests.github.api import Context
from tests.github.auth import issue_token
from tests.github.gitrepo import Files, GitRepository
from tests.github.records import App, CheckRun, Installation, Json, Repository
from tests.github.represent import ORGANIZATION
from tests.github.sender import MAINTAINER
from tests.github.state import State


class Administration:
    """Mixed into `GitHub`."""

    root: Path
    state: State
    context: Context
    app: App

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
        files: Files | None = None,
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


@functools.cache
def _key(slug: str) -> rsa.RSAPrivateKey:
    """One key for each App of a process: making one takes a tenth of a second."""
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)
