"""Faults that tests inject, on the requests of one's choice or all over in a storm."""

import random
import re
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tests.github.effects import API_STORM, GIT_STORM, Effect


@dataclass
class _Planned:
    method: str | None
    path: re.Pattern[str]
    effect: Effect
    skip: int
    left: int


class Faults:
    """The faults still to come. Each request takes the first that matches it."""

    def __init__(self) -> None:
        self._planned: list[_Planned] = []
        self._storm: tuple[random.Random, float, Sequence[Effect], Sequence[Effect]] | None = None
        self._lock = threading.Lock()

    def add(
        self,
        method: str | None = None,
        path: str = "",
        effect: Effect | None = None,
        *,
        times: int = 1,
        skip: int = 0,
        **fields: Any,
    ) -> None:
        """Plan an effect (or `Effect(**fields)`) for `times` requests whose method is equal and in whose path the
        expression is found, after `skip` of them went well. API paths start at `/repos`, `/app`; git ones at `/owner`.
        """
        body_headers = fields.pop("headers", ())
        headers = tuple(body_headers.items()) if isinstance(body_headers, dict) else tuple(body_headers)
        planned = effect or Effect(headers=headers, **fields)
        with self._lock:
            self._planned.append(_Planned(method, re.compile(path), planned, skip, times))

    def storm(
        self, seed: int, rate: float, api: Sequence[Effect] = API_STORM, git: Sequence[Effect] = GIT_STORM
    ) -> None:
        """From now on let a share of all requests fail in one of the known ways, the same for the same seed."""
        self._storm = (random.Random(seed), rate, api, git)

    def clear(self) -> None:
        """Forget all faults and end a storm."""
        with self._lock:
            self._planned.clear()
            self._storm = None

    @property
    def pending(self) -> int:
        """How many planned faults have not happened yet."""
        return sum(one.left for one in self._planned)

    def take(self, method: str, path: str, git: bool = False) -> Effect | None:
        """The effect for this request, used up."""
        with self._lock:
            for one in self._planned:
                if one.left and one.method in (None, method) and one.path.search(path):
                    if one.skip:
                        one.skip -= 1
                        continue
                    one.left -= 1
                    return one.effect
            return self._from_storm(git)

    def _from_storm(self, git: bool) -> Effect | None:
        if self._storm is None:
            return None
        dice, rate, api, other = self._storm
        return dice.choice(other if git else api) if dice.random() < rate else None
