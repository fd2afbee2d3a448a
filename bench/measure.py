"""What a case gives: figures with the way they were measured, and the clocks and processes behind them."""

from __future__ import annotations

import resource
import subprocess
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

Made = TypeVar("Made")


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of a table: what was measured, the figure as text, and how."""

    name: str
    value: str
    how: str = ""


@dataclass(frozen=True, slots=True)
class Spent:
    """Seconds on the clock, and of all processors together."""

    wall: float
    cpu: float

    def __str__(self) -> str:
        return f"{self.wall:.2f} s ({self.cpu:.2f} s CPU)"


def ratio(slow: float, quick: float) -> str:
    """How many times ``slow`` is ``quick``."""
    return f"{slow / quick:.1f} x"


def timed(work: Callable[[], Made]) -> tuple[Spent, Made]:
    """Runs ``work`` in this process."""
    wall, cpu = time.perf_counter(), time.process_time()
    made = work()
    return Spent(time.perf_counter() - wall, time.process_time() - cpu), made


def best(work: Callable[[], object], times: int) -> Spent:
    """The quickest of several runs in this process: the one that others disturbed least."""
    return min((timed(work)[0] for _ in range(times)), key=lambda spent: spent.wall)


def run(command: Sequence[str], *, stdin: str = "", accept: Sequence[int] = (0,)) -> tuple[Spent, str]:
    """Runs a command to its end; its processors' time counts that of its children. Raises on any other exit code."""
    before, wall = _children(), time.perf_counter()
    done = subprocess.run(command, input=stdin, capture_output=True, text=True, check=False)
    spent = Spent(time.perf_counter() - wall, _children() - before)
    if done.returncode not in accept:
        raise RuntimeError(f"{command[0]} ended with {done.returncode}: {done.stderr[-2000:]}")
    return spent, done.stdout


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def table(title: str, figures: Iterable[Figure]) -> str:
    """The figures under a title, in columns."""
    rows = list(figures)
    first = max(len(row.name) for row in rows)
    second = max(len(row.value) for row in rows)
    lines = [f"{row.name:<{first}}  {row.value:>{second}}  {row.how}".rstrip() for row in rows]
    return "\n".join([title, "=" * len(title), *lines, ""])
