"""Secrets and names of people in logs and records: told by place and kind, never printed."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from checks.findings import Level
from checks.folder_tree import FolderTree
from checks.hygiene.secret_marks import secrets_in
from tests.checks.hygiene_trees import RUN, SYSTEM, small
from tests.checks.support import found

LOG = f"{RUN}/training_run.stderr.log"
KEY_ID = "AKIA" + "Q3EXAMPLE7JWOZ9A"  # put together here, so that scanners of this repository pass it by
SECRET = "wJalr7XUtnFEMI/K7MDENG" + "/bPxRfiCYzzzzzzzzKEY"
HEX = "0123456789abcdef" * 2
SHARED = Path(__file__).parents[4] / "shared" / "real"

CASES = {
    "AWS key": f"found credentials {KEY_ID} in environment",
    "object storage key": f"storage_options= {{'secret_access_key': '{SECRET}', 'region': 'us-east-1'}}",
    "private key": "-----BEGIN " + "RSA PRIVATE KEY-----",
    "GitHub token": "remote: using gh" + "p_" + "a1B2" * 9,
    "password in an address": "connect to http://admin:" + "s3cr3tpass" + "@10.0.0.5:9000/bucket",
    "password or token": "MINIO_ROOT_PASSWORD=Sup3r" + "S3cretPw1",
    "token of a model service": "using token h" + "f_" + "aBcDeFgHiJ" * 3,
    "Ceph key": "mount -o name=admin,secret=A" + "Q" + "BSdLhjM2cZ" * 3 + "abcdef==",
    "JSON Web Token": "Authorization: Bearer eyJhbGciOiJIUzI1NiJ9." + "eyJzdWIiOiIxMjM0In0." + "c2lnbmF0dXJl",
}


@pytest.mark.parametrize("kind", CASES)
def test_each_kind_is_told_with_file_and_line_and_not_printed(kind: str) -> None:
    tree = small()
    tree.put(LOG, f"first line\nsecond line\n{CASES[kind]}\nlast line\n")
    (finding,) = found(tree, "hygiene.secret")
    assert (finding.path, finding.line, finding.level, finding.scope) == (LOG, 3, Level.WARNING, SYSTEM)
    assert kind in finding.message
    shown = f"{finding.message} {finding.hint}"
    values = [secret.value for secret in secrets_in(CASES[kind].encode())]
    assert values
    assert all(value[:3] not in shown for value in values if kind not in ("private key", "GitHub token"))


@pytest.mark.parametrize(
    "text",
    [
        "PGPASSWORD=Zx81" + "kklq2 psql",
        "mlpstorage run --password S3cr3t" + "Passw0rd",
        '"password": "hunter2' + 'hunter2"',
        "OPENAI_API_KEY=sk-" + "proj-" + "a1B2c3D4e5" * 3,
        "key AI" + "za" + "SyA12345678" * 3 + "ab",
    ],
)
def test_passwords_and_tokens_by_name(text: str) -> None:
    assert len(list(secrets_in(text.encode()))) == 1


def test_fine_grained_tokens() -> None:
    token = "github_" + "pat_" + "11ABCDEFG0" * 4
    assert [secret.kind for secret in secrets_in(f"token {token}".encode())] == ["GitHub token"]


@pytest.mark.parametrize(
    "text",
    [
        f"AWS_SECRET_ACCESS_KEY={SECRET}",
        f"++workload.storage.storage_options.secret_access_key={SECRET}",
        f'"secret_access_key": "{SECRET}"',
        f"s3_secret_key: {SECRET}",
        f"'access_key_id': 'minio-user-{HEX}'",
    ],
)
def test_keys_of_object_stores_in_every_notation(text: str) -> None:
    assert "object storage key" in {secret.kind for secret in secrets_in(text.encode())}


@pytest.mark.parametrize(
    "text",
    [
        "mpirun -x AWS_ACCESS_KEY_ID -x AWS_SECRET_ACCESS_KEY -x AWS_REGION",  # passed on by name only
        "'access_key_id': 'REDACTED', 'secret_access_key': 'REDACTED'",
        "secret_access_key=${AWS_SECRET_ACCESS_KEY}",
        "secret_access_key=self.secret_access_key",
        "secret_access_key: null",
        "access_key: minioadmin",
        "access_key=/etc/keys/file1",
        "secret_key: ~/.keys/store1",
        "password: none, PasswordAuthentication no2",
        "password prompt 12345678 ms",
        "api_key: null",
        "AWS_ACCESS_KEY_ID=AKIA" + "IOSFODNN7EXAMPLE",
        "disk-proj-12345678901234567890123456",
        "'secret_access_key': '****************'",
        '"_validated_pool_hash": "06bc92830123456789abcdef01234567"',
        "endpoint_url: http://127.0.0.1:9000",
        "connect to http://user:<password>@host",
        "md5-tree-v2:" + HEX,
        "data_access_protocol: object, access: random, secrets are never printed 12345678",
        "[INFO] Accessing 7412 files at s3://bucket/unet3d",
        "oid sha256:" + HEX * 2,
    ],
)
def test_what_real_logs_hold_is_no_secret(text: str) -> None:
    assert list(secrets_in(text.encode())) == []


def test_one_secret_on_many_lines_is_one_finding() -> None:
    tree = small()
    tree.put(LOG, f"{CASES['object storage key']}\n" * 40)
    (finding,) = found(tree, "hygiene.secret")
    assert finding.line == 1
    assert "is printed here and on 39 more lines." in finding.message


def test_a_copy_of_the_log_is_not_told_twice_where_git_knows_it_as_one(tmp_path: Path) -> None:
    from tests.checks.hygiene_trees import Git, of

    tree = small()
    tree.put(LOG, CASES["AWS key"])
    tree.put(f"{RUN}/dlio.log", CASES["AWS key"])
    git = Git(tmp_path)
    assert len(of(git.report(git.commit(tree.files)), "hygiene.secret")) == 1


def test_metadata_and_configuration_are_scanned_other_files_are_not() -> None:
    tree = small()
    tree.put(f"{RUN}/training_20260701_080000_metadata.json", json.dumps({"executed_command": CASES["AWS key"]}))
    tree.put(f"{RUN}/dlio_config/overrides.yaml", f"- ++workload.storage.secret_key={SECRET}\n")
    tree.put(f"{RUN}/0_output.json", json.dumps({"x": CASES["AWS key"]}))
    assert [item.path.rpartition("/")[2] for item in found(tree, "hygiene.secret")] == [
        "overrides.yaml",
        "training_20260701_080000_metadata.json",
    ]


def test_what_a_launcher_leaves_beside_the_log_is_scanned_too() -> None:
    tree = small()
    for name in ("launch.sh", "mpi.out", "mpi.err", ".env"):
        tree.put(f"{RUN}/{name}", CASES["AWS key"] + name)
    assert {item.path.rpartition("/")[2] for item in found(tree, "hygiene.secret")} == {
        ".env",
        "launch.sh",
        "mpi.err",
        "mpi.out",
    }


def test_a_long_line_and_a_long_log_are_scanned_in_bounded_time() -> None:
    line = b"http://a:b access_key aws " * 400_000  # 10 MB without a line end
    started = time.perf_counter()
    list(secrets_in(line))
    assert time.perf_counter() - started < 20
    assert [secret.line for secret in secrets_in(b"x\n" * 100_000 + CASES["AWS key"].encode())] == [100_001]


def test_home_folders_are_one_notice_of_the_system() -> None:
    tree = small()
    for number, person in enumerate(("ada", "grace", "ubuntu")):
        run = RUN[:-1] + str(number)
        tree.put(f"{run}/training_metadata.json", json.dumps({"result_dir": f"/home/{person}/results"}))
    (finding,) = found(tree, "hygiene.home-path")
    assert (finding.path, finding.level, finding.count) == (SYSTEM, Level.NOTICE, 2)
    assert finding.message == "Metadata and configuration name the home folder of `ada`."
    assert found(small(), "hygiene.home-path") == []


@pytest.mark.skipif(not SHARED.is_dir(), reason="the sample of published trees (../shared/real) is not here")
def test_published_logs_and_records_hold_no_secret() -> None:
    tree = FolderTree(SHARED)
    scanned = 0
    for path, entry in tree.walk(""):
        if entry.name.endswith((".log", ".json", ".yaml")) and tree.is_file(path):
            scanned += 1
            assert list(secrets_in(tree.read(path))) == [], path
    assert scanned > 100
