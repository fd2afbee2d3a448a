"""What `df` in a log and the tool's probe say about where data and results lie."""

from __future__ import annotations

import pytest

from checks.storage.df import Mount, df_blocks, filesystem_of
from tests.checks.storage.edits import line_of
from tests.checks.support import checked, found, places
from tests.trees.storage import StorageTree
from tests.trees.storage_asserts import system
from tests.trees.storage_files import GONE

TWO_CALLS = """\
$ df -h /mnt/storage/data
Filesystem      Size  Used Avail Use% Mounted on
10.1.0.1:/vol0  100T   40T   60T  40% /mnt/storage

starting
$ df -h /results
Filesystem      Size  Used Avail Use% Mounted on
/dev/nvme0n1p2  1.8T  200G  1.6T  12% /
"""
TYPED = """\
Filesystem     Type      1K-blocks      Used Available Use% Mounted on
udev           devtmpfs  131915340         0 131915340   0% /dev
/dev/nvme0n1p2 ext4     1921802520 185134628 1638971628  11% /
tank/scratch   zfs      9000000000  12345678 8987654322   1% /mnt/scratch disk
"""
WRAPPED = """\
Filesystem           1024-blocks      Used Available Capacity Mounted on
/dev/mapper/a_very_long_volume_group-and_volume
                      1921802520 185134628 1638971628      11% /mnt/storage
tmpfs                   131915340         0 131915340        0% /run
end of output
/dev/sdz 1 1 1 1% /not/a/row
"""
PREFIXED = """\
2026-07-06 08:00:01 INFO Filesystem      Size  Used Avail Use% Mounted on
2026-07-06 08:00:01 INFO 10.1.0.1:/vol0  100T   40T   60T  40% /mnt/storage
2026-07-06 08:00:01 INFO none               -     -     -    - /proc
2026-07-06 08:00:02 INFO starting
"""
WRAPPED_TYPED = """\
Filesystem                                Type 1K-blocks Used Available Use% Mounted on
server-with-a-long-name:/export/of/a/share
                                          nfs4       100   40        60  40% /mnt/storage
"""


def mounts(text: str) -> list[list[tuple[str, str]]]:
    lines = enumerate(text.splitlines(), start=1)
    return [[(mount.device, mount.path) for mount in block.mounts] for block in df_blocks(lines)]


def test_blocks_in_every_form_of_df() -> None:
    assert mounts(TWO_CALLS) == [[("10.1.0.1:/vol0", "/mnt/storage")], [("/dev/nvme0n1p2", "/")]]
    assert mounts(TYPED) == [[("udev", "/dev"), ("/dev/nvme0n1p2", "/"), ("tank/scratch", "/mnt/scratch disk")]]
    assert mounts(WRAPPED) == [[("/dev/mapper/a_very_long_volume_group-and_volume", "/mnt/storage"), ("tmpfs", "/run")]]
    assert mounts(PREFIXED) == [[("10.1.0.1:/vol0", "/mnt/storage"), ("none", "/proc")]]
    assert mounts(WRAPPED_TYPED) == [[("server-with-a-long-name:/export/of/a/share", "/mnt/storage")]]


def test_a_header_without_rows_is_no_block() -> None:
    assert mounts("Filesystem Size Used Avail Use% Mounted on\ndf: /x: No such file\n") == []
    assert mounts("no table here\n") == []


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/mnt/storage", "/mnt/storage"),
        ("/mnt/storage/", "/mnt/storage"),
        ("//mnt//storage/x/../y", "/mnt/storage"),
        ("/mnt/storage2", "/"),
        ("/mnt", "/"),
    ],
)
def test_the_longest_mount_above_a_path_holds_it(path: str, expected: str) -> None:
    mount = filesystem_of(path, df_blocks(enumerate(TWO_CALLS.splitlines(), start=1)))
    assert mount is not None
    assert mount.path == expected


def test_the_row_of_the_df_that_was_asked_for_a_path_goes_before() -> None:
    linked = TWO_CALLS.replace("df -h /mnt/storage/data", "df -h /data")
    blocks = df_blocks(enumerate(linked.splitlines(), start=1))
    assert filesystem_of("/data", blocks) == Mount("10.1.0.1:/vol0", "/mnt/storage")
    assert filesystem_of("/data2", blocks) == Mount("/dev/nvme0n1p2", "/")


