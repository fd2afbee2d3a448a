"""Several processes say exactly what one says, also of what scopes share and of files that cannot be read."""

from __future__ import annotations

import gc
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from checks import parallel
from checks.api import Options, check_tree
from checks.findings import Report
from checks.folder_tree import FolderTree
from checks.formats import RENDERERS
from checks.tree import Entry
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


class RecordedTree(FolderTree):
    """Writes down every file that is read, by whatever process."""

    def _read(self, path: str, entry: Entry, cap: int) -> bytes:
        with (self.folder.parent / "read").open("a") as log:
            log.write(f"{path}\n")
        return super()._read(path, entry, cap)


@pytest.mark.parametrize("jobs", [1, 2])
def test_each_file_is_read_once(tmp_path: Path, jobs: int) -> None:
    folder = several_systems().write(tmp_path / "tree")
    assert check_tree(RecordedTree(folder), Options(rules="endpoints", jobs=jobs)).faults == ()
    read = Counter((tmp_path / "read").read_text().splitlines())
    assert len(read) > 36
    assert {path: count for path, count in read.items() if count > 1} == {}


def test_the_collector_is_left_as_it_was(tmp_path: Path) -> None:
    before = gc.get_threshold()
    reports(several_systems().write(tmp_path))
    assert gc.get_threshold() == before


@pytest.mark.parametrize("threads", ["alone", "beside another thread"])
def test_a_process_with_other_threads_is_not_copied(tmp_path: Path, threads: str) -> None:
    folder = several_systems().write(tmp_path)
    script = (
        "import sys, threading\n"
        "from checks import api, parallel\n"
        "from checks.formats import RENDERERS\n"
        "from checks.folder_tree import FolderTree\n"
        "if __name__ == '__main__':\n"
        "    stop = threading.Event()\n"
        "    if sys.argv[2] != 'alone':\n"
        "        threading.Thread(target=stop.wait).start()\n"
        "    options = [api.Options(rules='endpoints', jobs=jobs) for jobs in (1, 2)]\n"
        "    alone, shared = (RENDERERS['json'](api.check_tree(FolderTree(sys.argv[1]), one)) for one in options)\n"
        "    print(parallel._start_method(), shared == alone)\n"
        "    stop.set()\n"
    )
    place = tmp_path / "check.py"
    place.write_text(script)
    root = Path(__file__).parents[2]
    command = [sys.executable, str(place), str(folder), threads]
    done = subprocess.run(command, cwd=root, env={"PYTHONPATH": str(root)}, capture_output=True, text=True, check=True)
    method = "fork" if threads == "alone" and sys.platform == "linux" else "spawn"
    assert done.stdout.split() == [method, "True"]


@pytest.mark.parametrize("scopes", [0, 1, 7, 15])
def test_few_scopes_are_not_shared_out(scopes: int) -> None:
    assert parallel._worthwhile(scopes) <= 1
