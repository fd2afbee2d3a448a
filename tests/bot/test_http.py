"""What only a socket shows: HTTP as people and machines get it wrong, against the running service."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest
import requests

from bot.web.webhooks import MAX_BYTES, PATH, signature
from tests.bot.service import Service

BODY = b'{"zen": "Keep it logically awesome."}'


@pytest.fixture
def running(service: Service) -> Iterator[Service]:
    service.start("serve", "--no-workers")
    yield service


def answer(service: Service, request: bytes) -> tuple[int, str]:
    """Status and text that a request as bytes gets."""
    with socket.create_connection(("127.0.0.1", service.port), timeout=30) as connection:
        connection.sendall(request)
        got = b"".join(iter(lambda: connection.recv(65536), b""))
    head, _, body = got.partition(b"\r\n\r\n")
    return int(head.split()[1]), body.decode()


def delivery(service: Service, sent: bytes | None = None, body: bytes = BODY, **given: str | None) -> tuple[int, str]:
    """The answer to a ping signed as `body`; `sent` goes over the wire for it, headers that are None are left out."""
    proper: dict[str, str | None] = {
        "Host": "bot.example",
        "Connection": "close",
        "Content-Type": "application/json",
        "Content-Length": str(len(body)),
        "X-GitHub-Event": "ping",
        "X-GitHub-Delivery": "d-1",
        "X-Hub-Signature-256": signature(service.github.app.webhook_secret, body),
    }
    headers = proper | {name.replace("_", "-"): value for name, value in given.items()}
    lines = [f"{name}: {value}\r\n" for name, value in headers.items() if value is not None]
    head = "".join([f"POST {PATH} HTTP/1.1\r\n", *lines, "\r\n"])
    return answer(service, head.encode("latin-1") + (body if sent is None else sent))


def chunked(body: bytes) -> bytes:
    return b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body)


def test_a_body_in_chunks_has_no_length_and_is_taken(running: Service) -> None:
    def status(sent: bytes, body: bytes = BODY) -> int:
        return delivery(running, sent, body, Content_Length=None, Transfer_Encoding="chunked")[0]

    large = b" " * (MAX_BYTES + 1)
    assert status(chunked(BODY)) == 202
    assert status(b"zz\r\nno size\r\n0\r\n\r\n") == 400
    assert status(chunked(large), large) == 413


WRONG: list[tuple[dict[str, str | None], int]] = [
    ({}, 202),
    ({"Content_Length": None}, 401),
    ({"Content_Length": "5"}, 401),
    ({"Content_Length": "-5"}, 400),
    ({"Content_Length": "many"}, 400),
    ({"Content_Length": str(3 * MAX_BYTES)}, 413),
    ({"X_GitHub_Event": "pïng"}, 202),
    ({"X_GitHub_Delivery": "dé"}, 400),
    ({"X_Hub_Signature_256": "sha256=é"}, 401),
    ({"Content_Type": "é"}, 400),
    ({"Content_Type": "application/json; charset=utf-8"}, 202),
]


def test_lengths_and_headers_that_are_wrong(running: Service) -> None:
    assert [(headers, delivery(running, None, **headers)[0]) for headers, _ in WRONG] == WRONG
    assert "Traceback" not in running.log


def allowed(response: requests.Response) -> set[str]:
    return set(response.headers["Allow"].split(", "))


def test_every_page_by_every_method(running: Service) -> None:
    for path in ("/", "/healthz", "/metrics"):
        got, head = (requests.request(method, running.url + path, timeout=10) for method in ("GET", "HEAD"))
        assert (got.status_code, head.status_code, head.content) == (200, 200, b"")
        assert head.headers["Content-Type"] == got.headers["Content-Type"]
        options = requests.options(running.url + path, timeout=10)
        assert (options.status_code, allowed(options)) == (200, {"GET", "HEAD", "OPTIONS"})
        refused = requests.post(running.url + path, timeout=10)
        assert (refused.status_code, allowed(refused)) == (405, {"GET", "HEAD", "OPTIONS"})
    assert requests.get(running.url + PATH, timeout=10).status_code == 405
    assert requests.post(f"{running.url}{PATH}/", timeout=10).json()["result"] == "wrong_content_type"
    assert "submissions" not in requests.get(running.url, timeout=10).text.replace("Endpoints submissions", "")
    assert answer(running, b"no request\r\n\r\n")[0] == 400
