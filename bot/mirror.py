"""One bare partial clone per repository: commits and trees whole, file contents only as far as they were needed.

Nothing is ever checked out. Every fetch writes references of its own, so that fetches need no lock against each other;
a shared lock keeps the mirror from being repacked or replaced under a reader. A pull request costs at most two fetches
of two HTTP requests each: :meth:`Mirror.fetch`, and :meth:`Mirror.fetch_blobs` when contents are still missing. That
holds for the very first one too, which makes the mirror.
"""

from __future__ import annotations

import logging
import shutil
import time
from collections.abc import Sequence
from pathlib import Path

from bot import identifiers
from bot.mirror_errors import (
    BusyMirrorError,
    CredentialsRefusedError,
    DamagedMirrorError,
    MalformedObjectError,
    MirrorError,
    MissingObjectError,
    ReferenceInUseError,
    TooLargeError,
)
from bot.mirror_folder import COMMITS_FILTER, FETCH, LOCK_SECONDS, MirrorFolder, folder_fault

__all__ = [
    "BusyMirrorError",
    "CredentialsRefusedError",
    "DamagedMirrorError",
    "MalformedObjectError",
    "Mirror",
    "MirrorError",
    "MissingObjectError",
    "ReferenceInUseError",
    "TooLargeError",
    "folder_fault",
]

log = logging.getLogger(__name__)

FETCH_SECONDS = 300.0
UPKEEP_SECONDS = 600.0

OIDS_PER_FETCH = 50_000
"""git http-backend refuses requests over 10 MB, which is about 200,000 object ids."""

UNKNOWN_OIDS = 20
"""Object ids that GitHub may turn out not to have before a batch is given up; each costs a fetch."""

TRIES = 3
"""For a reference that two fetches of one pull request write at once."""

MAX_PACKS = 50
MAX_BYTES = 500 << 20

FREE_SECONDS = 1.0
"""How long upkeep waits for readers: the sweep has other repositories, and comes again."""

OVERDUE = 2.0
"""So many times over its bounds, a mirror lets no more readers in until upkeep has had its turn."""

LEFTOVER_SECONDS = 3600.0
"""Age at which a temporary file or a lock belongs to a process that died: no git command may run for so long."""


class Mirror(MirrorFolder):
    """Fetches into the mirror, and its upkeep. Any process and thread may use it.

    Jobs do all their work, fetches included, inside ``with mirror.reading():``; upkeep and :meth:`renew` stand outside.
    """

    def fetch(self, head_sha: str, base_sha: str, number: int | None, token: str) -> None:
        """Gets both commits with their history, trees and tiny contents. Raises MirrorError.

        The first fetch makes the mirror. ``number`` is the pull request's, None for a merge group.
        """
        head, base = identifiers.sha(head_sha), identifiers.sha(base_sha)
        place = f"prs/{identifiers.number(number)}" if number is not None else f"groups/{head}"
        references = [f"+{head}:refs/{place}", f"+{base}:refs/bases/{place}"]
        with self._shared():
            if not self._make(references, token):
                self._follow_rename()
                self._fetch_commits(references, token)

    def _fetch_commits(self, references: Sequence[str], token: str) -> None:
        command = [*FETCH, COMMITS_FILTER, "origin", *references]
        for attempt in range(1, TRIES + 1):
            try:
                self._git(command, FETCH_SECONDS, token)
                return
            except ReferenceInUseError:  # the objects have arrived; the next try finds them here
                if attempt == TRIES:
                    raise

    def fetch_blobs(self, oids: Sequence[str], token: str) -> tuple[str, ...]:
        """Gets contents by object id, whatever their size, in one fetch per 50,000; gives the ids that GitHub lacks.

        Raises MirrorError, also when GitHub lacks more than a few.
        """
        wanted = list(dict.fromkeys(map(identifiers.sha, oids)))
        unknown: list[str] = []
        with self._shared():
            for start in range(0, len(wanted), OIDS_PER_FETCH):
                unknown += self._fetch_known(wanted[start : start + OIDS_PER_FETCH], token)
        return tuple(unknown)

    def _fetch_known(self, oids: list[str], token: str) -> list[str]:
        """Fetches these contents; one that GitHub lacks fails the whole fetch, so the next does without it."""
        unknown: list[str] = []
        command = ["-c", "fetch.negotiationAlgorithm=noop", *FETCH, "--filter=blob:none", "origin", "--stdin"]
        while oids:
            try:
                self._git(command, FETCH_SECONDS, token, stdin="".join(f"{oid}\n" for oid in oids).encode())
                break
            except MissingObjectError as error:
                if error.oid not in oids or len(unknown) == UNKNOWN_OIDS:
                    raise
                unknown.append(error.oid)
                oids = [oid for oid in oids if oid != error.oid]
        return unknown

    def repack(self, seconds: float = LOCK_SECONDS) -> None:
        """Makes one pack of all. Raises MirrorError, BusyMirrorError when readers don't leave within ``seconds``."""
        with self._exclusive(seconds):
            self._git(["repack", "-a", "-d", "-q"], UPKEEP_SECONDS)

    def renew(self, token: str, seconds: float = LOCK_SECONDS) -> None:
        """Replaces the mirror by a new one: a partial clone never gets smaller by itself. Raises as :meth:`repack`."""
        with self._new(["+HEAD:refs/heads/main"], token) as new, self._exclusive(seconds):
            if self.path.exists():
                self.path.rename(new.with_name("old.git"))
            new.rename(self.path)

    def prune(self) -> None:
        """Removes what killed processes left: unfinished packs, old locks, unfinished clones.

        All of it is older than any running command can be, so that no lock is needed.
        """
        oldest = time.time() - LEFTOVER_SECONDS
        for folder in self._folder.glob(f"{self._id}.new-*"):
            if _changed(folder) < oldest:
                shutil.rmtree(folder, ignore_errors=True)
        for pattern in ("objects/pack/tmp_*", "objects/??/tmp_obj_*", "*.lock", "refs/**/*.lock"):
            for file in self.path.glob(pattern):
                if _changed(file) < oldest:
                    file.unlink(missing_ok=True)

    def maintain(self, token: str) -> tuple[str, ...]:
        """Does what is due and says what was done: ``prune``, ``repack``, ``renew``. Raises MirrorError.

        A mirror in use is left to the next time, unless it has been left so for too long.
        """
        if not self.path.exists():
            return ()
        self.prune()
        large = self.size / max(MAX_BYTES, 2 * self._size_at_creation())
        many = len(list(self.path.glob("objects/pack/*.pack"))) / MAX_PACKS
        seconds = LOCK_SECONDS if max(large, many) > OVERDUE else FREE_SECONDS
        try:
            if large > 1:
                with self._exclusive(seconds):  # before a clone that could not be put in its place
                    pass
                self.renew(token, seconds)
                return ("prune", "renew")
            if many > 1:
                self.repack(seconds)
                return ("prune", "repack")
        except BusyMirrorError:
            log.info("the mirror is in use; its upkeep is left to the next sweep", extra={"mirror": self.path.name})
        return ("prune",)


def _changed(path: Path) -> float:
    """When the file or folder was changed last; now, where another process has just removed it."""
    try:
        return path.stat().st_mtime
    except FileNotFoundError:
        return time.time()
