"""Commands in a pull request's conversation, and the button of the check run, over real sockets."""

from __future__ import annotations

import datetime
import re

import pytest

from tests.bot.maintained import (
    AUTHOR,
    B_WITHOUT_PDF,
    STRANGER,
    answer,
    completed,
    github,  # noqa: F401 - a fixture
    new_repository,
    pull,
    push,
    said,
    service,  # noqa: F401 - a fixture
    settled,
)
from tests.bot.service import Service
from tests.github import GitHub
from tests.github.sender import MAINTAINER

UNTIL = (datetime.datetime.now(datetime.UTC) + datetime.timedelta(days=30)).date().isoformat()
B_YAML = "closed/Acme/systems/B.yaml"
WAIVE = f"/waive 2.1.7 {B_YAML} until {UNTIL} because the printer burnt down"


def test_m_01_a_maintainer_waives_a_finding_and_takes_it_back(github: GitHub, service: Service) -> None:  # noqa: F811
    repository = new_repository(github)
    one = pull(github, repository, B_WITHOUT_PDF)
    assert completed(github, repository, one.head_sha).conclusion == "failure"
    record = answer(service, one, WAIVE)
    assert record is not None
    assert "Waiver recorded" in record
    assert "the printer burnt down" in record
    run = completed(github, repository, one.head_sha, runs=2)
    assert run.conclusion == "success"
    assert "WAIVED" in run.summary
    assert f"the printer burnt down ({MAINTAINER}, by /waive)" in run.summary.replace("\\", "")
    assert "taken back" in str(answer(service, one, f"/unwaive 2.1.7 {B_YAML}"))
    assert completed(github, repository, one.head_sha, runs=3).conclusion == "failure"


def test_a_waiver_and_its_end_reach_every_open_pull_request_that_they_concern(
    github: GitHub,  # noqa: F811
    service: Service,  # noqa: F811
) -> None:
    repository = new_repository(github)
    one = pull(github, repository, B_WITHOUT_PDF)
    same = pull(github, repository, {**B_WITHOUT_PDF, "closed/Acme/systems/D.md": b"x"})
    other = pull(github, repository, {"closed/Acme/systems/E.md": b"x"})
    for each in (one, same, other):
        completed(github, repository, each.head_sha)
    assert "other open pull requests" in str(answer(service, one, WAIVE))
    assert completed(github, repository, same.head_sha, runs=2).conclusion == "success"
    assert "taken back" in str(answer(service, other, f"/unwaive 2.1.7 {B_YAML}"))
    for each in (one, same):
        assert completed(github, repository, each.head_sha, runs=3).conclusion == "failure"
    assert completed(github, repository, other.head_sha, runs=2).conclusion == "success"


def test_a_command_on_a_closed_pull_request_promises_no_check_of_it(
    github: GitHub,  # noqa: F811
    service: Service,  # noqa: F811
) -> None:
    repository = new_repository(github)
    one, same = (pull(github, repository, {**B_WITHOUT_PDF, f"closed/Acme/systems/{n}.md": b"x"}) for n in "DE")
    for each in (one, same):
        completed(github, repository, each.head_sha)
    github.close(one)
    settled(service)
    for number, command in enumerate((WAIVE, f"/unwaive 2.1.7 {B_YAML}"), start=2):
        assert "is not open and is not checked again" in str(answer(service, one, command))
        assert len(github.check_runs(repository, one.head_sha)) == 1
        completed(github, repository, same.head_sha, runs=number)


@pytest.mark.parametrize("text", ["/explain", "/explain 2.1.7 please"])
def test_a_misused_explain_of_the_author_is_answered_with_its_form(
    github: GitHub,  # noqa: F811
    service: Service,  # noqa: F811
    text: str,
) -> None:
    repository = new_repository(github)
    github.permit(repository, AUTHOR, "read")
    one = pull(github, repository, {"closed/Acme/systems/E.md": b"x"})
    assert "The form is /explain RULE" in str(answer(service, one, text, AUTHOR)).replace("\\", "")
    assert "people who may write" in str(answer(service, one, text, STRANGER))


