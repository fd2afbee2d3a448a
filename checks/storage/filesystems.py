"""Whether storage under test and results lie on different filesystems (3.4, 4.4, 5.4): the evidence a run leaves.

Two kinds are taken: the tool's own probe, ``fs_separation.json``, and the output of ``df`` in the run's log, which is
what the rules document asks for (:mod:`checks.storage.df`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Self

from checks.documents import Document, JsonDocument, TextDocument
from checks.findings import Finding, Level
from checks.rules import Missing
from checks.session import Session
from checks.storage.df import Block, df_blocks, filesystem_of, plain_path
from checks.storage.inputs import LeafDocument, Metadata, SystemDescription
from checks.storage.leaves import Leaf
from checks.units import listed

RESULTS_ARGUMENT = "results_dir"
"""The tool's argument for the folder of results and logs (3.4.1, 4.4.1, 5.4.1)."""

PROBE = "fs_separation.json"


class FsSeparation(LeafDocument, JsonDocument):
    """``fs_separation.json``: the tool's own proof that data and results lie on different filesystems."""

    what = PROBE

    @classmethod
    def of(cls, unit: Leaf, session: Session) -> Self | Missing:
        """See :class:`LeafDocument`."""
        return session.file(cls, unit.inside(PROBE))


class StdoutLog(LeafDocument, TextDocument):
    """The run's standard output, ``<benchmark>_…stdout.log``."""

    what = "*.stdout.log"

    @classmethod
    def of(cls, unit: Leaf, session: Session) -> Self | Missing:
        """See :class:`LeafDocument`; the first of several."""
        found = [name for name in unit.files if name.endswith(".stdout.log")]
        return session.document(cls, unit.inside(found[0])) if found else Missing("no *.stdout.log", unit.path)


class Evidence(LeafDocument):
    """What a run left about filesystems: its ``fs_separation.json``, or without one the log of its standard output."""

    what = "fs_separation.json or *.stdout.log"

    @classmethod
    def of(cls, unit: Leaf, session: Session) -> Any:
        """The :class:`FsSeparation` or the :class:`StdoutLog` of a leaf, or Missing."""
        probe = FsSeparation.of(unit, session)
        return StdoutLog.of(unit, session) if isinstance(probe, Missing) else probe


def _is_there(leaf: Leaf) -> bool:
    """Whether a run left a file of :class:`Evidence`, readable or not."""
    return any(name == PROBE or name.endswith(".stdout.log") for name in leaf.files)


