"""The Flask application: wiring only."""

from __future__ import annotations

from collections.abc import Mapping

from flask import Flask, Response

from bot.intake import Intake
from bot.metrics import Metrics
from bot.queue import Queue
from bot.settings import Settings
from bot.store import Store
from bot.web import health, pages, webhooks

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}
"""Sent with every answer: pages run no script and load nothing from elsewhere."""


def create_app(
    settings: Settings,
    store: Store,
    queue: Queue,
    metrics: Metrics,
    *,
    probes: Mapping[str, health.Probe],
    warnings: Mapping[str, health.Probe],
) -> Flask:
    """The web side of one bot. ``probes`` are what /readyz goes through, ``warnings`` what it shows besides."""
    app = Flask("bot.web", template_folder="templates")
    app.url_map.strict_slashes = False
    app.register_blueprint(webhooks.blueprint(settings, Intake(store, queue), metrics))
    app.register_blueprint(health.blueprint(probes, warnings, metrics))
    app.register_blueprint(pages.blueprint(settings, store, queue))
    app.after_request(_with_headers)
    return app


def _with_headers(response: Response) -> Response:
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    return response
