"""Pages for people, and what is answered where there is none: one line that says so and gives nothing away."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text

from bot import check_run, others
from bot.check_run import Body
from bot.settings import load
from bot.store import CheckRequest, Repository, StoredReport
from checks.findings import Fact, Fault, NotRun, Report, Scope, Touched, Waived
from tests.bot.reports import BASE, HEAD, S1, S2, finding, report
from tests.bot.test_check_run import context
from tests.bot.test_settings import LEAST
from tests.bot.test_webhooks import Hook

REPORT = f"/checks/octo/submissions/{HEAD}"
LOGIN = {"GITHUB_CLIENT_ID": "id", "GITHUB_CLIENT_SECRET": "secret"}


def made(folder: Path, **more: str) -> Hook:
    return Hook(load({**LEAST, "WEBHOOK_SECRET": "new", "DATA_DIR": str(folder), **more}, dotenv=None))


@pytest.fixture
def web(tmp_path: Path) -> Iterator[Hook]:
    hook = made(tmp_path, PAGES="open")
    yield hook
    hook.queue.close()
    hook.store.close()


def stored(hook: Hook, given: Report | None, number: int = 1, body: Body | None = None) -> None:
    """What a worker keeps of check ``number``: its bodies, and the report where there is one."""
    name, key = "octo/submissions", "pull:7:b"
    of = {"repository_id": 1, "head_sha": HEAD}
    bodies = [body] if body else check_run.completed(given or report(), context())
    with hook.store.session() as session:
        session.merge(Repository(id=1, full_name=name, installation_id=2))
        session.add(
            CheckRequest(
                id=number, job=f"j{number}", delivery="d-1", repository=name, installation_id=2, number=7, targets="[]",
                run_id=3, external_id=key, **of,
            )
        )  # fmt: skip
        session.flush()
        kept = others.stored(given) if given else None
        session.add(StoredReport(request_id=number, json=kept, payloads=json.dumps(bodies), **of))


def text_of(hook: Hook, path: str, status: int) -> str:
    answer = hook.client.get(path)
    assert answer.status_code == status
    return answer.get_data(as_text=True)


@pytest.mark.parametrize("more", [{"PAGES": "off"}, {}, LOGIN, {**LOGIN, "PAGES": "login"}])
def test_report_pages_that_are_off_say_the_same_of_what_there_is_and_what_not(
    tmp_path: Path, more: dict[str, str]
) -> None:
    hook = made(tmp_path, **more)
    stored(hook, report([finding(S1)]))
    there, elsewhere = text_of(hook, REPORT, 404), text_of(hook, f"/checks/no/where/{HEAD}", 404)
    assert there == elsewhere
    assert there.startswith("404 Not Found. This service shows no report here")
    assert there.count("\n") == 1
    hook.queue.close()
    hook.store.close()


def test_the_setup_page_is_said_to_be_missing(web: Hook) -> None:
    assert "no setup page" in text_of(web, "/setup", 404)
    assert "app.yml" in text_of(web, "/setup", 404)


def test_a_wrong_address_names_the_right_ones(web: Hook) -> None:
    for path in ("/nope", "/api/github", "/checks/octo"):
        told = text_of(web, path, 404)
        assert "POST /api/github/webhooks" in told
        assert "<" not in told
    refused = web.client.get("/api/github/webhooks")
    assert (refused.status_code, set(refused.headers["Allow"].split(", "))) == (405, {"OPTIONS", "POST"})
    assert refused.content_type == "text/plain; charset=utf-8"


@pytest.mark.parametrize("path", ["/healthz/", "/readyz/", "/metrics/"])
def test_a_trailing_slash_is_no_other_page(web: Hook, path: str) -> None:
    assert web.client.get(path).status_code == 200


def test_the_report_page_shows_everything_and_escapes_it(web: Hook) -> None:
    hostile = finding(S1, message="<script>alert(1)</script>", on_base=True, count=3)
    given = report(
        [hostile],
        [S1, Scope("closed/Acme/results/S0", "system", "removed")],
        not_run=(NotRun("3.3.2", S1, "summary.json is missing", f"{S1}/run"),),
        waived=(Waived(finding(S1), "agreed", "2026-12-31"),),
        notes=("The round is open.",),
    )
    stored(web, given)
    page = text_of(web, REPORT, 200)
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    for part in (
        "❌ fails",
        "The base has it already",
        "3 times",
        "agreed",
        "The round is open.",
        f"{S1}/run",
        "removed",
    ):
        assert part in page


@pytest.mark.parametrize(
    "given",
    [report([], faults=(Fault("3.3.2", S1, S1, "7f3a", "KeyError"),)), report([], paths_seen=1)],
    ids=["a rule raised", "a path unseen"],
)
def test_the_report_page_never_shows_an_own_fault_as_the_submitters(web: Hook, given: Report) -> None:
    stored(web, given)
    page = text_of(web, REPORT, 200)
    assert "checker fault, not the submission" in page
    assert "❌ fails" not in page
    assert "✅ passes:" not in page


def test_a_page_that_can_not_be_made_is_one_line_without_details(web: Hook) -> None:
    with web.store.session() as session:
        session.execute(text("ALTER TABLE workflow_status RENAME TO gone"))
    told = text_of(web, "/", 500)
    assert told.startswith("500 Internal Server Error.")
    assert "workflow_status" not in told
    assert told.count("\n") == 1


def shared_image(**fields: object) -> Report:
    """A report on a change of Acme's that reaches a system of Bolt's, which fails."""
    theirs = "closed/Bolt/results/S9"
    scopes = [Scope(S1, "system", "results changed", "closed/Acme"), Scope(theirs, "system", "shared", "closed/Bolt")]
    found = finding(f"{theirs}/x.json", scope=theirs, message="Bolt is wrong.")
    known = {
        "not_run": (NotRun("3.3.2", theirs, "Bolt", f"{theirs}/run"),),
        "facts": (Fact(theirs, "Bolt", 1, "", theirs),),
        "waived": (Waived(found, "Bolt agreed", None),),
        "touched": (Touched("Acme", "closed/Acme", 1),),
    }
    return report([found], scopes, **{**known, **fields})


def test_m_11_the_report_page_shows_other_submitters_as_numbers_only(web: Hook) -> None:
    stored(web, shared_image())
    page = text_of(web, REPORT, 200)
    assert "Bolt" not in page
    assert "S9" not in page
    assert S1 in page
    assert "other submitters: 1, parts: 1" in page
    assert "❌ fails" in page
    with web.store.session() as session:
        kept = json.loads(session.get_one(StoredReport, 1).json or "")
    assert [one["scope"] for one in kept["findings"]] == ["closed/Bolt/results/S9"]


def test_a_fault_of_the_checker_at_others_is_one_on_the_report_page(web: Hook) -> None:
    theirs = "closed/Bolt/results/S9"
    stored(web, shared_image(faults=(Fault("3.3.2", theirs, theirs, "7f3a", "KeyError"),)))
    page = text_of(web, REPORT, 200)
    assert "checker fault, not the submission" in page
    assert "Bolt" not in page


def test_an_outcome_without_a_report_has_a_page_that_says_it(web: Hook) -> None:
    stored(web, report([finding(S1)]))
    body = check_run.faulty_configuration("f.yml", BASE, 3, "unknown <key>")
    stored(web, None, 2, body)
    page = text_of(web, REPORT, 200)
    assert "configuration is faulty, not your submission" in page
    assert "action_required" in page
    assert "B.pdf is missing" not in page
    stored(web, report([finding(S2)]), 3)
    assert "B.pdf is missing" in text_of(web, REPORT, 200)
