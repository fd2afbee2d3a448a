"""Rules 2.1.6, 3.6.1 and 5.6.1 on images: the record, the hash in every reading, likely causes, upstream identity."""

import dataclasses
import hashlib
import json

import pytest

from checks.api import Options, check_tree
from checks.edition import load
from checks.folder_tree import FolderTree
from checks.memory_tree import MemoryTree
from checks.storage.rule_set import RULE_SET
from checks.tree import Limits
from tests.checks.storage.section_two import CLOSED, Small
from tests.checks.support import checked, found, places
from tests.trees.storage import StorageTree
from tests.trees.storage_code import SOURCE, tree_hash
from tests.trees.storage_files import GONE, FileTree

CODE = f"{CLOSED}/code"
RECORD = f"{CODE}/.code-hash.json"


def small(**options) -> FileTree:
    return FileTree(Small(**options).files)


def mismatch(tree, path=RECORD):
    (finding,) = found(tree, "2.1.6")
    assert (finding.level, finding.path) == ("error", path)
    assert '"hash"' in tree.files[path].decode().splitlines()[finding.line - 1]
    return finding.message


def recorded_as(tree: FileTree, files: dict[str, bytes], reading="any-depth") -> FileTree:
    return tree.edit_json(RECORD, {"/hash": tree_hash(files, reading)})


@pytest.mark.parametrize("path", [".idea/a", ".DS_Store", "__pycache__/b.pyc", "pkg/__pycache__/c.pyc", "tests/t.py"])
def test_what_is_left_out_does_not_matter(path) -> None:
    tree = small()
    tree.put(f"{CODE}/{path}", "x")
    assert found(tree, "2.1.6") == []


@pytest.mark.parametrize("reading", ["any-depth", "document", "top-level"])
def test_every_reading_of_what_is_left_out_is_accepted(reading) -> None:
    files = {**SOURCE, ".github/x.yml": b"a\n", "pkg/tests/t.py": b"t\n", "pkg/x.pyo": b"o"}
    tree = small()
    for path, content in files.items():
        tree.put(f"{CODE}/{path}", content)
    assert found(recorded_as(tree, files, reading), "2.1.6") == []


def test_an_added_file_is_named() -> None:
    tree = small()
    tree.put(f"{CODE}/pkg/extra.py", "x = 1\n")
    message = mismatch(tree)
    assert "`pkg/extra.py` was added: without it the recorded hash comes out" in message
    assert f"over {len(SOURCE) + 1} files" in message
    assert tree_hash(SOURCE) in message


def test_converted_line_ends_are_named() -> None:
    tree = small()
    content = SOURCE["mlpstorage_py/main.py"].replace(b"\n", b"\r\n")
    tree.put(f"{CODE}/mlpstorage_py/main.py", content)
    assert "1 text file (`mlpstorage_py/main.py`) were converted from LF to CRLF" in mismatch(tree)


def test_line_ends_converted_the_other_way_are_named() -> None:
    files = {path: content.replace(b"\n", b"\r\n") for path, content in SOURCE.items()}
    assert "converted from CRLF to LF; with CRLF the recorded hash comes out" in mismatch(recorded_as(small(), files))


def test_binary_files_are_not_converted() -> None:
    files = {**SOURCE, "x.bin": b"\0\r\n"}
    tree = small()
    for path, content in files.items():
        tree.put(f"{CODE}/{path}", content.replace(b"\n", b"\r\n") if b"\0" not in content else content)
    assert "LF to CRLF" in mismatch(recorded_as(tree, files))


def test_a_removed_file_that_upstream_always_has_is_named() -> None:
    upstream = {**SOURCE, "CLAUDE.md": b"# Notes\n"}
    tree = recorded_as(small(), upstream)
    message = mismatch(tree)
    assert "`CLAUDE.md` is missing, and the upstream source has it" in message
    assert "CRLF" not in message


def test_leftovers_of_an_editor_are_named_and_tested() -> None:
    tree = small()
    tree.put(f"{CODE}/pyproject.toml.bak", "x")
    tree.put(f"{CODE}/uv.lock.orig", "x")
    assert "`pyproject.toml.bak`, `uv.lock.orig` do not belong to the source: without them" in mismatch(tree)


def test_leftovers_that_do_not_explain_it_are_a_guess() -> None:
    tree = small()
    tree.put(f"{CODE}/pyproject.toml.bak", "x")
    tree.put(f"{CODE}/README.md", "changed")
    assert "look like leftovers" in mismatch(tree)


def test_a_changed_file_is_told_as_such() -> None:
    upstream = {**SOURCE, "CLAUDE.md": b"# Notes\n"}
    tree = small()
    tree.put(f"{CODE}/CLAUDE.md", "# Notes\n")
    tree.put(f"{CODE}/README.md", "changed")
    assert "a file was changed" in mismatch(recorded_as(tree, upstream))


