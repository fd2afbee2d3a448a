"""What can go wrong with a mirror, read from what git says (in English: LC_ALL=C)."""

from __future__ import annotations

import re

from bot.git_command import GitError


class MirrorError(Exception):
    """A fetch or an upkeep that failed for ``reason``; ``retryable`` when the same may well succeed later."""

    def __init__(self, reason: str, retryable: bool = True) -> None:
        super().__init__(reason)
        self.reason = reason
        self.retryable = retryable


class MissingObjectError(MirrorError):
    """GitHub has not got the object ``oid``, or not yet: a deleted branch, a push away, a replica that lags."""

    def __init__(self, oid: str) -> None:
        super().__init__(f"GitHub does not have the object {oid}")
        self.oid = oid


class MalformedObjectError(MirrorError):
    """git refuses the object ``oid`` for the ``fault`` (``hasDotdot``, see git-fsck)."""

    def __init__(self, oid: str, fault: str) -> None:
        super().__init__(f"git refuses the object {oid}: {fault}", retryable=False)
        self.oid = oid
        self.fault = fault


class TooLargeError(MirrorError):
    """What was to be fetched is larger than the bounds allow."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"the objects to fetch are larger than {limit >> 20:,} MiB", retryable=False)
        self.limit = limit


class CredentialsRefusedError(MirrorError):
    """The token did not hold; a fresh one may."""


class ReferenceInUseError(MirrorError):
    """Two fetches wrote one reference at once; what was asked for has arrived."""


class BusyMirrorError(MirrorError):
    """Others held the mirror for too long."""


class DamagedMirrorError(MirrorError):
    """The mirror itself can't be read any more; :meth:`bot.mirror.Mirror.renew` makes a new one."""


_MISSING = re.compile(r"not our ref ([0-9a-f]{40})")
_MALFORMED = re.compile(r"(?:object|in (?:blob|tree|commit|tag)) ([0-9a-f]{40}): (\w+):")
_CREDENTIALS = re.compile(
    r"could not read Username|Authentication failed|returned error: 401|HTTP Basic: Access denied"
)
_TOO_LARGE = re.compile(r"died of signal 25\b|File size limit exceeded|File too large|invalid index-pack output")
_DAMAGED = re.compile(
    r"not a git repository|bad object|bad config|corrupt|loose object .* is empty|does not point to a valid object"
)
_IN_USE = re.compile(r"cannot lock ref|but expected|unable to update local ref|\.lock': File exists")


def error_of(error: GitError, largest_file: int) -> MirrorError:
    """The meaning of git's failure; ``largest_file`` in bytes is the bound that it ran under."""
    text = error.text
    if found := _MALFORMED.search(text):
        return MalformedObjectError(found[1], found[2])
    if found := _MISSING.search(text):
        return MissingObjectError(found[1])
    if _CREDENTIALS.search(text):
        return CredentialsRefusedError("GitHub refused the credentials for git")
    if _TOO_LARGE.search(text):
        return TooLargeError(largest_file)
    if _IN_USE.search(text):
        return ReferenceInUseError(f"another fetch wrote the same reference: {_last_line(text)}")
    if _DAMAGED.search(text):
        return DamagedMirrorError(f"the mirror is damaged: {_last_line(text)}")
    return MirrorError(f"git failed: {_last_line(text)}")


def _last_line(text: str) -> str:
    """The line that says most: git's last ``fatal:``, else its last line."""
    lines = [line for line in text.splitlines() if line.strip()] or ["no reason given"]
    fatal = [line for line in lines if line.startswith("fatal:")]
    return (fatal or lines)[-1].removeprefix("fatal: ").strip()
