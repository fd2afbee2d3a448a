"""How the bytes of a git path are shown to people, and how paths are put together.

Inside the checker a path is text in which bytes that are not UTF-8 are kept as surrogate escapes (PEP 383), so that
no name is ever lost; outside, such bytes and control characters are shown as ``\\xNN`` (contract, section ``--format
json``).
"""

from __future__ import annotations

import re
from functools import lru_cache

ROOT = "."
"""How the root of a tree is shown; inside, it is the empty string."""

_UNSHOWABLE = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u2800\u3164\ud800-\udfff\ufe00-\ufe0e\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
    "|(?<![\u2139\u2190-\u27ff\u2801-\u2bff\U0001f000-\U0001faff])\ufe0f"
)
"""Control characters, line and paragraph separators, invisible and direction-changing marks, fillers that look like
nothing or a blank, selectors of variants, lone surrogates, tags, and the two characters that XML can't hold. The
selector of the colourful form stays after a symbol, as in the signs of our own reports.
"""

_CREDENTIALS = re.compile(r"://[^/\s@]+:[^/\s@]+@")
"""User and password before the host of an address."""


def decode(name: bytes) -> str:
    """The inside form of a name given as bytes; the inverse of :func:`encode`."""
    return name.decode("utf-8", "surrogateescape")


def encode(name: str) -> bytes:
    """The bytes of a name in its inside form."""
    return name.encode("utf-8", "surrogateescape")


def _escape(match: re.Match[str]) -> str:
    """One character as the bytes that it stands for; a lone surrogate, which only JSON can spell, as its own three."""
    character = match.group()
    errors = "surrogateescape" if "\udc80" <= character <= "\udcff" else "surrogatepass"
    return "".join(f"\\x{byte:02x}" for byte in character.encode("utf-8", errors))


def shown(text: str) -> str:
    """``text`` with every byte that is not UTF-8, and every control or direction-changing character, as ``\\xNN``;
    without user and password where it is an address.
    """
    if "://" in text:
        text = _CREDENTIALS.sub("://***@", text)
    if text.isascii() and text.isprintable():
        return text
    return _UNSHOWABLE.sub(_escape, text)


@lru_cache(maxsize=1 << 16)
def shown_path(path: str) -> str:
    """A path as reports show it: relative, ``/``-separated, ``.`` for the root."""
    return shown(path) or ROOT


def inside_path(path: str) -> str:
    """The inside form of a path typed by a person: ``.`` and a trailing ``/`` mean the folder itself."""
    return "/".join(part for part in path.split("/") if part not in ("", "."))


def join(*parts: str) -> str:
    """Joins path parts; empty parts (the root) add nothing."""
    return "/".join(filter(None, parts))


def parent(path: str) -> str:
    """The folder that holds ``path``; the root's parent is the root."""
    return path.rpartition("/")[0]


def basename(path: str) -> str:
    """The last part of ``path``."""
    return path.rpartition("/")[2]


def is_under(path: str, folder: str) -> bool:
    """Whether ``path`` is ``folder`` itself or lies below it."""
    return not folder or path == folder or path.startswith(folder + "/")


@lru_cache(maxsize=1 << 16)
def tree_order(path: str) -> bytes:
    """Sort key that lists a folder before what it holds, names by their bytes; no name holds a NUL."""
    return encode(path).replace(b"/", b"\0")


def is_dot(name: str) -> bool:
    """Whether a name is dot-prefixed; what follows from that is each rule's own matter."""
    return name.startswith(".")