def test_m_01_others_may_not_and_are_told_once(github: GitHub, service: Service) -> None:  # noqa: F811
    repository = new_repository(github)
    github.permit(repository, AUTHOR, "read")
    github.permit(repository, "triager", "triage")
    one = pull(github, repository, B_WITHOUT_PDF)
    completed(github, repository, one.head_sha)
    for person in (AUTHOR, "triager", STRANGER):
        assert "commands are for people who may write" in str(answer(service, one, WAIVE, person))
        assert answer(service, one, WAIVE, person) is None
    comment = github.comment(one, WAIVE, f"{github.app.slug}[bot]", send=False)
    comment.author.type = "Bot"
    payload = github.payload_for("issue_comment.created", comment)
    github.deliver("issue_comment", payload)
    settled(service)
    assert len(said(github, one)) == 3
    assert completed(github, repository, one.head_sha).conclusion == "failure"


def test_m_03_only_what_is_named_is_waived(github: GitHub, service: Service) -> None:  # noqa: F811
    repository = new_repository(github)
    other = {path.replace("B", "C"): data for path, data in B_WITHOUT_PDF.items()}
    one = pull(github, repository, {**B_WITHOUT_PDF, **other})
    assert completed(github, repository, one.head_sha).conclusion == "failure"
    assert "nothing to waive" in str(answer(service, one, WAIVE.replace("2.1.7", "2.1.12")))
    assert "nothing to waive" in str(answer(service, one, WAIVE.replace("B.yaml", "D.yaml")))
    assert "in 2 places at once" in str(answer(service, one, WAIVE.replace("systems/B.yaml", "**")))
    for wide in ("**", "closed/**", "closed/Acme/**", "closed/*/systems/B.yaml", "closed/Acme/systems/*B.yaml"):
        assert answer(service, one, WAIVE.replace(B_YAML, wide)) is not None
        assert "Waiver recorded" not in said(github, one)[-1].body
    assert "reaches beyond one system" in said(github, one)[-1].body
    assert "No rule has the id" in str(answer(service, one, WAIVE.replace("2.1.7", "9.9.9")))
    assert "lies behind" in str(answer(service, one, WAIVE.replace(UNTIL, "2020-01-01")))
    assert len(github.check_runs(repository, one.head_sha)) == 1
    assert "Waiver recorded" in str(answer(service, one, WAIVE))
    run = completed(github, repository, one.head_sha, runs=2)
    assert run.conclusion == "failure"
    assert {note["path"] for note in run.annotations} == {"closed/Acme/systems/C.yaml"}


def test_m_04_without_a_record_there_is_no_waiver(github: GitHub, service: Service) -> None:  # noqa: F811
    repository = new_repository(github)
    one = pull(github, repository, B_WITHOUT_PDF)
    completed(github, repository, one.head_sha)
    github.faults.add(
        "POST", "/comments$", status=403, body={"message": "Unable to create comment because issue is locked."}
    )
    assert answer(service, one, WAIVE) is None
    assert github.faults.pending == 0
    push(github, one, {"closed/Acme/systems/B.md": b"more\n"})
    run = completed(github, repository, one.head_sha)
    assert run.conclusion == "failure"
    assert "WAIVED" not in run.summary
    assert "needs a reason" in str(answer(service, one, f"/waive 2.1.7 {B_YAML} until {UNTIL} because "))


def test_m_04_a_record_whose_answer_was_lost_is_written_once(github: GitHub, service: Service) -> None:  # noqa: F811
    repository = new_repository(github)
    one = pull(github, repository, B_WITHOUT_PDF)
    completed(github, repository, one.head_sha)
    github.faults.add("POST", "/comments$", status=502, data=b"", after=True)
    github.comment(one, WAIVE, MAINTAINER)
    assert completed(github, repository, one.head_sha, runs=2).conclusion == "success"
    settled(service)
    assert len(said(github, one)) == 1
    delivery = github.deliveries[-1]
    github.deliver(delivery.event, delivery.payload)  # the same event under another id
    settled(service)
    assert len(said(github, one)) == 1


