"""The command lines of KV-cache runs: ``mpirun … mlperf_wrapper.py …`` as the metadata file records them (6.3).

In CLOSED runs the metadata's ``args`` and ``parameters`` hold defaults of the command line and not what ran; only the
recorded commands do.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from checks.documents import number_in
from checks.storage.inputs import Metadata

WRAPPERS = ("mlperf_wrapper.py", "kv-cache.py")
"""The programs whose arguments are the workload's: the wrapper, and what it starts (6.6.3: called directly in OPEN)."""

OUTPUT_BASE, CACHE_BASE = "--rank-output-base", "--rank-cache-base"
"""Where the wrapper puts each client's results and cache (6.3.3.3)."""

_PLACE = re.compile(r"/option_(?P<option>\d{1,6})/trial_(?P<trial>\d{1,6})/?\Z")
_RANKS = ("-n", "-np", "--np", "-c")


@dataclass(frozen=True)
class Command:
    """One recorded command: a program with its flags in the order given; ``pointer`` is its place in the metadata file.

    ``option`` (1…) and ``trial`` (0…) are told by the output base, None where it does not say. A flag without a value
    has the value ``""``; one given twice has both; what stands without a flag before it is in ``stray``.
    """

    pointer: str
    program: str
    option: int | None
    trial: int | None
    flags: Mapping[str, tuple[str, ...]]
    stray: tuple[str, ...]
    ranks: int | None

    def values(self, flag: str) -> tuple[str, ...]:
        """The values of a flag; none when it is not given."""
        return self.flags.get(flag, ())


def parsed(line: str, pointer: str = "") -> Command | None:
    """The command in ``line``; None when it starts none of :data:`WRAPPERS`."""
    words = _words(line)
    start = next((at for at, text in enumerate(words) if text.endswith(WRAPPERS)), None)
    if start is None:
        return None
    flags, stray = _arguments(words[start + 1 :])
    place = _PLACE.search((flags.get(OUTPUT_BASE) or ("",))[-1])
    option, trial = (int(place["option"]), int(place["trial"])) if place else (None, None)
    return Command(pointer, words[start], option, trial, flags, tuple(stray), _ranks(words[:start]))


def _words(line: str) -> list[str]:
    """The words as a shell takes them; where a quote stays open, as blanks part them."""
    try:
        return shlex.split(line)
    except ValueError:
        return line.split()


def _arguments(words: list[str]) -> tuple[dict[str, tuple[str, ...]], list[str]]:
    flags: dict[str, tuple[str, ...]] = {}
    stray: list[str] = []
    waiting = ""  # the flag whose value may follow
    for word in words:
        if word.startswith("-") and number_in(word) is None:
            waiting, equals, value = word.partition("=")
            flags[waiting] = (*flags.get(waiting, ()), value)
            waiting = "" if equals else waiting
        elif waiting:
            flags[waiting] = (*flags[waiting][:-1], word)
            waiting = ""
        else:
            stray.append(word)
    return flags, stray


def _ranks(words: list[str]) -> int | None:
    """What ``mpirun -n`` is given, before the wrapper's name."""
    given = (number_in(value) for flag, value in pairwise(words) if flag in _RANKS)
    return next((number for number in given if isinstance(number, int)), None)


def commands_in(record: Metadata) -> list[Command]:
    """The workload's commands in a metadata file: ``command_output_files[].command``, else ``executed_command``."""
    return [found for pointer, line in _recorded(record) if (found := parsed(line, pointer)) is not None]


def _recorded(record: Metadata) -> Iterator[tuple[str, str]]:
    outputs = record.array("/command_output_files", [])
    pointers = [f"/command_output_files/{number}/command" for number in range(len(outputs))]
    for pointer in pointers or ["/executed_command"]:
        if (line := record.text(pointer, None)) is not None:
            yield pointer, line


def same_value(given: str, wanted: object) -> bool:
    """Whether an argument says what a table says: numbers by value (``0`` is ``0.0``), anything else as text."""
    number = number_in(given)
    if isinstance(wanted, int | float):
        return number is not None and number == wanted
    return given == str(wanted)
