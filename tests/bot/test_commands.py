"""`submission-bot check`, `rules` and `config check`: exit codes, configuration, partial clones, errors in one line."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from bot.cli import main
from checks.formats import RENDERERS
from tests.github.gitrepo import GitRepository
from tests.trees.storage_whole import valid_tree

SYSTEM = "closed/Acme/results/single"
SUMMARY = f"{SYSTEM}/training/unet3d/run"


@pytest.fixture(scope="module")
def tree():
    return valid_tree("document", divisions=("closed",), workloads=("unet3d",))


@pytest.fixture
def folder(tree, tmp_path: Path) -> Path:
    tree.write(tmp_path / "tree")
    return tmp_path / "tree"


@pytest.fixture
def repository(tree, tmp_path: Path) -> GitRepository:
    git = GitRepository(tmp_path / "repository.git")
    git.commit(tree.files, branch="main")
    return git


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def broken(tree):
    copy = tree.copy()
    copy.put("closed/Acme/systems/notes.txt", b"x")
    return copy


def head_of(repository: GitRepository, files, **given) -> str:
    base = repository.ref("refs/heads/main")
    assert base
    return repository.commit(files, base=base, branch="topic", **given)


def test_a_valid_folder_passes(folder):
    result = run("check", folder)
    assert result.exit_code == 0, result.output
    assert result.output.splitlines()[-1].startswith("PASS: 0 errors")


def test_errors_fail_and_name_place_and_rule(folder):
    (folder / "closed/Acme/systems/notes.txt").write_text("x")
    result = run("check", folder)
    assert result.exit_code == 1
    assert "2.1.7 systemsDirectoryFiles" in result.output
    assert "closed/Acme/systems/notes.txt" in result.output
    assert str(folder) not in result.output


def test_the_note_on_a_missing_configuration_names_the_place_that_was_looked_at(folder, repository, tree):
    assert "no .github/submission-checks.yml in this folder" in run("check", folder).output
    head = head_of(repository, broken(tree).files)
    told = run("check", "--repo", repository.path, "--base", "main", "--head", head).output
    assert "no .github/submission-checks.yml at the base commit" in told


def test_strict_lets_warnings_fail(folder):
    (folder / ".github").mkdir(exist_ok=True)
    (folder / ".github/submission-checks.yml").write_text('rules: storage\nlevels: {"2.1.7": warning}\n')
    (folder / "closed/Acme/systems/notes.txt").write_text("x")
    assert run("check", folder).exit_code == 0
    assert run("check", folder, "--strict").exit_code == 1


def test_a_configuration_by_name_goes_before_the_one_in_the_tree(folder, tmp_path):
    config = tmp_path / "config.yml"
    config.write_text('levels: {"2.1.7": "off"}\n')
    (folder / "closed/Acme/systems/notes.txt").write_text("x")
    assert run("check", folder).exit_code == 1
    assert run("check", folder, "--config", config).exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (lambda folder: ["check"], "Give PATH"),
        (lambda folder: ["check", folder, "--repo", folder], "--repo goes with"),
        (lambda folder: ["check", folder, "--merged"], "--merged and --author go with --repo"),
        (lambda folder: ["check", folder / "absent"], "is not a folder"),
        (lambda folder: ["check", folder, "--jobs", "0"], "jobs"),
        (lambda folder: ["check", folder, "--edition", "9.9"], "there is no edition '9.9'"),
        (lambda folder: ["check", folder, "--only", "closed/Nobody"], "no scope closed/Nobody"),
        (lambda folder: ["check", folder, "--config", folder / "absent.yml"], "can't be read"),
        (lambda folder: ["check", "--repo", folder, "--base", "main", "--head", "x"], "git repository"),
    ],
)
def test_what_the_command_cannot_do_is_said_in_a_line_with_exit_code_2(
    folder: Path, arguments: Callable[[Path], list[object]], said: str
):
    result = run(*arguments(folder))
    assert result.exit_code == 2
    assert said in result.output
    assert "Traceback" not in result.output


def test_an_empty_folder_does_not_tell_which_rules(tmp_path):
    result = run("check", tmp_path)
    assert result.exit_code == 2
    assert "--rules storage or endpoints" in result.output


@pytest.mark.parametrize("text", ["levels: [", "levels: {'2.1.7': fatal}", "unknown: 1", "edition: 2.0"])
def test_a_faulty_configuration_is_never_replaced_by_the_defaults(folder, text):
    (folder / ".github").mkdir(exist_ok=True)
    (folder / ".github/submission-checks.yml").write_text(text)
    result = run("check", folder)
    assert result.exit_code == 2
    assert ".github/submission-checks.yml:" in result.output


def test_only_what_a_change_touches_is_checked(repository, tree):
    base = tree.copy()
    assert base.files
    head = head_of(repository, {f"{SYSTEM}/training/unet3d/run/stray.txt": b"x", "closed/Acme/systems/notes.txt": b"x"})
    result = run("check", "--repo", repository.path, "--base", "main", "--head", head, "--format", "json")
    data = json.loads(result.output)
    assert result.exit_code == 1
    assert data["head"] == head
    assert data["base"] == repository.ref("refs/heads/main")
    assert {(scope["path"], scope["kind"]) for scope in data["scopes"]} == {
        ("closed/Acme", "submitter"),
        (SYSTEM, "system"),
    }
    assert {finding["path"] for finding in data["findings"] if finding["level"] == "error"} == {
        "closed/Acme/systems/notes.txt"
    }


def test_the_configuration_comes_from_the_merge_base(repository):
    files = {".github/submission-checks.yml": b'levels: {"2.1.7": "off"}\n', "closed/Acme/systems/notes.txt": b"x"}
    head = head_of(repository, files)
    assert run("check", "--repo", repository.path, "--base", "main", "--head", head).exit_code == 1


def test_unknown_revisions_and_unrelated_histories(repository):
    orphan = repository.commit({"x": b"1"}, branch="orphan")
    for head, said in (("nothing", "names no commit"), ("--upload-pack=x", "names no commit"), (orphan, "no history")):
        result = run("check", "--repo", repository.path, "--base", "main", f"--head={head}")
        assert result.exit_code == 2
        assert said in result.output


@pytest.fixture
def partial(repository, tmp_path: Path) -> Path:
    """A clone without contents, and a pull request in it."""
    head_of(repository, {f"{SYSTEM}/training/unet3d/run/stray.txt": b"x" * 99, "closed/Acme/systems/notes.txt": b"x"})
    for key in ("uploadpack.allowFilter", "uploadpack.allowAnySHA1InWant"):
        subprocess.run(["git", "-C", repository.path, "config", key, "true"], check=True)
    clone = tmp_path / "clone"
    command = ["git", "clone", "--quiet", "--bare", "--filter=blob:none", f"file://{repository.path}", clone]
    subprocess.run(command, check=True)
    return clone


def test_a_partial_clone_fetches_what_the_rules_need(partial):
    result = run("check", "--repo", partial, "--base", "main", "--head", "topic")
    assert result.exit_code == 1
    assert "closed/Acme/systems/notes.txt" in result.output


def test_a_partial_clone_without_fetching_ends_with_2(partial):
    result = run("check", "--repo", partial, "--base", "main", "--head", "topic", "--no-fetch")
    assert result.exit_code == 2
    assert "not in the repository" in result.output


@pytest.mark.parametrize("name", ["text", "json", "sarif", "junit", "github", "markdown"])
def test_a_report_goes_into_a_file(folder, tmp_path, name):
    output = tmp_path / "report"
    result = run("check", folder, "--format", name, "--output", output)
    assert (result.exit_code, result.output) == (0, "")
    assert output.read_text()


def test_several_processes_find_the_same(folder):
    (folder / "closed/Acme/systems/notes.txt").write_text("x")
    one, two = (run("check", folder, "--format", "json", "--jobs", jobs) for jobs in (1, 2))
    assert one.output == two.output
    assert one.exit_code == two.exit_code == 1


def test_rules_lists_every_rule_set():
    data = json.loads(run("rules", "--format", "json").output)
    assert [item["name"] for item in data["rule_sets"]] == ["storage", "endpoints"]
    rules = {rule["id"]: rule for rule in data["rule_sets"][0]["rules"]}
    assert rules["2.1.7"]["level"] == "error"
    assert rules["2.1.3"]["checkable"] is False
    assert rules["2.1.3"]["not_checkable"]
    assert run("rules", "--rules", "storage", "--edition", "9").exit_code == 2


def test_config_check(tmp_path):
    config = tmp_path / "submission-checks.yml"
    config.write_text('rules: storage\nlevels: {"2.1.7": warning}\n')
    assert run("config", "check", config).exit_code == 0
    config.write_text('rules: storage\nlevels: {"2.1.7": warning, "9.9.9": error}\nextra: 1\n')
    result = run("config", "check", config)
    assert result.exit_code == 1
    assert f"{config}:3:" in result.output
    assert run("config", "check", tmp_path / "absent").exit_code == 2


def test_the_version():
    assert run("--version").output.startswith("submission-bot, version ")


def test_a_root_that_is_no_folder_ends_the_command(folder: Path, repository: GitRepository, tmp_path: Path) -> None:
    configuration = tmp_path / "configuration.yml"
    configuration.write_text("root: submission\n")
    for given in ((folder,), ("--repo", repository.path, "--base", "main", "--head", "main")):
        result = run("check", *given, "--config", configuration)
        assert (result.exit_code, result.output.count("\n")) == (2, 1)
        assert "root: submission is no folder" in result.output


def test_the_results_preview_is_shown_where_the_configuration_asks_for_it(folder, tmp_path):
    config = tmp_path / "config.yml"
    config.write_text("results_preview: true\n")
    shown = run("check", folder, "--format", "markdown", "--config", config).output
    assert "### Preview of the results table" in shown
    assert "| single | closed | training/unet3d |" in shown
    config.write_text("rules: storage\n")
    assert "Preview" not in run("check", folder, "--format", "markdown", "--config", config).output


def test_what_git_can_not_compare_is_said_with_the_remedy(repository, tree, tmp_path):
    head = head_of(repository, broken(tree).files)
    unknown = run("check", "--repo", repository.path, "--base", "nosuch", "--head", head)
    assert (unknown.exit_code, "fetch it first" in unknown.output) == (2, True)
    shallow = tmp_path / "shallow"
    for command in (
        ["git", "clone", "--quiet", "--depth=1", "--branch=topic", f"file://{repository.path}", shallow],
        ["git", "-C", shallow, "fetch", "--quiet", "--depth=1", "origin", "main:base"],
    ):
        subprocess.run(command, check=True, capture_output=True)
    result = run("check", "--repo", shallow, "--base", "base", "--head", "topic")
    assert (result.exit_code, "git fetch --unshallow" in result.output) == (2, True)


CHECK = [sys.executable, "-m", "bot.cli", "check"]


def ended(command: str, *arguments: object) -> tuple[int, str]:
    """Exit code of the program and its standard error, run by a shell's ``command`` with ``"$@"`` for the program."""
    given = ["bash", "-c", command, "bash", *CHECK, *map(str, arguments)]
    done = subprocess.run(given, capture_output=True, text=True, check=False, timeout=60)
    return done.returncode, done.stderr


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ('"$@" | true; exit ${PIPESTATUS[0]}', ""),
        ('"$@" >/dev/full', "submission-bot: standard output can't be written: No space left on device\n"),
        ('"$@" >&-', "submission-bot: standard output is closed; nothing was written\n"),
    ],
)
def test_a_report_that_nobody_got_is_neither_a_pass_nor_a_failure(folder, command, said):
    assert ended(command, folder) == (2, said)


