"""Whole valid trees: every workload in one call, a single submitter's package, and very many systems."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from tests.trees.storage import StorageTree, Submitter, System
from tests.trees.storage_bench import FIRST_RUN, Api, Shape
from tests.trees.storage_code import SOURCE, CodeLayout
from tests.trees.storage_files import FileTree
from tests.trees.storage_hosts import Hosts
from tests.trees.storage_models import CHECKPOINTING
from tests.trees.storage_system import Deployment

TRAINING_NAMES = ("unet3d", "retinanet")
INDEXES = ("DISKANN", "HNSW", "AISAQ")
WORKLOADS = (*TRAINING_NAMES, *CHECKPOINTING, *INDEXES, "kv_cache")
DIVISIONS = ("closed", "open")
SECOND_SOURCE = {**SOURCE, "mlpstorage_py/main.py": b"def main() -> int:\n    return 1\n"}


@dataclass(frozen=True)
class Plan:
    """One system of the whole tree and what it runs."""

    name: str
    workloads: tuple[str, ...]
    hosts: int = 1
    api: Api = "file"
    deployment: Deployment = "onprem"
    remap_seconds: int = 0
    ranks_per_host: int = 1


PLANS = (
    Plan("single", ("unet3d", "retinanet", "llama3-8b", *INDEXES, "kv_cache"), ranks_per_host=4),
    Plan("cluster8", ("unet3d", "llama3-70b", "kv_cache"), hosts=8, deployment="cloud"),
    Plan("cluster32", ("llama3-405b",), hosts=32),
    Plan("cluster64", ("llama3-1t",), hosts=64),
    Plan("object", ("unet3d", "DISKANN"), api="object"),
    Plan("failover", ("llama3-8b",), remap_seconds=15),
)


def valid_tree(
    shape: Shape = "document",
    *,
    code: CodeLayout | None = None,
    divisions: Sequence[str] = DIVISIONS,
    workloads: Collection[str] = WORKLOADS,
    submitter: str = "Acme",
) -> StorageTree:
    """A tree with the chosen workloads on the systems of `PLANS` that run any of them, the same in each division."""
    tree = StorageTree(shape, code)
    for division in divisions:
        for plan in PLANS:
            chosen = [name for name in plan.workloads if name in workloads]
            if chosen:
                _carry_out(plan, chosen, tree.submitter(submitter, division))
    return tree


def package(submitter: str = "Acme", division: str = "closed", shape: Shape = "document") -> FileTree:
    """One submitter's package before the merge: a root folder of the submitter's name that holds the division."""
    whole = valid_tree(shape, divisions=(division,), workloads=("unet3d", "llama3-8b"), submitter=submitter)
    return whole.under(submitter)


def many_systems(
    submitters: int, systems_each: int, *, shape: Shape = "v3", bulky: bool = False
) -> Iterator[tuple[str, bytes]]:
    """Files of `submitters` times `systems_each` CLOSED systems (training and checkpointing, about 160 files each).

    One system is built; the others carry other names and dates of the same length, so that their summaries and
    metadata are blobs of their own and only one system is held in memory. `bulky`: metadata files of about 150 KB.
    """
    org, name = "Org0000", "sys00000"
    tree = StorageTree(shape)
    system = tree.submitter(org).system(name, Hosts(bulky=bulky))
    system.training("unet3d")
    system.checkpointing("llama3-8b")
    own = [path for path in tree.files if name in path]
    shared = [path for path in tree.files if name not in path]
    for number in range(submitters):
        label = f"Org{number:04d}"
        yield from ((path.replace(org, label), tree.files[path]) for path in shared)
        for count in range(systems_each):
            day = FIRST_RUN - timedelta(days=number * systems_each + count)
            names = {org: label, name: f"sys{count:05d}", **_dates(day)}
            yield from ((_renamed(path.encode(), names).decode(), _renamed(tree.files[path], names)) for path in own)


def _carry_out(plan: Plan, chosen: list[str], submitter: Submitter) -> None:
    pooled = submitter.tree.code != "folders"
    system = submitter.system(
        plan.name,
        Hosts(plan.hosts),
        plan.api,
        deployment=plan.deployment,
        remap_seconds=plan.remap_seconds,
        source=SECOND_SOURCE if pooled and plan.remap_seconds else None,
    )
    for workload in chosen:
        _run(plan, workload, system)


def _run(plan: Plan, workload: str, system: System) -> None:
    if workload in TRAINING_NAMES:
        system.training(workload)
    elif workload in CHECKPOINTING:
        system.checkpointing(workload, invocations=2 if plan.remap_seconds else 1)
    elif workload in INDEXES:
        system.vector_database(workload)
    else:
        system.kv_cache(ranks=plan.hosts * plan.ranks_per_host)


def _dates(day: datetime) -> dict[str, str]:
    """The first run's date as folders and as JSON write it, and `day` in the same forms."""
    return {f"{FIRST_RUN:{form}}": f"{day:{form}}" for form in ("%Y%m%d_", "%Y-%m-%dT")}


def _renamed(content: bytes, names: dict[str, str]) -> bytes:
    for old, new in names.items():
        content = content.replace(old.encode(), new.encode())
    return content
