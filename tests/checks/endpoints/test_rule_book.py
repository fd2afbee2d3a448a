"""The rule book of Endpoints as a whole: every known id is there, explained, and has its level in one place."""

from __future__ import annotations

import pytest

from checks.endpoints.tables import load_tables
from checks.rule_sets import rule_set
from checks.rules import Rule

BOOK = rule_set("endpoints").book
TABLES = load_tables("2026-10")

PUBLIC_CHECKER_IDS = """
path-exists required-dir src-dir src-readme system-results-dir benchmark-model-dir point-dirs measurement-points-present
config-file-present result-summary-present shared-path-resolution point-dirname-concurrency point-rules-skipped
system-description-present system-description-valid system-description-consistency max-concurrency-declared
tps-utilization model-name-valid model-name-consistency power-descriptor power-estimated nodes-used maximal-engagement
metric-consistency-tps-per-kw region-basis c-min-override region-computation concurrency-in-range region-declared
region-placement ultra-low-concurrency-coverage low-concurrency-coverage med-concurrency-coverage
high-concurrency-coverage point-count point-cap offline-declared offline-point-present offline-ordering
benchmark-type-consistency config-consistency-dataset config-consistency-model point-config-valid
point-disclosure-complete load-pattern streaming-config point-duration min-query-count steady-state-valid
steady-state-consistency steady-state-basis warmup-present warmup-logs-retained warmup-salt seed-set-registry
seed-set-consistency seed-set-membership seed-runtime-match target-cohort seed-set-adoption seed-config-legacy
drafter-list-registry approved-drafter drafter-approval-lead-time result-file-valid metric-consistency-duration
metric-consistency-accounting metric-consistency-output-tokens metric-consistency-system-tps
metric-consistency-tpot-p90 metric-consistency-tps-per-user agentic-metric-consistency accuracy-present accuracy-valid
accuracy-coverage accuracy-sample-count accuracy-gate agentic-accuracy agentic-accuracy-inline
agentic-accuracy-swebench agentic-osl-range
"""
"""The 82 ids of the public checker 1.5.3.0, which are those of the documents too."""

OWN_IDS = """
duplicate-concurrency samples-issued point-declaration-consistency result-complete target-cohort-consistency
seed-set-bound amendment-unchanged-points disclosure-by-division
"""


def test_every_id_of_the_documents_and_the_public_checker_is_there() -> None:
    assert len(set(PUBLIC_CHECKER_IDS.split())) == 82
    assert set(PUBLIC_CHECKER_IDS.split()) | set(OWN_IDS.split()) <= set(BOOK.ids())


def test_levels_stand_in_one_place() -> None:
    enforced = {rule.id: rule.level for rule in BOOK.rules if not rule.id.startswith(("input.", "hygiene."))}
    assert set(enforced) == set(TABLES.severities)
    assert {id: str(level) for id, level in enforced.items()} == dict(TABLES.severities)
    assert {case.partition(".")[0] for case in TABLES.case_severities} <= set(enforced)


@pytest.mark.parametrize("rule", BOOK.rules, ids=lambda rule: f"{rule.id}/{rule.name}")
def test_every_rule_is_explained(rule: Rule) -> None:
    assert rule.explanation.text
    assert rule.explanation.why
    assert rule.explanation.mend
    assert rule.section


def test_names_are_told_apart() -> None:
    names = [rule.name for rule in BOOK.rules] + [item.name for item in BOOK.uncheckable]
    assert len(set(names)) == len(names)


def test_what_files_can_not_show_is_listed_with_the_reason() -> None:
    rows = [item for item in BOOK.uncheckable if item.id.startswith("requirement-")]
    assert len(rows) > 20
    assert all(item.reason for item in BOOK.uncheckable)
    assert not {item.id for item in BOOK.uncheckable} & {rule.id for rule in BOOK.rules}
