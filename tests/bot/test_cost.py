"""What a pull request costs: git requests counted by the server, contents counted in the mirror."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pygit2
import pytest

from bot.jobs.judge import Answer, Question, Target, judge
from bot.mirror import Mirror
from bot.settings import Settings
from tests.bot.clients import settings_for
from tests.github import GitHub, Repository
from tests.trees.storage_whole import valid_tree

SYSTEM = "closed/Acme/results/single"
RUNS = f"{SYSTEM}/training/unet3d/run"
CONFIGURATION = b'# which rules the working group checks by\nrules: storage\nedition: "3.0"\n'
TINY = 50
"""Bytes below which contents come along with commits."""


@pytest.fixture(scope="module")
def tree():
    built = valid_tree("v3", divisions=("closed",), workloads=("unet3d", "kv_cache"))
    built.put(".github/submission-checks.yml", CONFIGURATION)
    return built


@pytest.fixture
def standin(tmp_path: Path) -> Iterator[GitHub]:
    with GitHub(tmp_path / "github") as running:
        yield running


@pytest.fixture
def repository(standin: GitHub, tree) -> Repository:
    return standin.add_repository("octo-org/results", tree.files)


@pytest.fixture
def settings(standin: GitHub, tmp_path: Path) -> Settings:
    return settings_for(standin, tmp_path / "bot")


def asked(standin: GitHub, settings: Settings, repository: Repository, head: str, number: int = 1) -> Answer:
    base = repository.git.ref("refs/heads/main")
    assert base
    target = Target(number=number, base_ref="main", base_sha=base, author="ada")
    question = Question(
        settings=settings,
        repository_id=repository.id,
        repository=repository.full_name,
        head_sha=head,
        targets=(target,),
        token=standin.token(repository),
        details_url=None,
    )
    return judge(question)


def changed(repository: Repository, tree, edit) -> str:
    """A commit on main in which ``edit`` was done to the tree."""
    after = tree.copy()
    edit(after)
    files = {path: data for path, data in after.files.items() if tree.files.get(path) != data}
    gone = [path for path in tree.files if path not in after.files]
    return repository.git.commit(files, base=repository.git.ref("refs/heads/main"), remove=gone)


def edited(tree) -> None:
    """A run below the required utilization, one run taken away, the description touched."""
    summaries = sorted(tree.find(f"{RUNS}/*/summary.json"))
    tree.edit_json(summaries[-1], {"/metric/train_au_mean_percentage": 62.5})
    tree.remove(summaries[0].rpartition("/")[0])
    description = "closed/Acme/systems/single.yaml"
    tree.put(description, tree.files[description] + b"# checked by hand\n")


def renamed(tree) -> None:
    """The same system under another name."""
    for path in [path for path in tree.files if path.startswith((f"{SYSTEM}/", "closed/Acme/systems/single."))]:
        tree.rename(path, path.replace("single", "other", 1))


def added(tree) -> None:
    """Another system of the same content, its pointers naming an image that is there."""
    for path in [path for path in tree.files if path.startswith((f"{SYSTEM}/", "closed/Acme/systems/single."))]:
        tree.put(path.replace("single", "other", 1), tree.files[path])


@pytest.mark.parametrize("edit", [edited, renamed, added])
def test_one_changed_system_costs_four_git_requests_also_for_a_new_mirror(standin, settings, repository, tree, edit):
    head = changed(repository, tree, edit)
    answer = asked(standin, settings, repository, head)
    assert answer.retry is None
    assert answer.bodies
    assert len(standin.git_requests) <= 4
    standin.clear_requests()
    again = changed(repository, tree, lambda after: (edit(after), after.put(f"{RUNS}/note.txt", b"second push" * 9)))
    asked(standin, settings, repository, again)
    assert len(standin.git_requests) <= 4


def test_a_base_branch_that_moved_on_costs_no_more(standin, settings, repository, tree):
    head = changed(repository, tree, edited)
    other = {"closed/Acme/systems/other.yaml": b"name: other\n" * 9, f"{RUNS}/theirs.txt": b"x" * 99}
    repository.git.commit(other, base=repository.git.ref("refs/heads/main"), branch="main")
    answer = asked(standin, settings, repository, head)
    assert "the verdict is for the merge into `main`" in answer.bodies[-1]["output"]["summary"]
    assert len(standin.git_requests) <= 4


def test_only_the_systems_and_its_codes_contents_are_fetched(standin, settings, repository, tree):
    head = changed(repository, tree, edited)
    asked(standin, settings, repository, head)
    mirror = pygit2.Repository(str(Mirror(settings, repository.id, repository.full_name).path))
    headers = {str(oid): mirror.odb.read_header(oid) for oid in mirror.odb}
    here = {oid for oid, (kind, size) in headers.items() if kind == pygit2.enums.ObjectType.BLOB and size >= TINY}
    assert here
    assert here <= blobs_of(repository, head) | blobs_of(repository, repository.git.ref("refs/heads/main"))


def blobs_of(repository: Repository, commit: str | None) -> set[str]:
    """The contents of the system, its description, its code images, and the configuration."""
    places = (f"{SYSTEM}/", "closed/Acme/systems/single.", "Acme/code-", ".github/submission-checks.yml")
    found: set[str] = set()
    pending = [("", repository.git.odb[commit].peel(pygit2.Tree))]
    while pending:
        folder, tree = pending.pop()
        for entry in tree:
            path = f"{folder}{entry.name}"
            if isinstance(entry, pygit2.Tree):
                pending.append((f"{path}/", entry))
            elif path.startswith(places):
                found.add(str(entry.id))
    return found


def test_a_change_of_loose_and_dot_files_reads_nothing(standin, settings, repository, tree):
    head = changed(
        repository, tree, lambda after: (after.put("README.md", b"x" * 99), after.put(".github/w", b"y" * 99))
    )
    answer = asked(standin, settings, repository, head)
    assert answer.bodies[-1]["output"]["title"] == "No submitted system changed"
    assert answer.bodies[-1]["conclusion"] == "success"
    assert len(standin.git_requests) <= 4
