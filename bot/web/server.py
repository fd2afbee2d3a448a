"""waitress on one address, set up so that every refusal is counted and a stop lets running requests end."""

from __future__ import annotations

import socket
from collections.abc import Callable

from flask import Flask
from waitress.channel import HTTPChannel
from waitress.server import BaseWSGIServer, create_server
from waitress.task import ErrorTask
from waitress.utilities import RequestEntityTooLarge

from bot.web.webhooks import MAX_BYTES

THREADS = 8
READ_BYTES = 2 * MAX_BYTES
"""Up to here a body that is too large is read to its end, so that the sender gets to see the answer 413."""


def listen(host: str, port: int) -> socket.socket:
    """A socket on ``host`` and ``port`` (0: a free one). Raises OSError when that is not possible."""
    family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    return socket.create_server(address[:2], family=family, backlog=128)


def server(app: Flask, listening: socket.socket, too_large: Callable[[], None]) -> BaseWSGIServer:
    """The server of ``app``; ``too_large`` is called for each request that it refuses before the app sees it."""
    made: BaseWSGIServer = create_server(
        app,
        sockets=[listening],
        threads=THREADS,
        max_request_body_size=READ_BYTES,
        ident=None,
        clear_untrusted_proxy_headers=True,
    )
    made.channel_class = _counting_channel(too_large)
    return made


def _counting_channel(too_large: Callable[[], None]) -> type[HTTPChannel]:
    class CountingErrorTask(ErrorTask):  # type: ignore[misc]  # waitress has no types
        def execute(self) -> None:
            if isinstance(self.request.error, RequestEntityTooLarge):
                too_large()
            super().execute()

    class CountingChannel(HTTPChannel):  # type: ignore[misc]
        error_task_class = CountingErrorTask

    return CountingChannel
