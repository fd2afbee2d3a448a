"""Looks at everything that the bot needs to run: for /readyz in a word, for `doctor` with what to mend."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any

import yaml
from sqlalchemy.exc import SQLAlchemyError

from bot.github import GitHub, GitHubError, Unauthorized
from bot.mirror import folder_fault
from bot.queue import Queue
from bot.settings import Settings
from bot.store import Store
from bot.web.health import Probe
from bot.workers import alive, faults

REMEMBERED_SECONDS = 300.0
FORGOTTEN_SECONDS = 15.0
"""How long /readyz goes by GitHub's last answer, when that was good and when it was not."""

STANDSTILL_SECONDS = 60.0
"""A free worker takes a waiting job within a second."""

GRANTS = ("read", "write", "admin")


@dataclass(frozen=True, slots=True)
class Ailment:
    """Something that is wrong and what to do about it."""

    what: str
    remedy: str


def probes(settings: Settings, store: Store, queue: Queue, github: GitHub) -> Mapping[str, Probe]:
    """What /readyz goes through, by name; the answers name neither repositories nor addresses."""
    return {
        "database": lambda: _database(store),
        "mirrors": lambda: "the folder of the mirrors can't be used" if folder_fault(settings) else None,
        "workers": lambda: _workers(store),
        "queue": Standstill(queue),
        "app": _remembered(lambda: _credentials(github)),
    }


def warnings(github: GitHub) -> Mapping[str, Probe]:
    """What /readyz shows besides: it keeps some events from being answered, but a service that takes no webhooks would
    lose the others too.
    """
    return {"permissions": _remembered(lambda: _permissions(github))}


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


def _permissions(github: GitHub) -> str | None:
    try:
        app = github.app()
    except GitHubError:
        return None
    found = [ailment.what for ailment in _lacking(app.permissions, app.events, "the App", "")]
    return "; ".join(found) or None


def _credentials(github: GitHub) -> str | None:
    try:
        github.app()
    except Unauthorized:
        return "GitHub refuses the App's credentials"
    except GitHubError:
        # Its outage says nothing about the credentials, and a service that takes no webhooks would lose them.
        return None
    return None


def _remembered(look: Callable[[], str | None]) -> Probe:
    """``look`` asked at most now and then, so that a probe every few seconds costs GitHub nothing."""
    known: tuple[float, str | None] = (float("-inf"), None)

    def probe() -> str | None:
        nonlocal known
        at, state = known
        if time.monotonic() - at > (REMEMBERED_SECONDS if state is None else FORGOTTEN_SECONDS):
            known = (time.monotonic(), look())
        return known[1]

    return probe
