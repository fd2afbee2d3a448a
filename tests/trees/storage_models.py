"""What the shipped workload configurations fix, and the sizes that follow (3.1.2, Table 2)."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from tests.trees.storage_files import Json

MIN_STEPS = 500
MEMORY_MULTIPLIER = 5


@dataclass(frozen=True)
class TrainingModel:
    """What the shipped configuration of one workload and accelerator fixes; times in seconds, sizes in bytes."""

    name: str
    format: str
    record_bytes: int
    samples_per_file: int
    batch: int
    epochs: int
    step_seconds: float
    au: float

    def template(self, workflow: str) -> Json:
        """The `parameters` block before overrides."""
        flags = {"generate_data": workflow == "datagen", "train": workflow == "train", "checkpoint": False}
        dataset = {
            "data_folder": f"data/{self.name}/",
            "format": self.format,
            "num_files_train": 168,
            "num_samples_per_file": self.samples_per_file,
            "record_length_bytes": self.record_bytes,
        }
        block: Json = {
            "model": {"name": self.name, "type": "cnn", "model_size": 499153191},
            "framework": "pytorch",
            "workflow": flags,
            "dataset": dataset,
        }
        if workflow == "train":
            block["reader"] = {"data_loader": "pytorch", "batch_size": self.batch, "read_threads": 4}
            block["train"] = {"epochs": self.epochs, "computation_time": self.step_seconds}
            block["metric"] = {"au": self.au}
        return block


TRAINING = {
    ("unet3d", "b200"): TrainingModel("unet3d", "npz", 146600628, 1, 7, 5, 0.162, 0.90),
    ("unet3d", "h100"): TrainingModel("unet3d", "npz", 146600628, 1, 7, 5, 0.323, 0.90),
    ("unet3d", "a100"): TrainingModel("unet3d", "npz", 146600628, 1, 7, 5, 0.636, 0.90),
    ("retinanet", "b200"): TrainingModel("retinanet", "jpeg", 322957, 1, 24, 8, 0.04755, 0.85),
    ("retinanet", "mi355"): TrainingModel("retinanet", "jpeg", 322957, 1, 32, 8, 0.0634, 0.85),
}


def minimum_files(model: TrainingModel, accelerators: int, memory_bytes: int) -> int:
    """Files that 3.1.2 asks for, rounded up."""
    samples = max(
        MIN_STEPS * model.batch * accelerators,
        memory_bytes * MEMORY_MULTIPLIER / model.record_bytes,
    )
    return ceil(samples / model.samples_per_file)
