"""What is wrong with the base branch is the maintainers' matter: told as such, and never as the submitter's fault."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.jobs.judge import Question, Target, judge
from bot.policy import MAX_BYTES, PATH
from tests.bot.clients import settings_for
from tests.bot.conftest import FILES
from tests.github import GitHub, Repository

CONFIGURATION = b"rules: storage\n"
DEEP = "/".join("d" * 205)
"""More levels of folders than are read."""


@pytest.fixture
def standin(tmp_path: Path) -> Iterator[GitHub]:
    with GitHub(tmp_path / "github") as running:
        yield running


@pytest.fixture
def repository(standin: GitHub) -> Repository:
    return standin.add_repository("octo-org/results", {**FILES, PATH: CONFIGURATION})


def main_of(repository: Repository) -> str:
    sha = repository.git.ref("refs/heads/main")
    assert sha
    return sha


def outcome(standin: GitHub, folder: Path, repository: Repository, head: str, base: str) -> tuple[str, str, str]:
    """Conclusion, title and summary of the check of ``head`` into ``base``."""
    answer = judge(
        Question(
            settings=settings_for(standin, folder / "bot"),
            repository_id=repository.id,
            repository=repository.full_name,
            head_sha=head,
            targets=(Target(number=1, base_ref="main", base_sha=base, author="ada"),),
            token=standin.token(repository),
            details_url=None,
        )
    )
    assert answer.retry is None
    output = answer.bodies[-1]["output"]
    return answer.bodies[-1]["conclusion"], output["title"], output["summary"]


def test_an_object_that_git_refuses_is_told_to_whose_history_holds_it(standin, repository, tmp_path) -> None:
    git, good = repository.git, main_of(repository)
    bad = git.commit_raw_tree([(0o100644, b"..", git.blob(b"x"))], parents=[good])
    after = git.commit({"closed/Acme/systems/A.md": b"x\n"}, base=good, parents=[bad])
    own = outcome(standin, tmp_path, repository, after, good)
    assert own[:2] == ("failure", "An object of this pull request is malformed")
    head = git.commit({"closed/Acme/systems/B.md": b"x\n"}, base=after)
    conclusion, title, summary = outcome(standin, tmp_path, repository, head, after)
    assert (conclusion, title) == (
        "action_required",
        "An object of the base branch is malformed, not your submission",
    )
    assert f"the base branch at `{after}` can't be" in summary
    assert "hasDotdot" in summary
    assert "not a fault of your submission" in summary


@pytest.mark.parametrize(
    ("on_base", "told"),
    [
        (True, ("action_required", "The base branch is too large to be checked, not your submission")),
        (False, ("failure", "Too large to be checked")),
    ],
)
def test_folders_too_deep_are_told_to_those_who_made_them(standin, repository, tmp_path, on_base, told) -> None:
    git = repository.git
    deep = {f"closed/Acme/{DEEP}/x": b"1\n"}
    base = git.commit(deep if on_base else {"README.md": b"1\n"}, base=main_of(repository))
    head = git.commit({f"closed/Acme/{DEEP}/x": b"2\n"}, base=base)
    assert outcome(standin, tmp_path, repository, head, base)[:2] == told


def test_a_configuration_too_large_is_a_faulty_one(standin, repository, tmp_path) -> None:
    git = repository.git
    large = git.commit({PATH: b"# more\n" * MAX_BYTES}, base=main_of(repository))
    head = git.commit({"closed/Acme/systems/A.md": b"x\n"}, base=large)
    conclusion, title, summary = outcome(standin, tmp_path, repository, head, large)
    assert (conclusion, title) == ("action_required", "The checker's configuration is faulty, not your submission")
    assert "at most" in summary


def test_a_configuration_made_too_large_is_previewed(standin, repository, tmp_path) -> None:
    head = repository.git.commit({PATH: b"# more\n" * MAX_BYTES}, base=main_of(repository))
    conclusion, _, summary = outcome(standin, tmp_path, repository, head, main_of(repository))
    assert conclusion == "success"
    assert "It can't be merged as it is" in summary
