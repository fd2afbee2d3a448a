"""Figures for Prometheus: what this process counted, and what the queue and the database hold when they are asked."""

from __future__ import annotations

import logging
from collections.abc import Iterable

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily, InfoMetricFamily, Metric
from prometheus_client.registry import Collector
from sqlalchemy import func, select
from sqlalchemy.exc import SQLAlchemyError

from bot import __version__
from bot.queue import Queue
from bot.store import Run, Store
from bot.workers import alive

LOG = logging.getLogger(__name__)

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
STAGE_SECONDS = (0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600)
WEBHOOK_RESULTS = (
    "accepted",
    "pong",
    "ignored",
    "duplicate",
    "unusable",
    "bad_signature",
    "wrong_content_type",
    "missing_header",
    "not_json",
    "not_an_object",
    "too_large",
    "not_stored",
)


class Metrics:
    """The registry of one process. No figure names a repository, since /metrics needs no login."""

    def __init__(self) -> None:
        """Starts every counter at 0, so that a rate can be asked of it from the start."""
        self.registry = CollectorRegistry()
        self._webhooks = Counter(
            "submission_bot_webhooks",
            "Webhook deliveries by what became of them.",
            ["result"],
            registry=self.registry,
        )
        self._stages = Histogram(
            "submission_bot_stage_seconds",
            "Time that a stage of a check took.",
            ["stage"],
            buckets=STAGE_SECONDS,
            registry=self.registry,
        )
        self._checks = Counter(
            "submission_bot_checks",
            "Checks that this process completed, by conclusion.",
            ["conclusion"],
            registry=self.registry,
        )
        for result in WEBHOOK_RESULTS:
            self._webhooks.labels(result)

    def webhook(self, result: str) -> None:
        """Counts a delivery."""
        self._webhooks.labels(result).inc()

    def stage(self, name: str, seconds: float) -> None:
        """Records the duration of a stage of a check (fetch, rules, post)."""
        self._stages.labels(name).observe(seconds)

    def check(self, conclusion: str) -> None:
        """Counts a completed check."""
        self._checks.labels(conclusion).inc()

    def watch(self, store: Store, queue: Queue) -> None:
        """Adds the figures of the database and the queue."""
        self.registry.register(_Stock(store, queue))

    def text(self) -> bytes:
        """All figures in Prometheus's text format (media type CONTENT_TYPE)."""
        return generate_latest(self.registry)


class _Stock(Collector):
    """Figures that are looked up when Prometheus asks; ``submission_bot_database_up`` is 0 when that fails."""

    def __init__(self, store: Store, queue: Queue) -> None:
        self._store = store
        self._queue = queue

    def describe(self) -> Iterable[Metric]:
        """Nothing: registering must not touch the database."""
        return []

    def collect(self) -> Iterable[Metric]:
        """The figures of this moment."""
        yield InfoMetricFamily("submission_bot", "The running program.", value={"version": __version__})
        up = 1
        for look in (self._jobs, self._oldest, self._runs, self._workers):
            try:
                yield look()
            except SQLAlchemyError:
                LOG.exception("a figure could not be read")
                up = 0
        yield GaugeMetricFamily("submission_bot_database_up", "Whether the database answered.", value=up)

    def _jobs(self) -> Metric:
        gauge = GaugeMetricFamily("submission_bot_jobs", "Jobs by queue and state.", labels=["queue", "state"])
        for labels, count in self._queue.counts().items():
            gauge.add_metric(labels, count)
        return gauge

    def _oldest(self) -> Metric:
        return GaugeMetricFamily(
            "submission_bot_oldest_waiting_job_seconds",
            "Age of the oldest job that waits for a worker.",
            value=self._queue.oldest_waiting(),
        )

    def _runs(self) -> Metric:
        gauge = GaugeMetricFamily(
            "submission_bot_check_runs", "Check runs by status and conclusion.", labels=["status", "conclusion"]
        )
        with self._store.session() as session:
            rows = session.execute(
                select(Run.status, Run.conclusion, func.count()).group_by(Run.status, Run.conclusion)
            )
            for status, conclusion, count in rows:
                gauge.add_metric((status, conclusion or ""), count)
        return gauge

    def _workers(self) -> Metric:
        return GaugeMetricFamily("submission_bot_workers", "Worker processes that live.", value=alive(self._store))