def test_a_path_outside_every_row_has_no_filesystem() -> None:
    blocks = df_blocks(enumerate(TWO_CALLS.splitlines()[:3], start=1))
    assert filesystem_of("/results", blocks) is None


def test_filesystems_are_told_apart_by_export_or_device_and_nameless_ones_by_mount() -> None:
    assert Mount("/dev/sda1", "/a").identity == Mount("/dev/sda1", "/b").identity
    assert Mount("s3fs", "/a").identity != Mount("s3fs", "/b").identity


CHECKS = [("3.4.1", "3.4.2", "training", "data_dir"), ("4.4.1", "4.4.2", "checkpointing", "checkpoint_folder")]


@pytest.mark.parametrize(("rule", "_other", "benchmark", "argument"), CHECKS)
@pytest.mark.parametrize("missing", ["storage", "results"])
def test_both_folders_must_be_set(rule: str, _other: str, benchmark: str, argument: str, missing: str) -> None:
    site = system()
    run = getattr(site, benchmark)().runs[0]
    tree = site.bench.tree
    name = argument if missing == "storage" else "results_dir"
    tree.edit_json(run.metadata, {f"/args/{name}": None})
    (finding,) = found(tree, rule)
    line = tree.files[run.metadata].decode().splitlines().index(f'    "{name}": null,') + 1
    assert places([finding]) == [(rule, "error", run.metadata, line)]
    assert f"`args.{name}` is not set" in finding.message
    tree.edit_json(run.metadata, {f"/args/{name}": GONE})
    assert [item.path for item in found(tree, rule)] == [run.metadata]


@pytest.mark.parametrize(("rule", "_other", "benchmark", "argument"), CHECKS)
def test_folders_must_differ_however_they_are_written(rule: str, _other: str, benchmark: str, argument: str) -> None:
    site = system("v3")
    run = getattr(site, benchmark)().runs[0]
    tree = site.bench.tree
    tree.edit_json(run.metadata, {f"/args/{argument}": "/results/sub"})
    assert found(tree, rule) == []
    tree.edit_json(run.metadata, {f"/args/{argument}": "/results/./sub/.."})
    assert [(item.rule, item.path) for item in found(tree, rule)] == [(rule, run.metadata)]


@pytest.mark.parametrize(("rule", "_other", "benchmark", "argument"), CHECKS)
def test_what_all_runs_share_is_told_once(rule: str, _other: str, benchmark: str, argument: str) -> None:
    site = system("v3")
    runs = getattr(site, benchmark)().runs
    for run in runs:
        site.bench.tree.edit_json(run.metadata, {"/args/results_dir": None})
    (finding,) = found(site.bench.tree, rule)
    assert finding.count == len(runs)
    assert finding.path == runs[0].metadata
    assert ("5 other runs" in finding.message) == (benchmark == "training")


@pytest.mark.parametrize(("path_rule", "rule", "benchmark", "_argument"), CHECKS)
def test_the_object_api_has_no_folders(path_rule: str, rule: str, benchmark: str, _argument: str) -> None:
    site = system("v3", api="object")
    run = getattr(site, benchmark)().runs[0]
    tree = site.bench.tree
    tree.edit_json(run.metadata, {"/args/results_dir": None})
    assert found(tree, path_rule) == found(tree, rule) == []
    tree.edit_json(run.metadata, {"/args/data_access_protocol": GONE})
    assert found(tree, path_rule) == []  # the system's description says object, too
    tree.edit_yaml(site.yaml, {"/system_under_test/solution/architecture/benchmark_API": "file"})
    assert [item.path for item in found(tree, path_rule)] == [run.metadata]


@pytest.mark.parametrize(("_path_rule", "rule", "benchmark", "_argument"), CHECKS)
@pytest.mark.parametrize(("edition", "level"), [("2.0", "error"), ("3.0", "warning")])
def test_a_run_must_leave_evidence(
    _path_rule: str, rule: str, benchmark: str, _argument: str, edition: str, level: str
) -> None:
    site = system("v3")
    run = getattr(site, benchmark)().runs[-1]
    site.bench.tree.remove(run.separation)
    assert places(found(site.bench.tree, rule, edition)) == [(rule, level, run.path, None)]
    site.bench.put_separation(run, "/mnt/storage")
    assert found(site.bench.tree, rule, edition) == []


