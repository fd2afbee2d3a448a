"""The bytes of a file as text, or why they are none."""

from __future__ import annotations

import codecs

from checks.json_text import TextFault

LFS_HEADER = b"version https://git-lfs.github.com/spec/v1"
"""First line of a Git LFS pointer (git-lfs specification, version 1)."""

PRUNED = b"PRUNED BY STAFF"
"""What the v3.0 round's staff put in place of files over GitHub's size limit."""

RESTORE = "Restore the file as the benchmark tool wrote it."
"""What to do about lost content of files that the tool writes."""


def text_of(raw: bytes, remedy: str = RESTORE) -> tuple[str, TextFault | None]:
    """A document's bytes as text, or why they are none: an LFS pointer, a placeholder, another encoding, empty.

    ``remedy`` says what to do about content that is lost.
    """
    if fault := _stand_in(raw) or _other_encoding(raw, remedy):
        return "", fault
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        message = f"Byte 0x{raw[error.start]:02x} at offset {error.start:,} is not UTF-8."
        return "", TextFault("input.encoding", message, "Save the file as UTF-8.", line)
    if text.startswith("\ufeff"):
        message = "The file begins with a byte-order mark (BOM); strict JSON and YAML readers refuse it."
        return "", TextFault("input.encoding", message, "Save the file as UTF-8 without a byte-order mark.", 1)
    if not text.strip():
        return "", TextFault("input.empty", "The file is empty.", remedy, None)
    return text, None


def _stand_in(raw: bytes) -> TextFault | None:
    """What stands in the file's place."""
    if raw.startswith(LFS_HEADER):
        hint = "Commit the file itself: take its pattern out of .gitattributes, then `git add --renormalize`."
        return TextFault("input.lfs-pointer", "The content is not in git: this is a Git LFS pointer.", hint, 1)
    if raw.strip() == PRUNED:
        hint = "Commit the file itself; only staff replaces files."
        return TextFault("input.pruned", "A placeholder stands in place of the file (PRUNED BY STAFF).", hint, 1)
    return None


def _other_encoding(raw: bytes, remedy: str) -> TextFault | None:
    """What the first bytes, or a NUL byte, tell of the encoding."""
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        hint = "Save the file as UTF-8 without a byte-order mark."
        return TextFault("input.encoding", "The file is UTF-16, UTF-8 is required.", hint, 1)
    if (at := raw.find(b"\0")) >= 0:
        message = f"The file holds a NUL byte (offset {at:,}): it is UTF-16, binary, or was cut short by a crash."
        return TextFault("input.encoding", message, f"{remedy} It must be UTF-8.", raw.count(b"\n", 0, at) + 1)
    return None
