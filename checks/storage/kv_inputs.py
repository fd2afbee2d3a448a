"""What the KV-cache rules (section 6) read besides the documents of every benchmark: each client's results.

Every rank leaves ``option_<O>/trial_<T>/rank_<N>/kvcache_results_<time>.json`` (6.3.3.3). These files hold raw lists
of every request and may be large; of each only the few figures that the rules need are kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple, Self

from checks.documents import JsonDocument, NotJudged, Unusable
from checks.edition import Edition
from checks.json_text import Repeated, TextFault
from checks.rules import Missing
from checks.session import Session
from checks.storage.leaves import KVCacheRun
from checks.units import Folder

KEPT = ("storage_throughput_tokens_per_sec", "autoscaling_summary")
"""What is kept of a result's ``summary``."""

KEPT_STATS = (
    "storage_entries",
    "tier_storage_read_bandwidth_gbps",
    "tier_storage_write_bandwidth_gbps",
    "storage_read_device_p95_ms",
    "storage_write_device_p95_ms",
)
"""What is kept of its ``summary.cache_stats``."""

STATS = "/summary/cache_stats"

_NUMBERED = re.compile(r"(?P<stem>option|trial|rank)_(?P<number>0|[1-9]\d{0,5})\Z")
_OPTION = re.compile(r"(?:0|[1-9]\d{0,5})\Z")
_RESULT = re.compile(r"kvcache_results_.*\.json\Z")


class Cell(NamedTuple):
    """One client's part of a run: option 1…, trial 0…, rank 0…"""

    option: int
    trial: int
    rank: int

    @property
    def path(self) -> str:
        """Its folder below the run's."""
        return f"option_{self.option}/trial_{self.trial}/rank_{self.rank}"


class RankFiles:
    """The names of all result files of a run, by cell; ``cells`` also holds rank folders without any."""

    def __init__(self, run: Folder) -> None:
        self.run = run
        self.cells: dict[Cell, list[str]] = {
            Cell(option, trial, rank): [folder.inside(name) for name in folder.files if _RESULT.match(name)]
            for option, trials in _numbered(run, "option")
            for trial, ranks in _numbered(trials, "trial")
            for rank, folder in _numbered(ranks, "rank")
        }

    @classmethod
    def of(cls, unit: KVCacheRun, session: Session) -> Self:
        """The result files of the run ``unit`` (an input that is always there)."""
        del session
        return cls(unit)

    @property
    def one_each(self) -> dict[Cell, str]:
        """The file of every cell that has one; of several, which 6.3.3.3 tells of, the latest by name."""
        return {cell: found[-1] for cell, found in sorted(self.cells.items()) if found}


def _numbered(folder: Folder, stem: str) -> Iterator[tuple[int, Folder]]:
    """The folders ``<stem>_<number>`` inside, with their numbers."""
    for name in folder.folders:
        if (found := _NUMBERED.match(name)) and found["stem"] == stem:
            yield int(found["number"]), Folder(folder.tree, folder.inside(name))


class RankResult(JsonDocument):
    """``kvcache_results_<time>.json``: what one client measured in one trial of one option."""

    what = "kvcache_results_*.json"
    cell = Cell(0, 0, 0)
    _lines: dict[str, int] | None = None

    @classmethod
    def of(cls, unit: KVCacheRun, session: Session) -> Self | Missing:
        """The first client's; rules ask for :class:`~checks.rules.Each`."""
        return cls.all(unit, session)[0]

    @classmethod
    def all(cls, unit: KVCacheRun, session: Session) -> list[Self | Missing]:
        """Those of all clients; Missing for each option that lacks some, as far as names can tell."""
        files = RankFiles.of(unit, session).one_each
        return [*(cls._at(cell, path, session) for cell, path in files.items()), *_lacking(unit, session, set(files))]

    @classmethod
    def _at(cls, cell: Cell, path: str, session: Session) -> Self:
        found = session.document(cls, path)
        found.cell = cell
        return found

    def _parse(self, text: str) -> tuple[Any, TextFault | None]:
        """As any JSON file; then all but the figures that rules need is dropped, text included."""
        value, fault = super()._parse(text)
        if fault is not None or self._has_repeated or not isinstance(value, dict):
            return value, fault
        self._lines = _lines_of(text)
        self._text = ""
        return _kept(value), None

    def _locate(self) -> tuple[dict[str, int], list[Repeated]]:
        return super()._locate() if self._lines is None else (self._lines, [])


