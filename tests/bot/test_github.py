"""The App's client against the stand-in: every kind of answer, every known kind of failure."""

import datetime
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from bot import check_run
from bot.account import Context
from bot.check_run import Key
from bot.github import GitHub as Client
from bot.github import Installation, Limited, NotFound, Refused, RetryLater, Suspended, Unauthorized
from bot.policy import Policy
from tests.bot.clients import installation_of, settings_for
from tests.bot.reports import finding, report
from tests.github import GitHub, Repository, effects

CHECK = "Submission checks"
LONG_AGO = datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC)


@pytest.fixture
def standin(tmp_path: Path) -> Iterator[GitHub]:
    """The stand-in; at the end nothing may have been sent that GitHub would not take."""
    with GitHub(tmp_path / "github") as running:
        yield running
        running.check()


@pytest.fixture
def results(standin: GitHub) -> Repository:
    return standin.add_repository("octo-org/results", {"README.md": b"x", "closed/Acme/a.json": b"{}"})


@pytest.fixture
def client(standin: GitHub, tmp_path: Path) -> Iterator[Client]:
    made = Client(settings_for(standin, tmp_path / "bot"), seconds_between_writes=0, backoff=0.001)
    yield made
    made.close()


@pytest.fixture
def bot(client: Client, standin: GitHub, results: Repository) -> Installation:
    return installation_of(client, standin, results)


@pytest.fixture
def head(results: Repository) -> str:
    return results.git.commit({"closed/Acme/b.json": b"{}"}, base=results.git.ref("refs/heads/main"))


def key(head: str, external_id: str = "pull:1:b") -> Key:
    return Key(CHECK, head, external_id, "https://bot.example/x")


def made(bot: Installation, repo: str, head: str) -> int:
    return bot.create_check_run(repo, check_run.queued(key(head))).id


def sent(standin: GitHub, method: str, part: str) -> int:
    return sum(one.method == method and part in one.path for one in standin.requests)


def posted(head: str, number: int) -> list[check_run.Body]:
    context = Context("octo-org/results", 1, head, "b" * 40, changed_files=frozenset({"a.json"}), policy=Policy())
    return check_run.completed(report([finding("a.json", line=line) for line in range(1, number + 1)]), context)


def test_the_whole_road_costs_six_calls(standin: GitHub, bot: Installation, results: Repository, head: str) -> None:
    pull = standin.open_pull_request(results, head)
    repo = results.full_name
    found = bot.pull_request(repo, pull.number)
    assert bot.check_runs(repo, found.head_sha, CHECK) == []
    run = bot.create_check_run(repo, check_run.queued(key(head)))
    bot.update_check_run(repo, run.id, check_run.in_progress(key(head)))
    (body,) = posted(head, 50)
    done = bot.update_check_run(repo, run.id, body)
    assert (done.status, done.conclusion, done.annotations_count) == ("completed", "failure", 50)
    assert len(standin.requests) == 6


def test_pull_request_of_a_lost_fork(standin: GitHub, bot: Installation, results: Repository, head: str) -> None:
    pull = standin.open_pull_request(results, head, fork=True, fork_deleted=True, draft=True)
    found = bot.pull_request(results.full_name, pull.number)
    assert (found.number, found.head_sha, found.head_repo, found.draft) == (pull.number, head, None, True)
    assert (found.base_ref, found.base_sha, found.base_repo_id) == ("main", pull.base_sha, results.id)
    assert (found.state, found.changed_files) == ("open", 1)


def test_open_pull_requests_beyond_one_page(standin: GitHub, bot: Installation, results: Repository, head: str) -> None:
    for _ in range(101):
        standin.open_pull_request(results, head)
    standin.close(standin.open_pull_request(results, head))
    assert len(bot.open_pull_requests(results.full_name)) == 101
    assert sent(standin, "GET", "/pulls") == 2


def test_pulls_of_a_commit_are_open_ones_into_this_repository(
    standin: GitHub, bot: Installation, results: Repository, head: str
) -> None:
    mine = standin.open_pull_request(results, head)
    standin.close(standin.open_pull_request(results, head))
    foreign = {"number": 9, "base": {"repo": {"full_name": "someone/fork"}}}
    standin.faults.add("GET", "/pulls$", effects.Effect(edit_reply=lambda found: [foreign, {"number": 8}, *found]))
    assert [pull.number for pull in bot.pulls_of_commit(results.full_name, head)] == [mine.number]


