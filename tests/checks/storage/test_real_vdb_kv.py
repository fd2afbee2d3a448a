"""Sections 5 and 6 on a published vector-database and a published KV-cache run, where the sample is at hand."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from checks.api import Options, check_tree
from checks.findings import Report
from checks.folder_tree import FolderTree

SAMPLE = Path(__file__).parents[3].parent / "shared" / "real" / "storage_v3"
VDB = "closed/TTA/results/seahorse-storage"
KV = "closed/NewFW/results/Solidigm_D7-PS1010_7TB_Gen5_NVMe_TLC"

pytestmark = pytest.mark.skipif(not SAMPLE.is_dir(), reason="no published sample in ../shared/real/storage_v3")


@cache
def report(system: str) -> Report:
    return check_tree(FolderTree(SAMPLE), Options(edition="3.0", only=(system,)))


def rules(system: str, part: str, section: str) -> set[tuple[str, str]]:
    findings = [item for item in report(system).findings if f"/{part}/" in item.path]
    return {(item.rule, str(item.level)) for item in findings if item.rule.startswith(section)}


def test_the_vector_database_has_no_error() -> None:
    assert rules(VDB, "vector_database", "5.") == {("5.2.2", "warning"), ("5.3.5", "warning"), ("5.4.2", "warning")}


def test_the_kv_cache_lacks_only_what_the_sample_leaves_out() -> None:
    assert rules(KV, "kv_cache", "6.") == {("6.3.3.3", "error"), ("6.3.4.3", "warning"), ("6.4.1", "notice")}


def test_the_published_aggregates_follow_from_the_rank_results() -> None:
    facts = {fact.name: fact.value for fact in report(KV).facts}
    assert facts["kv_option_1_aggregated_read_bandwidth_gbps"] == pytest.approx(14.526329449351467, rel=1e-12)
    assert facts["kv_option_1_aggregated_storage_throughput_tokens_per_sec"] == pytest.approx(
        21.63422085364759, rel=1e-12
    )