def _lacking(unit: KVCacheRun, session: Session, cells: set[Cell]) -> Iterator[Missing]:
    limits = session.edition["kv_cache"]
    trials = {cell.trial for cell in cells} or {0}
    ranks = {cell.rank for cell in cells} or {0}
    options = {cell.option for cell in cells}
    if unit.closed:
        trials, options = set(range(limits["locks"]["trials"])), set(limits["options"])
    for option in sorted(options):
        wanted = {Cell(option, trial, rank) for trial in trials for rank in ranks}
        if absent := wanted - cells:
            some = f"lacks {len(absent):,} of {len(wanted):,} rank results" if wanted & cells else "has no rank result"
            reason = f"option_{option} {some}"
            yield Missing(reason, unit.path, "6.3.3.3")


def options_of(run: KVCacheRun, summary: JsonDocument, edition: Edition) -> list[int]:
    """The Options that a run's summary must hold: all of the table in CLOSED, in OPEN those that it holds.

    Raises Unusable when ``options`` is no object.
    """
    if run.closed:
        return list(edition["kv_cache"]["options"])
    return sorted(int(key) for key in summary.mapping("/options") if _OPTION.match(key))


def clients_of(summary: JsonDocument) -> int:
    """The number of clients in all. Raises NotJudged where 6.3.4.5 tells that the summary does not give it."""
    try:
        return int(summary.integer("/total_ranks", text_ok=True))
    except Unusable as error:
        raise NotJudged(summary.path, f"{error.finding.message.rstrip('.')} (see 6.3.4.5)") from None


def trials_of(summary: JsonDocument) -> int:
    """The number of trials of each Option. Raises Unusable."""
    return int(summary.integer("/trials_per_option", text_ok=True))


def _kept(value: dict[str, Any]) -> dict[str, Any]:
    summary = value.get("summary")
    if not isinstance(summary, dict):
        return {key: value[key] for key in ("summary",) if key in value}
    kept = {key: summary[key] for key in KEPT if key in summary}
    if isinstance(stats := summary.get("cache_stats"), dict):
        kept["cache_stats"] = {key: stats[key] for key in KEPT_STATS if key in stats}
    elif "cache_stats" in summary:
        kept["cache_stats"] = stats
    return {"summary": kept}


def _lines_of(text: str) -> dict[str, int]:
    """The lines of the kept figures: of the first place of each name after the last ``"summary"`` of the file."""
    start = max(text.rfind('"summary"'), 0)
    base = text.count("\n", 0, start) + 1
    found = {"": 1, "/summary": base}
    pointers = {"cache_stats": STATS}
    pointers |= {key: f"/summary/{key}" for key in KEPT} | {key: f"{STATS}/{key}" for key in KEPT_STATS}
    for key, pointer in pointers.items():
        if (at := text.find(f'"{key}"', start)) >= 0:
            found[pointer] = base + text.count("\n", start, at)
    return found


def shown_cells(cells: list[Cell], limit: int = 3) -> str:
    """Cells of one option as a message names them: ``trial 0 rank 2, trial 1 rank 0 and 4 more``."""
    shown = ", ".join(f"trial {cell.trial} rank {cell.rank}" for cell in cells[:limit])
    return shown + (f" and {len(cells) - limit:,} more" if len(cells) > limit else "")
