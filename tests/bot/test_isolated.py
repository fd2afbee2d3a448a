"""Work in a process of its own: results, faults, the time limit, and its end when nobody wants it any more."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bot.isolated import STOPPING, CrashedError, InterruptedJob, StoppedError, TooSlowError, run


def double(number: int) -> int:
    return 2 * number


def fail(key: str) -> None:
    raise KeyError(key)


def vanish() -> None:
    os._exit(9)


def sleep(file: str) -> None:
    try:
        time.sleep(60)
    finally:
        Path(file).touch()


def hold(begun: str, tidy: str) -> None:
    Path(begun).touch()
    sleep(tidy)


def appears(file: Path) -> bool:
    deadline = time.monotonic() + 20
    while not file.exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    return file.exists()


def test_the_result_comes_back() -> None:
    assert run(double, (21,), 30, lambda: False) == 42


def test_an_exception_comes_back_with_its_trace() -> None:
    with pytest.raises(CrashedError, match="KeyError: 'x'") as raised:
        run(fail, ("x",), 30, lambda: False)
    assert "in fail" in raised.value.trace


def test_a_process_that_dies_is_noticed() -> None:
    with pytest.raises(CrashedError, match="code 9"):
        run(vanish, (), 30, lambda: False)


def test_the_time_limit_is_kept_and_the_process_may_tidy_up(tmp_path: Path) -> None:
    begun = time.monotonic()
    with pytest.raises(TooSlowError, match="within 1 s"):
        run(sleep, (str(tmp_path / "tidy"),), 1, lambda: False)
    assert time.monotonic() - begun < 10
    assert (tmp_path / "tidy").exists()


def test_what_nobody_wants_is_ended() -> None:
    begun = time.monotonic()
    with pytest.raises(StoppedError):
        run(sleep, ("/dev/null",), 60, lambda: time.monotonic() - begun > 1)
    assert time.monotonic() - begun < 10


def test_a_killed_service_leaves_no_process_behind(tmp_path: Path) -> None:
    begun, tidy = tmp_path / "begun", tmp_path / "tidy"
    arguments = f"({str(begun)!r}, {str(tidy)!r})"
    code = f"from bot.isolated import run; from tests.bot.test_isolated import hold; run(hold, {arguments}, 60, bool)"
    service = subprocess.Popen([sys.executable, "-c", code], cwd=Path(__file__).parents[2])
    assert appears(begun)
    service.kill()
    service.wait()
    assert appears(tidy)


def test_the_end_of_the_service_is_no_failure_of_the_job() -> None:
    STOPPING.set()
    try:
        with pytest.raises(InterruptedJob):
            run(sleep, ("/dev/null",), 60, lambda: False)
    finally:
        STOPPING.clear()
    assert not issubclass(InterruptedJob, Exception)