def test_check_runs_are_the_apps_own_newest_first(
    standin: GitHub, bot: Installation, results: Repository, head: str
) -> None:
    standin.add_check_run(results, head, CHECK, standin.add_app("other"))
    old = made(bot, results.full_name, head)
    new = made(bot, results.full_name, head)
    runs = bot.check_runs(results.full_name, head, CHECK)
    assert runs[0].id == new
    assert {run.id for run in runs} <= {old, new}
    assert (runs[0].external_id, runs[0].status, runs[0].conclusion) == ("pull:1:b", "queued", None)


def test_null_suite_app_and_output_are_read(standin: GitHub, bot: Installation, results: Repository, head: str) -> None:
    run = made(bot, results.full_name, head)
    nothing = {"check_suite": None, "app": None, "output": None, "external_id": None}
    standin.faults.add("GET", "/check-runs/", effects.Effect(edit_reply=lambda body: {**body, **nothing}))
    found = bot.check_run(results.full_name, run)
    assert (found.id, found.external_id, found.annotations_count, found.app_id) == (run, "", 0, None)


def test_files_are_read_at_a_commit(bot: Installation, results: Repository) -> None:
    main = results.git.ref("refs/heads/main")
    assert main is not None
    assert bot.file(results.full_name, "closed/Acme/a.json", main) == b"{}"
    assert bot.file(results.full_name, ".github/submission-checks.yml", main) is None
    assert bot.branch_head(results.full_name, "main") == main


@pytest.mark.parametrize("change", [lambda one: [one], lambda one: {**one, "encoding": "none", "content": ""}])
def test_what_is_no_small_file_is_refused(
    standin: GitHub, bot: Installation, results: Repository, head: str, change: Callable[[Any], Any]
) -> None:
    standin.faults.add("GET", "/contents/", effects.Effect(edit_reply=change))
    with pytest.raises(Refused, match="not a file of at most 1 MB"):
        bot.file(results.full_name, "README.md", head)


def test_comments_and_permissions(standin: GitHub, bot: Installation, results: Repository, head: str) -> None:
    pull = standin.open_pull_request(results, head)
    standin.comment(pull, "/recheck", "octo-maintainer")
    comment = bot.create_comment(results.full_name, pull.number, "Checked.")
    assert bot.update_comment(results.full_name, comment.id, "Checked again.").id == comment.id
    bodies = [(one.body, one.app_id) for one in bot.comments(results.full_name, pull.number)]
    assert bodies == [("/recheck", None), ("Checked again.", standin.app.id)]
    assert bot.permission(results.full_name, "octo-maintainer") == "admin"
    assert bot.permission(results.full_name, "a-stranger") in ("read", "none")


def test_the_app_its_installations_and_their_repositories(standin: GitHub, client: Client, results: Repository) -> None:
    sleeping = standin.add_installation("sleeping-org")
    sleeping.suspended_at = "2026-11-30T00:00:00Z"
    assert client.app().permissions["checks"] == "write"
    assert "pull_request" in client.app().events
    assert {one.account: one.suspended for one in client.installations()} == {"octo-org": False, "sleeping-org": True}
    (found,) = client.repositories()
    assert (found.id, found.full_name, found.default_branch) == (results.id, "octo-org/results", "main")


def test_failed_deliveries_are_those_of_which_no_attempt_succeeded(
    standin: GitHub, client: Client, results: Repository, head: str
) -> None:
    standin.app.webhook_url = f"{standin.url}/nobody/listens"
    failed = standin.open_pull_request(results, head)
    standin.webhooks.settle()
    (first,) = client.failed_deliveries(LONG_AGO)
    assert (first.event, first.action, first.attempts) == ("pull_request", "opened", 1)
    client.redeliver(first.id)
    standin.webhooks.settle()
    (second,) = client.failed_deliveries(LONG_AGO)
    assert (second.guid, second.attempts) == (first.guid, 2)
    assert second.id != first.id
    standin.deliveries[-1].status_code = 202
    assert client.failed_deliveries(LONG_AGO) == []
    assert client.failed_deliveries(datetime.datetime.now(datetime.UTC) + datetime.timedelta(hours=1)) == []
    assert failed.number


def test_deliveries_beyond_one_page(standin: GitHub, client: Client, results: Repository, head: str) -> None:
    standin.app.webhook_url = f"{standin.url}/nobody/listens"
    pull = standin.open_pull_request(results, head, send=False)
    for number in range(101):
        standin.label(pull, f"label-{number}")
    standin.webhooks.settle()
    assert len(client.failed_deliveries(LONG_AGO)) == 101
    assert sent(standin, "GET", "/app/hook/deliveries") == 2