def test_m_19_re_check_by_comment(github: GitHub, service: Service) -> None:  # noqa: F811
    repository = new_repository(github)
    one = pull(github, repository, B_WITHOUT_PDF)
    completed(github, repository, one.head_sha)
    assert "no part called `nosuch`" in str(answer(service, one, "/recheck nosuch"))
    assert "commands are for people" in str(answer(service, one, "/recheck", STRANGER))
    assert len(github.check_runs(repository, one.head_sha)) == 1
    assert "checked again" in str(answer(service, one, "/recheck B"))
    completed(github, repository, one.head_sha, runs=2)
    assert "checked again" in str(answer(service, one, "/recheck"))
    completed(github, repository, one.head_sha, runs=3)


def test_m_19_what_starts_nothing(github: GitHub, service: Service) -> None:  # noqa: F811
    repository = new_repository(github)
    one = pull(github, repository, B_WITHOUT_PDF)
    completed(github, repository, one.head_sha)
    comment = github.comment(one, "/recheck", MAINTAINER, send=False)
    payload = github.payload_for("issue_comment.created", comment)
    github.deliver("issue_comment", {**payload, "action": "edited"})
    plain = {key: value for key, value in payload["issue"].items() if key != "pull_request"}
    github.deliver("issue_comment", {**payload, "issue": plain})
    assert answer(service, one, "please /recheck") is None
    github.close(one)
    assert "not open" in str(answer(service, one, "/recheck"))
    assert len(github.check_runs(repository, one.head_sha)) == 1


def test_words_of_other_bots_are_answered_once(github: GitHub, service: Service) -> None:  # noqa: F811
    repository = new_repository(github)
    one = pull(github, repository, B_WITHOUT_PDF)
    completed(github, repository, one.head_sha)
    first = answer(service, one, "/lgtm", STRANGER)
    assert first is not None
    assert "`/explain RULE`" in first
    assert answer(service, one, "/rebase") is None


@pytest.mark.parametrize("person", [MAINTAINER, AUTHOR])
def test_a_rule_is_explained(github: GitHub, service: Service, person: str) -> None:  # noqa: F811
    repository = new_repository(github)
    one = pull(github, repository, B_WITHOUT_PDF)
    completed(github, repository, one.head_sha)
    text = answer(service, one, "/explain 2.1.7", person)
    assert text is not None
    assert "**2.1.7 systemsDirectoryFiles**" in text
    assert "To mend it" in text
    for wide in ("**", "closed/**", "closed/Acme/**", "closed/*/systems/B.yaml", "closed/Acme/systems/*B.yaml"):
        assert answer(service, one, WAIVE.replace(B_YAML, wide)) is not None
        assert "Waiver recorded" not in said(github, one)[-1].body
    assert "reaches beyond one system" in said(github, one)[-1].body
    assert "No rule has the id" in str(answer(service, one, "/explain 9.9.9", person))


def test_a_button_checks_again_for_people_who_may_write(github: GitHub, service: Service) -> None:  # noqa: F811
    repository = new_repository(github)
    one = pull(github, repository, B_WITHOUT_PDF)
    run = completed(github, repository, one.head_sha)
    assert [action["label"] for action in run.actions] == ["Re-check"]
    github.request_action(run, "recheck", sender=STRANGER)
    settled(service)
    assert len(github.check_runs(repository, one.head_sha)) == 1
    github.request_action(run, "recheck")
    completed(github, repository, one.head_sha, runs=2)


def test_no_answer_mentions_anybody(github: GitHub, service: Service) -> None:  # noqa: F811
    repository = new_repository(github)
    one = pull(github, repository, {**B_WITHOUT_PDF, "closed/Acme/systems/@octo-org": b"x"})
    completed(github, repository, one.head_sha)
    for text in (
        "/recheck @octo-org",
        f"/waive 2.1.7 {B_YAML} until @octo-org because x",
        WAIVE + " says @octo-org/all",
    ):
        reply = answer(service, one, text)
        assert reply is not None
        assert "@octo-org" not in re.sub(r"`[^`]*`", "", reply)
