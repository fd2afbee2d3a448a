"""The webhook's answers, each counted. The application runs in this process, on a real database and queue."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from sqlalchemy import select, text

from bot.app import create_app
from bot.metrics import Metrics
from bot.orders import EVENTS
from bot.queue import Queue
from bot.settings import Settings, load
from bot.store import Delivery, Repository, Store
from bot.web.webhooks import MAX_BYTES, PATH, signed
from tests.bot.test_settings import LEAST

PULL = json.dumps(
    {
        "action": "opened",
        "pull_request": {"number": 7, "head": {"sha": "a" * 40}},
        "repository": {"id": 1, "full_name": "octo/submissions"},
        "installation": {"id": 2},
    }
).encode()


class Hook:
    """Sends deliveries to the application and looks at what became of them."""

    def __init__(self, settings: Settings) -> None:
        self.store = Store(settings.database_url)
        self.queue = Queue(self.store)
        self.metrics = Metrics()
        self.metrics.watch(self.store, self.queue)
        self.app = create_app(
            settings, self.store, self.queue, self.metrics, probes={"database": lambda: None}, warnings={}
        )
        self.client: FlaskClient = self.app.test_client()

    def send(self, body: bytes, *, secret: str = "new", delivery: str = "d-1", **headers: str) -> tuple[int, str]:
        """Status and result of one delivery; `headers` replace the proper ones."""
        proper = {
            "Content-Type": "application/json",
            "X-GitHub-Event": "pull_request",
            "X-GitHub-Delivery": delivery,
            "X-Hub-Signature-256": "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest(),
        }
        given = proper | {name.replace("_", "-"): value for name, value in headers.items()}
        answer = self.client.post(PATH, data=body, headers={name: value for name, value in given.items() if value})
        found: dict[str, Any] = answer.get_json()
        return answer.status_code, found["result"]

    def counted(self, result: str) -> float | None:
        return self.metrics.registry.get_sample_value("submission_bot_webhooks_total", {"result": result})

    def jobs(self) -> int:
        return self.queue.counts()[EVENTS, "waiting"]


@pytest.fixture
def hook(tmp_path: Path) -> Iterator[Hook]:
    made = Hook(load({**LEAST, "WEBHOOK_SECRET": "new,old", "DATA_DIR": str(tmp_path)}, dotenv=None))
    yield made
    made.queue.close()
    made.store.close()


def test_githubs_own_example_of_a_signature() -> None:
    # https://docs.github.com/webhooks/using-webhooks/validating-webhook-deliveries
    right = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"
    assert signed(["It's a Secret to Everybody"], b"Hello, World!", right)
    assert not signed(["It's a Secret to Everybody"], b"Hello, World.", right)
    assert not signed(["It's a Secret to Everybody"], b"Hello, World!", "sha256=é")


def test_an_accepted_delivery_is_a_job_and_is_remembered(hook: Hook) -> None:
    assert hook.send(PULL) == (202, "accepted")
    assert (hook.jobs(), hook.counted("accepted")) == (1, 1)
    with hook.store.session() as session:
        assert session.scalars(select(Delivery.outcome)).all() == ["accepted"]
        assert session.get_one(Repository, 1).full_name == "octo/submissions"


@pytest.mark.parametrize("secret", ["new", "old"])
def test_every_secret_is_accepted(hook: Hook, secret: str) -> None:
    assert hook.send(PULL, secret=secret) == (202, "accepted")


@pytest.mark.parametrize(
    ("headers", "body", "status", "result"),
    [
        ({"X_Hub_Signature_256": "sha256=" + "0" * 64}, PULL, 401, "bad_signature"),
        ({"X_Hub_Signature_256": ""}, PULL, 401, "bad_signature"),
        ({"X_Hub_Signature_256": "sha256=" + "0" * 64}, b"no json", 401, "bad_signature"),
        ({"Content_Type": "text/plain"}, PULL, 400, "wrong_content_type"),
        ({"Content_Type": "application/x-www-form-urlencoded"}, b"payload=%7B%7D", 400, "wrong_content_type"),
        ({"Content_Type": ""}, PULL, 400, "wrong_content_type"),
        ({}, b"{", 400, "not_json"),
        ({}, b"", 400, "not_json"),
        ({}, b"[" * 100_000, 400, "not_json"),
        ({}, b"\xff\xfe{", 400, "not_json"),
        ({}, b"[]", 400, "not_an_object"),
        ({"X_GitHub_Event": ""}, PULL, 400, "missing_header"),
        ({"X_GitHub_Delivery": ""}, PULL, 400, "missing_header"),
        ({"X_GitHub_Delivery": "x%y"}, PULL, 400, "missing_header"),
        ({"X_GitHub_Event": "star"}, b"{}", 202, "ignored"),
        ({"X_GitHub_Event": "ping"}, b"{}", 202, "pong"),
        ({}, b'{"action": "opened"}', 202, "unusable"),
    ],
)
def test_each_outcome_is_answered_and_counted(
    hook: Hook, headers: dict[str, str], body: bytes, status: int, result: str
) -> None:
    assert hook.send(body, **headers) == (status, result)
    assert (hook.counted(result), hook.jobs()) == (1, 0)


def test_the_form_type_gets_a_hint(hook: Hook) -> None:
    answer = hook.client.post(PATH, data=b"payload=%7B%7D", content_type="application/x-www-form-urlencoded")
    assert "content type to application/json" in answer.get_json()["message"]


def test_25_mib_are_the_limit(hook: Hook) -> None:
    assert hook.send(b'"' + b" " * (MAX_BYTES - 2) + b'"') == (400, "not_an_object")
    assert hook.send(b" " * (MAX_BYTES + 1)) == (413, "too_large")


def test_a_known_delivery_is_not_done_twice(hook: Hook) -> None:
    hook.send(PULL)
    assert hook.send(PULL) == (202, "duplicate")
    assert hook.jobs() == 1


def test_an_unsigned_delivery_does_not_take_the_id(hook: Hook) -> None:
    assert hook.send(PULL, secret="wrong") == (401, "bad_signature")
    assert hook.send(PULL) == (202, "accepted")


def test_a_redelivery_of_what_failed_is_let_in(hook: Hook) -> None:
    hook.send(PULL)
    finish(hook, "failed")
    assert hook.send(PULL) == (202, "accepted")
    assert hook.jobs() == 1
    finish(hook, "done")
    assert hook.send(PULL) == (202, "duplicate")


def test_a_redelivery_of_what_is_being_done_is_not_let_in(hook: Hook) -> None:
    hook.send(PULL)
    with hook.store.session() as session:
        session.get_one(Delivery, "d-1").outcome = "failed"
    assert hook.send(PULL) == (202, "duplicate")


def test_what_can_not_be_stored_is_refused(hook: Hook) -> None:
    with hook.store.session() as session:
        session.execute(text("DROP TABLE deliveries"))
    assert hook.send(PULL) == (503, "not_stored")
    assert (hook.counted("not_stored"), hook.jobs()) == (1, 0)


def test_delivery_and_job_are_stored_together_or_not_at_all(hook: Hook) -> None:
    with hook.store.session() as session:
        session.execute(text("ALTER TABLE workflow_status RENAME TO gone"))
    assert hook.send(PULL) == (503, "not_stored")
    with hook.store.session() as session:
        assert session.scalars(select(Delivery)).all() == []


def test_health_and_figures_name_no_repository(hook: Hook) -> None:
    hook.send(PULL)
    for path in ("/healthz", "/readyz", "/metrics", "/"):
        answer = hook.client.get(path)
        assert answer.status_code == 200
        assert b"octo" not in answer.data
        assert "default-src 'none'" in answer.headers["Content-Security-Policy"]


def finish(hook: Hook, outcome: str) -> None:
    """What a worker does when it has ended the job of the delivery."""
    with hook.store.session() as session:
        session.get_one(Delivery, "d-1").outcome = outcome
        session.execute(text("UPDATE workflow_status SET status = 'SUCCESS'"))
