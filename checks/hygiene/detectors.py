"""Secrets in a text: plugins of detect-secrets, told by cheap marks where to look. Imported only when a scan runs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from detect_secrets.filters.heuristic import is_sequential_string, is_templated_secret
from detect_secrets.plugins import (
    aws,
    azure_storage_key,
    basic_auth,
    github_token,
    gitlab_token,
    jwt,
    npm,
    private_key,
    pypi_token,
    sendgrid,
    slack,
    stripe,
)
from detect_secrets.plugins.base import RegexBasedDetector

from checks.hygiene.limits import limits
from checks.hygiene.own_detectors import OWN
from checks.hygiene.secret_marks import pattern

BEFORE, AFTER = 2000, 2000
"""Bytes of a line that are looked at before and after a mark: lines of logs may be as long as the log."""

AWS_SECRET = 40
"""Characters of a secret key of AWS, which may begin like a path."""

_MODULES = (
    aws, azure_storage_key, basic_auth, github_token, gitlab_token, jwt, npm, private_key, pypi_token, sendgrid, slack,
    stripe,
)  # fmt: skip


_PATH = re.compile(r"(~|\.{1,2})?/[^/]")

_KINDS = {
    "AWS Access Key": "AWS key",
    "Basic Auth Credentials": "password in an address",
    "Private Key": "private key",
    "GitHub Token": "GitHub token",
}
"""Names of the library's kinds, as people know them."""


class Secret(NamedTuple):
    """Something that looks like a secret: its kind, its line, and the text itself, which is never shown."""

    kind: str
    line: int
    value: str

    @property
    def hint_of_value(self) -> str:
        """At most the first two characters, of values that are long enough to keep the rest."""
        return f" that begins with `{self.value[:2]}`" if len(self.value) >= 16 else ""


@cache
def detectors() -> tuple[tuple[RegexBasedDetector, tuple[bytes, ...]], ...]:
    """The detectors with their marks."""
    own = {kind.__name__: kind for kind in OWN}
    classes = {name: getattr(module, name) for module in _MODULES for name in dir(module)} | own
    return tuple((classes[name](), marks) for name, marks in limits().detectors.items())


def scanned(content: bytes) -> Iterator[Secret]:
    """What all detectors find in ``content``, each value under the first kind that it has."""
    kinds: dict[str, str] = {}
    for number, (_, marks) in enumerate(detectors()):
        if any(mark in content for mark in marks):
            for secret in scanned_by(number, content):
                if kinds.setdefault(secret.value, secret.kind) == secret.kind:
                    yield secret


def scanned_by(number: int, content: bytes) -> Iterator[Secret]:
    """What the detector of that number finds."""
    detector, marks = detectors()[number]
    kind = _KINDS.get(detector.secret_type, detector.secret_type)
    for start, window in _windows(content, marks):
        for value in _found(number, window):
            yield Secret(kind, content.count(b"\n", 0, start) + 1, value)


def _windows(content: bytes, marks: tuple[bytes, ...]) -> Iterator[tuple[int, str]]:
    """Pieces of lines around the marks, none looked at twice, with their offsets."""
    done = 0
    for found in pattern(marks).finditer(content):
        if found.start() < done:
            continue
        least = max(found.start() - BEFORE, done)
        start = max(content.rfind(b"\n", least, found.start()) + 1, least)
        end = content.find(b"\n", found.end(), found.end() + AFTER)
        done = end if end >= 0 else min(found.end() + AFTER, len(content))
        yield start, content[start:done].decode("utf-8", "replace")


@lru_cache(maxsize=1 << 12)
def _found(number: int, window: str) -> tuple[str, ...]:
    """What a detector finds that is not plainly harmless; the same lines come again in every run and point."""
    return tuple(value for value in detectors()[number][0].analyze_string(window) if not harmless(value))


def harmless(value: str) -> bool:
    """Whether a value gives nothing away: a placeholder, a template, a path, one character repeated, a sequence."""
    plain = value.strip("'\"").casefold()
    return (
        plain in limits().harmless
        or len(set(plain)) <= 2
        or is_templated_secret(value)
        or (len(plain) != AWS_SECRET and _PATH.match(plain) is not None)
        or (len(plain) < 64 and is_sequential_string(value))
    )
