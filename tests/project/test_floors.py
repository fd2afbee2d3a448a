"""The house has two floors: `checks` knows nothing of GitHub, git hosting or the web."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOREIGN_TO_CHECKS = {"bot", "dbos", "flask", "git", "github", "sqlalchemy", "waitress"}
MAY_READ_GIT = {"checks/git_tree.py", "checks/changes.py"}


def imported_packages(source: str) -> Iterator[str]:
    """Top-level packages that a module imports, anywhere in it."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.partition(".")[0]


def modules(package: str) -> list[str]:
    return sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / package).rglob("*.py"))


def test_imports_are_found_wherever_they_stand() -> None:
    source = "import git.exc\ndef f():\n    from bot.settings import Settings\n    import json, flask\n"
    assert set(imported_packages(source)) == {"git", "bot", "json", "flask"}


@pytest.mark.parametrize("module", modules("checks"))
def test_checks_import_nothing_of_the_floor_above(module: str) -> None:
    found = set(imported_packages((ROOT / module).read_text(encoding="utf-8")))
    assert not found & FOREIGN_TO_CHECKS


@pytest.mark.parametrize("module", [module for module in modules("checks") if module not in MAY_READ_GIT])
def test_only_git_trees_and_changes_need_pygit2(module: str) -> None:
    assert "pygit2" not in imported_packages((ROOT / module).read_text(encoding="utf-8"))
