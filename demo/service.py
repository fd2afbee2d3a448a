"""The service as an operator runs it: a process of its own, with settings in its environment."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import requests

from tests.github.github import GitHub

START_SECONDS = 30
STOP_SECONDS = 15


@contextmanager
def running(github: GitHub, folder: Path) -> Iterator[str]:
    """`submission-bot serve` against the stand-in; gives its address once it is ready.

    Raises RuntimeError with the end of its log when it does not become ready.
    """
    port = _free_port()
    address = f"http://127.0.0.1:{port}"
    log = folder / "service.log"
    environment = {
        "PATH": os.environ.get("PATH", ""),
        "APP_ID": str(github.app.id),
        "PRIVATE_KEY_PATH": str(github.private_key_path),
        "WEBHOOK_SECRET": github.app.webhook_secret,
        "GITHUB_API_URL": github.api_url,
        "GITHUB_SERVER_URL": github.url,
        "DATA_DIR": str(folder / "data"),
        "PORT": str(port),
        "PAGES": "open",
        "PUBLIC_URL": address,
    }
    with log.open("wb") as output:
        command = [sys.executable, "-m", "bot.cli", "serve"]
        process = subprocess.Popen(command, env=environment, stdout=output, stderr=subprocess.STDOUT)
        try:
            _wait_ready(address, process, log)
            yield address
        finally:
            process.terminate()
            process.wait(STOP_SECONDS)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_ready(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while process.poll() is None and time.monotonic() < deadline:
        try:
            if requests.get(f"{address}/readyz", timeout=2).ok:
                return
        except requests.ConnectionError:
            pass
        time.sleep(0.1)
    tail = "\n".join(log.read_text(errors="replace").splitlines()[-20:])
    raise RuntimeError(f"the service did not become ready:\n{tail}")
