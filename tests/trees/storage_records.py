"""The files that every invocation leaves: metadata, DLIO configuration, rank files, logs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import yaml

from tests.trees.storage_bench import RESULTS_DIR, Bench, Leaf
from tests.trees.storage_files import Json

TOOL = "/opt/mlpstorage"
MAX_RANK_FILES = 8
"""Rank files written per leaf: the rules want at least one, a real 1T run would leave 2,048."""


@dataclass
class Invocation:
    """One call of the tool: what its metadata file says beyond the common part."""

    benchmark: str
    model: str
    command: str
    args: Json
    processes: int | None = None
    accelerator: str | None = None
    parameters: Json = field(default_factory=dict)
    overrides: Json = field(default_factory=dict)
    commands: Sequence[tuple[str, str]] = ()
    """Pairs of the command line and the stem of its two log files."""
    inventory: bool = True
    timeseries: bool = True
    extras: Json = field(default_factory=dict)


def put_metadata(bench: Bench, leaf: Leaf, call: Invocation) -> str:
    """Write `<type>_<timestamp>_metadata.json` with the keys of the published files, in their order."""
    ran = bool(call.commands)
    measured = ran and call.inventory
    record: Json = {
        "benchmark_type": leaf.kind,
        "model": call.model,
        "command": call.command,
        "run_datetime": leaf.stamp,
        "num_processes": call.processes,
        "accelerator": call.accelerator,
        "result_dir": f"{RESULTS_DIR}/{leaf.path}",
        "parameters": call.parameters,
        "override_parameters": call.overrides,
        "system_info": bench.hosts.inventory(leaf.invoked) if call.inventory else None,
        **(_snapshots(bench, leaf) if measured else {}),
        **(_timeseries(bench, leaf) if measured and call.timeseries else {}),
        "runtime": (leaf.left - leaf.invoked).total_seconds(),
        "invocation_start_time": leaf.invoked.isoformat(timespec="microseconds"),
        "invocation_end_time": leaf.left.isoformat(timespec="microseconds"),
        "verification": bench.division.upper() if measured else None,
        "executed_command": call.commands[0][0] if ran else None,
        "command_output_files": [_outputs(leaf, command, stem) for command, stem in call.commands],
        "args": _args(bench, call),
        **call.extras,
    }
    if call.inventory and not bench.literal and leaf.kind != "vector_database":
        bench.tree.put_json(leaf.file("collector-staging/cluster_info.json"), record["system_info"])
    return bench.tree.put_json(leaf.metadata, record)


def put_dlio_config(bench: Bench, leaf: Leaf, workload: str, call: Invocation) -> None:
    """Write `dlio_config/{config,hydra,overrides}.yaml` (2.1.15, 2.1.20, 2.1.26)."""
    overrides = [f"workload={workload}", *override_arguments(call.overrides)]
    hydra = {"run": {"dir": f"{RESULTS_DIR}/{leaf.path}"}, "job": {"name": "main"}, "output_subdir": "dlio_config"}
    bench.tree.put_yaml(leaf.file("dlio_config/config.yaml"), {"workload": typed(call.parameters)})
    bench.tree.put_yaml(leaf.file("dlio_config/hydra.yaml"), {"hydra": hydra})
    bench.tree.put_yaml(leaf.file("dlio_config/overrides.yaml"), overrides)


def put_rank_files(bench: Bench, leaf: Leaf, ranks: int, epochs: Json) -> None:
    """Write `<rank>_output.json` and `<rank>_per_epoch_stats.json`; every rank saw the same `epochs`."""
    fields = bench.hosts.summary_fields()
    output: Json = {key: value[0] if isinstance(value, list) else value for key, value in fields.items()}
    for number, epoch in epochs.items():
        output[number] = {"load": {}, "proc": {}, "throughput": {}, "au": {}, "compute": {}} | _bounds(epoch)
    for rank in range(min(ranks, MAX_RANK_FILES)):
        host = bench.hosts.names[rank * bench.hosts.count // ranks]
        bench.tree.put_json(leaf.file(f"{rank}_output.json"), output | {"hostname": host})
        bench.tree.put_json(leaf.file(f"{rank}_per_epoch_stats.json"), epochs)


def put_logs(bench: Bench, leaf: Leaf, stem: str, stdout: str, stderr: str) -> None:
    """Write the two logs of a command."""
    bench.tree.put(leaf.file(f"{stem}.stdout.log"), stdout)
    bench.tree.put(leaf.file(f"{stem}.stderr.log"), stderr)


def dlio_command(bench: Bench, leaf: Leaf, workload: str, processes: int, overrides: Mapping[str, str]) -> str:
    """The `mpirun` line that the tool builds for DLIO."""
    slots = ",".join(bench.hosts.slots(processes))
    return " ".join(
        [
            f"mpirun -n {processes} -host {slots} --bind-to none --map-by socket",
            f"{TOOL}/.venv/bin/dlio_benchmark workload={workload}",
            f"++hydra.run.dir={RESULTS_DIR}/{leaf.path} ++hydra.output_subdir=dlio_config",
            *override_arguments(overrides),
            f"--config-dir={TOOL}/configs/dlio",
        ]
    )


def override_arguments(overrides: Mapping[str, Any]) -> list[str]:
    return [f"++workload.{key}={value}" for key, value in overrides.items()]


def with_overrides(template: Json, overrides: Mapping[str, Any]) -> Json:
    """The `parameters` block: the template of the workload with dotted overrides laid over it, types as given."""
    parameters = deepcopy(template)
    for key, value in overrides.items():
        *parents, last = key.split(".")
        block = parameters
        for part in parents:
            block = block.setdefault(part, {})
        block[last] = value
    return parameters


def typed(value: Any) -> Any:
    """Strings of the command line as the YAML scalars that DLIO makes of them."""
    if isinstance(value, dict):
        return {key: typed(item) for key, item in value.items()}
    return yaml.safe_load(value) if isinstance(value, str) and value else value


def iso(moment: datetime) -> str:
    """A local time as DLIO writes it."""
    return moment.isoformat(timespec="microseconds")


def _snapshots(bench: Bench, leaf: Leaf) -> Json:
    snapshots = {
        "start": bench.hosts.inventory(leaf.invoked),
        "end": bench.hosts.inventory(leaf.left),
        "collection_method": "mpi",
    }
    return {"cluster_snapshots": snapshots}


def _timeseries(bench: Bench, leaf: Leaf) -> Json:
    """Write an empty series beside the metadata and return what the metadata says about it."""
    name = f"{leaf.kind}_{leaf.stamp}_timeseries.json"
    bench.tree.put_json(leaf.file(name), {"interval_seconds": 10.0, "num_samples": 0, "samples": []})
    record = {"num_samples": 0, "interval_seconds": 10.0, "hosts_collected": bench.hosts.addresses}
    return {"timeseries_data": {"file": name, **record}}


def _outputs(leaf: Leaf, command: str, stem: str) -> Json:
    base = f"{RESULTS_DIR}/{leaf.path}/{stem}"
    return {"command": command, "stdout": f"{base}.stdout.log", "stderr": f"{base}.stderr.log"}


def _args(bench: Bench, call: Invocation) -> Json:
    common: Json = {
        "mode": bench.division,
        "benchmark": call.benchmark,
        "model": call.model,
        "command": call.command,
        "hosts": bench.hosts.addresses,
        "num_processes": call.processes,
        "exec_type": "mpi",
        "mpi_bin": "mpirun",
        "oversubscribe": False,
        "allow_run_as_root": False,
        "mpi_btl": "auto",
        "mpi_params": None,
        "results_dir": RESULTS_DIR,
        "systemname": bench.system,
        "config_file": None,
        "debug": False,
        "dry_run": False,
        "skip_validation": False,
        "data_access_protocol": bench.api,
        "loops": 1,
        "params": None,
        "allow_invalid_params": False,
        "orgname": bench.org,
        "num_client_hosts": bench.hosts.count,
        "_validated_orgname": bench.org,
        "_validated_pool_hash": bench.image.hash,
    }
    return common | call.args


def _bounds(epoch: Json) -> Json:
    return {key: epoch[key] for key in ("start", "end")}