def test_an_edited_record_is_told_from_edited_files() -> None:
    tree = small(code="org-pool")
    image = Small(code="org-pool").submitter.image
    record = f"Acme/{image.folder}/.code-hash.json"
    tree.edit_json(record, {"/hash": "0" * 32})
    messages = [item.message for item in found(tree, "2.1.6") if item.path == record]
    assert len(messages) == 1
    assert "the recorded hash was changed" in messages[0]


def test_content_that_is_not_in_git_is_told() -> None:
    tree = small()
    tree.put(f"{CODE}/uv.lock", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 5\n")
    tree.put(f"{CODE}/README.md", "PRUNED BY STAFF\n")
    message = mismatch(tree)
    assert "`uv.lock` are Git LFS pointers" in message
    assert "`README.md` were replaced by a placeholder" in message


def test_an_image_without_source() -> None:
    tree = small()
    for path in SOURCE:
        tree.remove(f"{CODE}/{path}")
    assert "holds no source files at all" in mismatch(tree)


@pytest.mark.parametrize("name", ["code-hash.json", ".code_hash.json"])
def test_a_missing_record_is_one_finding(name) -> None:
    tree = small().rename(RECORD, f"{CODE}/{name}")
    (finding,) = found(tree, "2.1.6")
    assert places([finding]) == [("2.1.6", "error", CODE, None)]
    assert f"`{name}`" in finding.message
    assert "2.1.6" in {item.rule for item in checked(tree).not_run}


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("hash", GONE),
        ("hash", "ABCDEF0123456789ABCDEF0123456789"),
        ("hash", "abc"),
        ("hash", 5),
        ("algorithm", GONE),
        ("algorithm", ""),
        ("algorithm", None),
        ("algorithm", ["md5-tree-v2"]),
        ("captured_at", "2026-02-30T15:42:11Z"),
        ("captured_at", "2026-07-05T15:42:11"),
        ("captured_at", "2026-07-05T15:42:11+02:00"),
        ("captured_at", "today"),
        ("mlpstorage_version", ""),
        ("mlpstorage_version", 3.0),
        ("git_sha", GONE),
        ("git_sha", "1a236dc3"),
        ("git_sha", 7),
    ],
)
def test_a_fault_of_the_record_is_one_finding_at_its_line(key, value) -> None:
    tree = small().edit_json(RECORD, {f"/{key}": value})
    (finding,) = found(tree, "2.1.6")
    assert (finding.level, finding.path) == ("error", RECORD)
    assert f"`{key}`" in finding.message
    line = tree.files[RECORD].decode().splitlines()[finding.line - 1]
    assert f'"{key}"' in line if value is not GONE else line == "{"


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("algorithm", "md5-tree-v2"),
        ("git_sha", None),
        ("captured_at", "2026-07-05T15:42:11.123456+00:00"),
        ("mlpstorage_version", "3.0.46.dev1"),
        ("note", "more than the five keys"),
    ],
)
def test_what_a_record_may_say(key, value) -> None:
    assert found(small().edit_json(RECORD, {f"/{key}": value}), "2.1.6") == []


def test_an_unknown_algorithm_is_one_clear_finding() -> None:
    tree = small().edit_json(RECORD, {"/algorithm": "sha256-tree-v9"})
    (finding,) = found(tree, "2.1.6")
    assert "sha256-tree-v9" in finding.message
    assert "`md5-tree-v1`, `md5-tree-v2`" in finding.message


def test_a_record_that_is_no_object() -> None:
    tree = small()
    tree.put(RECORD, "[]")
    assert places(found(tree, "2.1.6")) == [("2.1.6", "error", RECORD, 1)]


def test_an_unreadable_record_is_an_input_fault() -> None:
    tree = small()
    tree.put(RECORD, "{")
    assert found(tree, "2.1.6") == []
    assert [item.path for item in found(tree, "input.json")] == [RECORD]


def test_a_pools_folder_is_named_by_the_hash() -> None:
    pooled = Small(code="org-pool", pointers=False)
    image = f"Acme/{pooled.submitter.image.folder}"
    tree = FileTree(pooled.files).rename(image, "Acme/code-00000000")
    here = [item for item in found(tree, "2.1.6") if item.path.startswith("Acme")]
    assert [item.path for item in here] == ["Acme/code-00000000/.code-hash.json"]
    assert f"Rename the folder to `{pooled.submitter.image.folder}`" in here[0].hint


