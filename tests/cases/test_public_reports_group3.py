"""Reports on hostile YAML and JSON (rows L-14, L-16, L-19 of docs/public-reports.md). Costs are counted, not timed."""

from __future__ import annotations

import json
import sys
import tracemalloc
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import pytest

from checks import yaml_text
from checks.findings import Level
from checks.formats import RENDERERS
from tests.checks.hygiene_trees import SYSTEMS
from tests.checks.storage.section_two import Small
from tests.checks.support import checked, found, places
from tests.trees.storage_files import FileTree

MIB = 1024 * 1024
LEVELS = 8
BOMB = "".join(
    f"a{level}: &a{level} [{', '.join(['x'] * 10 if level == 0 else [f'*a{level - 1}'] * 10)}]\n"
    for level in range(LEVELS)
)
"""Ten aliases on each of eight levels: about 450 bytes that stand for a hundred million values."""


@contextmanager
def calls_into(module: Any) -> Iterator[Counter[str]]:
    """Counts the calls of a module's functions by name."""
    counted: Counter[str] = Counter()

    def count(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_code.co_filename == module.__file__:
            counted[frame.f_code.co_name] += 1

    sys.setprofile(count)
    try:
        yield counted
    finally:
        sys.setprofile(None)


def test_l_14_an_alias_bomb_as_description_costs_no_more_than_its_length() -> None:
    tree = FileTree(Small().files)
    tree.put(f"{SYSTEMS}/S1.yaml", BOMB)
    assert len(BOMB) < 500
    with calls_into(yaml_text) as counted:
        tracemalloc.start()
        (finding,) = found(tree, "input.yaml")
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert places([finding])[0][:3] == ("input.yaml", "error", f"{SYSTEMS}/S1.yaml")
    assert finding.line is not None
    assert len(finding.message) < 100
    assert 0 < sum(counted.values()) < 10 * len(BOMB)
    assert peak < 50 * MIB


@pytest.mark.parametrize(
    ("value", "words", "located"),
    [
        ("NaN", "NaN", True),
        ("-Infinity", "Infinity", True),
        ("1e999", "1e999", True),
        ("9" * 5000, "5,000 characters", True),
        ("[" * 100_000 + "]" * 100_000, "nested", False),
    ],
    ids=["nan", "infinity", "exponent", "digits", "nesting"],
)
def test_l_16_what_is_no_number_is_refused_with_its_line_and_never_written(
    value: str, words: str, located: bool
) -> None:
    tree = Small()
    path = tree.training.runs[0].summary
    lines = tree.files[path].decode().splitlines()
    at = next(number for number, line in enumerate(lines) if '"num_accelerators"' in line)
    lines[at] = f'  "num_accelerators": {value},'
    tree.tree.put(path, "\n".join(lines))
    report = checked(tree)
    assert not report.faults
    (finding,) = [item for item in report.findings if item.path == path]
    assert (finding.rule, finding.level, finding.line) == ("input.json", Level.ERROR, at + 1 if located else 1)
    assert words in finding.message
    assert {item.rule for item in report.not_run if item.path == path} >= {"3.3.2"}
    for render in RENDERERS.values():
        assert len(render(report)) < MIB
    strict = json.loads(RENDERERS["json"](report), parse_constant=pytest.fail)
    assert strict["verdict"] == "fail"


def test_l_19_a_reference_inside_a_submission_is_plain_data(monkeypatch: pytest.MonkeyPatch) -> None:
    """Schemas come with the product only: ``$ref`` in a description is a key like any other, and unknown."""
    monkeypatch.setattr("socket.getaddrinfo", lambda *_: pytest.fail("something was looked up on the network"))
    tree = Small("v3")
    text = tree.files[tree.system.yaml].decode()
    tree.tree.put(tree.system.yaml, text + "$ref: http://example.com/schema.json\n")
    findings = [item for item in found(tree, "2.1.7", "3.0") if item.path == tree.system.yaml]
    assert [item.line for item in findings] == [text.count("\n") + 1]
    assert "`$ref`" in findings[0].message
