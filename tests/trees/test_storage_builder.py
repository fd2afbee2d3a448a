"""The builders hold what they promise, judged by arithmetic of the tests' own and not by `checks`."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from tests.trees.storage import StorageTree
from tests.trees.storage_asserts import when
from tests.trees.storage_code import SOURCE, CodeImage, CodeLayout, Exclusion, tree_hash
from tests.trees.storage_files import FileTree
from tests.trees.storage_system import pdf_bytes
from tests.trees.storage_whole import many_systems, package, valid_tree

SHARED = Path(__file__).parents[3] / "shared"
GIB = 1024**3
STAMP = re.compile(r"\d{8}_\d{6}")

EXAMPLE = {"README.md": b"hello\n", "pkg/a.py": b"x = 1\n", "pkg/sub/b.bin": b"\x00\x01\r\n"}
EXAMPLE_HASH = "3a6770cf7c64a17de5a3936f9340630f"
IGNORED = dict.fromkeys(
    [".code-hash.json", "pkg/a.pyc", "pkg/.DS_Store", "tests/t.py", "foo.egg-info/x", "pkg/bar.egg-info/x"], b"any"
)
NESTED_TESTS = {"pkg/tests/t.py": b"t\n"}
DOT_FILES = {".gitignore": b"*.log\n", ".github/x.yml": b"a\n"}


@pytest.fixture(scope="module", params=["document", "v3"])
def tree(request: pytest.FixtureRequest) -> StorageTree:
    return valid_tree(request.param)


@pytest.mark.parametrize(
    ("exclusion", "extra", "expected"),
    [
        ("any-depth", {}, EXAMPLE_HASH),
        ("document", {}, EXAMPLE_HASH),
        ("top-level", {}, EXAMPLE_HASH),
        ("any-depth", NESTED_TESTS, EXAMPLE_HASH),
        ("document", NESTED_TESTS, EXAMPLE_HASH),
        ("top-level", NESTED_TESTS, "be920695ddef67411f788374fecd3e13"),
        ("any-depth", NESTED_TESTS | DOT_FILES, "71b683918f7b10640236c87a0239e185"),
        ("document", NESTED_TESTS | DOT_FILES, EXAMPLE_HASH),
    ],
)
def test_tree_hash_gives_the_worked_examples(exclusion: Exclusion, extra: dict[str, bytes], expected: str) -> None:
    assert tree_hash(EXAMPLE | IGNORED | extra, exclusion) == expected


def test_tree_hash_sorts_paths_by_bytes_and_not_by_folder() -> None:
    files = {"é.txt": b"5", "a/z.txt": b"1", "a.txt": b"3", "a-b.txt": b"2", "B.txt": b"4"}
    assert tree_hash(files) == "d7b475adfcb1cf38214219ee49ac8626"
    assert tree_hash({}) == "d41d8cd98f00b204e9800998ecf8427e"


def test_recorded_code_hashes_are_those_of_the_written_files(tree: StorageTree) -> None:
    records = tree.find("*/.code-hash.json")
    assert len(records) == (16 if tree.shape == "document" else 2)
    for record in records:
        folder = record.rpartition("/")[0]
        names = sorted(tree.find(f"{folder}/*"), key=str.encode)
        content = b"".join(
            name.removeprefix(f"{folder}/").encode() + tree.files[name] for name in names if name != record
        )
        assert tree.json(record)["hash"] == hashlib.md5(content, usedforsecurity=False).hexdigest()


def leaves(tree: FileTree) -> set[str]:
    parts = (path.split("/") for path in tree.files if "/results/" in path)
    return {"/".join(part[: place + 1]) for part in parts for place, name in enumerate(part) if STAMP.fullmatch(name)}


@pytest.mark.parametrize("layout", ["org-pool", "root-pool"])
def test_every_leaf_of_a_pooled_tree_points_to_an_image(layout: CodeLayout) -> None:
    tree = valid_tree("v3", code=layout, workloads=("unet3d", "llama3-8b", "DISKANN", "kv_cache"))
    pool = "Acme" if layout == "org-pool" else "code-images"
    assert f"{pool}/.mlps-image-pool" in tree.files
    named = set()
    for leaf in leaves(tree):
        algorithm, value = tree.files[f"{leaf}/.mlps-code-image"].decode().split(":")
        assert algorithm == "md5-tree-v2"
        assert tree.json(f"{pool}/code-{value[:8]}/.code-hash.json")["hash"] == value
        named.add(value)
    assert len(named) == len(tree.find(f"{pool}/code-*/.code-hash.json")) == 2
    assert {path.split("/")[0] for path in tree.files} == {"closed", "open", pool}


def test_the_documents_shape_keeps_code_per_submitter_and_per_open_leaf() -> None:
    tree = valid_tree("document")
    assert {path.split("/")[0] for path in tree.files} == {"closed", "open"}
    assert {path.split("/")[2] for path in tree.files if path.startswith("closed/")} == {"code", "results", "systems"}
    assert {path.split("/")[2] for path in tree.files if path.startswith("open/")} == {"results", "systems"}
    single = {path.split("/single/")[1] for path in tree.find("open/Acme/results/single/*/.code-hash.json")}
    workloads = ["checkpointing/llama3-8b", "kv_cache", "training/retinanet", "training/unet3d"]
    workloads += [f"vector_database/{index}" for index in ("AISAQ", "DISKANN", "HNSW")]
    assert single == {f"{workload}/code/.code-hash.json" for workload in workloads}
    assert not tree.find("*/.mlps-code-image")


def test_submitter_and_handles_know_where_their_code_is() -> None:
    for shape, place in (("document", "closed/Acme/code"), ("v3", f"Acme/{CodeImage(SOURCE).folder}")):
        tree = StorageTree(shape)  # type: ignore[arg-type]
        submitter = tree.submitter("Acme")
        submitter.system("S1").kv_cache()
        assert submitter.code == place
        assert f"{place}/.code-hash.json" in tree.files


def test_every_file_is_readable_and_every_build_is_the_same(tree: StorageTree) -> None:
    for path, content in tree.files.items():
        if path.endswith(".json"):
            json.loads(content)
        elif path.endswith(".yaml"):
            assert yaml.safe_load(content)
    assert valid_tree(tree.shape).files == tree.files


def test_metadata_says_what_its_folder_says(tree: StorageTree) -> None:
    assert len(tree.find("*_metadata.json")) == len(leaves(tree))
    for path in tree.find("*_metadata.json"):
        folder, _, name = path.rpartition("/")
        record = tree.json(path)
        assert name == f"{record['benchmark_type']}_{record['run_datetime']}_metadata.json"
        assert f"/results/{folder}" == record["result_dir"]
        assert when(record["invocation_start_time"]).strftime("%Y%m%d_%H%M%S") == folder.rpartition("/")[2]
        assert record["args"]["mode"] == folder.split("/")[0]
        assert record["verification"] in {None, record["args"]["mode"].upper()}


def test_every_system_has_results_a_description_and_a_true_pdf(tree: StorageTree) -> None:
    for division in ("closed", "open"):
        below = f"{division}/Acme/"
        described = {path.removeprefix(f"{below}systems/") for path in tree.find(f"{below}systems/*")}
        run = {path.removeprefix(f"{below}results/").split("/")[0] for path in tree.find(f"{below}results/*")}
        assert described == {f"{name}.{kind}" for name in run for kind in ("yaml", "pdf")}
    for path in tree.find("*.pdf"):
        assert_pdf(tree.files[path])


def assert_pdf(content: bytes) -> None:
    table = int(content.rpartition(b"startxref\n")[2].split(b"\n")[0])
    entries = content[table:].split(b"trailer")[0].splitlines()[3:]
    assert content[table:].startswith(b"xref\n")
    assert len(entries) == content.count(b" 0 obj\n")
    for number, entry in enumerate(entries, 1):
        assert content[int(entry.split()[0]) :].startswith(b"%d 0 obj\n" % number)


def test_pdf_texts_differ() -> None:
    assert pdf_bytes("one") != pdf_bytes("two")


def test_a_package_has_the_submitters_name_at_its_root() -> None:
    built = package("Zeta", "open")
    assert {path.split("/")[0] for path in built.files} == {"Zeta"}
    assert {path.split("/")[2] for path in built.files} == {"Zeta"}
    assert {path.split("/")[1] for path in built.files} == {"open"}


def test_many_systems_are_distinct_and_consistent() -> None:
    files = list(many_systems(2, 3))
    tree = FileTree(dict(files))
    assert len(tree.files) == len(files)
    assert len({path.split("/")[3] for path in tree.find("closed/*/results/*")}) == 3
    summaries = tree.find("*/summary.json")
    assert len(summaries) == 2 * 3 * 7
    assert len({tree.files[path] for path in summaries}) == len(summaries)
    for path in tree.find("*_metadata.json"):
        record = tree.json(path)
        assert f"/results/{path.rpartition('/')[0]}" == record["result_dir"]
        assert when(record["invocation_start_time"]).strftime("%Y%m%d_%H%M%S") == record["run_datetime"]
    for path in tree.find("*.pdf"):
        assert_pdf(tree.files[path])


def test_bulky_metadata_has_the_size_of_published_ones() -> None:
    sizes = [
        len(content)
        for path, content in many_systems(1, 1, bulky=True)
        if path.endswith("_metadata.json") and ("/run/" in path or "/checkpointing/" in path)
    ]
    assert len(sizes) == 7
    assert all(100_000 < size < 200_000 for size in sizes)


NEWER_THAN_THE_SAMPLE = {
    "results/S/training/M/datagen/T/training_datagen.stdout.log",  # named in every datagen metadata file
    "results/S/training/M/run/T/training_T_timeseries.json",  # likewise in every run metadata file
    "results/S/vector_database/milvus/M/run/T/fs_separation.json",  # 5.4.2: the sidecar that the other types have
}
WORKLOAD = re.compile(r"(?<=/)(?:unet3d|retinanet|llama3[.\-\w]*|DISKANN|HNSW|AISAQ)(?=/)")


def shapes(paths: Iterator[str]) -> set[str]:
    """Paths below a submitter with every name that a submitter or a run chooses taken out."""
    found = set()
    for path in paths:
        match = re.match(r"(?:closed|open)/[^/]+/results/[^/]+/(.+)", path)
        if match:
            shape = WORKLOAD.sub("M", STAMP.sub("T", f"results/S/{match[1]}"))
            shape = re.sub(r"/\.fs_probe/.*", "/.fs_probe/F", re.sub(r"/\d+_(output|per_epoch)", r"/N_\1", shape))
            found.add(re.sub(r"(option_|trial_|rank_|opt|trial)\d+", r"\1N", shape))
    return found


def test_published_shape_uses_only_paths_of_the_published_tree() -> None:
    real = SHARED / "real"
    if not real.is_dir():
        pytest.skip("needs the sample of the published tree in ../shared/real")
    listed = (real / "PATHS.txt").read_text().splitlines()
    sample = real / "storage_v3"
    present = [path.relative_to(sample).as_posix() for path in sample.rglob("*") if path.is_file()]
    known = shapes(iter([*listed, *present]))
    built = shapes(iter(valid_tree("v3", divisions=("closed",)).files))
    assert built - known == NEWER_THAN_THE_SAMPLE
