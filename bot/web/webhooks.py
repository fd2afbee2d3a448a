"""POST /api/github/webhooks: prove that GitHub sent it, store what it asks for, answer 202. All work is done elsewhere.

The signature is checked over the bytes as they came, before anything is parsed:
https://docs.github.com/webhooks/using-webhooks/validating-webhook-deliveries.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, Response, jsonify, request
from sqlalchemy.exc import SQLAlchemyError

from bot.events import route
from bot.intake import Intake
from bot.metrics import Metrics
from bot.payload import UnusableError
from bot.settings import Settings
from bot.work import Ignored, Pong, Work

LOG = logging.getLogger(__name__)

PATH = "/api/github/webhooks"
MAX_BYTES = 25 * 1024 * 1024
"""GitHub sends no payload above 25 MB: https://docs.github.com/webhooks/webhook-events-and-payloads#payload-cap."""

FORM = "application/x-www-form-urlencoded"
DELIVERY = re.compile(r"[A-Za-z0-9-]{1,100}")


@dataclass(frozen=True, slots=True)
class Answer:
    """What GitHub is told: the status, the label under which it is counted, and a text for the delivery's log there."""

    status: int
    result: str
    text: str


class RefusedError(Exception):
    """Ends the handling of a delivery with an answer."""

    def __init__(self, status: int, result: str, text: str) -> None:
        super().__init__(text)
        self.answer = Answer(status, result, text)


def blueprint(settings: Settings, intake: Intake, metrics: Metrics) -> Blueprint:
    """The route, with what it needs."""
    pages = Blueprint("webhooks", __name__)

    @pages.post(PATH)
    def webhook() -> tuple[Response, int]:
        try:
            answer = _receive(settings, intake)
        except RefusedError as refused:
            answer = refused.answer
            LOG.warning("delivery refused", extra={"result": answer.result, **_facts()})
        metrics.webhook(answer.result)
        return jsonify({"result": answer.result, "message": answer.text}), answer.status

    return pages


def signature(secret: str, body: bytes) -> str:
    """The value of the header X-Hub-Signature-256 for ``body``."""
    return "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()


def signed(secrets: Sequence[str], body: bytes, given: str) -> bool:
    """Whether ``given`` is the signature of ``body`` under one of ``secrets``, compared in constant time."""
    return any(hmac.compare_digest(signature(secret, body).encode(), given.encode()) for secret in secrets)


def _receive(settings: Settings, intake: Intake) -> Answer:
    body = _body()
    _check_content_type()
    if not signed(settings.webhook_secrets, body, request.headers.get("X-Hub-Signature-256", "")):
        raise RefusedError(401, "bad_signature", "The signature does not match: is WEBHOOK_SECRET the App's secret?")
    event, delivery = _header("X-GitHub-Event"), _header("X-GitHub-Delivery")
    if not DELIVERY.fullmatch(delivery):
        raise RefusedError(400, "missing_header", "X-GitHub-Delivery is no delivery id.")
    payload = _object(body)
    try:
        work = route(event, payload, settings.app_id)
    except UnusableError as error:
        LOG.warning("delivery unusable", extra={"reason": str(error), **_facts()})
        return Answer(202, "unusable", f"Nothing was done: {error}.")
    return _accept(intake, delivery, event, payload, work)


def _accept(intake: Intake, delivery: str, event: str, payload: dict[str, Any], work: Work | Pong | Ignored) -> Answer:
    if isinstance(work, Pong):
        return Answer(202, "pong", "The webhook's address and secret are right.")
    if isinstance(work, Ignored):
        return Answer(202, "ignored", f"Nothing to do: {work.reason}.")
    try:
        new = intake.accept(delivery, event, str(payload.get("action") or ""), work)
    except SQLAlchemyError as error:
        LOG.exception("delivery not stored", extra=_facts())
        raise RefusedError(503, "not_stored", "The delivery could not be stored; please deliver it again.") from error
    LOG.info("delivery accepted" if new else "delivery known", extra=_facts())
    return Answer(202, "accepted" if new else "duplicate", "Stored." if new else "This delivery is known.")


def _body() -> bytes:
    # waitress has taken the chunks of a chunked body together and set its length.
    if (request.content_length or 0) > MAX_BYTES:
        raise RefusedError(413, "too_large", f"The body is larger than {MAX_BYTES} bytes.")
    return request.get_data(cache=False)


def _check_content_type() -> None:
    if request.mimetype == "application/json":
        return
    hint = " Set the webhook's content type to application/json." if request.mimetype == FORM else ""
    raise RefusedError(400, "wrong_content_type", f"The content type must be application/json.{hint}")


def _header(name: str) -> str:
    value = request.headers.get(name, "").strip()
    if not value:
        raise RefusedError(400, "missing_header", f"The header {name} is missing.")
    return value


def _object(body: bytes) -> dict[str, Any]:
    try:
        payload = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise RefusedError(400, "not_json", "The body is not JSON.") from error
    if not isinstance(payload, dict):
        raise RefusedError(400, "not_an_object", "The body is not a JSON object.")
    return payload


def _facts() -> dict[str, object]:
    """What an operator needs to find out why a delivery was refused, without its content, its signature or a secret."""
    return {
        "delivery": request.headers.get("X-GitHub-Delivery", "")[:100],
        "event": request.headers.get("X-GitHub-Event", "")[:100],
        "length": request.content_length,
        "encoding": request.headers.get("Content-Encoding", ""),
        "type": request.mimetype,
    }
