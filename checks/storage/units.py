"""The units of an MLPerf Storage tree above its workloads, in the rules document's terms, and captured code."""

from __future__ import annotations

from functools import cached_property

from checks import names
from checks.entries import Owner
from checks.session import Session
from checks.storage.leaves import Leaf
from checks.storage.terms import CLOSED, CODE, DIVISIONS, RESULTS, SYSTEMS
from checks.storage.workloads import Workload, workloads_of
from checks.tree import Tree
from checks.units import Folder


class Root(Owner):
    """The top of a merged tree or of one submitter's package (2.1.1, 2.1.2)."""

    @cached_property
    def divisions(self) -> list[Division]:
        """``closed`` and ``open``, as far as they are there."""
        return [Division(self.tree, name) for name in DIVISIONS if name in self.folders]

    def permits(self, path: str) -> bool:
        """Dot-prefixed entries at the top (2.1.2)."""
        return "/" not in path and names.is_dot(path)

    def enters(self, path: str, session: Session) -> bool:
        """Divisions and pools, to see what stands in them; the rest, dot-prefixed folders at the top aside (2.1.2),
        only where the tree itself is checked.
        """
        from checks.storage.code_inputs import Images  # it needs the units of this module

        top, _, below = path.partition("/")
        pools = Images.of(self, session).pools
        if not below:
            return top in DIVISIONS or top in pools or (not names.is_dot(top) and session.checks(self.path))
        if top in DIVISIONS or below in pools.get(top, {}):
            return False
        return session.checks(self.path)


class Division(Folder):
    """``closed`` or ``open``."""

    @cached_property
    def submitters(self) -> list[Submitter]:
        """Every folder directly inside, also a dot-prefixed one: nothing hides behind a dot."""
        return [Submitter(self, self.inside(name)) for name in self.folders]


class Submitter(Owner):
    """One submitter's folder in one division (2.1.4, 2.1.5)."""

    def __init__(self, division: Division, path: str) -> None:
        super().__init__(division.tree, path)
        self.division = division

    @property
    def closed(self) -> bool:
        """Whether it stands in the CLOSED division."""
        return self.division.name == CLOSED

    @cached_property
    def results(self) -> Folder:
        """Its ``results`` folder (which may be absent)."""
        return Folder(self.tree, self.inside(RESULTS))

    @cached_property
    def descriptions(self) -> Folder:
        """Its ``systems`` folder (which may be absent)."""
        return Folder(self.tree, self.inside(SYSTEMS))

    def enters(self, path: str, session: Session) -> bool:
        """``systems`` and the list of ``results``, no results, no code; the rest only where it is checked itself."""
        if path in (self.results.path, self.descriptions.path):
            return True
        elsewhere = path == self.inside(CODE) or names.is_under(path, self.results.path)
        return not elsewhere and session.checks(self.path)

    def permits(self, path: str) -> bool:
        """Dot-prefixed entries of ``systems`` (2.1.7)."""
        return names.parent(path) == self.descriptions.path and names.is_dot(names.basename(path))

    @cached_property
    def systems(self) -> list[System]:
        """One per folder directly in ``results``."""
        return [System(self, self.results.inside(name)) for name in self.results.folders]


class System(Owner):
    """One system's results (2.1.8); its name links them to ``systems/<name>.yaml`` and ``.pdf``."""

    def __init__(self, submitter: Submitter, path: str) -> None:
        super().__init__(submitter.tree, path)
        self.submitter = submitter

    @property
    def closed(self) -> bool:
        """Whether it stands in the CLOSED division."""
        return self.submitter.closed

    def enters(self, path: str, session: Session) -> bool:
        """Everything but captured code."""
        return path not in self._code_paths

    @cached_property
    def _code_paths(self) -> frozenset[str]:
        return frozenset(image.path for image in self.leaf_images)

    @property
    def description(self) -> str:
        """The path of its system description, ``systems/<name>.yaml``."""
        return self.submitter.descriptions.inside(f"{self.name}.yaml")

    @property
    def document(self) -> str:
        """The path of its PDF, ``systems/<name>.pdf``."""
        return self.submitter.descriptions.inside(f"{self.name}.pdf")

    @cached_property
    def workloads(self) -> list[Workload]:
        """Its workloads of every benchmark, in the order of the tree."""
        return workloads_of(self)

    @property
    def runs(self) -> list[Leaf]:
        """The measured runs of all its workloads."""
        return [leaf for workload in self.workloads for leaf in workload.runs]

    @property
    def leaves(self) -> list[Leaf]:
        """Every timestamp folder of all its workloads."""
        return [leaf for workload in self.workloads for leaf in workload.leaves]

    @cached_property
    def leaf_images(self) -> list[CodeImage]:
        """OPEN's per-leaf code folders (2.1.5.b) that are there."""
        found = (CodeImage(self.tree, path) for path in self.code_places)
        return [image for image in found if image.exists]

    @property
    def code_places(self) -> list[str]:
        """Where 2.1.5.b puts an OPEN submission's code: one per model or index type, one for kv_cache."""
        places = [workload.code for workload in self.workloads]
        return sorted(set(places))


class CodeImage(Owner):
    """A captured copy of the benchmark's source tree with its ``.code-hash.json`` (2.1.6)."""

    def __init__(self, tree: Tree, path: str) -> None:
        super().__init__(tree, path)

    @property
    def looked_into(self) -> bool:
        """No: every file counts into the hash, and the rules on it name stray ones."""
        return False

    @property
    def hash8(self) -> str | None:
        """The eight hex digits that a pool image's name gives; None for other code folders."""
        prefix, _, digits = self.name.partition("-")
        return digits if prefix == CODE and len(digits) == 8 else None
