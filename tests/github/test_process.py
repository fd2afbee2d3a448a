"""The stand-in as a process of its own."""

import json
import subprocess
import sys
from pathlib import Path
from typing import IO, Any

import requests

from tests.github import __main__ as program

PROJECT = Path(__file__).parents[2]


def read(output: IO[str]) -> Any:
    return json.loads(output.readline())


def test_serves_a_folder_and_opens_pull_requests(tmp_path: Path) -> None:
    for name in ("base", "head"):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name}.txt").write_text(name)
    command = [sys.executable, "-m", "tests.github", "--data", str(tmp_path / "data"), "--base", str(tmp_path / "base")]
    with subprocess.Popen(
        [*command, "--public"], cwd=PROJECT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        about = read(process.stdout)
        key = Path(about["private_key_path"])
        assert key.read_text().startswith("-----BEGIN PRIVATE KEY-----")
        assert oct(key.stat().st_mode & 0o777) == "0o600"
        assert requests.get(f"{about['api_url']}/meta", timeout=10).status_code == 200
        process.stdin.write(f"{tmp_path / 'head'}\n")
        process.stdin.flush()
        opened = read(process.stdout)
        listed = subprocess.run(
            ["git", "ls-remote", f"{about['url']}/octo-org/submissions.git"],
            stdout=subprocess.PIPE,
            check=True,
            text=True,
        ).stdout
        assert f"{opened['head_sha']}\trefs/pull/1/head" in listed
        process.stdin.close()
        assert process.wait(timeout=10) == 0


def test_refuses_a_used_folder(tmp_path: Path) -> None:
    (tmp_path / "repositories").mkdir()
    assert program.main(["--data", str(tmp_path)]) == 2
