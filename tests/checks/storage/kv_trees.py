"""A KV-cache workload to break, and edits of its recorded commands."""

from __future__ import annotations

from tests.trees.storage import StorageTree
from tests.trees.storage_bench import Api, Shape
from tests.trees.storage_files import FileTree
from tests.trees.storage_hosts import Hosts
from tests.trees.storage_kvcache import KvCache


def built(
    division: str = "closed", hosts: int = 1, ranks: int | None = None, shape: Shape = "v3", api: Api = "file"
) -> tuple[StorageTree, KvCache]:
    """A valid workload with `ranks` clients over `hosts` hosts."""
    tree = StorageTree(shape)
    system = tree.submitter("Acme", division).system("S1", Hosts(hosts), api)
    return tree, system.kv_cache(ranks=ranks)


def edit_commands(
    tree: FileTree, kv: KvCache, old: str, new: str, *, option: int | None = None, trial: int | None = None
) -> int:
    """Replace `old` in the recorded commands (of one option or trial); returns the line of the first one changed."""
    record = tree.json(kv.run.metadata)
    first = None
    for number, output in enumerate(record["command_output_files"]):
        place = f"/option_{option or number // 3 + 1}/trial_{number % 3 if trial is None else trial} "
        if place in output["command"]:
            assert old in output["command"]
            output["command"] = output["command"].replace(old, new)
            first = number if first is None else first
    assert first is not None
    tree.put_json(kv.run.metadata, record)
    return command_line(tree, kv, first)


def command_line(tree: FileTree, kv: KvCache, number: int) -> int:
    """The line of the metadata file that holds the recorded command `number` (from 0)."""
    return lines(tree, kv.run.metadata, '"command": "mpirun')[number]


def lines(tree: FileTree, path: str, text: str) -> list[int]:
    """The lines of a file that hold `text`."""
    return [number for number, line in enumerate(tree.files[path].decode().splitlines(), 1) if text in line]
