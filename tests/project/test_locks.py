"""The locks: every package pinned with hashes, and no word on where packages come from."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LOCKS = ["runtime.txt", "build.txt", "dev.txt"]
PIN = re.compile(r"^(?P<name>[a-z0-9-]+)==\S+(?: ; [^\\]+)? \\$")
HASH = re.compile(r"^    --hash=sha256:[0-9a-f]{64}(?: \\)?$")


def lines(lock: str) -> list[str]:
    return (ROOT / "requirements" / lock).read_text(encoding="utf-8").splitlines()


def pins(lock: str) -> dict[str, str]:
    """Locked package -> its line, with version and marker."""
    return {match["name"]: line for line in lines(lock) if (match := PIN.match(line))}


def declared(requirements: list[str]) -> set[str]:
    """Normalized names of requirement lines such as `psycopg[binary]>=3.2`."""
    return {re.sub(r"[-_.]+", "-", re.split(r"[\[<>=!~; ]", line)[0]).lower() for line in requirements}


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_holds_pins_hashes_and_comments_only(lock: str) -> None:
    odd = [line for line in lines(lock) if not (PIN.match(line) or HASH.match(line) or line.lstrip().startswith("#"))]
    assert odd == []


@pytest.mark.parametrize("lock", LOCKS)
def test_each_pin_has_a_hash(lock: str) -> None:
    following = dict(zip(lines(lock), lines(lock)[1:], strict=False))
    assert pins(lock)
    assert [name for name, line in pins(lock).items() if not HASH.match(following[line])] == []


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_names_no_index_and_no_folder(lock: str) -> None:
    text = "\n".join(lines(lock))
    assert not re.search(r"https?:|file:|--index|--extra-index|--find-links|(?<=\s)/\w", text)


def test_what_pyproject_declares_is_locked() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    runtime = declared(project["project"]["dependencies"])
    build = declared(project["build-system"]["requires"])
    assert runtime <= pins("runtime.txt").keys()
    assert build <= pins("build.txt").keys()
    assert runtime | build | declared(project["project"]["optional-dependencies"]["dev"]) <= pins("dev.txt").keys()


def test_development_and_operation_use_the_same_versions() -> None:
    development = pins("dev.txt")
    differing = [
        name for lock in ("runtime.txt", "build.txt") for name, line in pins(lock).items() if development[name] != line
    ]
    assert differing == []
