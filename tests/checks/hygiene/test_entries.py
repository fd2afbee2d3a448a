"""Links, submodules, sizes, leftovers and placeholders; each entry seen once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from checks.api import Options, check_change, check_tree
from checks.engine import Engine
from checks.entries import Entries, Owner
from checks.findings import Level
from checks.memory_tree import MemoryTree
from checks.rule_sets import rule_set
from checks.session import Session
from checks.tree import DEFAULT_LIMITS, Limits
from tests.checks.hygiene_trees import RUN, SYSTEM, SYSTEMS, Git, of, small
from tests.checks.support import found, places
from tests.github.gitrepo import SUBMODULE, SYMLINK, Entry
from tests.trees.storage_whole import valid_tree

MIB = 1024 * 1024
POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"a" * 64 + b"\nsize 91234\n"


class Sized(MemoryTree):
    """A tree whose files have the sizes that the test says; None for contents that are not here."""

    def __init__(self, files: Any, sizes: dict[str, int | None], limits: Limits = DEFAULT_LIMITS) -> None:
        super().__init__(files, limits)
        self.sizes = sizes

    def size(self, path: str) -> int | None:
        return self.sizes.get(path, super().size(path))


def test_links_and_submodules_are_told_and_never_followed(tmp_path: Path) -> None:
    git = Git(tmp_path)
    commit = git.commit(
        {
            **small().files,
            f"{RUN}/summary.json": Entry(b"/etc/passwd", SYMLINK),
            f"{SYSTEMS}/S1.md": Entry(b"../../..", SYMLINK),
            "closed/Acme/results/S2": Entry(b"1" * 40, SUBMODULE),
            "code-images/x": Entry(b"2" * 40, SUBMODULE),
            ".gitmodules": b'[submodule "x"]\n\tpath = code-images/x\n\turl = -u./payload\n',
        }
    )
    report = git.report(commit)
    findings = of(report, "input.symlink", "input.submodule")
    assert [(item.rule, item.path, item.level, item.scope) for item in findings] == [
        ("input.symlink", f"{RUN}/summary.json", Level.ERROR, SYSTEM),
        ("input.submodule", "closed/Acme/results/S2", Level.ERROR, "closed/Acme"),
        ("input.symlink", f"{SYSTEMS}/S1.md", Level.ERROR, "closed/Acme"),
        ("input.submodule", "code-images/x", Level.ERROR, "."),
    ]


def test_many_links_are_told_one_by_one_only_so_far(tmp_path: Path) -> None:
    git = Git(tmp_path)
    links = {f"{RUN}/link{number:02d}": Entry(b"x", SYMLINK) for number in range(25)}
    findings = of(git.report(git.commit({**small().files, **links})), "input.symlink")
    assert len(findings) == 11
    assert [item.path for item in findings if item.path == SYSTEM] == [SYSTEM]
    assert "The same holds for 15 more" in next(item.message for item in findings if item.path == SYSTEM)


@pytest.mark.parametrize(
    ("size", "words"),
    [
        (50 * MIB - 1, None),
        (50 * MIB, "The file has 50.0 MiB; GitHub warns of it (from 50 MiB)."),
        (100 * MIB, "The file has 100.0 MiB; GitHub warns of it (from 50 MiB)."),
        (100 * MIB + 1, "The file has 100.0 MiB; GitHub refuses it (limit 100 MiB)."),
    ],
)
def test_file_sizes(size: int, words: str | None) -> None:
    report = check_tree(Sized(small().files, {f"{RUN}/dlio.log": size}))
    findings = of(report, "hygiene.file-size")
    assert [item.message for item in findings] == ([] if words is None else [words])
    assert all(item.path == f"{RUN}/dlio.log" and item.level is Level.WARNING for item in findings)


def test_leftovers_outside_what_a_rule_exempts() -> None:
    tree = small()
    for path in (f"{RUN}/__pycache__/a.pyc", f"{RUN}/x.py~", f"{SYSTEM}/.DS_Store", f"{SYSTEMS}/.DS_Store"):
        tree.put(path, "x")
    (finding,) = found(tree, "hygiene.junk")
    assert (finding.scope, finding.level) == (SYSTEM, Level.NOTICE)
    assert finding.message.startswith("3 leftovers of an editor, interpreter or desktop:")
    assert found(small(), "hygiene.junk") == []


@pytest.mark.parametrize("name", ["0_output.json", "README.md"])
def test_placeholders_of_files_that_no_rule_reads(name: str) -> None:
    tree = small()
    tree.put(f"{RUN}/{name}", POINTER)
    assert places(found(tree, "input.lfs-pointer")) == [("input.lfs-pointer", "error", f"{RUN}/{name}", 1)]
    tree.put(f"{RUN}/{name}", "PRUNED BY STAFF\n")
    assert places(found(tree, "input.pruned")) == [("input.pruned", "warning", f"{RUN}/{name}", 1)]
    tree.put(f"{RUN}/{name}", "PRUNED BY STAFF?\n")
    assert found(tree, "input.pruned") == []


def test_a_pointer_that_a_rule_reads_is_told_once() -> None:
    tree = valid_tree("v3", divisions=("closed",), workloads=("unet3d",))
    path = tree.find("*/single/training/unet3d/run/*/summary.json")[0]
    tree.put(path, POINTER)
    (finding,) = [item for item in found(tree, "input.lfs-pointer") if item.path == path]
    assert finding.count == 1
    assert not [item for item in found(tree, "input.json") if item.path == path]


def test_every_entry_of_a_tree_belongs_to_one_owner() -> None:
    tree = valid_tree("v3", workloads=("unet3d", "DISKANN"))
    tree.put("notes/deep/er.txt", "x")
    tree.put("closed/Acme/extra/file.txt", "x")
    tree.put("closed/loose.txt", "x")
    assert _seen(tree.files) == sorted(tree.files)


def test_every_entry_of_the_documents_shape_belongs_to_one_owner() -> None:
    tree = valid_tree("document", workloads=("unet3d", "kv_cache"))
    assert _seen(tree.files) == sorted(tree.files)


def _seen(files: dict[str, bytes]) -> list[str]:
    """The files that the entries of all owners hold, repeated as often as they are seen."""
    memory = MemoryTree(files)
    rules = rule_set("storage")
    session = Session(memory, rules.edition(None))
    layout = rules.layout(session)
    scopes = layout.scopes()
    Engine(rules.book, layout, session, {}).plan(scopes)
    units = [*layout.shared_units(scopes), *(unit for scope in scopes for unit in layout.units(scope))]
    owned = [path for unit in units if isinstance(unit, Owner) for path, _ in Entries.of(unit, session)]
    return sorted(path for path in owned if memory.is_file(path))


def test_nothing_outside_the_checked_scopes_is_walked(tmp_path: Path) -> None:
    git = Git(tmp_path)
    tree = valid_tree("v3", divisions=("closed",), workloads=("unet3d",), submitter="Other")
    tree.put("notes/deep/er.txt", "x")
    base = git.commit({**tree.files, **small().files})
    head = git.commit({f"{RUN}/dlio.log": b"changed\n"}, base=base)
    after = git.tree(head)
    check_change(git.tree(base), after, Options(rules="storage"))
    walked = {path for path in after._listings if path.startswith(("notes/", "closed/Other/results/"))}
    assert not walked


def test_a_tree_over_the_limit_is_told_with_limit_and_hint() -> None:
    files = {**small().files, **{f"{RUN}/many/{number}": b"" for number in range(50)}}
    report = check_tree(MemoryTree(files, Limits(entries=40)), Options(rules="storage"))
    (finding,) = of(report, "input.too-large")
    assert (finding.path, finding.level) == (SYSTEM, Level.ERROR)
    assert "more than 40 entries, at most 40 are read" in finding.message
    assert finding.hint == "Take out what was committed by mistake; what lies beyond the limit was not looked at."
    deep = {**small().files, f"{RUN}/{'a/' * 30}x": b""}
    report = check_tree(MemoryTree(deep, Limits(depth=20)), Options(rules="storage"))
    assert "levels of folders" in of(report, "input.too-large")[0].message


def test_what_past_rounds_met_is_told_from_entries_alone() -> None:
    """S-21: a large file, a blank in a name, a compiled file and a link, each once and at its place."""
    tree = small()
    tree.put(f"{RUN}/big.bin", "x")
    tree.put(f"{RUN}/my file.txt", "x")
    tree.put(f"{RUN}/__pycache__/a.pyc", "x")
    report = check_tree(Sized(tree.files, {f"{RUN}/big.bin": 60 * MIB}))
    findings = of(report, "hygiene.file-size", "input.name", "hygiene.junk")
    assert {(item.rule, item.path) for item in findings} == {
        ("hygiene.file-size", f"{RUN}/big.bin"),
        ("input.name", f"{RUN}/my file.txt"),
        ("hygiene.junk", f"{RUN}/__pycache__"),
    }
