"""The shape of an MLPerf Storage tree: division / submitter / results / system / workload / run, and where code lies.

Accepted (research and rules 2.1.2 to 2.1.6): a merged tree, one submitter's package, code in ``closed/<org>/code``,
in ``<org>/code-<hash8>`` pools, in ``code-images/`` and per leaf in OPEN. Folders are taken as what stands in their
place is called, whatever their own name, so that nothing hides behind a wrong or dot-prefixed name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property

from checks import names
from checks.findings import Scope
from checks.session import Session
from checks.storage.code_inputs import CODE_IMAGES, Images
from checks.storage.terms import CODE, DIVISIONS, RESULTS, SYSTEMS
from checks.storage.units import CodeImage, Root, Submitter, System
from checks.units import Folder

_DESCRIPTION = re.compile(r"(?P<stem>.+)\.(?:ya?ml|pdf|json)\Z", re.IGNORECASE)


class StorageLayout:
    """Scopes and units of one tree."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.tree = session.tree
        self.root = Root(self.tree, "")

    @cached_property
    def submitters(self) -> dict[str, Submitter]:
        """Submitters of both divisions by path, in the order of the tree."""
        return {submitter.path: submitter for division in self.root.divisions for submitter in division.submitters}

    @cached_property
    def systems(self) -> dict[str, System]:
        """Systems by path, in the order of the tree."""
        return {system.path: system for submitter in self.submitters.values() for system in submitter.systems}

    @cached_property
    def images(self) -> dict[str, CodeImage]:
        """Code images that are scopes of their own (all but OPEN's per-leaf ones) by path."""
        found = Images.of(self.root, self.session).folders
        found += [submitter.inside(CODE) for submitter in self.submitters.values() if CODE in submitter.folders]
        return {path: CodeImage(self.tree, path) for path in sorted(found, key=names.tree_order)}

    def scopes(self) -> list[Scope]:
        """Every scope: the tree, submitters, systems, code images."""
        found = [Scope("", "tree", "checked")]
        found += [Scope(path, "submitter", "checked") for path in self.submitters]
        found += [Scope(path, "system", "checked") for path in self.systems]
        found += [Scope(path, "code", "checked") for path in self.images]
        return sorted(found, key=lambda scope: names.tree_order(scope.path))

    def shared_units(self, scopes: Iterable[Scope]) -> Iterator[Folder]:
        """The root, its divisions, and every submitter that a scope belongs to."""
        paths = [scope.path for scope in scopes]
        yield self.root
        yield from self.root.divisions
        for path, submitter in self.submitters.items():
            if any(names.is_under(inner, path) for inner in paths):
                yield submitter

    def units(self, scope: Scope) -> Iterator[Folder]:
        """A system with its workloads and runs, or a code image; the shared units cover the other kinds."""
        if (system := self.systems.get(scope.path)) is not None:
            yield system
            for workload in system.workloads:
                yield workload
                yield from workload.units
            yield from system.leaf_images
        elif (image := self.images.get(scope.path)) is not None:
            yield image

    def scope_of(self, path: str) -> str:
        """The scope a path belongs to: its system, code image, submitter, or the tree."""
        return scope_in(path, self.systems, self.submitters, self.images)

    def folder_of(self, path: str) -> str | None:
        """``closed/Acme``, ``open/Acme`` or the pool ``Acme``; None for shared images and what lies loose."""
        parts = path.split("/")
        if parts[0] in DIVISIONS:
            folder = "/".join(parts[:2])
            return folder if len(parts) > 2 or folder in self.submitters else None
        pools = Images.of(self.root, self.session).pools
        return parts[0] if parts[0] != CODE_IMAGES and parts[0] in pools else None


def scope_in(path: str, systems: Iterable[str], submitters: Iterable[str], images: Iterable[str]) -> str:
    """The scope of ``path`` among the given paths of systems, submitters and code images (sets or dicts)."""
    parts = path.split("/")
    if parts[0] not in DIVISIONS:
        image = "/".join(parts[:2])
        return image if image in images else ""
    submitter = "/".join(parts[:2])
    if submitter not in submitters:
        return ""
    if len(parts) > 2 and parts[2] == CODE and (code := "/".join(parts[:3])) in images:
        return code
    if len(parts) > 3 and (system := system_named(parts)) is not None and system in systems:
        return system
    return submitter


def system_named(parts: list[str]) -> str | None:
    """The system's path that a path (in parts, below a submitter) speaks of, whether it exists or not."""
    if parts[2] == RESULTS:
        return "/".join(parts[:4])
    if parts[2] == SYSTEMS and len(parts) == 4 and (found := _DESCRIPTION.match(parts[3])):
        return names.join(*parts[:2], RESULTS, found["stem"])
    return None
