"""What maintainers ask for, as far as a git repository alone shows it (M-06, M-08, M-17 of docs/public-reports.md)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from bot.commands.check import check
from tests.checks.hygiene_trees import Git
from tests.checks.storage.section_two import RESULTS, Small
from tests.trees.storage import StorageTree

PATH = ".github/submission-checks.yml"
LENIENT = b"""rules: storage
levels: {"2.1.19": "off"}
waivers:
  - {rule: "2.1.19", path: "closed/**", reason: "our own", until: 2099-12-31}
"""


def checked(git: Git, base: str, head: str) -> dict[str, Any]:
    """The report of ``submission-bot check`` on a change; its exit code agrees with the verdict."""
    arguments = ["--repo", str(git.repository.path), "--base", base, "--head", head, "--format", "json"]
    result = CliRunner().invoke(check, arguments)
    report: dict[str, Any] = json.loads(result.stdout)
    assert result.exit_code == (0 if report["verdict"] == "pass" else 1)
    return report


def told(report: dict[str, Any]) -> list[tuple[str, str]]:
    return [(item["rule"], item["level"]) for item in report["findings"] if item["rule"] == "2.1.19"]


def test_m_06_levels_are_those_of_the_base_whatever_the_change_says(tmp_path: Path) -> None:
    git = Git(tmp_path)
    tree = Small()
    gone = tree.training.runs[0].file("dlio.log")
    strict = git.commit({**tree.files, PATH: b"rules: storage\n"})
    lenient = git.commit({**tree.files, PATH: LENIENT})
    of_strict = git.commit({PATH: LENIENT}, base=strict, remove=(gone,))
    of_lenient = git.commit({PATH: b"rules: storage\n"}, base=lenient, remove=(gone,))
    assert told(checked(git, strict, of_strict)) == [("2.1.19", "error")]
    assert told(checked(git, lenient, of_lenient)) == []


def test_m_08_a_submitters_own_waivers_have_no_effect(tmp_path: Path) -> None:
    git = Git(tmp_path)
    tree = Small()
    gone = tree.training.runs[0].file("dlio.log")
    base = git.commit(tree.files)
    own = dict.fromkeys((f"closed/Acme/{PATH}", f"{RESULTS}/{PATH}", PATH), LENIENT)
    report = checked(git, base, git.commit(own, base=base, remove=(gone,)))
    assert told(report) == [("2.1.19", "error")]
    assert report["verdict"] == "fail"


def test_m_17_each_system_has_its_own_verdict_and_counts_agree(tmp_path: Path) -> None:
    git = Git(tmp_path)
    tree = StorageTree("document")
    acme = tree.submitter("Acme")
    good, bad = (acme.system(name).checkpointing().runs[0] for name in ("Good", "Bad"))
    base = git.commit(tree.files)
    change = {good.summary: tree.files[good.summary] + b"\n", bad.summary: b"{}"}
    report = checked(git, base, git.commit(change, base=base))
    verdicts = {scope["path"]: scope["verdict"] for scope in report["scopes"]}
    assert verdicts == {"closed/Acme/results/Good": "pass", "closed/Acme/results/Bad": "fail"}
    assert report["verdict"] == "fail"
    for level, number in report["counts"].items():
        assert number == sum(scope["counts"][level] for scope in report["scopes"])
        assert number == sum(finding["level"] == level for finding in report["findings"])