def test_an_interrupted_check_is_neither_a_pass_nor_a_failure(folder, tmp_path):
    pipe = tmp_path / "config.yml"
    os.mkfifo(pipe)
    command = [*CHECK, str(folder), "--config", str(pipe)]
    started = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    with pipe.open("w"):  # opens when the program does, which then waits for something to read
        started.send_signal(signal.SIGINT)
        assert started.communicate(timeout=30)[1].strip() == "submission-bot: interrupted"
    assert started.returncode == 2


def test_a_broken_program_is_neither_a_pass_nor_a_failure(folder, monkeypatch):
    def breaks(report):
        raise IndexError(report.rules)

    monkeypatch.setitem(RENDERERS, "text", breaks)
    result = run("check", folder)
    assert result.exit_code == 2
    assert "IndexError" in result.output
    assert "no fault of what was checked" in result.output


def test_merged_judges_what_the_merge_would_give(repository, tree):
    head = head_of(repository, {f"{SUMMARY}/stray.txt": b"x", "closed/Acme/systems/mine.yaml": b"name: mine\n"})
    base = repository.ref("refs/heads/main")
    lenient = {".github/submission-checks.yml": b'levels: {"2.1.7": "off"}\n'}
    repository.commit({**lenient, "closed/Acme/systems/theirs.yaml": b"name: theirs\n"}, base=base, branch="main")
    given = ("check", "--repo", repository.path, "--base", "main", "--head", head, "--format", "json")
    alone, merged = (run(*given, *more) for more in ((), ("--merged",)))
    assert (alone.exit_code, merged.exit_code) == (1, 0)
    at_once = run(*given, "--merged", "--config", os.devnull)
    found = {item["path"] for item in json.loads(at_once.output)["findings"] if item["rule"] == "2.1.7"}
    assert found == {"closed/Acme/systems/mine.yaml", "closed/Acme/systems/theirs.yaml"}
    assert json.loads(merged.output)["base"] == json.loads(alone.output)["base"] == base


def test_owners_are_judged_for_the_author_that_is_named(repository, tmp_path):
    (tmp_path / "owners.yml").write_text("owners: {Acme: [ada]}\n")
    head = head_of(repository, {f"{SUMMARY}/stray.txt": b"x"})
    given = ("check", "--repo", repository.path, "--base", "main", "--head", head, "--config", tmp_path / "owners.yml")
    for author, told in (("ada", False), ("hubot", True)):
        assert ("owner.foreign-folder" in run(*given, "--author", author).output) is told
    assert "owner.foreign-folder" not in run(*given).output


def test_a_folder_is_checked_without_git_and_the_rest_says_that_git_is_needed(folder, repository, monkeypatch):
    monkeypatch.setenv("PATH", "/nonexistent")
    assert run("check", folder).exit_code == 0
    for arguments in (["check", "--repo", repository.path, "--base", "main", "--head", "main"], ["serve"], ["doctor"]):
        result = run(*arguments)
        assert (result.exit_code, result.output) == (
            2,
            "submission-bot: git is needed and not found on PATH; install it\n",
        )