@pytest.mark.parametrize(("_path_rule", "rule", "benchmark", "_argument"), CHECKS)
@pytest.mark.parametrize("edition", ["2.0", "3.0"])
def test_the_probe_decides_when_it_is_there(
    _path_rule: str, rule: str, benchmark: str, _argument: str, edition: str
) -> None:
    site = system()  # the log's `df` says: apart
    run = getattr(site, benchmark)().runs[0]
    tree = site.bench.tree
    site.bench.put_separation(run, "/mnt/storage")
    tree.edit_json(run.separation, {"/same_filesystem": True})
    assert places(found(tree, rule, edition)) == [(rule, "error", run.separation, 8)]
    tree.edit_json(run.separation, {"/same_filesystem": None})
    (finding,) = found(tree, rule, edition)
    assert (finding.path, finding.line) == (run.separation, 8)
    assert "true or false is required" in finding.message


@pytest.mark.parametrize(("_path_rule", "rule", "benchmark", "argument"), CHECKS)
def test_df_shows_one_filesystem(_path_rule: str, rule: str, benchmark: str, argument: str) -> None:
    site = system()
    run = getattr(site, benchmark)().runs[0]
    tree, log = site.bench.tree, run.file(f"{benchmark}_run.stdout.log")
    assert found(tree, rule) == []
    tree.edit_json(run.metadata, {"/args/results_dir": "/mnt/storage/results"})
    (finding,) = found(tree, rule)
    assert places([finding]) == [(rule, "error", log, 2)]
    assert "`10.1.0.1:/vol0`" in finding.message
    tree.edit_json(run.metadata, {"/args/results_dir": "/mnt/storage2/results"})
    assert found(tree, rule) == []


def test_one_export_mounted_twice_is_one_filesystem() -> None:
    site = system()
    run = site.training().runs[0]
    log = run.file("training_run.stdout.log")
    tree = site.bench.tree
    tree.files[log] = tree.files[log].replace(b"/dev/nvme0n1p2 ", b"10.1.0.1:/vol0 ")
    assert places(found(tree, "3.4.2")) == [("3.4.2", "error", log, 2)]


def test_df_that_does_not_cover_a_folder_is_a_warning() -> None:
    site = system()
    run = site.training().runs[0]
    log = run.file("training_run.stdout.log")
    tree = site.bench.tree
    tree.files[log] = tree.files[log].replace(b" 12% /\n", b" 12% /scratch\n").replace(b"df -h /results", b"df -h .")
    (finding,) = found(tree, "3.4.2")
    assert places([finding]) == [("3.4.2", "warning", log, 2)]
    assert "`/results`" in finding.message


def test_evidence_that_cannot_be_read_is_not_told_as_absent() -> None:
    site = system("v3")
    tree, run = site.bench.tree, site.training().runs[1]
    tree.put(run.separation, "{")
    report = checked(tree)
    assert [(item.rule, item.path) for item in report.findings if "fs_separation" in item.path + item.message] == [
        ("input.json", run.separation)
    ]
    assert [(item.rule, item.path) for item in report.not_run] == [("3.4.2", run.separation)]


@pytest.mark.parametrize(
    ("key", "path", "count"),
    [
        ("data_or_chkpt_path", "/mnt/other", 1),
        ("data_or_chkpt_path", None, 0),
        ("results_path", "/tmp/elsewhere", 1),
        ("results_path", "/results/", 0),
    ],
)
def test_a_probe_of_other_folders_shows_nothing_of_these(key: str, path: str | None, count: int) -> None:
    tree = StorageTree("v3")
    run = tree.submitter("Acme").system("S1").training("unet3d").runs[0]
    tree.edit_json(run.separation, {f"/{key}": path})
    line = line_of(tree, run.separation, f'"{key}"')
    assert places(found(tree, "3.4.2")) == [("3.4.2", "warning", run.separation, line)] * count


def test_a_probe_may_be_of_a_folder_above_or_below() -> None:
    tree = StorageTree("v3")
    run = tree.submitter("Acme").system("S1").training("unet3d").runs[0]
    kept = tree.json(run.separation)["data_or_chkpt_path"]
    for path in (f"{kept}/unet3d", kept.rpartition("/")[0]):
        tree.edit_json(run.separation, {"/data_or_chkpt_path": path})
        assert found(tree, "3.4.2") == []
