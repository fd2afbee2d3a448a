"""A person's own repository: commits by name, and blobs that a partial clone still lacks, fetched in one batch."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

import git

from checks.tree import ObjectMissing

FETCH = (
    "fetch",
    "--quiet",
    "--no-tags",
    "--no-write-fetch-head",
    "--no-auto-maintenance",
    "--recurse-submodules=no",
    "--filter=blob:none",
    "--stdin",
)


class Blobs:
    """Brings missing blobs into the repository at ``folder`` by git itself, with the person's own credentials."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def fetch(self, oids: Sequence[str]) -> None:
        """Fetches objects by id, all in one request. Raises ObjectMissing with what to do when git can't."""
        with git.Repo(self.folder, search_parent_directories=True) as repository:
            remote = _promisor(repository)
            if remote is None:
                raise ObjectMissing(
                    f"{len(oids):,} objects are missing and the repository has no promisor remote to fetch them from; "
                    "clone it anew, or fetch the commits without a filter"
                )
            with tempfile.TemporaryFile() as wanted:
                wanted.write("".join(f"{oid}\n" for oid in oids).encode())
                wanted.seek(0)
                _run(repository, remote, wanted, len(oids))


def _run(repository: git.Repo, remote: str, wanted: BinaryIO, number: int) -> None:
    command = ["git", "-c", "fetch.negotiationAlgorithm=noop", *FETCH, "--", remote]
    try:
        repository.git.execute(command, istream=wanted, env={"GIT_TERMINAL_PROMPT": "0"})
    except git.GitCommandError as error:
        said = str(error.stderr).strip().splitlines()[-1:] or ["no reason given"]
        raise ObjectMissing(f"git could not fetch {number:,} missing objects from {remote}: {said[0]}") from error


def _promisor(repository: git.Repo) -> str | None:
    """The name of the remote that promised the objects of a partial clone."""
    with repository.config_reader() as config:
        for section in config.sections():
            if section.startswith('remote "') and config.get_value(section, "promisor", False):
                return section[len('remote "') : -1]
    return None
