"""The public checker as second judge: where it fails, we never pass, but for a list of differences with reasons."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from checks.findings import Verdict
from tests.checks.endpoints.peer import INTERPRETERS, Errors, Peer
from tests.checks.endpoints.peer_mutations import SUBMISSION, mutations, valid
from tests.checks.support import checked
from tests.trees.endpoints_power import PowerShape
from tests.trees.storage_files import FileTree

SHAPES: dict[str, PowerShape] = {"1.1.0.0": "checker", "1.5.3.0": "appendix_e"}
"""Each version reads one shape of system_power.json: 1.1.0.0 the documents' own, 1.5.3.0 that of Appendix E."""

NUMBER, SEED = 400, 20261130


@dataclass(frozen=True)
class Case:
    """One mutation with both answers; ``peer`` is None where the public checker broke down."""

    done: str
    ours: Verdict
    peer: Errors | None


def peer_of(version: str) -> Peer:
    peer = Peer.found(version)
    if peer is None:
        pytest.skip(f"the second judge is absent: {INTERPRETERS[version]} names no interpreter that has {version}")
    assert peer.installed == version
    return peer


def differences(version: str) -> list[dict[str, Any]]:
    listed: dict[str, list[dict[str, Any]]] = yaml.safe_load(
        Path(__file__).with_name("data").joinpath("peer_differences.yaml").read_text("utf-8")
    )
    assert all(item["reason"] for item in listed[version])
    return listed[version]


def is_listed(error: tuple[str, str], listed: list[dict[str, Any]]) -> bool:
    rule, message = error
    return any(item["rule"] == rule and re.search(item.get("message", ""), message) for item in listed)


@cache
def cases(peer: Peer, folder: Path) -> list[Case]:
    """Every mutation, judged by both."""
    made = list(mutations(SHAPES[peer.version], NUMBER, SEED))
    written = [_written(tree, folder / str(index)) for index, (_, tree) in enumerate(made)]
    ours = [checked(tree, rules="endpoints") for _, tree in made]
    assert not [report.faults for report in ours if report.faults]
    answers = zip(made, ours, peer.judged(written), strict=True)
    return [Case(done, report.verdict, errors) for (done, _), report, errors in answers]


def _written(tree: FileTree, folder: Path) -> Path:
    tree.write(folder)
    return folder / SUBMISSION


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("mutations")


@pytest.mark.parametrize("version", SHAPES)
def test_both_judges_pass_the_valid_tree(version: str, tmp_path: Path) -> None:
    peer = peer_of(version)
    tree = valid(SHAPES[version])
    assert peer.judged([_written(tree, tmp_path)]) == [[]]
    assert checked(tree, rules="endpoints").verdict is Verdict.PASS


@pytest.mark.slow
@pytest.mark.parametrize("version", SHAPES)
def test_where_the_peer_fails_we_never_pass(version: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    peer = peer_of(version)
    listed = differences(version)
    found = cases(peer, folder / version)
    table = Counter((_word(case.peer), str(case.ours)) for case in found)
    excused: list[Case] = []
    missed: list[Case] = []
    for case in found:
        if case.peer and case.ours is Verdict.PASS:
            is_excused = all(is_listed(error, listed) for error in case.peer)
            (excused if is_excused else missed).append(case)
    with capsys.disabled():
        print(f"\n{_told(version, table, len(excused), len(missed))}")
    assert missed == []


@pytest.mark.parametrize("version", SHAPES)
def test_every_listed_difference_is_one(version: str, tmp_path: Path) -> None:
    """A difference that its example does not show any more has to leave the list."""
    peer = peer_of(version)
    listed = differences(version)
    trees = [_example(valid(SHAPES[version]), **item["example"]) for item in listed]
    answers = peer.judged([_written(tree, tmp_path / str(index)) for index, tree in enumerate(trees)])
    for item, tree, errors in zip(listed, trees, answers, strict=True):
        assert errors
        assert any(is_listed(error, [item]) for error in errors), (item["rule"], errors)
        assert all(is_listed(error, listed) for error in errors), (item["rule"], errors)
        assert checked(tree, rules="endpoints").verdict is Verdict.PASS, item["rule"]


def _example(tree: FileTree, *, copied: str = "", to: list[str] | None = None, **changes: Any) -> FileTree:
    for path in tree.find(copied):
        curve, _, name = path.rsplit("/", 2)
        for point in to or ():
            tree.put(f"{curve}/{point}/{name}", tree.files[path])
    return _changed(tree, **changes)


def _changed(tree: FileTree, files: str = "", pointer: str = "", value: Any = None, removed: str = "") -> FileTree:
    for path in tree.find(files):
        tree.edit_yaml(path, {pointer: value})
    for path in tree.find(removed):
        tree.remove(path)
    return tree


def _word(errors: Errors | None) -> str:
    if errors is None:
        return "broke down"
    return "fail" if errors else "pass"


def _told(version: str, table: Counter[tuple[str, str]], excused: int, missed: int) -> str:
    both = ", ".join(f"peer {peer} / ours {ours}: {number}" for (peer, ours), number in sorted(table.items()))
    failed = sum(number for (peer, _), number in table.items() if peer == "fail")
    caught = table["fail", "fail"]
    rate = f"of {failed} that the peer fails {caught} fail here ({caught / max(failed, 1):.1%})"
    return f"endpoints-submission-cli {version}: {both}; {rate}, {excused} listed differences, {missed} unlisted."
