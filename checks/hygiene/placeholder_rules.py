"""Rules on small files that stand in place of others: Git LFS pointers and the staff's placeholder.

Of files that a rule reads the engine tells the same; these scans add the files whose presence alone is demanded. Only
files of the size of a placeholder are read.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Self

from checks.documents import LFS_HEADER, PRUNED, text_of
from checks.entries import Entries, Owner
from checks.findings import Finding
from checks.hygiene.limits import limits
from checks.rules import Outcome
from checks.session import Session


class SmallFiles:
    """Files of an owner whose size lies between two bounds, with their content."""

    bounds: ClassVar[str]

    def __init__(self, entries: Entries) -> None:
        self.entries = entries
        self.tree = entries.owner.tree

    @classmethod
    def of(cls, unit: Owner, session: Session) -> Self:
        """Those of ``unit``; there may be none."""
        return cls(Entries.of(unit, session))

    def paths(self) -> Iterator[str]:
        """The files; a content that is not here has no known size and is not fetched for this."""
        if not self.entries.owner.looked_into:
            return
        least, most = getattr(limits(), self.bounds)
        yield from (path for path, size in self.entries.sizes if least <= size <= most)

    def beginning(self, mark: bytes) -> Iterator[str]:
        """Those whose content begins with ``mark``."""
        return (path for path in self.paths() if self.tree.read(path).startswith(mark))


class PointerSized(SmallFiles):
    """Files of the size of a Git LFS pointer."""

    bounds = "lfs_bytes"


class PlaceholderSized(SmallFiles):
    """Files of the size of the staff's placeholder."""

    bounds = "pruned_bytes"


def pointers(owner: Owner, files: PointerSized) -> Outcome:
    """Content is in git itself, not behind a Git LFS pointer.

    Why: The file that readers get holds an address instead of the data.
    Mend: Take its pattern out of `.gitattributes`, then `git add --renormalize` it.
    """
    yield from _told(files, LFS_HEADER)


def placeholders(owner: Owner, files: PlaceholderSized) -> Outcome:
    """No placeholder stands in place of a file.

    Why: Staff put placeholders where files were over GitHub's size limit; a submitter has no reason to.
    Mend: Commit the file as the benchmark tool wrote it.
    """
    yield from _told(files, PRUNED)


def _told(files: SmallFiles, mark: bytes) -> Outcome:
    """A finding in the same words in which a document of that file is refused, so that both are one."""
    for path in files.beginning(mark):
        _, fault = text_of(files.tree.read(path))
        if fault is not None:
            yield Finding(path, fault.message, fault.hint, fault.line, rule=fault.rule)
