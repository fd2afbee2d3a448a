"""The ties between runs and code images, before and after a change: a pointer names an image by its hash (2.1.6)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from checks import names
from checks.changes import Change
from checks.session import Session
from checks.storage.code_inputs import HASH_FILE, POINTER, CodeHash, CodePointer, Images, pointer_texts
from checks.storage.layout import StorageLayout
from checks.storage.leaves import Leaf
from checks.storage.terms import CODE
from checks.storage.units import CodeImage
from checks.tree import blob_id


class CodeLinks:
    """Which images changed runs name, and which systems name a changed image. Each pair: the base's, the head's."""

    def __init__(self, sessions: tuple[Session, Session], layouts: tuple[StorageLayout, StorageLayout]) -> None:
        self.sessions = sessions
        self.base, self.head = layouts
        self._hashes: dict[str, set[str]] = {}

    def systems_of(self, image: str) -> set[str]:
        """The systems of the head of which a run names ``image``, before or after the change."""
        if names.basename(image) == CODE:
            return {path for path in self.head.systems if names.is_under(path, names.parent(image))}
        texts = pointer_texts(self._recorded(image), self.sessions[1].edition["code"]["algorithms"])
        wanted = {blob_id(text) for text in texts}
        found: set[str] = set()
        for session, layout in zip(self.sessions, (self.base, self.head), strict=True):
            images = Images.of(layout.root, session)
            for path, system in layout.systems.items():
                resolved = images.resolve(system.submitter.name, names.basename(image)) == image
                if resolved and path in self.head.systems and any(_points(leaf, wanted) for leaf in system.leaves):
                    found.add(path)
        return found

    def _recorded(self, image: str) -> set[str]:
        """The hashes by which pointers name the image: from the pointers that came with the change, which need no
        fetch, else those that its ``.code-hash.json`` records before and after, as far as they name its folder.
        """
        if (known := self._hashes.get(image)) is not None:
            return known
        hashes = set()
        for session in self.sessions:
            path = names.join(image, HASH_FILE)
            if session.tree.is_file(path):
                session.tree.ensure([path])
                hashes.add(CodeHash.at(session, CodeImage(session.tree, image)).recorded)
        return {digest for digest in hashes if digest and names.basename(image) == f"{CODE}-{digest[:8]}"}

    def images_of(self, changes: Iterable[Change]) -> list[str]:
        """The images of the head that a new or changed pointer names, and those that an old pointer named: they may be
        left without a run.
        """
        pointers = [change for change in changes if names.basename(change.path) == POINTER]
        new = [change.path for change in pointers if change.new and self._in_system(self.head, change.path)]
        old = [change.path for change in pointers if change.old and self._in_system(self.base, change.path)]
        self._ensure_pointers(new)
        self.sessions[0].tree.ensure(old)
        named = [*self._named_by(self.sessions[1], self.head, new), *self._named_by(self.sessions[0], self.base, old)]
        return [image for image in dict.fromkeys(named) if image in self.head.images]

    @staticmethod
    def _in_system(layout: StorageLayout, path: str) -> bool:
        return layout.scope_of(path) in layout.systems

    def _named_by(self, session: Session, layout: StorageLayout, paths: Iterable[str]) -> Iterator[str]:
        images = Images.of(layout.root, session)
        for path in paths:
            pointer = CodePointer.at(session, path)
            pointed = pointer.pointed if isinstance(pointer, CodePointer) else None
            image = images.resolve(path.split("/")[1], pointed.image) if pointed else None
            if pointed is not None and image is not None:
                self._hashes.setdefault(image, set()).add(pointed.hash)
                yield image

    def _ensure_pointers(self, paths: list[str]) -> None:
        """Pointers and hash files are tiny and shared by many runs: once one is missing, all of the tree's are fetched,
        so that a mirror pays for this once and not for every pull request.
        """
        tree = self.sessions[1].tree
        if not any(tree.size(path) is None for path in paths if tree.is_file(path)):
            return
        pointers = [leaf.inside(POINTER) for system in self.head.systems.values() for leaf in system.leaves]
        tree.ensure([*pointers, *(names.join(image, HASH_FILE) for image in self.head.images)])


def _points(leaf: Leaf, wanted: set[str]) -> bool:
    entry = leaf.entries.get(POINTER)
    return entry is not None and entry.oid in wanted
