"""Inputs about captured code: the pointer in a run, the hash file of an image, and where images lie (2.1.6)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, NamedTuple, Self

from checks import names
from checks.documents import JsonDocument, TextDocument
from checks.rules import Missing
from checks.session import Session
from checks.storage.leaves import Leaf
from checks.storage.terms import CODE
from checks.storage.units import CodeImage
from checks.units import Folder

POINTER = ".mlps-code-image"
"""Each run's pointer to the image of the code that ran: one line, ``<algorithm>:<32 hex digits>``."""

HASH_FILE = ".code-hash.json"
"""Each image's record of its hash."""

IMAGE_POOL = ".mlps-image-pool"
"""Marker file of a folder that holds code images (real trees)."""

CODE_IMAGES = "code-images"
"""The newest layout's one pool at the top."""

IMAGE_NAME = re.compile(r"code-([0-9a-f]{8})\Z")

_POINTER = re.compile(r"(?P<algorithm>[a-z0-9-]+):(?P<hash>[0-9a-f]{32})\Z")
_ENDS = ("", "\n", "\r\n")


class Pointed(NamedTuple):
    """What a pointer says."""

    algorithm: str
    hash: str

    @property
    def image(self) -> str:
        """The name of the image's folder in a pool."""
        return f"{CODE}-{self.hash[:8]}"


class CodePointer(TextDocument):
    """``.mlps-code-image`` of a timestamp folder."""

    what = POINTER

    @classmethod
    def of(cls, unit: Leaf, session: Session) -> Self | Missing:
        """The pointer of the leaf ``unit``."""
        return cls.at(session, unit.inside(POINTER))

    @classmethod
    def at(cls, session: Session, path: str) -> Self | Missing:
        """The pointer at ``path``, read once a check: the scopes that a change touches are found by it, too."""
        if not session.tree.is_file(path):
            return Missing(f"{POINTER} is missing", session.tree.nearest(names.parent(path)), see="2.1.6")
        return session.keep((cls, path), lambda: cls(session.tree, path))

    @classmethod
    def all(cls, unit: Any, session: Session) -> list[Self | Missing]:
        """The pointers of all leaves of a system or workload."""
        return [cls.of(leaf, session) for leaf in unit.leaves]

    @property
    def pointed(self) -> Pointed | None:
        """What it says, surrounding white space aside; None when it is malformed."""
        found = _POINTER.match(self.data.strip())
        return Pointed(found["algorithm"], found["hash"]) if found else None


class CodeHash(JsonDocument):
    """``.code-hash.json`` of a code image."""

    what = HASH_FILE

    @classmethod
    def of(cls, unit: CodeImage, session: Session) -> Self | Missing:
        """The hash file of the image ``unit``, the same object for a whole check: many systems name one image."""
        if not session.tree.is_file(unit.inside(HASH_FILE)):
            return Missing(f"{HASH_FILE} is missing", unit.path, see="2.1.6")
        return cls.at(session, unit)

    @classmethod
    def at(cls, session: Session, image: CodeImage) -> Self:
        """The hash file of ``image``, which may be absent; read on first use and once a check."""
        path = image.inside(HASH_FILE)
        return session.keep((cls, path), lambda: cls(session.tree, path))

    @property
    def recorded(self) -> str | None:
        """The recorded hash; None when the file can't be read or holds none."""
        found = self.get("/hash") if self.fault is None else None
        return found if isinstance(found, str) else None


class Images:
    """Where the code images of a tree lie, and which one a pointer names. Found by names only."""

    def __init__(self, root: Folder, divisions: tuple[str, ...]) -> None:
        self.pools: dict[str, dict[str, str]] = {}
        for name in root.folders:
            if name not in divisions and not names.is_dot(name) and is_pool(Folder(root.tree, name)):
                pool = Folder(root.tree, name)
                self.pools[name] = {image: pool.inside(image) for image in pool.folders if not names.is_dot(image)}

    @classmethod
    def of(cls, unit: Folder, session: Session) -> Images:
        """The images of the whole tree."""
        return session.keep(
            cls, lambda: cls(Folder(session.tree, ""), tuple(session.edition["structure"]["divisions"]))
        )

    @property
    def folders(self) -> list[str]:
        """The paths of all image folders in pools."""
        return [path for pool in self.pools.values() for path in pool.values()]

    def resolve(self, organisation: str, image: str) -> str | None:
        """The path of the image folder that a pointer of ``organisation`` names: in ``code-images``, in its own pool,
        in another's (two organisations may have run one source).
        """
        order = [CODE_IMAGES, organisation, *sorted(self.pools)]
        found = (self.pools.get(pool, {}).get(image) for pool in order)
        return next((path for path in found if path), None)

    def has_pool(self, organisation: str) -> bool:
        """Whether pointers of ``organisation`` have a pool to resolve in."""
        return bool(self.pools.get(organisation)) or bool(self.pools.get(CODE_IMAGES))


def is_pool(folder: Folder) -> bool:
    """Whether a top-level folder is a pool of code images: by its name, its marker, or what it holds."""
    if folder.name == CODE_IMAGES:
        return True
    return IMAGE_POOL in folder.entries or any(IMAGE_NAME.match(name) for name in folder.folders)


def pointer_texts(hashes: Iterable[str], algorithms: Iterable[str]) -> set[bytes]:
    """The contents that pointers to images of these hashes have, as the tool and editors write them."""
    return {f"{algorithm}:{digest}{end}".encode() for algorithm in algorithms for digest in hashes for end in _ENDS}