@pytest.mark.parametrize("effect", [effects.bad_gateway(), effects.unavailable(), effects.dropped()])
def test_reads_are_repeated(
    standin: GitHub, bot: Installation, results: Repository, head: str, effect: effects.Effect
) -> None:
    pull = standin.open_pull_request(results, head)
    standin.faults.add("GET", "/pulls/", effect, times=2)
    assert bot.pull_request(results.full_name, pull.number).head_sha == head
    assert sent(standin, "GET", "/pulls/") == 3


@pytest.mark.parametrize("effect", [effects.lost_reply(), effects.dropped(after=True)], ids=["502", "dropped"])
def test_a_create_of_unknown_outcome_is_not_sent_again_and_can_be_looked_up(
    standin: GitHub, bot: Installation, results: Repository, head: str, effect: effects.Effect
) -> None:
    standin.faults.add("POST", "/check-runs", effect)
    with pytest.raises(RetryLater):
        made(bot, results.full_name, head)
    assert sent(standin, "POST", "/check-runs") == 1
    (run,) = bot.check_runs(results.full_name, head, CHECK)
    assert run.external_id == "pull:1:b"


def test_an_update_without_annotations_is_repeated(
    standin: GitHub, bot: Installation, results: Repository, head: str
) -> None:
    run = made(bot, results.full_name, head)
    standin.faults.add("PATCH", "/check-runs/", effects.bad_gateway(), times=2)
    assert bot.update_check_run(results.full_name, run, check_run.in_progress(key(head))).status == "in_progress"


@pytest.mark.parametrize("effect", [effects.lost_reply(), effects.bad_gateway(), effects.dropped(after=True)])
def test_annotations_are_never_doubled(
    standin: GitHub, bot: Installation, results: Repository, head: str, effect: effects.Effect
) -> None:
    run = made(bot, results.full_name, head)
    first, last = posted(head, 60)
    bot.update_check_run(results.full_name, run, first)
    standin.faults.add("PATCH", "/check-runs/", effect)
    done = bot.update_check_run(results.full_name, run, last, annotations_before=50)
    assert (done.annotations_count, done.conclusion) == (60, "failure")
    assert len(standin.state.runs[run].annotations) == 60


def test_an_answer_without_id_is_none(standin: GitHub, bot: Installation, results: Repository, head: str) -> None:
    standin.faults.add("POST", "/check-runs", effects.without_id())
    with pytest.raises(RetryLater, match="lacks 'id'"):
        made(bot, results.full_name, head)


def test_an_answer_that_is_no_json_is_none(standin: GitHub, bot: Installation, results: Repository) -> None:
    standin.faults.add("GET", "/pulls/1", effects.Effect(status=200, data=b"<html>"))
    with pytest.raises(RetryLater, match="not JSON"):
        bot.pull_request(results.full_name, 1)


def test_a_refused_token_is_renewed_once(standin: GitHub, bot: Installation, results: Repository, head: str) -> None:
    pull = standin.open_pull_request(results, head)
    bot.pull_request(results.full_name, pull.number)
    standin.expire_tokens()
    assert bot.pull_request(results.full_name, pull.number).head_sha == head
    assert sent(standin, "POST", "/access_tokens") == 2
    standin.faults.add("GET", "/pulls/", effects.bad_credentials(), times=2)
    with pytest.raises(Unauthorized):
        bot.pull_request(results.full_name, pull.number)


def test_a_create_refused_for_its_token_is_sent_again(
    standin: GitHub, bot: Installation, results: Repository, head: str
) -> None:
    standin.faults.add("POST", "/check-runs", effects.bad_credentials())
    assert made(bot, results.full_name, head) in standin.state.runs


@pytest.mark.parametrize(
    ("effect", "span"),
    [
        *((effects.secondary_limit(wording), (60, 60)) for wording in range(3)),
        (effects.secondary_limit(0, retry_after=7), (7, 7)),
        (effects.too_many_requests(), (60, 60)),
        (effects.too_many_requests(9), (9, 9)),
        (effects.rate_limit_exhausted(3000), (2000, 3005)),
        (effects.error(403, "Forbidden", Retry_After="3"), (3, 3)),
    ],
)
def test_limits_become_a_delay_at_once(
    standin: GitHub, bot: Installation, results: Repository, effect: effects.Effect, span: tuple[float, float]
) -> None:
    standin.faults.add("GET", "/pulls/", effect, times=5)
    begun = time.monotonic()
    with pytest.raises(Limited) as caught:
        bot.pull_request(results.full_name, 1)
    assert span[0] <= caught.value.delay_seconds <= span[1]
    assert time.monotonic() - begun < 3
    asked = len(standin.requests)
    with pytest.raises(Limited):
        bot.open_pull_requests(results.full_name)
    assert len(standin.requests) == asked, "while GitHub wants silence nothing is sent"


