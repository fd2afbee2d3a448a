"""Which waivers a command may give: for findings in one part of the check, now and up to the last day."""

from __future__ import annotations

import datetime

import pytest

from bot.conversation import refusals
from bot.conversation.commands import Waive
from bot.conversation.results import Result
from bot.github import PullRequest

S1, SUBMITTER, IMAGE = "closed/Acme/results/S1", "closed/Acme", "code-images/abc"
LAST_DAY = datetime.date.max
PULL = PullRequest(7, "a" * 40, "b" * 40, "main", 1, "open", False, None, None)


def refusal(path: str, found: str, scope: str, kind: str) -> str | None:
    result = Result(({"rule": "2.1.7", "path": found, "scope": scope},), {scope: kind})
    return refusals.of_waiver(Waive("2.1.7", path, LAST_DAY, "a reason"), PULL, result)


@pytest.mark.parametrize(
    ("path", "found", "scope", "kind"),
    [
        (f"{S1}/**", f"{S1}/summary.json", S1, "system"),
        (f"{S1}/run-*/summary.json", f"{S1}/run-1/summary.json", S1, "system"),
        ("closed/Acme/systems/S1.yaml", "closed/Acme/systems/S1.yaml", S1, "system"),
        ("closed/Acme/notes.txt", "closed/Acme/notes.txt", SUBMITTER, "submitter"),
        (f"{IMAGE}/**", f"{IMAGE}/main.py", IMAGE, "code"),
        (f"merged/{S1}/**", f"merged/{S1}/summary.json", S1, "system"),
        ("acme/sub-1/results/sys/**", "acme/sub-1/results/sys/a.json", "acme/sub-1/results/sys", "system"),
    ],
)
def test_one_path_or_a_glob_inside_one_part(path: str, found: str, scope: str, kind: str) -> None:
    assert refusal(path, found, scope, kind) is None


@pytest.mark.parametrize(
    ("path", "found", "scope", "kind"),
    [
        ("closed/**", f"{S1}/summary.json", S1, "system"),
        ("closed/Acme/**", f"{S1}/summary.json", S1, "system"),
        ("closed/Acme/results/*/summary.json", f"{S1}/summary.json", S1, "system"),
        (f"{S1}*/**", f"{S1}/summary.json", S1, "system"),
        ("closed/Acme/systems/*", "closed/Acme/systems/S1.yaml", S1, "system"),
        ("closed/Acme/**", "closed/Acme/notes.txt", SUBMITTER, "submitter"),
        ("README*", "README.md", ".", "tree"),
        ("acme/sub-1/**", "acme/sub-1/manifest.json", "acme/sub-1", "submission"),
    ],
)
def test_what_could_reach_other_parts_later_is_refused(path: str, found: str, scope: str, kind: str) -> None:
    assert "reaches beyond one system" in str(refusal(path, found, scope, kind))
