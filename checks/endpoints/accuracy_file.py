"""Reading an accuracy file (rules 4.3): the client's list ``accuracy_scores``, or a mapping of data sets to results.

Pure: takes anything a JSON parser returns. What does not fit becomes a fault with its JSON pointer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from checks import names
from checks.documents import described, number_in
from checks.endpoints.numbers import is_number
from checks.endpoints.values import text, whole
from checks.json_text import escaped

SCORES: Final = "accuracy_scores"
"""The member that holds the client's list, also in the legacy ``results.json``."""

UNNAMED: Final = ""
"""The metric's name where a score is a bare number."""

_SAMPLES: Final = ("unit_samples", "num_samples")
_REPEATS: Final = ("num_repeats", "n_repeats")
_PERFORMANCE: Final = "performance"


class AccuracyFault(NamedTuple):
    """One thing that is wrong: JSON pointer, text, and what to do."""

    pointer: str
    message: str
    hint: str = "Restore the accuracy file as the reference client wrote it."


class Score(NamedTuple):
    """The figure of one metric; ``pointer`` is its place."""

    value: float
    pointer: str


class Result(NamedTuple):
    """The result of one data set: scores by lower-case metric name, ``samples`` = samples x repeats (None: not stated).

    ``is_inline``: scored on the performance run itself, which is no accuracy run. ``unreadable``: the metrics whose
    score is no number, each of which is a fault of the file.
    """

    dataset: str
    pointer: str
    scores: Mapping[str, Score]
    samples: int | None
    is_inline: bool
    unreadable: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class AccuracyFile:
    """The readable results of a file and its faults."""

    results: tuple[Result, ...] = ()
    faults: tuple[AccuracyFault, ...] = ()

    @property
    def runs(self) -> tuple[Result, ...]:
        """The results of accuracy runs."""
        return tuple(result for result in self.results if not result.is_inline)

    @property
    def inline(self) -> tuple[Result, ...]:
        """The results scored on the performance run."""
        return tuple(result for result in self.results if result.is_inline)


def read_accuracy(data: object) -> AccuracyFile:
    """The results in a parsed accuracy file."""
    if not isinstance(data, dict):
        return AccuracyFile(faults=(AccuracyFault("", f"The accuracy file holds {described(data)}, not an object."),))
    results: list[Result] = []
    faults: list[AccuracyFault] = []
    for name, pointer, entry in _entries(data, faults):
        read = _Reading(pointer)
        results.append(read.result(name, entry))
        faults += read.faults
    if not results and not faults:
        faults.append(AccuracyFault("", "The accuracy file has no result."))
    faults += _repeated(results)
    return AccuracyFile(tuple(results), tuple(faults))


def _entries(data: Mapping[str, Any], faults: list[AccuracyFault]) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """Name of the data set, place and content of each result; an entry that is no object is a fault."""
    scores = data.get(SCORES, data)
    root = f"/{SCORES}" if SCORES in data else ""
    if isinstance(scores, dict):
        found = [(str(name), f"{root}/{escaped(name)}", entry) for name, entry in scores.items()]
    elif isinstance(scores, list):
        found = [("", f"{root}/{index}", entry) for index, entry in enumerate(scores)]
    else:
        faults.append(AccuracyFault(root, f"`{SCORES}` is {described(scores)}, not a list of results."))
        return
    for name, pointer, entry in found:
        if isinstance(entry, dict):
            yield name, pointer, entry
        else:
            faults.append(AccuracyFault(pointer, f"A result is {described(entry)}, not an object."))


def _repeated(results: list[Result]) -> Iterator[AccuracyFault]:
    """Data sets with more than one result."""
    seen: set[str] = set()
    for result in results:
        if result.dataset in seen:
            message = f'The data set "{result.dataset}" has two results.'
            yield AccuracyFault(result.pointer, message, "Keep the result of the run that counts.")
        seen.add(result.dataset)


class _Reading:
    """Reads one result and collects its faults."""

    def __init__(self, pointer: str) -> None:
        self.pointer = pointer
        self.faults: list[AccuracyFault] = []

    def result(self, key: str, entry: Mapping[str, Any]) -> Result:
        name = text(entry.get("dataset_name")) or key
        if not name:
            self._fault("", "A result names no data set (`dataset_name`).")
        if (complete := entry.get("complete")) is not None and complete is not True:
            message = f"`complete` is {described(complete)}: the accuracy run was not completed."
            self._fault("/complete", message, "Repeat the run.")
        samples = self._count(entry, _SAMPLES)
        repeats = self._count(entry, _REPEATS)
        scores, unreadable = self._scores(entry)
        return Result(
            dataset=name,
            pointer=self.pointer,
            scores=scores,
            samples=None if samples is None else samples * (1 if repeats is None else repeats),
            is_inline=entry.get("dataset_type") == _PERFORMANCE,
            unreadable=unreadable,
        )

    def _fault(self, below: str, *told: str) -> None:
        self.faults.append(AccuracyFault(self.pointer + below, *told))

    def _count(self, entry: Mapping[str, Any], keys: tuple[str, ...]) -> int | None:
        """The whole number under either of its names; two that differ are a fault."""
        given = {key: entry[key] for key in keys if entry.get(key) is not None}
        for key, value in given.items():
            if (read := whole(value)) is None or read < 0:
                self._fault(f"/{key}", f"`{key}` is {described(value)}; a whole number from 0 is required.")
                return None
        counts = {int(value) for value in given.values()}
        if len(counts) > 1:
            stated = " and ".join(f"`{key}` {value}" for key, value in given.items())
            self._fault(f"/{keys[1]}", f"One figure is given twice with different values: {stated}.", "Keep one.")
        return counts.pop() if len(counts) == 1 else None

    def _scores(self, entry: Mapping[str, Any]) -> tuple[dict[str, Score], frozenset[str]]:
        """The scores by metric, and the metrics whose score is no number."""
        score = entry.get("score")
        if score is None or score == {}:
            self._fault("/score" if "score" in entry else "", "The result has no `score`.")
            return {}, frozenset()
        named = score if isinstance(score, dict) else {UNNAMED: score}
        found, unreadable = dict[str, Score](), set[str]()
        for name, value in named.items():
            pointer = f"{self.pointer}/score" + (f"/{escaped(name)}" if isinstance(score, dict) else "")
            read = number_in(value) if isinstance(value, str) else value
            if not is_number(read):
                unreadable.add(name.lower())
                self.faults.append(AccuracyFault(pointer, f"The score is {described(value)}; a number is required."))
            elif found.setdefault(name.lower(), Score(float(read), pointer)).value != float(read):
                unreadable.add(name.lower())
                message = f"The score of `{names.shown(name.lower())}` is given twice with different values."
                self.faults.append(AccuracyFault(pointer, message, "Keep the one that the scorer wrote."))
        return {name: score for name, score in found.items() if name not in unreadable}, frozenset(unreadable)
