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


@dataclass(frozen=True)
class CheckpointModel:
    """One column of Table 2, with the checkpoint size in GiB as the tool reports it for the whole cluster."""

    name: str
    short: str
    layers: int
    hidden: int
    ffn: int
    heads: int
    kv_heads: int
    tensor: int
    pipeline: int
    zero: int
    processes: int
    size_gib: float
    subset_gib: float

    @property
    def workload(self) -> str:
        """Name of the shipped configuration, as in `workload=llama3_8b`."""
        return self.name.replace("-", "_")

    @property
    def template(self) -> Json:
        """The `parameters` block before overrides."""
        return {
            "model": {
                "name": self.short,
                "type": "transformer",
                "num_layers": self.layers,
                "model_datatype": "fp16",
                "optimizer_datatype": "fp32",
                "parallelism": {"pipeline": self.pipeline, "tensor": self.tensor, "zero_stage": self.zero},
                "transformer": {
                    "vocab_size": 128256,
                    "hidden_size": self.hidden,
                    "ffn_hidden_size": self.ffn,
                    "num_attention_heads": self.heads,
                    "num_kv_heads": self.kv_heads,
                },
            },
            "framework": "pytorch",
            "workflow": {"generate_data": False, "train": False, "checkpoint": True},
            "checkpoint": {
                "checkpoint_folder": f"checkpoints/{self.short}",
                "time_between_checkpoints": 5,
                "num_checkpoints_write": 10,
                "num_checkpoints_read": 10,
                "fsync": True,
            },
        }


CHECKPOINTING = {
    model.name: model
    for model in (
        CheckpointModel("llama3-8b", "llama_8b", 32, 4096, 14336, 32, 8, 1, 1, 3, 8, 104.70452117919922, 104.7),
        CheckpointModel("llama3-70b", "llama_70b", 80, 8192, 28672, 128, 8, 8, 1, 3, 64, 911.212, 113.9),
        CheckpointModel("llama3-405b", "llama_405b", 126, 16384, 53248, 128, 8, 8, 32, 1, 512, 5288.0, 94.0),
        CheckpointModel("llama3-1t", "llama_1t", 128, 25872, 98304, 192, 32, 8, 64, 1, 1024, 17997.0, 161.0),
    )
}
