"""Seeded mutations of a valid submission: one thing broken (or nearly) in one file, in one point or in all of them."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from typing import Any

import yaml

from tests.trees.endpoints import EndpointsTree
from tests.trees.endpoints_power import PowerShape
from tests.trees.storage_files import GONE, FileTree

SUBMISSION = "acme_corp/sub-0001"
CURVE = f"{SUBMISSION}/results/sys_000/llama3_1-8b"
FILES = ("point.yaml", "system_desc.json", "result_summary.json", "accuracy_results.json")


def valid(shape: PowerShape) -> EndpointsTree:
    """A submission of one curve that both judges pass."""
    tree = EndpointsTree()
    tree.submission().system("sys_000", shape=shape).curve("llama3_1-8b", offline="elected")
    return tree


def mutations(shape: PowerShape, number: int, seed: int) -> Iterator[tuple[str, FileTree]]:
    """`number` broken trees, each with a line that says what was done."""
    chance = random.Random(seed)
    base = valid(shape)
    for _ in range(number):
        tree = base.copy()
        change = chance.choices(_CHANGES, weights=_WEIGHTS)[0]
        yield change(tree, chance), tree


def _value_of_a_point(tree: FileTree, chance: random.Random) -> str:
    name = chance.choice(FILES)
    return _edit(tree, [chance.choice(_copies(tree, name))], chance)


def _value_of_every_point(tree: FileTree, chance: random.Random) -> str:
    return _edit(tree, _copies(tree, chance.choice(FILES)), chance)


def _value_of_the_descriptor(tree: FileTree, chance: random.Random) -> str:
    return _edit(tree, tree.find("*/system_power.json"), chance)


def _copies(tree: FileTree, name: str) -> list[str]:
    return tree.find(f"{CURVE}/*/{name}")


def _edit(tree: FileTree, paths: list[str], chance: random.Random) -> str:
    """The same change of one value in each of the files."""
    first = yaml.safe_load(tree.files[paths[0]])
    pointer, old = chance.choice(list(_values(first)))
    new = chance.choice(_others(old))
    for path in paths:
        edit = tree.edit_yaml if path.endswith(".yaml") else tree.edit_json
        edit(path, {pointer: new})
    shown = "taken away" if new is GONE else f"-> {new!r}"
    return f"{paths[0].removeprefix(SUBMISSION + '/')} ({len(paths)}): {pointer} {old!r} {shown}"


def _values(value: Any, pointer: str = "") -> Iterator[tuple[str, Any]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        place = f"{pointer}/{str(key).replace('~', '~0').replace('/', '~1')}"
        yield place, inner
        yield from _values(inner, place)


def _others(old: Any) -> list[Any]:
    """What may stand in place of a value: nothing, another type, another size."""
    always = [GONE, None, "", [], {}, "text", -1, 0, True]
    if isinstance(old, bool):
        return [GONE, None, not old, str(old)]
    if isinstance(old, int | float):
        return [*always, old + 1, old - 1, old * 2, old / 2, old * 1.005, old * 1.02, old * 0.98, str(old), -old]
    if isinstance(old, str):
        return [*always, f"{old} ", old.upper(), old[:-1], f"{old}x"]
    return always


def _file_gone(tree: FileTree, chance: random.Random) -> str:
    path = chance.choice(sorted(tree.files))
    tree.remove(path)
    return f"{path} removed"


def _point_gone(tree: FileTree, chance: random.Random) -> str:
    point = chance.choice(_points(tree))
    tree.remove(point)
    return f"{point} removed"


def _point_renamed(tree: FileTree, chance: random.Random) -> str:
    point = chance.choice(_points(tree))
    name = chance.choice(["r33", "r1100", "r1101", "r0", "point", "r0512", "R16"])
    tree.rename(point, f"{CURVE}/{name}")
    return f"{point} renamed to {name}"


def _point_moved(tree: FileTree, chance: random.Random) -> str:
    """Another concurrency, in the folder's name and in point.yaml."""
    point = chance.choice(_points(tree))
    concurrency = chance.choice([1, 8, 32, 33, 115, 116, 999, 1100, 1101, 0])
    if f"{CURVE}/r{concurrency}" not in _points(tree):
        tree.edit_yaml(f"{point}/point.yaml", {"/concurrency": concurrency})
        tree.rename(point, f"{CURVE}/r{concurrency}")
    return f"{point} moved to concurrency {concurrency}"


def _points(tree: FileTree) -> list[str]:
    return [path.rpartition("/")[0] for path in _copies(tree, "point.yaml")]


def _file_spoiled(tree: FileTree, chance: random.Random) -> str:
    path = chance.choice([path for path in sorted(tree.files) if path.endswith((".json", ".yaml"))])
    content = tree.files[path]
    spoiled = chance.choice(
        [b"", b"[]", b"null", b"7", content[: len(content) // 2], content + b"}", b"\xff" + content]
    )
    tree.put(path, spoiled)
    return f"{path} spoiled: {spoiled[:12]!r}"


def _file_copied(tree: FileTree, chance: random.Random) -> str:
    """A file of one point in the place of another's."""
    name = chance.choice(FILES)
    source, target = chance.sample(_copies(tree, name), 2)
    tree.put(target, tree.files[source])
    return f"{source} copied to {target}"


def _number_spoiled(tree: FileTree, chance: random.Random) -> str:
    """NaN, Infinity and a number beyond a double in place of a number of a JSON file."""
    path = chance.choice([path for path in sorted(tree.files) if path.endswith(".json")])
    text = tree.files[path].decode()
    numbers = [(pointer, old) for pointer, old in _values(json.loads(text)) if type(old) in (int, float)]
    if not numbers:
        return f"{path} unchanged"
    pointer, _ = chance.choice(numbers)
    tree.edit_json(path, {pointer: "@"})
    word = chance.choice(["NaN", "Infinity", "-Infinity", "1e999", "-1e999"])
    tree.put(path, tree.files[path].replace(b'"@"', word.encode()))
    return f"{path}: {pointer} -> {word}"


_CHANGES: list[Callable[[FileTree, random.Random], str]] = [
    _value_of_a_point,
    _value_of_every_point,
    _value_of_the_descriptor,
    _file_gone,
    _point_gone,
    _point_renamed,
    _point_moved,
    _file_spoiled,
    _file_copied,
    _number_spoiled,
]
_WEIGHTS = [33, 25, 15, 8, 2, 3, 5, 5, 4, 4]
