"""The service as a subprocess on a loopback port, beside a stand-in GitHub."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import requests

from bot.web.webhooks import PATH
from tests.github import GitHub

PROJECT = Path(__file__).parents[2]
PLUGGED = Path(__file__).parent / "plugged"
PATIENCE = 30.0


@dataclass
class Service:
    """One bot: `start` as often as a test wants; all its processes are gone after `stop`."""

    github: GitHub
    data: Path
    more: Mapping[str, str] = field(default_factory=dict)
    port: int = 0
    _processes: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.data.mkdir(parents=True, exist_ok=True)
        self.port = free_port()
        self.github.app.webhook_url = self.url + PATH

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def environment(self) -> dict[str, str]:
        return {
            "PATH": os.environ["PATH"],
            "PYTHONPATH": os.pathsep.join(map(str, (PLUGGED, PROJECT))),
            "TEST_SECONDS_BETWEEN_WRITES": "0",
            "APP_ID": str(self.github.app.id),
            "PRIVATE_KEY_PATH": str(self.github.private_key_path),
            "WEBHOOK_SECRET": self.github.app.webhook_secret,
            "GITHUB_API_URL": self.github.api_url,
            "GITHUB_SERVER_URL": self.github.url,
            "DATA_DIR": str(self.data),
            "PORT": str(self.port),
            "RECONCILE_SECONDS": "3600",
            **self.more,
        }

    def start(self, *arguments: str, wait: bool = True, **environment: str) -> subprocess.Popen[bytes]:
        """Start `submission-bot serve` (or what `arguments` say) and wait until it answers."""
        command = [sys.executable, "-m", "bot.cli", *(arguments or ("serve",))]
        with (self.data / "log").open("ab") as log:
            process = subprocess.Popen(
                command, cwd=self.data, env=self.environment | environment, stdout=log, stderr=log
            )
        self._processes.append(process)
        if wait:
            until(lambda: self._answers(process), "the service answers")
        return process

    def run(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run one command to its end."""
        command = [sys.executable, "-m", "bot.cli", *arguments]
        env = self.environment | environment
        return subprocess.run(command, cwd=self.data, env=env, capture_output=True, text=True, timeout=60, check=False)

    def kill(self) -> None:
        """End all processes as a power cut would, as far as processes go."""
        for process in self._processes:
            process.kill()
            process.wait()
        self._processes.clear()

    def stop(self) -> None:
        """End all processes politely, those that won't with force."""
        for process in self._processes:
            process.send_signal(signal.SIGTERM)
        for process in self._processes:
            try:
                process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self._processes.clear()

    @property
    def log(self) -> str:
        """What it wrote so far."""
        return (self.data / "log").read_text()

    def metric(self, name: str) -> float:
        """A figure of /metrics, named with its labels as it stands there; 0 when it is not there."""
        lines = requests.get(f"{self.url}/metrics", timeout=10).text.splitlines()
        return next((float(line.rpartition(" ")[2]) for line in lines if line.startswith(f"{name} ")), 0.0)

    def jobs(self) -> int:
        """How many jobs wait or run."""
        lines = requests.get(f"{self.url}/metrics", timeout=10).text.splitlines()
        return int(sum(float(line.rpartition(" ")[2]) for line in lines if line.startswith("submission_bot_jobs{")))

    def webhooks(self, result: str) -> float:
        """How many deliveries were counted under a result."""
        return self.metric(f'submission_bot_webhooks_total{{result="{result}"}}')

    def _answers(self, process: subprocess.Popen[bytes]) -> bool:
        if process.poll() is not None:
            raise AssertionError(f"the service ended with {process.returncode}:\n{self.log}")
        try:
            return requests.get(f"{self.url}/healthz", timeout=5).ok
        except requests.ConnectionError:
            return False


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return int(listening.getsockname()[1])


def until(condition: Callable[[], object], what: str, seconds: float = PATIENCE) -> None:
    """Wait for a condition; AssertionError with `what` when it does not come true in time."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {seconds:.0f} s: {what}")
        time.sleep(0.05)
