"""Names of worker processes: one for each live process, the same again after a crash."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

import pytest

from bot.workers import NameTakenError, worker_name


def test_each_live_process_has_its_own_name(tmp_path: Path) -> None:
    host = socket.gethostname()
    with worker_name(tmp_path, None) as first, worker_name(tmp_path, None) as second:
        assert (first, second) == (host, f"{host}-2")
    with worker_name(tmp_path, None) as again:
        assert again == host


def test_a_name_of_ones_own_is_held_too(tmp_path: Path) -> None:
    with (
        worker_name(tmp_path, "east"),
        pytest.raises(NameTakenError, match="east is held by another process"),
        worker_name(tmp_path, "east"),
    ):
        raise AssertionError("two processes have one name")


def test_a_killed_process_gives_its_name_back(tmp_path: Path) -> None:
    program = (
        "import sys, pathlib, bot.workers\n"
        "with bot.workers.worker_name(pathlib.Path(sys.argv[1]), 'east') as name:\n"
        "    print(name, flush=True)\n"
        "    sys.stdin.read()\n"
    )
    project = Path(__file__).parents[2]
    command = [sys.executable, "-c", program, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=project) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"east\n"
        with pytest.raises(NameTakenError), worker_name(tmp_path, "east"):
            raise AssertionError("two processes have one name")
        process.kill()
        process.wait()
    with worker_name(tmp_path, "east") as name:
        assert name == "east"
