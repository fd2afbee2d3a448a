"""The row that each workload of a system would have in the results table, from the runs' own summaries.

A preview for maintainers: tables made from trees that pass have had blank cells, since a table needs figures that no
rule asks for. Training does not report its first run, which warms up (2.1.17).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from statistics import fmean

from checks import names
from checks.documents import Unusable
from checks.findings import Figure, ResultRow
from checks.rules import Missing
from checks.session import Session
from checks.storage.inputs import Summary
from checks.storage.layout import StorageLayout
from checks.storage.leaves import Leaf
from checks.storage.terms import CHECKPOINTING, KV_CACHE, TRAINING, VECTOR_DATABASE
from checks.storage.workloads import Workload

COLUMNS = {
    TRAINING: (("throughput", "samples/s", "/metric/train_throughput_mean_samples_per_second"),),
    CHECKPOINTING: (
        ("save", "GB/s", "/metric/save_checkpoint_io_mean_GB_per_second"),
        ("load", "GB/s", "/metric/load_checkpoint_io_mean_GB_per_second"),
    ),
    VECTOR_DATABASE: (("throughput", "queries/s", "/throughput_qps"),),
    KV_CACHE: tuple(
        (f"option {option}", "tokens/s", f"/options/{option}/aggregated_avg_throughput_tokens_per_sec")
        for option in (1, 2, 3)
    ),
}
"""Figure, unit and its place in ``summary.json``, by benchmark; the names are those that the benchmark tool writes."""


def rows(session: Session, scopes: Iterable[str]) -> Iterator[ResultRow]:
    """One row for each workload of the systems among ``scopes`` (paths)."""
    systems = StorageLayout(session).systems
    listed = [(path, workload) for path in scopes if path in systems for workload in systems[path].workloads]
    summaries = (Summary.of(run, session) for _, workload in listed for run in _counted(workload))
    # Rules that are off fetch nothing, and the table is wanted all the same.
    session.tree.ensure([one.path for one in summaries if not isinstance(one, Missing)])
    for path, workload in listed:
        yield _row(session, path, workload)


def _row(session: Session, system: str, workload: Workload) -> ResultRow:
    runs = _counted(workload)
    figures = tuple(
        Figure(name, _mean(session, runs, pointer), unit) for name, unit, pointer in COLUMNS[workload.benchmark]
    )
    inner = workload.path.removeprefix(f"{system}/")
    return ResultRow(names.shown_path(system), system.partition("/")[0], names.shown_path(inner), len(runs), figures)


def _counted(workload: Workload) -> Sequence[Leaf]:
    """The runs that are reported."""
    warms_up = workload.benchmark == TRAINING and len(workload.runs) > 1
    return workload.runs[1:] if warms_up else workload.runs


def _mean(session: Session, runs: Iterable[Leaf], pointer: str) -> float | None:
    """The mean over the runs that have the figure; checkpoints are saved and loaded by different runs."""
    found = [value for run in runs if (value := _figure(session, run, pointer)) is not None]
    return fmean(found) if found else None


def _figure(session: Session, run: Leaf, pointer: str) -> float | None:
    summary = Summary.of(run, session)
    if isinstance(summary, Missing) or summary.fault is not None:
        return None
    try:
        value: float | None = summary.number(pointer, None, text_ok=True)
    except Unusable:
        return None
    return value
