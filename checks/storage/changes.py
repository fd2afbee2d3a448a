"""Which scopes of an MLPerf Storage tree a change touches, and why each is checked.

A system is touched by its results, its ``systems/<name>.*``, a pointer in it, and by a code image that a pointer in
it names, whoever's system it is. Dot-prefixed entries and loose files at the top touch nothing (2.1.2); everything
else belongs to some scope, so that no changed path goes unseen.
"""

from __future__ import annotations

from checks import names
from checks.changes import Affected, Change, changed_paths
from checks.findings import Scope
from checks.session import Session
from checks.storage.code_inputs import POINTER, Images
from checks.storage.code_links import CodeLinks
from checks.storage.layout import StorageLayout, system_named
from checks.storage.terms import CODE, DIVISIONS, RESULTS
from checks.tree import Kind

TREE = ""
"""The scope of the whole tree."""


def affected(base: Session, head: Session) -> Affected:
    """The scopes that differ between the trees of two sessions, each with every reason found for it."""
    changes = changed_paths(base.tree, head.tree)
    return _Reach(base, head).of(changes)


class _Reach:
    """Gathers the reasons of each scope."""

    def __init__(self, base: Session, head: Session) -> None:
        self.sessions = (base, head)
        self.base, self.head = StorageLayout(base), StorageLayout(head)
        self.reasons: dict[str, dict[str, None]] = {}
        self.images: set[str] = set()
        self.links = CodeLinks(self.sessions, (self.base, self.head))
        self.exempt = 0

    def of(self, changes: list[Change]) -> Affected:
        """Maps every change, then follows code images and pointers."""
        for change in changes:
            self._map(change)
        self._systems_gone_or_renamed()
        self._pools_came_or_went()
        for image in self.links.images_of(changes):
            self._because(image, "named by a changed run")
        self._systems_of_images()
        return self._gathered(changes)

    def _because(self, scope: str, reason: str) -> None:
        self.reasons.setdefault(scope, {})[reason] = None

    def _map(self, change: Change) -> None:
        parts = change.path.split("/")
        if parts[0] in DIVISIONS:
            self._map_division(parts, change)
        elif change.path in self.sessions[1].edition["hygiene"]["generated_tables"]:
            self._because(TREE, f"generated table {change.path} changed")
        elif _exempt_at_top(parts, change):
            self.exempt += 1
        elif self._is_image(parts):
            self.images.add("/".join(parts[:2]))
        elif len(parts) == 2 and _is_plain(change) and self._is_pool(parts[0]):
            self._pool_changed(parts[0])
        else:
            self._because(TREE, f"{names.shown(parts[0])} changed")

    def _is_image(self, parts: list[str]) -> bool:
        path = "/".join(parts[:2])
        return len(parts) > 2 and (path in self.head.images or path in self.base.images)

    def _is_pool(self, name: str) -> bool:
        return any(name in Images.of(self.head.root, session).pools for session in self.sessions)

    def _pool_changed(self, pool: str) -> None:
        owners = [path for path in self.head.submitters if names.basename(path) == pool]
        for path in owners or [TREE]:
            self._because(path, "its pool of code images changed")

    def _map_division(self, parts: list[str], change: Change) -> None:
        submitter = "/".join(parts[:2])
        if submitter not in self.head.submitters and submitter not in self.base.submitters:
            self._because(TREE, f"{names.shown(change.path)} changed")
            return
        if submitter not in self.head.submitters:
            self._because(TREE, f"submitter {names.shown(parts[1])} removed")
        if submitter not in self.base.submitters:
            self._because(submitter, "added")
        elif len(parts) > 3 and self._came_or_went("/".join(parts[:3])):
            self._because(submitter, f"folder {names.shown(parts[2])} added or removed")
        system = system_named(parts) if len(parts) > 3 else None
        if len(parts) > 3 and parts[2] == CODE:
            self.images.add("/".join(parts[:3]))
        elif system is not None and (system in self.head.systems or system in self.base.systems):
            self._because(system, self._what_changed(parts, system))
        else:
            self._because(submitter, "changed")

    def _came_or_went(self, folder: str) -> bool:
        return self.base.tree.is_dir(folder) != self.head.tree.is_dir(folder)

    def _what_changed(self, parts: list[str], system: str) -> str:
        if system not in self.base.systems:
            return "added"
        if parts[2] != RESULTS:
            return "description changed"
        return "code pointer changed" if parts[-1] == POINTER else "results changed"

    def _systems_gone_or_renamed(self) -> None:
        """A removed system also concerns its submitter; an added one of the same content was renamed."""
        gone = {path for path in self.reasons if path in self.base.systems and path not in self.head.systems}
        by_tree = {self._oid(self.base, path): path for path in sorted(gone)}
        for path in gone:
            self._because(names.parent(names.parent(path)), f"system {names.shown(names.basename(path))} removed")
        for path in [path for path in self.reasons if path in self.head.systems and path not in self.base.systems]:
            if (old := by_tree.get(self._oid(self.head, path))) is not None:
                self.reasons[path] = {f"renamed from {names.shown_path(old)}": None}

    @staticmethod
    def _oid(layout: StorageLayout, path: str) -> str | None:
        entry = layout.tree.entry(path)
        return entry.oid if entry is not None else None

    def _pools_came_or_went(self) -> None:
        """Whether a submitter has a pool decides whether it needs `code` folders, and its runs pointers."""
        if not self.images:
            return
        before, after = (Images.of(self.head.root, session) for session in self.sessions)
        for path, submitter in self.head.submitters.items():
            known = path in self.base.submitters
            if known and before.has_pool(submitter.name) != after.has_pool(submitter.name):
                for scope in (path, *(system.path for system in submitter.systems)):
                    self._because(scope, "its pool of code images added or removed")

    def _systems_of_images(self) -> None:
        """A changed image is checked, and so is every system that a pointer ties to it, before or after the change."""
        for image in sorted(self.images):
            what = self._became(image)
            self._because(image, what)
            reason = f"code image {names.shown(names.basename(image))} {what}"
            for path in self.links.systems_of(image):
                self._because(path, reason)

    def _became(self, image: str) -> str:
        if image not in self.base.images:
            return "added"
        return "changed" if image in self.head.images else "removed"

    def _gathered(self, changes: list[Change]) -> Affected:
        kinds = {scope.path: scope.kind for scope in (*self.base.scopes(), *self.head.scopes())}
        here = {scope.path for scope in self.head.scopes()}
        scopes = [Scope(path, kinds[path], ", ".join(why)) for path, why in self.reasons.items() if path in here]
        removed = [Scope(path, kinds[path], "removed") for path in self.reasons if path not in here and path in kinds]
        return Affected(_ordered(scopes), _ordered(removed), tuple(changes), self.exempt)


def _exempt_at_top(parts: list[str], change: Change) -> bool:
    """Dot-prefixed entries are permitted at the top (2.1.2); a loose regular file there belongs to no submission."""
    if names.is_dot(parts[0]):
        return True
    return len(parts) == 1 and _is_plain(change)


def _is_plain(change: Change) -> bool:
    """Whether what stands there, else what stood there, is a regular file."""
    entry = change.new or change.old
    return entry is not None and entry.kind is Kind.FILE


def _ordered(scopes: list[Scope]) -> tuple[Scope, ...]:
    return tuple(sorted(scopes, key=lambda scope: names.tree_order(scope.path)))
