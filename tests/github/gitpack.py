"""Git objects and packs, byte by byte. https://git-scm.com/docs/gitformat-pack"""

import hashlib
import struct
import zlib

# Object type numbers in a pack: https://git-scm.com/docs/gitformat-pack
PACK_TYPES = {b"commit": 1, b"tree": 2, b"blob": 3}


class Pack:
    """Collects git objects, each once, and gives them as a version 2 pack."""

    def __init__(self) -> None:
        self._objects: dict[str, bytes] = {}

    def add(self, kind: bytes, data: bytes) -> str:
        """Take an object, give its id."""
        sha = hashlib.sha1(b"%s %d\0%s" % (kind, len(data), data), usedforsecurity=False).hexdigest()
        if sha not in self._objects:
            self._objects[sha] = _pack_header(PACK_TYPES[kind], len(data)) + zlib.compress(data, 1)
        return sha

    def to_bytes(self) -> bytes:
        """The whole pack with its trailing checksum."""
        body = struct.pack(">4sII", b"PACK", 2, len(self._objects)) + b"".join(self._objects.values())
        return body + hashlib.sha1(body, usedforsecurity=False).digest()


def tree_line(mode: int, name: bytes, sha: str) -> bytes:
    """One entry of a tree object, however odd its name."""
    return b"%o %s\0%s" % (mode, name, bytes.fromhex(sha))


def _pack_header(kind: int, size: int) -> bytes:
    """Type and length, 4 bits then 7 bits at a time."""
    first, rest = (kind << 4) | (size & 0x0F), size >> 4
    header = bytearray()
    while rest:
        header.append(first | 0x80)
        first, rest = rest & 0x7F, rest >> 7
    header.append(first)
    return bytes(header)
