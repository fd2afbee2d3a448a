"""`serve` and `worker`: one process that takes webhooks, works on the jobs, or does both."""

from __future__ import annotations

import logging
import signal
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from bot import isolated
from bot.app import create_app
from bot.diagnosis import AppLook, probes, warnings
from bot.github import GitHub
from bot.intake import Intake
from bot.jobs.context import Context
from bot.jobs.handlers import handlers
from bot.jobs.sweep import order_sweep
from bot.metrics import Metrics
from bot.queue import Queue, Worker
from bot.settings import Settings
from bot.store import Store
from bot.web.server import listen, server
from bot.workers import Watch, worker_name

LOG = logging.getLogger(__name__)

STOP_SECONDS = 20
"""How long running jobs may take to end after SIGTERM: below the 30 s after which Kubernetes kills."""


def serve(settings: Settings, with_workers: bool = True) -> None:
    """Takes webhooks and shows pages until SIGTERM or SIGINT; unless told otherwise it works on the jobs too.

    Raises OSError when the address or a folder can't be used, NameTakenError, and SQLAlchemyError.
    """
    with ExitStack() as stack:
        listening = stack.enter_context(listen(settings.host, settings.port))
        context = stack.enter_context(_parts(settings))
        if with_workers:
            stack.enter_context(_working(context))
        look = AppLook(context.github)
        ready, warned = probes(settings, context.store, context.queue, look), warnings(look)
        app = create_app(settings, context.store, context.queue, context.metrics, probes=ready, warnings=warned)
        web = server(app, listening, lambda: context.metrics.webhook("too_large"))
        host, port = listening.getsockname()[:2]
        LOG.info("listening", extra={"host": host, "port": port})
        with _told_to_stop():
            web.run()
        LOG.info("stopping")


def work(settings: Settings) -> None:
    """Works on the jobs until SIGTERM or SIGINT. Raises as :func:`serve`."""
    with _parts(settings) as context, _working(context), _told_to_stop():
        threading.Event().wait()


@contextmanager
def _parts(settings: Settings) -> Iterator[Context]:
    """The parts of the bot, connected with each other."""
    store = Store(settings.database_url)
    queue = Queue(store)
    metrics = Metrics()
    metrics.watch(store, queue)
    context = Context(settings, store, queue, Intake(store, queue), GitHub(settings), metrics)
    try:
        yield context
    finally:
        context.github.close()
        queue.close()
        store.close()


@contextmanager
def _working(context: Context) -> Iterator[None]:
    """Takes jobs inside the block; at its end running ones get STOP_SECONDS; the rest runs after the next start."""
    settings, store, queue = context.settings, context.store, context.queue
    with worker_name(settings.data_dir / "workers", settings.worker_name) as name:
        isolated.preload(["bot.jobs.judge", "checks.storage.rule_set", "checks.endpoints.rule_set"])
        worker = Worker(store, queue, name, handlers(context), settings.workers)
        sign = settings.data_dir / "workers" / f"{name}.alive"
        watch = Watch(store, name, worker.rescue, lambda: order_sweep(settings, store, queue), sign)
        watch.start()
        worker.start()
        LOG.info("working", extra={"worker": name})
        try:
            yield
        finally:
            isolated.STOPPING.set()
            worker.stop(STOP_SECONDS)
            watch.stop()


@contextmanager
def _told_to_stop() -> Iterator[None]:
    """SIGTERM and SIGINT end the block; later ones are ignored, so that the jobs get their time."""

    def leave(_number: int, _frame: object) -> None:
        for each in numbers:
            signal.signal(each, signal.SIG_IGN)
        raise SystemExit(0)

    numbers = (signal.SIGTERM, signal.SIGINT)
    for number in numbers:
        signal.signal(number, leave)
    try:
        yield
    except SystemExit as stop:
        if stop.code != 0:
            raise
