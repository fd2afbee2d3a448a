"""The documents that people wrote for a submission, as text to be searched."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Final

from checks.documents import TextDocument
from checks.endpoints.units import DOCUMENTS, Submission
from checks.session import Session
from checks.units import Folder

TEXT_ENDINGS: Final = (".md", ".adoc", ".txt", ".rst", ".html")


class SubmissionDocs:
    """The text files in `docs` and in its folders. An input of rules that is always there, if without any page."""

    what = "docs/*"

    def __init__(self, submission: Submission, session: Session) -> None:
        self.folder = Folder(submission.tree, submission.inside(DOCUMENTS))
        self._session = session

    @classmethod
    def of(cls, unit: Submission, session: Session) -> SubmissionDocs:
        """The documents of the submission ``unit``."""
        return session.derive((cls, unit.path), lambda: cls(unit, session))

    @cached_property
    def pages(self) -> list[TextDocument]:
        """One for each text file."""
        folders = [self.folder, *(Folder(self.folder.tree, self.folder.inside(name)) for name in self.folder.folders)]
        paths = [folder.inside(name) for folder in folders for name in folder.files]
        texts = [path for path in paths if path.lower().endswith(TEXT_ENDINGS)]
        return [self._session.document(TextDocument, path) for path in texts]

    def paths(self) -> Iterator[str]:
        """The files that are read."""
        yield from (page.path for page in self.pages)
