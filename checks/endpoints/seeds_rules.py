"""Rules on seeds and cohorts (rules 2.1.1, 4.6): one published set for a submission, adopted in time, and used."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, Final

from checks.documents import described, shortened
from checks.endpoints.agreement import odd_values
from checks.endpoints.base_inputs import BaseSubmission
from checks.endpoints.book import not_checkable, rule
from checks.endpoints.document_faults import DocumentFault, told_once
from checks.endpoints.inputs import ClientConfig, PointConfig
from checks.endpoints.seeds import (
    LEGACY_SEED,
    Cohort,
    SeedMismatch,
    adoption_window,
    has_legacy_seeds,
    legacy_names,
    may_adopt,
    runtime_mismatches,
)
from checks.endpoints.table_types import SeedSet
from checks.endpoints.tables import EditionTables
from checks.endpoints.units import Curve, Submission
from checks.endpoints.values import text, whole
from checks.findings import Finding, Level
from checks.rules import Each, Outcome, Present
from checks.units import counted, did_you_mean, listed

SEED_SET: Final = "/seed_set"
COHORT: Final = "/target_cohort"
RUNTIME: Final = "/runtime_settings/runtime"

_CLIENT_RUNTIMES: Final = (RUNTIME, "/settings/runtime", "/runtime")
"""Where configurations of the client hold the seeds."""

not_checkable(
    "seed-set-registry",
    "seedRegistryReadable",
    "the published seed sets ship with the edition as a table, so that they can always be read",
)


@rule("seed-set-consistency", "oneSeedSet", section="4.6, 9.1")
def one_seed_set(submission: Submission, configs: Each[PointConfig], before: BaseSubmission | None) -> Outcome:
    """All points of a submission, of all its systems and models, declare one seed set.

    Why: The set is bound to the submission; points of other seeds can't be compared (9.1: reject).
    Mend: Repeat the points that differ with the common set.
    Contested: The public checker compares within one curve only, the requirements speak of the submission. In an
    amendment `seed-set-bound` compares with the set that was bound at first.
    """
    if before is None or before.bound_seed_set is None:
        hint = "Run all points of the submission with one seed set."
        yield from _differing(submission, configs, SEED_SET, hint)


@rule("target-cohort-consistency", "oneTargetCohort", section="4.6")
def one_target_cohort(submission: Submission, configs: Each[PointConfig]) -> Outcome:
    """All points of a submission are meant for one cohort.

    Why: A submission is reviewed and published in one cohort, by which the seed set's window is judged.
    Mend: Declare the cohort that the submission is meant for in every point.
    Contested: The public checker does not compare the cohorts.
    """
    yield from _differing(submission, configs, COHORT, "Declare the submission's one cohort in every point.")


def _differing(submission: Submission, configs: Each[PointConfig], pointer: str, hint: str) -> Iterator[Finding]:
    """One finding for each odd value of a submission, at the first point that has it."""
    start = len(submission.results.path) + 1
    for odd in odd_values(configs, pointer):
        where = listed(config.folder[start:] for config in odd.documents)
        message = (
            f"`{pointer[1:]}` is {listed([shortened(odd.value)])} in {where}, "
            f"but {listed([shortened(odd.usual)])} in {counted(odd.usual_count, 'other point')} of the submission."
        )
        yield odd.documents[0].finding(pointer, message, hint)


@rule("seed-set-membership", "knownSeedSet", section="4.6, 9.1")
def known_seed_set(curve: Curve, configs: Each[PointConfig], tables: EditionTables) -> Outcome:
    """`seed_set` is the id of a published set.

    Why: Only published seeds are the same for everybody.
    Mend: Name the set that the run used; with other seeds, repeat the run.
    """
    yield from told_once((config, fault) for config in configs for fault in _unknown_set(config, tables.seed_sets))


def _unknown_set(config: PointConfig, known: Mapping[str, SeedSet]) -> Iterator[DocumentFault]:
    declared = config.get(SEED_SET)
    if isinstance(declared, str) and declared.strip() and declared not in known:
        message = f"`seed_set` is {described(declared)}; published are {listed(known)}."
        yield DocumentFault(SEED_SET, message, f"Name the published set.{did_you_mean(declared, known)}")


@rule("seed-runtime-match", "seedsAsPublished", section="2.1.1, 4.6")
def seeds_as_published(
    curve: Curve, configs: Each[PointConfig], clients: Present[ClientConfig], tables: EditionTables
) -> Outcome:
    """The three seeds of `runtime_settings.runtime` are those of the declared set, and so are those in config.yaml if
    it has them.

    Why: The seeds decide on order and sampling of the queries.
    Mend: Repeat the run with the published seeds. They exceed 2^63: check that no tool has rounded them.
    Contested: Names of v0.7 for two of the seeds are understood, with a warning.
    """
    legacy = Level(tables.severity("seed-runtime-match", "legacy-names"))
    bound = ((config, tables.seed_sets.get(text(config.get(SEED_SET)) or "")) for config in configs)
    known = [(config, found) for config, found in bound if found is not None]
    yield from told_once((config, fault) for config, found in known for fault in _wrong_seeds(config, found, legacy))
    of_client = {client.folder: client for client in clients}
    for config, found in known:
        if (client := of_client.get(config.folder)) is not None:
            yield from _recorded_otherwise(client, found)


def _wrong_seeds(config: PointConfig, seed_set: SeedSet, legacy: Level) -> Iterator[DocumentFault]:
    runtime = config.get(RUNTIME)
    if not isinstance(runtime, dict):
        return
    for wrong in runtime_mismatches(runtime, seed_set):
        message = f"`{wrong.name}` is {_seed(wrong)}; seed set {seed_set.id} has {wrong.expected}."
        yield DocumentFault(f"{RUNTIME}/{wrong.name}", message, "Repeat the run with the published seeds.")
    if old := legacy_names(runtime):
        message = f"{listed(old)}: names of v0.7, read as what they are called now."
        yield DocumentFault(f"{RUNTIME}/{old[0]}", message, "Use the names scheduler_rng_seed, …", legacy)


def _seed(wrong: SeedMismatch) -> str:
    return "missing" if wrong.found is None else described(wrong.found)


def _recorded_otherwise(client: ClientConfig, seed_set: SeedSet) -> Iterator[Finding]:
    for pointer in _CLIENT_RUNTIMES:
        runtime = client.get(pointer)
        for name, expected in seed_set.seeds.items() if isinstance(runtime, dict) else ():
            recorded = whole(runtime.get(name))
            if recorded is not None and recorded != expected:
                message = f"config.yaml records `{name}` {recorded}; seed set {seed_set.id} has {expected}."
                yield client.finding(f"{pointer}/{name}", message, "Repeat the run with the published seeds.")


@rule("target-cohort", "cohortForm", section="4.6")
def cohort_form(curve: Curve, configs: Each[PointConfig]) -> Outcome:
    """`target_cohort` is a cohort: year, month and C0 or C1, as in 2026-10-C1.

    Why: The window in which a seed set may be adopted is counted in cohorts.
    Mend: Write the cohort that the submission is meant for.
    Contested: A month 13 passes the public checker's form; it is no cohort.
    """
    yield from told_once((config, fault) for config in configs for fault in _no_cohort(config))


def _no_cohort(config: PointConfig) -> Iterator[DocumentFault]:
    declared = config.get(COHORT)
    if text(declared) is not None and (cohort_of(config) is None or declared != text(declared)):
        hint = "Write YYYY-MM-C0 or YYYY-MM-C1 with a month from 01 to 12, for example 2026-10-C1."
        yield DocumentFault(COHORT, f"`target_cohort` is {described(declared)}, which is no cohort.", hint)


def cohort_of(config: PointConfig) -> Cohort | None:
    """The cohort that a point declares; None where it declares none in the right form."""
    return _cohort(text(config.get(COHORT)))


@lru_cache(maxsize=1 << 10)
def _cohort(declared: str | None) -> Cohort | None:
    try:
        return Cohort.parse(declared)
    except ValueError:
        return None


@rule("seed-set-adoption", "seedSetInWindow", section="4.6")
def seed_set_in_window(
    curve: Curve, configs: Each[PointConfig], tables: EditionTables, before: BaseSubmission | None
) -> Outcome:
    """The seed set was published for the target cohort or one of the three before it.

    Why: Old sets could have been tuned for.
    Mend: Repeat the runs with a set of the window.
    Contested: An amendment keeps the set that its submission bound and is not tested again; the public checker can't
    tell an amendment.
    """
    if before is None or before.bound_seed_set is None:
        yield from told_once((config, fault) for config in configs for fault in _too_old(config, tables))


def _too_old(config: PointConfig, tables: EditionTables) -> Iterator[DocumentFault]:
    seed_set, target = tables.seed_sets.get(text(config.get(SEED_SET)) or ""), cohort_of(config)
    if seed_set is None or target is None:
        return
    published, cohorts = Cohort.parse(seed_set.published_for), tables.limits.adoption_cohorts
    if not may_adopt(published, target, cohorts):
        window = ", ".join(map(str, adoption_window(published, cohorts)))
        message = f"Seed set {seed_set.id} can't be adopted for {target}; it can for {window}."
        yield DocumentFault(COHORT, message, "Run the points with a set that was published for the cohort.")


@rule("seed-config-legacy", "legacySeeds", section="4.6")
def legacy_seeds(curve: Curve, configs: Each[PointConfig], tables: EditionTables) -> Outcome:
    """A point that still has the seeds of v0.7 in place of a seed set has 42 for both.

    Why: v0.7 fixed this value; since v1.0 a published set is required.
    Mend: Repeat the run with a published set.
    """
    level = Level(tables.severity("seed-config-legacy", "both-42"))
    yield from told_once((config, fault) for config in configs for fault in _legacy(config, level))


def _legacy(config: PointConfig, both_level: Level) -> Iterator[DocumentFault]:
    runtime: Any = config.get(RUNTIME)
    if not isinstance(runtime, dict) or text(config.get(SEED_SET)) is not None or not legacy_names(runtime):
        return
    pointer, hint = f"{RUNTIME}/{legacy_names(runtime)[0]}", "Repeat the run with a published seed set."
    if has_legacy_seeds(runtime):
        yield DocumentFault(pointer, f"The seeds are those of v0.7 (both {LEGACY_SEED}).", hint, both_level)
    else:
        message = f"There is no seed set, and the seeds of v0.7 are not both {LEGACY_SEED}."
        yield DocumentFault(pointer, message, hint)
