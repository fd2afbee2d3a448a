"""Whatever stands in a document, sections 3 and 4 give findings or pass; they never fail themselves."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from checks.findings import Level
from tests.checks.support import checked
from tests.trees.storage_asserts import system
from tests.trees.storage_bench import Shape
from tests.trees.storage_files import FileTree
from tests.trees.storage_hosts import Hosts
from tests.trees.storage_models import CHECKPOINTING
from tests.trees.storage_whole import TRAINING_NAMES, valid_tree

DOCUMENTS = ("summary.json", "metadata.json", "fs_separation.json", "0_per_epoch_stats.json", "config.yaml", "S1.yaml")
VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 2),
    st.sampled_from(
        [10**30, 10**400, 1e308, 5e-324, -0.5, "7", "-7.5", "1e400", "2026-07-06T08:00:00+02:00", "a:4,b:4"]
    ),
    st.text(max_size=4),
    st.sampled_from([[], {}, [None], {"a": [1]}, ["x=1", 2]]),
)


@cache
def valid() -> FileTree:
    """One system of two hosts with training and a failover."""
    site = system("v3", hosts=Hosts(2), remap_seconds=15)
    site.training("unet3d", accelerators=8)
    site.checkpointing(invocations=2)
    return site.bench.tree.copy()


def read(content: bytes, path: str) -> Any:
    return json.loads(content) if path.endswith(".json") else yaml.safe_load(content)


def written(value: Any, path: str) -> bytes:
    return (json.dumps(value) if path.endswith(".json") else yaml.safe_dump(value)).encode("utf-8", "surrogatepass")


@st.composite
def corruptions(draw: st.DrawFn) -> tuple[str, bytes]:
    """A document's path and its content with one value somewhere replaced or taken away."""
    path = draw(st.sampled_from([path for path in valid().files if path.endswith(DOCUMENTS)]))
    document = read(valid().files[path], path)
    holder: list[Any] = [document]
    parent: Any = holder
    key: Any = 0
    place: Any = document
    while isinstance(place, dict | list) and place and draw(st.integers(0, 7)):
        parent = place
        key = draw(st.sampled_from(list(place) if isinstance(place, dict) else range(len(place))))
        place = place[key]
    if isinstance(parent, dict) and draw(st.booleans()):
        del parent[key]
    else:
        parent[key] = draw(VALUES)
    return path, written(holder[0], path)


@settings(max_examples=60)
@given(corruptions(), st.sampled_from(["2.0", "3.0"]))
def test_one_wrong_value_gives_findings_or_a_pass(corruption: tuple[str, bytes], edition: str) -> None:
    path, content = corruption
    report = checked({**valid().files, path: content}, edition)
    assert report.faults == ()


@settings(max_examples=20)
@given(st.sampled_from(DOCUMENTS), st.binary(max_size=40))
def test_any_bytes_in_place_of_a_document(name: str, content: bytes) -> None:
    files = {path: content if path.endswith(name) else kept for path, kept in valid().files.items()}
    assert checked(files).faults == ()


@pytest.mark.parametrize("shape", ["document", "v3"])
@pytest.mark.parametrize("edition", ["2.0", "3.0"])
def test_every_valid_workload_of_both_divisions_passes(shape: Shape, edition: str) -> None:
    tree = valid_tree(shape, workloads=(*TRAINING_NAMES, *CHECKPOINTING))
    report = checked(tree, edition)
    told = [item for item in report.findings if item.rule.startswith(("3.", "4.")) and item.rule != "3.6.1"]
    assert [item for item in told if item.level is not Level.NOTICE] == []
    assert not [item for item in report.not_run if item.rule.startswith(("3.", "4."))]
