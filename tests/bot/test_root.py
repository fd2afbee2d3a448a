"""`root` of the configuration: a folder that is not there must not let everything pass. Over real sockets."""

from __future__ import annotations

import pytest

from tests.bot.maintained import (
    B_WITHOUT_PDF,
    completed,
    github,  # noqa: F401 - a fixture
    new_repository,
    service,  # noqa: F401 - a fixture
)
from tests.github import GitHub
from tests.github.gitrepo import SUBMODULE, SYMLINK, Content, Entry

TREE = {
    "submissions/closed/Acme/systems/A.yaml": b"name: A\n",
    "submissions/closed/Acme/systems/A.pdf": b"%PDF-1.7\n",
    "submissions/closed/Acme/results/A/training/unet3d/notes.txt": b"x\n",
}
BAD = {path: data for path, data in B_WITHOUT_PDF.items() if data is not None}


def below(folder: str, files: dict[str, bytes]) -> dict[str, bytes]:
    return {f"{folder}/{path}": data for path, data in files.items()}


def verdict(github: GitHub, root: str, files: dict[str, Content], remove: tuple[str, ...] = ()) -> tuple[str, str, str]:  # noqa: F811
    """Conclusion, title and summary of a pull request into a repository whose configuration names ``root``."""
    repository = new_repository(github, f"root: {root}", TREE)
    base = repository.git.ref("refs/heads/main")
    assert base
    sha = repository.git.commit(files, base=base, remove=remove)
    github.open_pull_request(repository, sha)
    run = completed(github, repository, sha)
    return str(run.conclusion), str(run.title), str(run.summary)


def test_what_lies_below_it_is_judged(github: GitHub) -> None:  # noqa: F811
    conclusion, _, summary = verdict(github, "submissions", {**below("submissions", BAD)})
    assert conclusion == "failure"
    assert "2.1.7" in summary


@pytest.mark.parametrize("root", ["submission", "Submissions", "submissions/closed/Acme/systems/A.yaml"])
def test_one_that_is_no_folder_is_a_fault_of_the_configuration(github: GitHub, root: str) -> None:  # noqa: F811
    conclusion, title, summary = verdict(github, root, {**below("submissions", BAD)})
    assert (conclusion, title) == ("action_required", "The checker's configuration is faulty, not your submission")
    assert "is no folder at the base commit" in summary


def test_one_that_the_change_brings_is_judged(github: GitHub) -> None:  # noqa: F811
    conclusion, _, summary = verdict(github, "new", {**below("new", BAD)})
    assert conclusion == "failure"
    assert "2.1.7" in summary


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        (Entry(b"elsewhere", SYMLINK), "submissions is a symlink"),
        (Entry(b"a" * 40, SUBMODULE), "submissions is a submodule"),
        (b"a file", "submissions is a file"),
        (None, "submissions is gone"),
    ],
)
def test_a_change_that_puts_something_else_in_its_place_does_not_pass(
    github: GitHub,  # noqa: F811
    entry: Content | None,
    said: str,
) -> None:
    files: dict[str, Content] = {**below("elsewhere", BAD)}
    conclusion, title, summary = verdict(
        github, "submissions", files | ({"submissions": entry} if entry else {}), () if entry else ("submissions",)
    )
    assert (conclusion, title) == ("failure", "The folder of the submissions is gone")
    assert said in summary
