"""Rules 3.6.1 and 5.6.1: whether the code of a CLOSED submission is the upstream code."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from checks import names
from checks.edition import Edition
from checks.findings import Finding, Level
from checks.rules import Outcome
from checks.storage.book import rule
from checks.storage.code_inputs import HASH_FILE
from checks.storage.code_use import CodeUse, UpstreamDigests
from checks.storage.units import System
from checks.storage.workloads import TrainingWorkload, VectorDatabaseWorkload, Workload


@rule("3.6.1", "trainingClosedSubmissionChecksum")
def upstream_digests_are_pinned(system: System, upstream: UpstreamDigests, edition: Edition) -> Outcome:
    """While no digest of the upstream source is pinned, the identity of CLOSED code can't be judged, which is said once
    a check, for this rule and 5.6.1 together.

    Why: A check that was not made should not look like one that was passed.
    Mend: Submitters have nothing to do; maintainers pin the digests of the released source in the edition.
    """
    if upstream.needed and not upstream.digests:
        lack = system.finding(
            "No digest of the upstream source is known, so it was not judged whether CLOSED code is unchanged "
            "(told once a check; rules 3.6.1 and 5.6.1).",
            "Nothing to do for a submitter; maintainers pin digests in the edition.",
            level=Level(edition["code"]["unpinned_level"]),
        )
        yield replace(lack, once=True)


@rule("3.6.1", "trainingClosedSubmissionChecksum")
def training_closed_submission_checksum(
    workload: TrainingWorkload, code: CodeUse, upstream: UpstreamDigests
) -> Outcome:
    """The code of a CLOSED training submission is the upstream code: its hash is one of the pinned digests. That the
    image matches its own record is rule 2.1.6.

    Why: In CLOSED nobody may change the benchmark.
    Mend: Run the benchmark from an unchanged release.
    Contested: No digest has been published. The document asks for one warning a run then; as no submitter can mend it
    and it would fail every check that counts warnings, it is told once a check as a notice (`code.unpinned_level`).
    """
    yield from _upstream(workload, code, upstream)


@rule("5.6.1", "vdbClosedSubmissionChecksum")
def vdb_closed_submission_checksum(
    workload: VectorDatabaseWorkload, code: CodeUse, upstream: UpstreamDigests
) -> Outcome:
    """The code of a CLOSED vector database submission is the upstream code, as rule 3.6.1 has it for training.

    Why: In CLOSED nobody may change the benchmark.
    Mend: Run the benchmark from an unchanged release.
    Contested: As for rule 3.6.1: no digest has been published.
    """
    yield from _upstream(workload, code, upstream)


def _upstream(workload: Workload, code: CodeUse, upstream: UpstreamDigests) -> Iterator[Finding]:
    if workload.closed and upstream.digests:
        for digest, path in _hashes_used(workload, code).items():
            if digest not in upstream.digests:
                message = f"The code has the hash {digest}, which is none of the {len(upstream.digests)} pinned ones."
                yield Finding(path, message, "Run the benchmark from an unchanged release.")


def _hashes_used(workload: Workload, code: CodeUse) -> dict[str, str]:
    """The hashes of the code that ran, each with the first file that says so."""
    found: dict[str, str] = {}
    for leaf in code.leaves:
        pointer = code.pointer(leaf)
        if pointer is not None and pointer.pointed is not None:
            found.setdefault(pointer.pointed.hash, pointer.path)
    if not found and (recorded := code.recorded(code.submitter_code)) is not None:
        found[recorded] = names.join(code.submitter_code, HASH_FILE)
    return found
