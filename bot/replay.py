"""Signs stored webhook payloads and sends them to a running service: trials without GitHub and without a tunnel."""

from __future__ import annotations

import json
import re
import uuid
from pathlib import Path

import requests

from bot.web.webhooks import PATH, signature

TIMEOUT_SECONDS = 30
KNOWN_BY = {
    "merge_group": "merge_group",
    "check_run": "check_run",
    "check_suite": "check_suite",
    "comment": "issue_comment",
    "pull_request": "pull_request",
    "zen": "ping",
    "pusher": "push",
    "repositories": "installation",
    "repositories_added": "installation_repositories",
}
"""A key of a payload that only this event has, looked for in this order."""

NAMED = re.compile(r"([a-z_]+)(?:\.|$)")


class UnknownEventError(ValueError):
    """Neither the file's name nor its content tells which event it is."""


def event_of(path: Path, payload: dict[str, object]) -> str:
    """The event of a payload: by the file's name (`pull_request.opened.json`), else by its content.

    Raises UnknownEventError.
    """
    named = NAMED.match(path.name)
    if named and named[1] in {*KNOWN_BY.values(), "repository"}:
        return named[1]
    found = next((event for key, event in KNOWN_BY.items() if key in payload), None)
    if found is None:
        raise UnknownEventError(f"{path}: the event is not clear; name it with --event")
    return found


def send(url: str, secret: str, event: str, body: bytes, delivery: str | None = None) -> tuple[int, str]:
    """Sends one delivery to the service at ``url``; the status and text of its answer.

    Raises requests.RequestException when the service can't be reached.
    """
    headers = {
        "Content-Type": "application/json",
        "X-GitHub-Event": event,
        "X-GitHub-Delivery": delivery or str(uuid.uuid4()),
        "X-Hub-Signature-256": signature(secret, body),
    }
    answer = requests.post(url.rstrip("/") + PATH, data=body, headers=headers, timeout=TIMEOUT_SECONDS)
    return answer.status_code, answer.text.strip()


def read(path: Path) -> tuple[bytes, dict[str, object]]:
    """A payload's bytes, which are what is signed, and its content. Raises OSError or ValueError."""
    body = path.read_bytes()
    try:
        payload = json.loads(body)
    except ValueError as error:
        raise ValueError(f"{path}: not JSON: {error}") from error
    if not isinstance(payload, dict):
        raise ValueError(f"{path}: not a JSON object")
    return body, payload
