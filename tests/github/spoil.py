"""Carries out injected effects on replies."""

import json
import socket
import threading
from collections.abc import Iterator

from werkzeug import Request, Response

from tests.github.effects import Effect


def replacement(request: Request, effect: Effect | None, stopping: threading.Event) -> Response | None:
    """The reply that a fault puts in place of the proper one, if it does."""
    if effect is None:
        return None
    if effect.delay:
        stopping.wait(effect.delay)
    if effect.drop:
        request.environ["werkzeug.socket"].shutdown(socket.SHUT_RDWR)
        return Response(status=500)
    if not effect.replaces:
        return None
    request.get_data()
    content = effect.data if effect.data is not None else json.dumps(effect.body)
    response = Response(content, effect.status or 200, mimetype="application/json")
    response.headers.update(dict(effect.headers))
    return response


def shortened(request: Request, response: Response, effect: Effect | None) -> Response:
    """Let a reply end early, as a network does that fails midway."""
    if effect is None or effect.cut is None:
        return response
    size, body, connection = effect.cut, response.iter_encoded(), request.environ["werkzeug.socket"]

    def beginning() -> Iterator[bytes]:
        left = size
        for chunk in body:
            yield chunk[:left]
            left -= len(chunk)
            if left <= 0:
                break
        connection.shutdown(socket.SHUT_RDWR)

    response.response = beginning()
    return response
