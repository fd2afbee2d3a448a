"""The App's manifest: least privileges, each with its reason."""

import re
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[2]
MANIFEST = ROOT / "app.yml"

# GitHub sends an event only to apps with this permission (GitHub Docs, "Webhook events and payloads").
NEEDED_BY_EVENT = {
    "check_run": "checks",
    "check_suite": "checks",
    "issue_comment": "issues",
    "merge_group": "merge_queues",
    "pull_request": "pull_requests",
    "push": "contents",
    "repository": "metadata",
}


def manifest() -> dict[str, Any]:
    return dict(yaml.safe_load(MANIFEST.read_text(encoding="utf-8")))


def test_each_permission_and_event_has_its_reason_above_it() -> None:
    lines = MANIFEST.read_text(encoding="utf-8").splitlines()
    entries = [number for number, line in enumerate(lines) if re.match(r"  (?:- \w+|\w+: (?:read|write))$", line)]
    assert len(entries) == len(manifest()["default_permissions"]) + len(manifest()["default_events"])
    assert [lines[number] for number in entries if not lines[number - 1].startswith("  # ")] == []


def test_events_come_with_the_permission_that_github_asks_for() -> None:
    assert {NEEDED_BY_EVENT[event] for event in manifest()["default_events"]} <= manifest()[
        "default_permissions"
    ].keys()


def test_the_bot_can_write_checks_and_comments_and_nothing_else() -> None:
    permissions = manifest()["default_permissions"]
    assert {name for name, level in permissions.items() if level == "write"} == {"checks", "pull_requests"}


def test_an_installed_bot_carries_the_same_manifest() -> None:
    assert (ROOT / "bot" / "app.yml").read_bytes() == MANIFEST.read_bytes()
