"""The HTTP server: threads of this process on a loopback port."""

import socket
import threading
from collections.abc import Iterable
from typing import Any

from werkzeug import Response
from werkzeug.serving import BaseWSGIServer, WSGIRequestHandler, make_server

from tests.github.application import Application


class Handler(WSGIRequestHandler):
    """Keeps quiet, and keeps track of its connections so that they can be cut when the server stops."""

    def setup(self) -> None:
        """Remember the connection."""
        super().setup()
        self.server.connections.add(self.connection)  # type: ignore[attr-defined]

    def finish(self) -> None:
        """Forget the connection."""
        self.server.connections.discard(self.connection)  # type: ignore[attr-defined]
        super().finish()

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Requests are recorded, not logged."""


class Server:
    """Runs an application on a loopback port in threads of this process."""

    def __init__(self, port: int = 0) -> None:
        self._wsgi: BaseWSGIServer = make_server("127.0.0.1", port, _nothing, threaded=True, request_handler=Handler)
        self._wsgi.connections = set()  # type: ignore[attr-defined]
        self.url = f"http://127.0.0.1:{self._wsgi.server_port}"
        self._thread = threading.Thread(target=self._wsgi.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    def start(self, application: Application) -> None:
        """Begin to answer."""
        self._wsgi.app = application
        self._thread.start()

    def stop(self) -> None:
        """Stop listening and cut all connections."""
        self._wsgi.shutdown()
        self._thread.join()
        self._wsgi.server_close()
        for connection in list(self._wsgi.connections):  # type: ignore[attr-defined]
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue  # the client was faster


def _nothing(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
    return Response(status=503)(environ, start_response)
