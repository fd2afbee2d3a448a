"""Several processes say exactly what one says, also of what scopes share and of files that cannot be read."""

from __future__ import annotations

import gc
from pathlib import Path

from checks.api import Options, check_tree
from checks.findings import Report
from checks.formats import RENDERERS
from checks.tree import FolderTree
from tests.trees.endpoints import EndpointsTree


def reports(folder: Path) -> tuple[Report, Report]:
    """The reports of one process and of two."""
    alone, shared = (check_tree(FolderTree(folder), Options(rules="endpoints", jobs=jobs)) for jobs in (1, 2))
    return alone, shared


def several_systems() -> EndpointsTree:
    tree = EndpointsTree()
    submission = tree.submission()
    for number in range(3):
        submission.system(f"sys_{number:03}").curve(concurrencies=(16, 20, 88))
    return tree


def test_two_processes_find_what_one_finds(tmp_path: Path) -> None:
    tree = several_systems()
    (unreadable, twice, other_seeds) = (
        f"acme_corp/sub-0001/results/sys_{number:03}/llama3_1-8b/r88/point.yaml" for number in range(3)
    )
    tree.put(unreadable, b"a: [")
    tree.put(twice, tree.files[twice] + b"concurrency: 88\n")
    tree.edit_yaml(other_seeds, {"/seed_set": "B"})
    alone, shared = reports(tree.write(tmp_path))
    assert {"input.yaml", "input.duplicate-key", "seed-set-consistency"} <= {item.rule for item in alone.findings}
    assert RENDERERS["json"](shared) == RENDERERS["json"](alone)
    assert shared == alone


def test_the_collector_is_left_as_it_was(tmp_path: Path) -> None:
    before = gc.get_threshold()
    reports(several_systems().write(tmp_path))
    assert gc.get_threshold() == before
