"""Rules on speculative decoding (rules 2.9.4): only approved drafters, approved in time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from checks.documents import shortened
from checks.endpoints.book import not_checkable, rule
from checks.endpoints.document_faults import DocumentFault, told_once
from checks.endpoints.drafters import approved_drafter, drafters_of
from checks.endpoints.inputs import PointConfig
from checks.endpoints.seeds import Cohort, has_lead_time
from checks.endpoints.seeds_rules import cohort_of
from checks.endpoints.tables import EditionTables
from checks.endpoints.units import Curve
from checks.endpoints.values import text
from checks.findings import Level
from checks.rules import Each, Outcome
from checks.units import listed

DRAFTER: Final = "/speculative_decoding"

not_checkable(
    "drafter-list-registry",
    "drafterListReadable",
    "the list of approved drafters ships with the edition as a table, so that it can always be read",
)


@rule("approved-drafter", "approvedDrafter", section="2.9.4")
def only_approved(curve: Curve, configs: Each[PointConfig], tables: EditionTables) -> Outcome:
    """A point that decodes speculatively names an approved drafter of its model, by the checksum of its weights or by
    target and configuration.

    Why: A drafter that nobody approved may be trained on the data set.
    Mend: Name the checksum of the approved weights, or repeat the run without the drafter.
    Contested: The public documents call the list empty; the public checker ships nine entries, which are taken over
    as a table.
    """
    yield from told_once((config, fault) for config in configs for fault in _not_approved(config, tables))


def _not_approved(config: PointConfig, tables: EditionTables) -> Iterator[DocumentFault]:
    declared = _declared(config)
    if declared is None:
        return
    model = text(config.get("/model_name")) or ""
    approved = drafters_of(model, tables.drafters)
    if not approved:
        message = f"Speculative decoding is declared, but {listed([shortened(model)])} has no approved drafter."
        yield DocumentFault(DRAFTER, message, "Repeat the run without a drafter.")
    elif approved_drafter(declared, approved) is None:
        known = listed(f"{drafter.model_id} ({drafter.weight_checksum or 'by configuration'})" for drafter in approved)
        message = f"The declared drafter is none of those approved for {model}: {known}."
        yield DocumentFault(DRAFTER, message, "Declare the `weight_checksum` of the approved weights that were used.")


def _declared(config: PointConfig) -> Mapping[str, object] | None:
    value = config.get(DRAFTER)
    return value if isinstance(value, dict) else None


@rule("drafter-approval-lead-time", "drafterLeadTime", section="2.9.4")
def lead_time(curve: Curve, configs: Each[PointConfig], tables: EditionTables) -> Outcome:
    """An approved drafter was approved at least two cohorts before the target cohort.

    Why: Everybody has the same time to use it.
    Mend: Submit to a later cohort, or repeat the run without the drafter.
    """
    unknown = Level(tables.severity("drafter-approval-lead-time", "unknown"))
    yield from told_once((config, fault) for config in configs for fault in _too_early(config, tables, unknown))


def _too_early(config: PointConfig, tables: EditionTables, unknown: Level) -> Iterator[DocumentFault]:
    declared = _declared(config) or {}
    drafter = approved_drafter(declared, drafters_of(text(config.get("/model_name")) or "", tables.drafters))
    if drafter is None:
        return
    approved, target, cohorts = (
        Cohort.parse(drafter.approved_cohort),
        cohort_of(config),
        tables.limits.drafter_lead_cohorts,
    )
    if target is None:
        message = f"The drafter was approved in {approved}; without a target cohort its lead time can't be judged."
        yield DocumentFault(DRAFTER, message, "Declare `target_cohort`.", unknown)
    elif not has_lead_time(approved, target, cohorts):
        first = approved.after(cohorts)
        message = f"The drafter was approved in {approved} and can be used from {first} on, not in {target}."
        yield DocumentFault(DRAFTER, message, "Submit to a later cohort, or repeat the run without the drafter.")
