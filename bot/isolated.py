"""Runs a function in a process of its own, with a time limit and the power to end it at once.

A pull request decides how much there is to read, and libraries in C read it. A process of its own keeps a hard time
limit, gives all its memory back, and takes only itself down when it crashes. It ends with the process that started it,
even when that one was killed: it would hold the mirror and its memory for a result that nobody reads.
"""

from __future__ import annotations

import multiprocessing
import multiprocessing.process
import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any, TypeVar

T = TypeVar("T")

PROCESSES = multiprocessing.get_context("forkserver")
"""Children are forked from a small server process without threads: safe, and quick since it has the rules loaded."""

LOOK_SECONDS = 0.5
GRACE_SECONDS = 5

STOPPING = threading.Event()
"""Set when this process ends: all children end at once."""


class StoppedError(Exception):
    """The caller's ``unwanted`` said that nobody waits for the result any more."""


class InterruptedJob(BaseException):
    """This process is about to end. No handler may take it for a failure: the job runs again after the next start."""


class TooSlowError(Exception):
    """The function did not return within its time limit."""


class CrashedError(Exception):
    """The function raised, or its process died; ``trace`` is for the log."""

    def __init__(self, text: str, trace: str = "") -> None:
        super().__init__(text)
        self.trace = trace


def preload(modules: list[str]) -> None:
    """Names the modules that the server process loads before the first child is forked."""
    PROCESSES.set_forkserver_preload(modules)


def run(function: Callable[..., T], arguments: tuple[Any, ...], seconds: float, unwanted: Callable[[], bool]) -> T:
    """The result of ``function(*arguments)``, called in a process of its own.

    Function, arguments and result must be picklable. ``unwanted`` is asked about twice a second. Raises StoppedError,
    TooSlowError after ``seconds``, CrashedError, and InterruptedJob once STOPPING is set.
    """
    receiver, sender = PROCESSES.Pipe(duplex=False)
    process = PROCESSES.Process(target=_call, args=(sender, function, arguments), daemon=True)
    process.start()
    sender.close()
    try:
        result: T = _await(receiver, seconds, unwanted)
    except EOFError:
        process.join(GRACE_SECONDS)
        raise CrashedError(f"the process that checks ended with code {process.exitcode}") from None
    finally:
        receiver.close()
        _end(process)
    return result


def _end(process: multiprocessing.process.BaseProcess) -> None:
    """Ends the process: first politely, so that it can end the git commands that it runs."""
    process.terminate()
    process.join(GRACE_SECONDS)
    process.kill()
    process.join()
    process.close()


def _await(receiver: Connection, seconds: float, unwanted: Callable[[], bool]) -> Any:
    deadline = time.monotonic() + seconds
    while not receiver.poll(LOOK_SECONDS):
        if time.monotonic() > deadline:
            raise TooSlowError(f"the check did not end within {seconds:.0f} s")
        if STOPPING.is_set():
            raise InterruptedJob
        if unwanted():
            raise StoppedError
    done, result = receiver.recv()
    if not done:
        raise CrashedError(*result)
    return result


def _call(sender: Connection, function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    signal.signal(signal.SIGTERM, lambda _number, _frame: sys.exit(1))
    threading.Thread(target=_end_with_parent, name="parent", daemon=True).start()
    try:
        message = (True, function(*arguments))
    except Exception as error:  # whatever it is, the parent has to learn of it
        message = (False, (f"{type(error).__name__}: {error}", traceback.format_exc()))
    sender.send(message)


def _end_with_parent() -> None:
    """Waits for the end of the process that started this one, then ends this one as :func:`_end` would."""
    parent = multiprocessing.parent_process()
    assert parent is not None, "only run in a process of PROCESSES"
    parent.join()
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(GRACE_SECONDS)
    os._exit(1)
