"""Why a rule can't judge: a value or a document that it needs can't be used."""

from __future__ import annotations

from checks import names
from checks.findings import Finding
from checks.json_text import TextFault


class Unusable(Exception):
    """A value that a rule needs is absent or of the wrong type; carries the finding to make."""

    def __init__(self, finding: Finding) -> None:
        self.finding = finding
        super().__init__(finding.message)


class NotJudged(Exception):
    """A rule can't judge ``path`` because of what another rule reports; ``reason`` names that."""

    def __init__(self, path: str, reason: str) -> None:
        self.path, self.reason = path, reason
        super().__init__(reason)


class Unreadable(NotJudged):
    """The document as a whole can't be read; carries the fault."""

    def __init__(self, path: str, fault: TextFault) -> None:
        self.fault = fault
        super().__init__(path, f"{names.basename(path)} can't be read: {fault.message}")
