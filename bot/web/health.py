"""/healthz, /readyz and /metrics: for machines, without login, naming no repository."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from flask import Blueprint, Response, jsonify

from bot import __version__
from bot.metrics import CONTENT_TYPE, Metrics

Probe = Callable[[], str | None]
"""Looks at one thing that the service needs; None when it is well, else what is wrong, without names or secrets."""


def blueprint(probes: Mapping[str, Probe], warnings: Mapping[str, Probe], metrics: Metrics) -> Blueprint:
    """The routes. /readyz goes through ``probes`` by name; what ``warnings`` find is shown and changes no status."""
    pages = Blueprint("health", __name__)

    @pages.get("/healthz")
    def healthz() -> Response:
        return jsonify({"status": "ok", "version": __version__})

    @pages.get("/readyz")
    def readyz() -> tuple[Response, int]:
        found = {name: probe() or "ok" for name, probe in probes.items()}
        ready = all(state == "ok" for state in found.values())
        warned = {name: said for name, probe in warnings.items() if (said := probe())}
        answer = {"status": "ok" if ready else "not ready", **found, **({"warnings": warned} if warned else {})}
        return jsonify(answer), 200 if ready else 503

    @pages.get("/metrics")
    def figures() -> Response:
        return Response(metrics.text(), content_type=CONTENT_TYPE)

    return pages
