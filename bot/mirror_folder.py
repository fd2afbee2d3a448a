"""Where a repository's mirror lies on disk: its folder, its locks, its making, and git commands on it."""

from __future__ import annotations

import contextlib
import logging
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from bot import identifiers
from bot.file_lock import LockTimeoutError, exclusive, shared
from bot.folders import private_folder
from bot.git_command import GitError, Surroundings, run
from bot.mirror_errors import BusyMirrorError, error_of
from bot.settings import Settings

log = logging.getLogger(__name__)

LARGEST_FILE = 1 << 30
"""Bytes of a pack beyond which a fetch is given up; GitHub refuses single files over 100 MB."""

CREATION_SECONDS = 600.0
LOCK_SECONDS = 60.0
"""How long a job waits for a mirror that is being replaced, and upkeep that has to be for its readers to leave."""

SIZE_FILE = "size-at-creation"

COMMITS_FILTER = "--filter=blob:limit=50"
"""What comes along with commits and trees: contents below 50 bytes, which are the pointers to code images (44 to 46
bytes). git never sends contents of that size as differences (pack-objects leaves out objects below 50 bytes), while
larger ones may come as differences against contents that a partial clone lacks, and then the fetch fails (measured: any
edited file, `index-pack failed`). So every larger content is fetched by its id (ADR 9).
"""

FETCH = ("fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-auto-maintenance", "--no-recurse-submodules")


Kind = Callable[[Path, float], contextlib.AbstractContextManager[None]]
"""How a lock is held: shared or exclusive."""


class MirrorFolder:
    """The bare partial clone of ``full_name``, kept by the repository's id so that a rename keeps it.

    Raises ValueError for ids and names that GitHub can't have given.
    """

    def __init__(self, settings: Settings, repo_id: int, full_name: str) -> None:
        self._id = identifiers.number(repo_id)
        self._url = f"{settings.github_server_url}/{identifiers.full_name(full_name)}.git"
        self._folder = settings.mirrors_dir
        self._surroundings = Surroundings(settings.github_server_url, self._folder / "home")
        self.path = self._folder / f"{self._id}.git"

    @contextlib.contextmanager
    def reading(self) -> Iterator[Path]:
        """The mirror's path, which stays what it is inside the block. Raises MirrorError when upkeep takes too long."""
        with contextlib.ExitStack() as stack:
            with self._entering(shared):
                stack.enter_context(self._shared())
            yield self.path

    @property
    def size(self) -> int:
        """Bytes of the mirror's packs on disk."""
        return _size(self.path)

    def _make(self, references: Sequence[str], token: str) -> bool:
        """Makes the mirror with ``references`` unless it is there; whether it did. Only one of several workers does."""
        if self.path.exists():
            return False
        with self._creating():
            if self.path.exists():
                return False
            with self._new(references, token) as new:
                new.rename(self.path)
        return True

    @contextlib.contextmanager
    def _new(self, references: Sequence[str], token: str) -> Iterator[Path]:
        """A new mirror in a folder beside the real one, to be renamed; what is left there goes. Raises MirrorError.

        It holds commits, trees and tiny contents, got by one fetch; git then marks it as a partial clone.
        """
        aside = Path(tempfile.mkdtemp(prefix=f"{self._id}.new-", dir=self._folder))
        try:
            new = aside / "mirror.git"
            self._run(["init", "--quiet", "--bare", "--template=", "--initial-branch=main", str(new)], LOCK_SECONDS)
            self._run([f"--git-dir={new}", "config", "remote.origin.url", self._url], LOCK_SECONDS)
            command = [f"--git-dir={new}", *FETCH, COMMITS_FILTER, "origin", *references]
            if "filtering not recognized" in self._run(command, CREATION_SECONDS, token):
                log.warning("%s does not support partial clones: the mirror holds all contents", self._url)
            (new / SIZE_FILE).write_text(str(_size(new)))
            yield new
        finally:
            shutil.rmtree(aside, ignore_errors=True)

    def _size_at_creation(self) -> int:
        text = (self.path / SIZE_FILE).read_text() if (self.path / SIZE_FILE).exists() else ""
        return int(text) if text.isdigit() else 0

    def _follow_rename(self) -> None:
        """Points the mirror at the repository's present address, since redirects are not followed."""
        if f"url = {self._url}\n" not in (self.path / "config").read_text():
            self._git(["config", "remote.origin.url", self._url], LOCK_SECONDS)

    def _git(self, arguments: Sequence[str], seconds: float, token: str | None = None, stdin: bytes = b"") -> str:
        """git's stderr from a command on the mirror. Raises MirrorError."""
        return self._run([f"--git-dir={self.path}", *arguments], seconds, token, stdin)

    def _run(self, arguments: Sequence[str], seconds: float, token: str | None = None, stdin: bytes = b"") -> str:
        try:
            return run(
                self._surroundings, arguments, timeout=seconds, largest_file=LARGEST_FILE, token=token, stdin=stdin
            )
        except GitError as error:
            raise error_of(error, LARGEST_FILE) from error

    def _lock(self, kind: str) -> Path:
        return self._folder / f"{self._id}.{kind}.lock"

    def _shared(self) -> contextlib.AbstractContextManager[None]:
        return _in_time(shared(self._lock("use"), LOCK_SECONDS))

    @contextlib.contextmanager
    def _exclusive(self, seconds: float) -> Iterator[None]:
        """Holds the mirror alone; while it waits for the readers to leave, no others come in."""
        with self._entering(exclusive, seconds), _in_time(exclusive(self._lock("use"), seconds)):
            yield

    def _entering(self, kind: Kind, seconds: float = LOCK_SECONDS) -> contextlib.AbstractContextManager[None]:
        """The door that readers only pass through and upkeep holds shut, lest overlapping readers keep it out for
        ever. What a reader does later (its fetches) must not go through it again.
        """
        return _in_time(kind(self._lock("enter"), seconds))

    def _creating(self) -> contextlib.AbstractContextManager[None]:
        return _in_time(exclusive(self._lock("create"), CREATION_SECONDS))


def folder_fault(settings: Settings) -> str | None:
    """What is wrong with the folder of the mirrors, in a line that says what to do; None when nothing is."""
    folder = settings.mirrors_dir
    try:
        private_folder(folder)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        return f"{folder} can't be written ({error.strerror}); set DATA_DIR to a folder of this user's"
    foreign = [path for path in (folder, *folder.glob("*.git")) if path.stat().st_uid != os.getuid()]
    if foreign:
        return f"{foreign[0]} belongs to another user, so git refuses to read it; change its owner or remove it"
    return None


def _size(mirror: Path) -> int:
    return sum(file.stat().st_size for file in mirror.glob("objects/pack/*"))


@contextlib.contextmanager
def _in_time(lock: contextlib.AbstractContextManager[None]) -> Iterator[None]:
    try:
        with lock:
            yield
    except LockTimeoutError as error:
        raise BusyMirrorError(str(error)) from error
