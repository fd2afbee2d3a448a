"""Looks at everything that the bot needs to run: for /readyz in a word, for `doctor` with what to mend."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any

import yaml
from sqlalchemy.exc import SQLAlchemyError

from bot.github import AppInfo, GitHub, GitHubError, Unauthorized
from bot.mirror import folder_fault
from bot.queue import Queue
from bot.settings import Settings
from bot.store import Store
from bot.web.health import Probe
from bot.workers import alive, faults

REMEMBERED_SECONDS = 300.0
OUTAGE_SECONDS = 60.0
REFUSED_SECONDS = 15.0
"""How long /readyz goes by GitHub's last answer: when it was good, when none came, and when it was a refusal."""

STANDSTILL_SECONDS = 60.0
"""A free worker takes a waiting job within a second."""

GRANTS = ("read", "write", "admin")


@dataclass(frozen=True, slots=True)
class Ailment:
    """Something that is wrong and what to do about it."""

    what: str
    remedy: str


class AppLook:
    """What GitHub last said about the App, asked only now and then: a probe every few seconds costs GitHub nothing."""

    def __init__(self, github: GitHub) -> None:
        """Asks nothing yet."""
        self._github = github
        self._found: AppInfo | GitHubError | None = None
        self._until = float("-inf")

    def __call__(self) -> AppInfo | GitHubError:
        """The App, or why GitHub did not tell."""
        if self._found is None or time.monotonic() > self._until:
            self._found = self._asked()
            self._until = time.monotonic() + _lasting(self._found)
        return self._found

    def _asked(self) -> AppInfo | GitHubError:
        try:
            return self._github.app()
        except GitHubError as error:
            return error


def _lasting(found: AppInfo | GitHubError) -> float:
    """Seconds for which an answer about the App is gone by."""
    if isinstance(found, GitHubError):
        return REFUSED_SECONDS if isinstance(found, Unauthorized) else OUTAGE_SECONDS
    return REMEMBERED_SECONDS


def probes(settings: Settings, store: Store, queue: Queue, look: AppLook) -> Mapping[str, Probe]:
    """What /readyz goes through, by name; the answers name neither repositories nor addresses."""
    return {
        "database": lambda: _database(store),
        "mirrors": lambda: "the folder of the mirrors can't be used" if folder_fault(settings) else None,
        "workers": lambda: _workers(store),
        "queue": Standstill(queue),
        "app": lambda: "GitHub refuses the App's credentials" if isinstance(look(), Unauthorized) else None,
    }


def warnings(look: AppLook) -> Mapping[str, Probe]:
    """What /readyz shows besides: it keeps events from being answered now, but a service that takes no webhooks would
    lose them. So GitHub's outage is one of these; it says nothing about the credentials.
    """
    return {"github": lambda: _outage(look()), "permissions": lambda: _permissions(look())}


def ailments_of_app(github: GitHub) -> Iterator[Ailment]:
    """What the App lacks at GitHub: the credentials, permissions and events that its manifest asks for."""
    try:
        app = github.app()
        installations = github.installations()
    except Unauthorized:
        yield Ailment("GitHub refuses the App's credentials", "Set APP_ID and PRIVATE_KEY of one and the same App.")
        return
    except GitHubError as error:
        yield Ailment(
            f"GitHub does not answer: {error}", "Look at GITHUB_API_URL and at the way there (proxy, firewall)."
        )
        return
    yield from _lacking(app.permissions, app.events, "the App", "Add it in the App's settings.")
    for one in installations:
        remedy = "Its owner has to accept the App's new permissions."
        yield from _lacking(one.permissions, one.events, f"the installation on {one.account}", remedy)
        if one.suspended:
            yield Ailment(f"the installation on {one.account} is suspended", "Its owner can lift that.")
    if not installations:
        yield Ailment("the App is installed nowhere", "Install it on the account that has the submissions repository.")


def manifest() -> dict[str, Any]:
    """The App's manifest: permissions and events that the bot asks for."""
    loaded: dict[str, Any] = yaml.safe_load(resources.files("bot").joinpath("app.yml").read_text("utf-8"))
    return loaded


def _lacking(granted: Mapping[str, str], events: tuple[str, ...], whose: str, remedy: str) -> Iterator[Ailment]:
    wanted = manifest()
    for name, level in wanted["default_permissions"].items():
        if _rank(granted.get(name)) < _rank(level):
            yield Ailment(f"{whose} lacks the permission {name}: {level}", remedy)
    for event in wanted["default_events"]:
        if event not in events:
            yield Ailment(f"{whose} does not hear the event {event}", remedy)


def _rank(level: str | None) -> int:
    return GRANTS.index(level) if level in GRANTS else -1


def _database(store: Store) -> str | None:
    try:
        store.check()
    except SQLAlchemyError:
        return "the database does not answer"
    return None


def _workers(store: Store) -> str | None:
    try:
        if not alive(store):
            return "no worker lives"
        return f"a worker fails: {', '.join(failing)}" if (failing := faults(store)) else None
    except SQLAlchemyError:
        return "unknown"


class Standstill:
    """Notices a job that goes on waiting although nothing runs: workers that live and do not work."""

    def __init__(self, queue: Queue) -> None:
        """Looks at ``queue`` whenever it is called."""
        self._queue = queue
        self._job: str | None = None
        self._since = 0.0

    def __call__(self) -> str | None:
        """What is wrong; None when all is well."""
        try:
            job = self._queue.longest_waiting()
        except SQLAlchemyError:
            return "unknown"
        if job is None or job != self._job:
            self._job, self._since = job, time.monotonic()
        waited = time.monotonic() - self._since
        return f"jobs wait and no worker takes them, for {waited:.0f} s" if waited > STANDSTILL_SECONDS else None


def _outage(found: AppInfo | GitHubError) -> str | None:
    if isinstance(found, GitHubError) and not isinstance(found, Unauthorized):
        return "GitHub's API does not answer; what is asked for meanwhile is done later"
    return None


def _permissions(found: AppInfo | GitHubError) -> str | None:
    if isinstance(found, GitHubError):
        return None
    lacking = [ailment.what for ailment in _lacking(found.permissions, found.events, "the App", "")]
    return "; ".join(lacking) or None
