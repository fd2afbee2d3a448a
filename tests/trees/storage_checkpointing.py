"""Checkpointing workloads: one combined invocation, or a write and a read invocation (section 4)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import fmean, pstdev
from typing import Any

from tests.trees.storage_bench import BETWEEN_INVOCATIONS, BUCKET, Bench, Leaf
from tests.trees.storage_files import Json
from tests.trees.storage_models import CHECKPOINTING, CheckpointModel
from tests.trees.storage_records import (
    Invocation,
    dlio_command,
    iso,
    put_dlio_config,
    put_logs,
    put_metadata,
    put_rank_files,
    with_overrides,
)

CHECKPOINTS = 10
SUBSET_PROCESSES = 8
PAUSE = timedelta(seconds=5)
BEFORE_EPOCH = timedelta(seconds=0.06)
SAVE_GIB_PER_SECOND = 10.0
LOAD_GIB_PER_SECOND = 12.0
FOLDER = "/mnt/storage/checkpoints"


@dataclass(frozen=True)
class Checkpointing:
    """Where the parts of one checkpointing workload are."""

    path: str
    runs: tuple[Leaf, ...]

    @property
    def results(self) -> str:
        """Path of the `results.json` that 2.1.22 asks for (absent in the published shape)."""
        return f"{self.path}/results.json"


def build(
    bench: Bench,
    name: str,
    *,
    invocations: int,
    processes: int | None,
    subset: bool,
    accelerator: str | None,
    gap_seconds: float,
) -> Checkpointing:
    """Write the workload and return its places; `gap_seconds` lie between the two invocations of a failover."""
    model = CHECKPOINTING[name]
    count = processes or (SUBSET_PROCESSES if subset else model.processes)
    job = _Job(bench, model, count, subset, accelerator)
    folder = bench.workload(f"checkpointing/{name}")
    phases = [(CHECKPOINTS, CHECKPOINTS)] if invocations == 1 else [(CHECKPOINTS, 0), (0, CHECKPOINTS)]
    gaps = [timedelta(seconds=gap_seconds)] * (len(phases) - 1) + [BETWEEN_INVOCATIONS]
    runs = tuple(job.run(folder, *phase, gap) for phase, gap in zip(phases, gaps, strict=True))
    built = Checkpointing(folder, runs)
    if bench.literal:
        metrics = [{"run_datetime": run.stamp, "metric": bench.tree.json(run.summary)["metric"]} for run in runs]
        bench.tree.put_json(built.results, metrics)
    return built


@dataclass(frozen=True)
class _Step:
    """One checkpoint written or read."""

    name: str
    seconds: float
    gib_per_second: float


@dataclass
class _Job:
    bench: Bench
    model: CheckpointModel
    processes: int
    subset: bool
    accelerator: str | None

    @property
    def size(self) -> float:
        return self.model.subset_gib if self.subset else self.model.size_gib

    def run(self, folder: str, writes: int, reads: int, gap: timedelta) -> Leaf:
        steps = [*self._steps("save", writes, SAVE_GIB_PER_SECOND), *self._steps("load", reads, LOAD_GIB_PER_SECOND)]
        busy = sum(step.seconds for step in steps) + len(steps) * PAUSE.total_seconds()
        leaf = self.bench.leaf(folder, "checkpointing", busy + 2 * BEFORE_EPOCH.total_seconds(), gap)
        call = self._call(writes, reads)
        call.commands = [
            (dlio_command(self.bench, leaf, self.model.workload, self.processes, call.overrides), "checkpointing_run")
        ]
        put_metadata(self.bench, leaf, call)
        put_dlio_config(self.bench, leaf, self.model.workload, call)
        put_rank_files(self.bench, leaf, self.processes, {"1": _epoch(leaf.start + BEFORE_EPOCH, steps)})
        evidence = self.bench.separate_filesystems(leaf, FOLDER)
        log = "".join(f"[OUTPUT] {step.name} finished in {step.seconds:.4f} s\n" for step in steps)
        put_logs(self.bench, leaf, "checkpointing_run", evidence + "STREAMING CHECKPOINT\n", log)
        self.bench.tree.put(leaf.file("dlio.log"), log)
        self.bench.tree.put_json(leaf.summary, self._summary(leaf, steps))
        return leaf

    def _steps(self, verb: str, count: int, rate: float) -> list[_Step]:
        rates = [rate + index % 4 / 10 for index in range(count)]
        return [_Step(f"{verb}_ckpt{number}", self.size / rate, rate) for number, rate in enumerate(rates, 1)]

    def _call(self, writes: int, reads: int) -> Invocation:
        overrides = self._overrides(writes, reads)
        return Invocation(
            benchmark="checkpointing",
            model=self.model.name,
            command="run",
            args=self._args(writes, reads),
            processes=self.processes,
            accelerator=self.accelerator,
            parameters=with_overrides(self.model.template, overrides),
            overrides=overrides,
        )

    def _overrides(self, writes: int, reads: int) -> dict[str, Any]:
        root = FOLDER if self.bench.api == "file" else f"{BUCKET}/checkpoints"
        return {
            **dict(self.bench.storage_overrides()),
            "checkpoint.num_checkpoints_read": reads,
            "checkpoint.num_checkpoints_write": writes,
            "checkpoint.checkpoint_folder": f"{root}/{self.model.name}",
            **({"checkpoint.mode": "subset"} if self.subset else {}),
        }

    def _args(self, writes: int, reads: int) -> Json:
        return {
            "hosts": self.bench.hosts.slots(self.processes),
            "client_host_memory_in_gb": float(self.bench.hosts.memory_gib),
            "o_direct": False,
            "checkpoint_folder": FOLDER if self.bench.api == "file" else f"s3://{BUCKET}/checkpoints",
            "num_checkpoints_read": reads,
            "num_checkpoints_write": writes,
            "params": "",
            **({"checkpoint_subset": True} if self.subset else {}),
            **({"accelerator_type": self.accelerator} if self.accelerator else {}),
        }

    def _summary(self, leaf: Leaf, steps: list[_Step]) -> Json:
        return {
            "start": iso(leaf.start),
            "num_accelerators": self.processes,
            "num_hosts": self.bench.hosts.count,
            "hostname": self.bench.hosts.names[0],
            "metric": {**_metric("save", steps), **_metric("load", steps), "checkpoint_size_GB": self.size},
            "num_files_train": 8,
            "num_files_eval": 0,
            "num_samples_per_file": 1,
            **self.bench.hosts.summary_fields(),
            "data_size_per_host_GB": 0.00048828125,
            "epochs": 0,
            "end": iso(leaf.end),
        }


def _metric(verb: str, steps: list[_Step]) -> dict[str, float]:
    chosen = [step for step in steps if step.name.startswith(verb)]
    if not chosen:
        return {}
    rates, seconds = [step.gib_per_second for step in chosen], [step.seconds for step in chosen]
    return {
        f"{verb}_checkpoint_io_mean_GB_per_second": fmean(rates),
        f"{verb}_checkpoint_io_stdev_GB_per_second": pstdev(rates),
        f"{verb}_checkpoint_duration_mean_seconds": fmean(seconds),
        f"{verb}_checkpoint_duration_stdev_seconds": pstdev(seconds),
    }


def _epoch(start: datetime, steps: list[_Step]) -> Json:
    epoch: Json = {"start": iso(start)}
    moment = start
    for step in steps:
        begin = moment + PAUSE
        moment = begin + timedelta(seconds=step.seconds)
        epoch[step.name] = {
            "start": iso(begin),
            "end": iso(moment),
            "duration": step.seconds,
            "throughput": step.gib_per_second,
        }
    return epoch | {"end": iso(moment)}
