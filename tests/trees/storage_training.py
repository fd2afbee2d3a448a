"""Training workloads: datasize, datagen and six runs whose figures agree with each other (section 3)."""

from __future__ import annotations

from dataclasses import dataclass

from tests.trees.storage_bench import Bench, Leaf
from tests.trees.storage_files import Json
from tests.trees.storage_hosts import GIB
from tests.trees.storage_models import TRAINING, TrainingModel, minimum_files
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
from tests.trees.storage_utilization import Figures

RUNS = 6
DATAGEN_PROCESSES = 16


@dataclass(frozen=True)
class Training:
    """Where the parts of one training workload are, and the size it used."""

    path: str
    datasize: Leaf
    datagen: Leaf
    runs: tuple[Leaf, ...]
    files: int

    @property
    def results(self) -> str:
        """Path of the `results.json` that 2.1.16 asks for (absent in the published shape)."""
        return f"{self.path}/run/results.json"


def build(bench: Bench, name: str, *, accelerator: str, accelerators: int, read_threads: int, au: float) -> Training:
    """Write the workload and return its places. `au` is the level of utilization in percent that the runs reach."""
    job = _Job(bench, TRAINING[name, accelerator], accelerator, accelerators, read_threads, au)
    folder = bench.workload(f"training/{name}")
    datasize, datagen = job.datasize(folder), job.datagen(folder)
    runs = tuple(job.run(folder, index) for index in range(RUNS))
    built = Training(folder, datasize, datagen, runs, job.files)
    if bench.literal:
        bench.tree.put_json(built.results, [_result(bench, run) for run in runs[1:]])
    return built


@dataclass
class _Job:
    bench: Bench
    model: TrainingModel
    accelerator: str
    accelerators: int
    read_threads: int
    au: float

    @property
    def files(self) -> int:
        hosts = self.bench.hosts
        return minimum_files(self.model, self.accelerators, hosts.count * hosts.memory_gib * GIB)

    @property
    def data_path(self) -> str:
        return f"{self.bench.data_dir}/{self.model.name}"

    def datasize(self, folder: str) -> Leaf:
        leaf = self.bench.leaf(f"{folder}/datasize", "training", 0.001)
        outputs = {
            "dataset.num_files_train": self.files,
            "dataset.num_subfolders_train": 0,
            "dataset.total_disk_bytes": self.files * self.model.samples_per_file * self.model.record_bytes,
        }
        args = self._args() | {"max_accelerators": self.accelerators}
        call = self._call("datasize", "train", self.accelerators, outputs, args)
        put_metadata(self.bench, leaf, call)
        return leaf

    def datagen(self, folder: str) -> Leaf:
        leaf = self.bench.leaf(f"{folder}/datagen", "training", 1755.0)
        overrides = self._dataset_overrides()
        args: Json = {"data_dir": self.bench.data_dir, "o_direct": False, "params": _params(overrides)}
        call = self._call("datagen", "datagen", DATAGEN_PROCESSES * self.bench.hosts.count, overrides, args)
        call.inventory = False
        call.accelerator = None
        self._dlio(leaf, f"{self.model.name}_datagen", call, _datagen_log(leaf))
        if self.bench.literal:
            self._literal_datagen_files(leaf)
        return leaf

    def run(self, folder: str, index: int) -> Leaf:
        figures = Figures(self.model, self.files, self.accelerators, self._levels(index))
        leaf = self.bench.leaf(f"{folder}/run", "training", figures.seconds)
        overrides = self._dataset_overrides() | {"reader.read_threads": str(self.read_threads)}
        args = self._args() | {"num_accelerators": self.accelerators, "o_direct": False, "params": _params(overrides)}
        call = self._call("run", "train", self.accelerators, overrides, args)
        self._dlio(leaf, f"{self.model.name}_{self.accelerator}", call, figures.log(leaf))
        put_rank_files(self.bench, leaf, self.accelerators, figures.epochs(leaf))
        self.bench.tree.put_json(leaf.summary, figures.summary(leaf, self.bench.hosts))
        return leaf

    def _levels(self, index: int) -> list[float]:
        return [self.au + (7 * index + 3 * epoch) % 10 / 20 for epoch in range(self.model.epochs)]

    def _dlio(self, leaf: Leaf, workload: str, call: Invocation, log: str) -> None:
        assert call.processes is not None
        stem = f"training_{call.command}"
        call.commands = [(dlio_command(self.bench, leaf, workload, call.processes, call.overrides), stem)]
        put_metadata(self.bench, leaf, call)
        put_dlio_config(self.bench, leaf, workload, call)
        evidence = self.bench.separate_filesystems(leaf, self.bench.data_dir)
        header = f"[DATALOADER] format={self.model.format} storage=local_fs library=none\n"
        put_logs(self.bench, leaf, stem, evidence + header, log)
        self.bench.tree.put(leaf.file("dlio.log"), log)

    def _call(self, command: str, workflow: str, processes: int, overrides: Json, args: Json) -> Invocation:
        return Invocation(
            benchmark="training",
            model=self.model.name,
            command=command,
            args=args,
            processes=processes,
            accelerator=self.accelerator,
            parameters=with_overrides(self.model.template(workflow), overrides),
            overrides=overrides,
        )

    def _args(self) -> Json:
        return {
            "client_host_memory_in_gb": float(self.bench.hosts.memory_gib),
            "accelerator_type": self.accelerator,
            "data_dir": self.bench.data_dir,
        }

    def _dataset_overrides(self) -> dict[str, str]:
        return {
            "dataset.num_files_train": str(self.files),
            "dataset.num_subfolders_train": "0",
            "dataset.data_folder": self.data_path,
            **dict(self.bench.storage_overrides()),
        }

    def _literal_datagen_files(self, leaf: Leaf) -> None:
        put_rank_files(self.bench, leaf, 1, {"1": {"start": iso(leaf.start), "end": iso(leaf.end)}})
        summary = {
            "start": iso(leaf.start),
            "num_accelerators": 0,
            "num_hosts": self.bench.hosts.count,
            "hostname": self.bench.hosts.names[0],
            "metric": {},
            "num_files_train": self.files,
            "num_files_eval": 0,
            "num_samples_per_file": self.model.samples_per_file,
            "end": iso(leaf.end),
        }
        self.bench.tree.put_json(leaf.summary, summary)


def _params(overrides: dict[str, str]) -> list[str]:
    return [f"{key}={value}" for key, value in overrides.items() if key != "dataset.data_folder"]


def _datagen_log(leaf: Leaf) -> str:
    return f"[OUTPUT] {iso(leaf.start)} Starting data generation\n[OUTPUT] {iso(leaf.end)} Generation done\n"


def _result(bench: Bench, run: Leaf) -> Json:
    summary = bench.tree.json(run.summary)
    return {"run_datetime": run.stamp, "metric": summary["metric"], "num_accelerators": summary["num_accelerators"]}
