"""The figures of one training run, all derived from the utilization of each epoch (3.3.2)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from statistics import fmean, pstdev

from tests.trees.storage_bench import Leaf
from tests.trees.storage_files import Json
from tests.trees.storage_hosts import GIB, Hosts
from tests.trees.storage_models import TrainingModel
from tests.trees.storage_records import iso

BEFORE_FIRST_EPOCH = timedelta(seconds=1)
BETWEEN_EPOCHS = timedelta(seconds=0.05)


@dataclass(frozen=True)
class Figures:
    """One run: `levels` is the utilization of every epoch in percent, `accelerators` the total over all hosts."""

    model: TrainingModel
    files: int
    accelerators: int
    levels: list[float]

    @property
    def samples(self) -> int:
        return self.files * self.model.samples_per_file

    @property
    def durations(self) -> list[float]:
        """Seconds of every epoch: the compute time of 3.3.2 for one epoch, over the utilization."""
        compute = self.samples / self.accelerators / self.model.batch * self.model.step_seconds
        return [100 * compute / level for level in self.levels]

    @property
    def seconds(self) -> float:
        """From the start to the end of the summary."""
        return sum(self.durations) + (BEFORE_FIRST_EPOCH + BETWEEN_EPOCHS * len(self.levels)).total_seconds()

    def epochs(self, leaf: Leaf) -> Json:
        """The content of `<rank>_per_epoch_stats.json`."""
        epochs: Json = {}
        start = leaf.start + BEFORE_FIRST_EPOCH
        for number, duration in enumerate(self.durations, 1):
            end = start + timedelta(seconds=duration)
            block = {"start": iso(start), "end": iso(end), "duration": f"{duration:.2f}"}
            epochs[str(number)] = {"start": iso(start), "block1": block, "end": iso(end), "duration": f"{duration:.2f}"}
            start = end + BETWEEN_EPOCHS
        return epochs

    def summary(self, leaf: Leaf, hosts: Hosts) -> Json:
        """The content of `summary.json`."""
        return {
            "start": iso(leaf.start),
            "num_accelerators": self.accelerators,
            "num_hosts": hosts.count,
            "hostname": hosts.names[0],
            "metric": self._metric(),
            "num_files_train": self.files,
            "num_files_eval": 0,
            "num_samples_per_file": self.model.samples_per_file,
            **hosts.summary_fields(),
            "data_size_per_host_GB": self.samples * self.model.record_bytes / GIB / hosts.count,
            "epochs": self.model.epochs,
            "end": iso(leaf.end),
        }

    def log(self, leaf: Leaf) -> str:
        """What DLIO prints about the epochs."""
        label = "Accelerator Utilization [AU] (%)"
        lines = [
            f"[OUTPUT] {iso(leaf.start)} Epoch {number} - Block 1 [Training] {label}: {level:.4f}"
            for number, level in enumerate(self.levels, 1)
        ]
        mean = f"[METRIC] Training {label}: {fmean(self.levels):.4f} ({pstdev(self.levels):.4f})"
        return "\n".join([*lines, mean, f"[METRIC] train_au_meet_expectation: {self._verdict()}", ""])

    def _verdict(self) -> str:
        return "success" if fmean(self.levels) >= 100 * self.model.au else "fail"

    def _metric(self) -> Json:
        rates = [self.samples / duration for duration in self.durations]
        mib = self.model.record_bytes / 2**20
        return {
            "train_au_percentage": self.levels,
            "train_au_mean_percentage": fmean(self.levels),
            "train_au_meet_expectation": self._verdict(),
            "train_au_stdev_percentage": pstdev(self.levels),
            "train_throughput_samples_per_second": rates,
            "train_throughput_mean_samples_per_second": fmean(rates),
            "train_throughput_stdev_samples_per_second": pstdev(rates),
            "train_io_mean_MB_per_second": fmean(rates) * mib,
            "train_io_stdev_MB_per_second": pstdev(rates) * mib,
        }
