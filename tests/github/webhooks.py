"""Webhook deliveries: signed, sent, kept in the App's list, sent again on demand.

https://docs.github.com/webhooks/webhook-events-and-payloads#delivery-headers
"""

import hashlib
import hmac
import json
import threading
import time
import uuid

import requests

from tests.github.records import App, Delivery, Json
from tests.github.state import State

# GitHub waits ten seconds for a 2XX, then the delivery has failed. It never tries again by itself.
PATIENCE = 10.0
USER_AGENT = "GitHub-Hookshot/044aadd"
NO_ANSWER = {"failed to connect": 502, "timed out": 504}


def signature(secret: str, body: bytes) -> str:
    """The value of `X-Hub-Signature-256`."""
    return "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()


class Webhooks:
    """Sends the deliveries of one App and remembers each attempt."""

    def __init__(self, state: State, app: App, patience: float = PATIENCE) -> None:
        self.state = state
        self.app = app
        self.patience = patience
        self._threads: list[threading.Thread] = []

    def deliver(
        self, event: str, payload: Json, to: str | None = None, secret: str | None = None, guid: str | None = None
    ) -> Delivery:
        """Send one event and record the attempt with the status code that came back."""
        address = to or self.app.webhook_url
        if not address:
            raise ValueError("the App has no webhook address; give one as `to` or `webhook_url`")
        body = json.dumps(payload).encode()
        headers = self._headers(event, body, secret or self.app.webhook_secret, guid or str(uuid.uuid4()))
        return self._send(event, payload, body, headers, to=address, redelivery=False)

    def redeliver_later(self, delivery: Delivery) -> None:
        """Send the same bytes with the same GUID again, in the background as GitHub does."""
        arguments = (delivery.event, delivery.payload, delivery.body, delivery.request_headers)
        how = {"to": self.app.webhook_url, "redelivery": True}
        thread = threading.Thread(target=self._send, args=arguments, kwargs=how, daemon=True)
        self._threads.append(thread)
        thread.start()

    def settle(self) -> None:
        """Wait until all redeliveries under way have been answered."""
        while self._threads:
            self._threads.pop().join()

    def _headers(self, event: str, body: bytes, secret: str, guid: str) -> dict[str, str]:
        old = hmac.new(secret.encode(), body, hashlib.sha1).hexdigest()
        return {
            "Accept": "*/*",
            "Content-Type": "application/json",
            "User-Agent": USER_AGENT,
            "X-GitHub-Delivery": guid,
            "X-GitHub-Event": event,
            "X-GitHub-Hook-ID": str(self.app.id + 7),
            "X-GitHub-Hook-Installation-Target-ID": str(self.app.id),
            "X-GitHub-Hook-Installation-Target-Type": "integration",
            "X-Hub-Signature": f"sha1={old}",
            "X-Hub-Signature-256": signature(secret, body),
        }

    def _send(
        self, event: str, payload: Json, body: bytes, headers: dict[str, str], *, to: str, redelivery: bool
    ) -> Delivery:
        started = time.monotonic()
        status, code, answer_headers, answer = self._post(to, body, headers)
        delivery = Delivery(
            id=self.state.next_id(),
            guid=headers["X-GitHub-Delivery"],
            event=event,
            payload=payload,
            body=body,
            request_headers=headers,
            status=status,
            status_code=code,
            response_headers=answer_headers,
            response_body=answer,
            duration=round(time.monotonic() - started, 2),
            redelivery=redelivery,
        )
        with self.state.lock:
            self.state.deliveries.append(delivery)
        return delivery

    def _post(self, to: str, body: bytes, headers: dict[str, str]) -> tuple[str, int, dict[str, str], str]:
        try:
            with requests.Session() as session:
                session.trust_env = False
                answer = session.post(to, data=body, headers=headers, timeout=self.patience, allow_redirects=False)
        except requests.Timeout:
            return "timed out", NO_ANSWER["timed out"], {}, ""
        except requests.RequestException:
            return "failed to connect", NO_ANSWER["failed to connect"], {}, ""
        good = answer.status_code < 300
        status = "OK" if good else f"Invalid HTTP Response: {answer.status_code}"
        return status, answer.status_code, dict(answer.headers), answer.text