@dataclass(frozen=True)
class Places:
    """Where a run kept what it measured (``stored``, as people call it: the dataset) and where its results went."""

    record: Metadata
    stored: str
    argument: str
    storage: str | None
    results: str | None

    @classmethod
    def of(cls, record: Metadata, stored: str, arguments: Sequence[str]) -> Places:
        """From the tool's recorded arguments; the first of ``arguments`` that is set counts. Raises Unusable."""
        values = {name: record.text(f"/args/{name}", None) for name in (*arguments, RESULTS_ARGUMENT)}
        argument = next((name for name in arguments if values[name]), arguments[0])
        return cls(record, stored, argument, values[argument] or None, values[RESULTS_ARGUMENT] or None)

    def path_findings(self) -> Iterator[Finding]:
        """What 3.4.1, 4.4.1 and 5.4.1 ask: both set, and set to different folders."""
        for name, value, called in self._arguments:
            if value is None:
                yield self.record.finding(
                    f"/args/{name}" if self.record.has(f"/args/{name}") else "/args",
                    f"`args.{name}` is not set: the record doesn't name the folder of {called}.",
                    f"Run again with both `--{self.argument.replace('_', '-')}` and `--results-dir`; if the run had "
                    "them, restore the metadata file as the tool wrote it.",
                )
        if self.storage and self.results and plain_path(self.storage) == plain_path(self.results):
            yield self.record.finding(
                f"/args/{self.argument}",
                f"`{self.argument}` and `{RESULTS_ARGUMENT}` are the same folder, {listed([self.results])}; "
                f"{self.stored} and the results must lie apart.",
                "Run again with a results folder outside the storage under test.",
            )

    @property
    def _arguments(self) -> tuple[tuple[str, str | None, str], ...]:
        return (self.argument, self.storage, self.stored), (RESULTS_ARGUMENT, self.results, "the results")

    def separation_findings(self, leaf: Leaf, evidence: Document | None, no_evidence: Level) -> Iterator[Finding]:
        """What 3.4.2, 4.4.2 and 5.4.2 ask of a run, by its :class:`Evidence`.

        ``no_evidence`` is the level of the finding when neither a probe nor ``df`` output is there. Raises Unusable.
        """
        if isinstance(evidence, FsSeparation):
            yield from self._by_probe(evidence)
        elif isinstance(evidence, StdoutLog) and (blocks := df_blocks(evidence.lines())):
            yield from self._by_df(evidence, blocks)
        elif evidence is not None or not _is_there(leaf):  # the engine tells of a file that can't be read
            yield leaf.finding(
                f"Nothing shows that {self.stored} and the results lie on different filesystems: there is no "
                "`fs_separation.json` and no output of `df` in the run's standard output.",
                "Restore the file that the tool wrote; a tool that writes neither is too old: run again with a newer.",
                level=no_evidence,
            )

    def _by_probe(self, probe: FsSeparation) -> Iterator[Finding]:
        if probe.boolean("/same_filesystem"):
            yield probe.finding(
                "/same_filesystem",
                f"The tool found {self.stored} and the results on the same filesystem.",
                "Run again with `--results-dir` on another filesystem than the storage under test.",
            )
        probed = {
            "/data_or_chkpt_path": (self.storage, self.stored),
            "/results_path": (self.results, "the results"),
        }
        for pointer, (path, called) in probed.items():
            if path and (seen := probe.text(pointer, None)) and not _same_place(path, seen):
                message = f"The tool probed {listed([seen])}; the run kept {called} in {listed([path])}."
                yield probe.finding(pointer, message, "Put in the file of this run.", Level.WARNING)

    def _by_df(self, log: StdoutLog, blocks: Sequence[Block]) -> Iterator[Finding]:
        if not self.storage or not self.results:  # 3.4.1, 4.4.1 and 5.4.1 tell of it
            return
        storage, results = filesystem_of(self.storage, blocks), filesystem_of(self.results, blocks)
        if storage is None or results is None:
            unseen = [path for path, mount in ((self.storage, storage), (self.results, results)) if mount is None]
            message = f"The `df` output in this log shows no filesystem for {listed(unseen)}."
            hint = "Keep the `df` output of both folders, or the tool's `fs_separation.json`."
            yield Finding(log.path, message, hint, blocks[0].line, Level.WARNING)
        elif storage.identity == results.identity or storage.path == results.path:
            message = (
                f"{self.stored[0].upper()}{self.stored[1:]} ({listed([self.storage])}) and the results "
                f"({listed([self.results])}) lie on the same filesystem, {listed([storage.identity])} "
                f"mounted on {listed({storage.path: None, results.path: None})}."
            )
            hint = "Run again with `--results-dir` on another filesystem than the storage under test."
            yield Finding(log.path, message, hint, blocks[0].line)


def _same_place(one: str, other: str) -> bool:
    """Whether two paths name one folder, or a folder and one below it, as of a model."""
    first, second = plain_path(one), plain_path(other)
    return first == second or f"{first}/".startswith(f"{second}/") or f"{second}/".startswith(f"{first}/")


def through_objects(record: Metadata, description: SystemDescription | None) -> bool:
    """Whether a run reached its storage by the object API: by its own record, else by the system's description."""
    protocol = record.text("/args/data_access_protocol", None)
    declared = description.benchmark_api if description is not None and description.fault is None else None
    return (protocol or declared) == "object"
