"""Whatever is wrong with one file of a valid tree, the check gives findings or passes; it never fails itself."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from checks.api import Options, check_tree
from checks.findings import Report
from checks.formats import RENDERERS
from checks.memory_tree import MemoryTree
from tests.checks.corruption import Files, spoiled
from tests.trees.storage import StorageTree
from tests.trees.storage_bench import Shape
from tests.trees.storage_hosts import Hosts

SHAPES: list[tuple[Shape, str]] = [("document", "2.0"), ("v3", "3.0")]
EXAMPLES = 60


@cache
def valid(shape: Shape) -> Files:
    """A system with every benchmark, in CLOSED, and a small one in OPEN."""
    tree = StorageTree(shape)
    system = tree.submitter("Acme").system("S1", Hosts(1))
    system.training("unet3d")
    system.checkpointing("llama3-8b", invocations=2)
    system.vector_database("DISKANN")
    system.kv_cache()
    tree.submitter("Acme", "open").system("S2").checkpointing("llama3-8b")
    return tree.files


def holds_together(report: Report, files: Files) -> None:
    """No own fault; every place named exists; the report can be written."""
    assert report.faults == ()
    tree = MemoryTree(files)
    for finding in report.findings:
        path = "" if finding.path == "." else finding.path
        assert tree.entry(path) is not None or "\\x" in path, finding
        if finding.line is not None:
            assert 1 <= finding.line <= files[path].count(b"\n") + 2, finding
        assert finding.message and finding.level is not None
    for render in RENDERERS.values():
        assert render(report).encode()


@pytest.mark.slow
@pytest.mark.parametrize(("shape", "edition"), SHAPES)
@settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_one_spoilt_file_is_never_a_fault_of_the_checker(shape: Shape, edition: str, data: st.DataObject) -> None:
    _, files = data.draw(spoiled(valid(shape)))
    report = check_tree(MemoryTree(files), Options(rules="storage", edition=edition))
    holds_together(report, files)