@pytest.mark.parametrize("name", ["results", "code-ABCDEF01", "code-0123", ".hidden"])
def test_another_folder_in_a_pool(name) -> None:
    tree = small(code="org-pool")
    tree.put(f"Acme/{name}/x", "x")
    wanted = [] if name == ".hidden" else [("2.1.6", "error", f"Acme/{name}", None)]
    assert places(found(tree, "2.1.6")) == wanted


def test_a_name_that_is_not_utf8_is_hashed_by_its_bytes() -> None:
    name = "caf\udce9.txt"
    tree = small()
    tree.put(f"{CODE}/{name}", "1")
    files = {**SOURCE, name: b"1"}
    digest = hashlib.md5()
    for path in sorted(files, key=lambda item: item.encode("utf-8", "surrogateescape")):
        digest.update(path.encode("utf-8", "surrogateescape") + files[path])
    tree.edit_json(RECORD, {"/hash": digest.hexdigest()})
    assert found(tree, "2.1.6") == []


@pytest.mark.parametrize("limits", [Limits(file_bytes=5), Limits(depth=1), Limits(entries=5)])
def test_an_image_over_the_limits_is_an_input_fault(limits) -> None:
    tree = small()
    scope = Options(only=(CODE,))
    report = check_tree(MemoryTree(tree.files, limits), scope)
    assert {item.rule for item in report.findings} == {"input.too-large"}
    assert report.faults == ()
    assert "2.1.6" in {item.rule for item in report.not_run}


def test_open_leaf_code_is_judged_in_its_systems_scope() -> None:
    tree = small(division="open")
    leaf = "open/Acme/results/S1/training/unet3d/code"
    tree.put(f"{leaf}/extra.py", "x")
    (finding,) = found(tree, "2.1.6")
    assert (finding.path, finding.scope) == (f"{leaf}/.code-hash.json", "open/Acme/results/S1")


def test_the_lack_of_digests_is_told_once_a_check() -> None:
    tree = StorageTree("document")
    for name in ("Acme", "Bolt"):
        system = tree.submitter(name).system("S1")
        system.training()
        system.vector_database()
    assert places(found(tree, "3.6.1")) == [("3.6.1", "notice", "closed/Acme/results/S1", None)]
    assert places(found(tree, "3.6.1", "3.0")) == [("3.6.1", "notice", "closed/Acme/results/S1", None)]
    assert found(tree, "5.6.1") == []


def test_the_lack_of_digests_is_told_once_by_several_processes(tmp_path) -> None:
    tree = StorageTree("v3")
    for name in ("S1", "S2", "S3"):
        tree.submitter("Acme").system(name).vector_database()
    folder = FolderTree(tree.write(tmp_path))
    alone, shared = (check_tree(folder, Options(edition="2.0", jobs=jobs)) for jobs in (1, 2))
    assert [item.path for item in shared.findings if item.rule == "3.6.1"] == ["closed/Acme/results/S1"]
    assert shared.findings == alone.findings


@pytest.mark.parametrize("benchmark", ["checkpointing", "kv_cache"])
def test_the_lack_of_digests_is_not_told_where_none_is_needed(benchmark) -> None:
    tree = StorageTree("document")
    getattr(tree.submitter("Acme").system("S1"), benchmark)()
    tree.submitter("Acme", "open").system("S1").training()
    assert found(tree, "3.6.1") == []


@pytest.mark.parametrize("code", ["folders", "org-pool"])
def test_closed_code_is_one_of_the_pinned_digests(monkeypatch, code) -> None:
    tree = StorageTree("document", code)
    system = tree.submitter("Acme").system("S1")
    training, _ = system.training(), system.vector_database()
    at = f"{CLOSED}/code/.code-hash.json" if code == "folders" else training.runs[0].pointer
    pin(monkeypatch, "0" * 32)
    (finding,) = found(tree, "3.6.1")
    assert finding.level == "error"
    assert finding.path.startswith(at.rpartition("/2026")[0].rpartition("/run")[0])
    assert len(found(tree, "5.6.1")) == 1
    pin(monkeypatch, tree_hash(SOURCE))
    assert found(tree, "3.6.1") + found(tree, "5.6.1") == []


def test_open_code_may_be_changed(monkeypatch) -> None:
    tree = StorageTree("document")
    tree.submitter("Acme", "open").system("S1").training()
    pin(monkeypatch, "0" * 32)
    assert found(tree, "3.6.1") == []


def pin(monkeypatch, digest: str) -> None:
    edition = load("checks.storage", "2.0")
    pinned = json.loads(json.dumps(edition.data))
    pinned["code"]["reference_checksums"] = [digest]
    changed = dataclasses.replace(edition, data=pinned)
    monkeypatch.setattr(type(RULE_SET), "edition", lambda self, name: changed)