def test_limits_of_one_installation_leave_others_alone(
    standin: GitHub, client: Client, bot: Installation, results: Repository
) -> None:
    other = standin.add_repository("other-org/results")
    standin.faults.add("GET", "octo-org/results/pulls", effects.secondary_limit())
    with pytest.raises(Limited):
        bot.open_pull_requests(results.full_name)
    assert installation_of(client, standin, other).open_pull_requests(other.full_name) == []


def test_suspended_installation(standin: GitHub, bot: Installation, results: Repository) -> None:
    installation = standin.state.installation_of(results, standin.app)
    assert installation is not None
    installation.suspended_at = "2026-11-30T00:00:00Z"
    with pytest.raises(Suspended):
        bot.pull_request(results.full_name, 1)


def test_missing_things_and_missing_permissions(
    standin: GitHub, bot: Installation, results: Repository, head: str
) -> None:
    with pytest.raises(NotFound):
        bot.pull_request(results.full_name, 99)
    with pytest.raises(NotFound):
        bot.open_pull_requests("octo-org/nothing")
    installation = standin.state.installation_of(results, standin.app)
    assert installation is not None
    bot.token()
    for token in standin.state.tokens.values():
        token.permissions.pop("checks")
    with pytest.raises(Refused) as caught:
        made(bot, results.full_name, head)
    assert caught.value.status == 403


def test_a_body_that_github_refuses(tmp_path: Path) -> None:
    with GitHub(tmp_path / "github") as standin:
        results = standin.add_repository("octo-org/results")
        client = Client(settings_for(standin, tmp_path), seconds_between_writes=0)
        with pytest.raises(Refused) as caught:
            installation_of(client, standin, results).create_check_run(results.full_name, {"name": CHECK})
        client.close()
    assert caught.value.status == 422
    assert "head_sha" in caught.value.text


def test_a_renamed_repository_is_followed_on_the_same_host(
    standin: GitHub, bot: Installation, results: Repository, head: str
) -> None:
    run = made(bot, results.full_name, head)
    standin.state.renamed["octo-org/old"] = results
    assert bot.open_pull_requests("octo-org/old") == []
    assert bot.update_check_run("octo-org/old", run, check_run.in_progress(key(head))).status == "in_progress"


@pytest.mark.parametrize("status", [301, 307])
def test_no_other_host_is_asked(standin: GitHub, bot: Installation, head: str, tmp_path: Path, status: int) -> None:
    with GitHub(tmp_path / "other") as other:
        address = other.api_url.replace("127.0.0.1", "localhost")
        away = effects.Effect(status=status, body={}, headers=(("Location", f"{address}/repos/x/y"),))
        standin.faults.add(None, "octo-org/results", away)
        with pytest.raises(Refused):
            made(bot, "octo-org/results", head)
        assert other.requests == []


@pytest.mark.parametrize("repo", ["octo-org", "../../x", "octo-org/..", "a/b/c", "octo-org/re?x", "-x/y", "o/r\n"])
def test_names_are_tested_before_anything_is_asked(standin: GitHub, bot: Installation, repo: str) -> None:
    with pytest.raises(ValueError, match="owner/name"):
        bot.open_pull_requests(repo)
    with pytest.raises(ValueError, match="40 hex"):
        bot.check_runs("octo-org/results", "HEAD", CHECK)
    assert standin.requests == []


def test_eight_threads_on_eight_pull_requests_cross_nothing(
    standin: GitHub, bot: Installation, results: Repository
) -> None:
    main = results.git.ref("refs/heads/main")
    heads = [results.git.commit({f"{number}.json": b"{}"}, base=main) for number in range(8)]

    def work(head: str) -> list[str]:
        run = made(bot, results.full_name, head)
        states = [bot.update_check_run(results.full_name, run, body) for body in posted(head, 60)]
        return [state.head_sha for state in states if state.id == run]

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(work, heads)) == [[head, head] for head in heads]
    assert sent(standin, "POST", "/access_tokens") == 1


def test_writes_keep_their_distance_and_reads_do_not(
    standin: GitHub, results: Repository, head: str, tmp_path: Path
) -> None:
    client = Client(settings_for(standin, tmp_path), seconds_between_writes=0.2)
    bot = installation_of(client, standin, results)
    threads = [threading.Thread(target=made, args=(bot, results.full_name, head)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    times = [one.at for one in standin.requests if one.path.endswith("/check-runs")]
    assert len(times) == 4
    assert all(later - earlier >= 0.19 for earlier, later in pairwise(times))
    begun = time.monotonic()
    for _ in range(5):
        bot.open_pull_requests(results.full_name)
    assert time.monotonic() - begun < 1
    client.close()
