"""Which accelerator type each run of a training workload emulated: runs are counted and compared by type (2.1.17)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from checks.rules import Missing
from checks.session import Session
from checks.storage.dlio_inputs import DlioOverrides
from checks.storage.inputs import Metadata
from checks.storage.leaf_files import in_order
from checks.storage.leaves import Leaf
from checks.storage.workloads import TrainingWorkload

POINTERS = ("/args/accelerator_type", "/accelerator")
"""Where metadata names the type."""


class AcceleratorTypes:
    """The type of each run, as far as its metadata (else its DLIO configuration) tells; neither is demanded here."""

    what = "*_metadata.json"

    def __init__(self, workload: TrainingWorkload, session: Session) -> None:
        self.runs = in_order(workload.runs)
        self._model = workload.name
        self._documents = {leaf.path: self._document(leaf, session) for leaf in self.runs}

    @classmethod
    def of(cls, unit: TrainingWorkload, session: Session) -> Self:
        """The types of the runs of ``unit``."""
        return cls(unit, session)

    @staticmethod
    def _document(leaf: Leaf, session: Session) -> Metadata | DlioOverrides | None:
        found = Metadata.of(leaf, session)
        if not isinstance(found, Missing):
            return found
        overrides = DlioOverrides.of(leaf, session)
        return None if isinstance(overrides, Missing) else overrides

    def paths(self) -> Iterator[str]:
        """The files that tell."""
        yield from (document.path for document in self._documents.values() if document is not None)

    def of_run(self, leaf: Leaf) -> str | None:
        """The type of one run; None when nothing tells it."""
        document = self._documents.get(leaf.path)
        if document is None or document.fault is not None:
            return None
        values = [document.get(pointer) for pointer in POINTERS]
        if isinstance(document, DlioOverrides):
            first = document.get("/0")
            values = [first.rpartition(f"{self._model}_")[2]] if isinstance(first, str) else []
        return next((value for value in values if isinstance(value, str) and value), None)

    def groups(self) -> dict[str | None, list[Leaf]]:
        """The runs of each type, oldest first. Runs of unknown type join the others when these are all of one type."""
        groups: dict[str | None, list[Leaf]] = {}
        for leaf in self.runs:
            groups.setdefault(self.of_run(leaf), []).append(leaf)
        known = [kind for kind in groups if kind is not None]
        return {known[0]: self.runs} if len(known) == 1 else groups
