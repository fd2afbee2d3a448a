"""Installation tokens: one cache for the whole process, one renewal at a time per installation.

https://docs.github.com/apps/creating-github-apps/authenticating-with-a-github-app
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from github import Auth

STAGE_SECONDS = 600.0
"""A token that is handed out lasts at least this long where its whole life (an hour) allows: longer than any stage."""


@dataclass(frozen=True, slots=True)
class Token:
    """An installation token and the epoch second at which it lapses."""

    value: str
    expires_at: float


class TokenCache:
    """Keeps a token per installation. ``renew`` asks GitHub for a new one and may raise GitHubError."""

    def __init__(self, renew: Callable[[int], Token]) -> None:
        self._renew = renew
        self._lock = threading.Lock()
        self._slots: dict[int, _Slot] = {}

    def get(self, installation_id: int) -> str:
        """A token that is good for a stage of work; others wait while one thread renews it."""
        with self._lock:
            slot = self._slots.setdefault(installation_id, _Slot())
        with slot.lock:
            if slot.token is None or slot.token.expires_at - time.time() < STAGE_SECONDS:
                slot.token = self._renew(installation_id)
            return slot.token.value

    def drop(self, installation_id: int, value: str) -> None:
        """Forgets the token that GitHub refused, unless another thread has renewed it meanwhile."""
        with self._lock:
            slot = self._slots.get(installation_id)
        if slot is not None:
            with slot.lock:
                if slot.token is not None and slot.token.value == value:
                    slot.token = None


class _Slot:
    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.token: Token | None = None


class Credentials(Auth.Auth):
    """PyGithub's way to ask for credentials; the value is set before each call of the one thread that owns it."""

    def __init__(self) -> None:
        self.value = ""

    @property
    def token_type(self) -> str:
        """The scheme of the Authorization header, right for App JWTs and installation tokens alike."""
        return "Bearer"

    @property
    def token(self) -> str:
        """The credentials themselves."""
        return self.value
