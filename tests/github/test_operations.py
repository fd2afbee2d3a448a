"""Every operation of GitHub's description is answered, and GitHub's description finds nothing wrong."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from openapi_core import OpenAPI

from tests.github import GitHub, judge
from tests.github.api import OPERATIONS, routes
from tests.github.conftest import Client
from tests.github.records import PullRequest, Repository

R = "/repos/octo-org/submissions"
OUTPUT = {"title": "1 error", "summary": "One error."}
# (method, path with {names} of the records made below, body, status)
INSTALLATION_CALLS: list[tuple[str, str, Any, int]] = [
    ("GET", "/installation/repositories", None, 200),
    ("GET", "/rate_limit", None, 200),
    ("GET", "/meta", None, 200),
    ("GET", "/apps/submission-bot", None, 200),
    ("POST", R + "/check-runs", {"name": "Checks", "head_sha": "{head}", "output": OUTPUT}, 201),
    ("GET", R + "/check-runs/{run}", None, 200),
    ("PATCH", R + "/check-runs/{run}", {"status": "completed", "conclusion": "success"}, 200),
    ("GET", R + "/check-runs/{run}/annotations", None, 200),
    ("POST", R + "/check-runs/{run}/rerequest", None, 201),
    ("POST", R + "/check-suites", {"head_sha": "{base}"}, 201),
    ("PATCH", R + "/check-suites/preferences", {"auto_trigger_checks": [{"app_id": 1, "setting": False}]}, 200),
    ("GET", R + "/check-suites/{suite}", None, 200),
    ("GET", R + "/check-suites/{suite}/check-runs", None, 200),
    ("POST", R + "/check-suites/{suite}/rerequest", None, 201),
    ("GET", R + "/commits/{head}", None, 200),
    ("GET", R + "/commits/{head}/check-runs?check_name=Checks&filter=latest", None, 200),
    ("GET", R + "/commits/{head}/check-suites", None, 200),
    ("GET", R + "/commits/{head}/status", None, 200),
    ("GET", R + "/commits/{head}/pulls", None, 200),
    ("POST", R + "/statuses/{head}", {"state": "success"}, 201),
    ("GET", R + "/pulls?state=all&per_page=100", None, 200),
    ("GET", R + "/pulls/1", None, 200),
    ("GET", R + "/pulls/1/files", None, 200),
    ("GET", R + "/pulls/1/commits", None, 200),
    ("GET", R + "/pulls/1/merge", None, 404),
    ("POST", R + "/pulls/1/reviews", {"event": "COMMENT", "body": "Seen."}, 200),
    ("GET", R + "/pulls/1/reviews", None, 200),
    ("GET", R, None, 200),
    ("GET", R + "/contents/closed/Acme/systems/A.yaml?ref=main", None, 200),
    ("GET", R + "/compare/{base}...{head}", None, 200),
    ("GET", R + "/branches/main", None, 200),
    ("GET", R + "/branches/main/protection", None, 200),
    ("GET", R + "/branches/main/protection/required_status_checks", None, 200),
    ("GET", R + "/rules/branches/main", None, 200),
    ("GET", R + "/rulesets", None, 200),
    ("GET", R + "/rulesets/1", None, 200),
    ("GET", R + "/collaborators/octo-maintainer/permission", None, 200),
    ("GET", R + "/git/ref/heads/main", None, 200),
    ("GET", R + "/git/commits/{head}", None, 200),
    ("GET", R + "/git/trees/{head}?recursive=1", None, 200),
    ("GET", R + "/git/blobs/{blob}", None, 200),
    ("GET", R + "/issues/1", None, 200),
    ("POST", R + "/issues/1/comments", {"body": "Hello."}, 201),
    ("GET", R + "/issues/1/comments", None, 200),
    ("GET", R + "/issues/comments/{comment}", None, 200),
    ("PATCH", R + "/issues/comments/{comment}", {"body": "Hello again."}, 200),
    ("POST", R + "/issues/comments/{comment}/reactions", {"content": "eyes"}, 201),
    ("POST", R + "/issues/comments/{comment}/reactions", {"content": "eyes"}, 200),
    ("DELETE", R + "/issues/comments/{comment}", None, 204),
    ("POST", R + "/issues/1/reactions", {"content": "rocket"}, 201),
    ("POST", R + "/labels", {"name": "late", "color": "ff0000"}, 201),
    ("GET", R + "/labels", None, 200),
    ("POST", R + "/issues/1/labels", {"labels": ["late"]}, 200),
    ("POST", R + "/issues/1/labels", ["again"], 200),
    ("PUT", R + "/issues/1/labels", {"labels": ["late"]}, 200),
    ("GET", R + "/issues/1/labels", None, 200),
    ("DELETE", R + "/issues/1/labels/late", None, 200),
    ("DELETE", "/installation/token", None, 204),
]
APP_CALLS: list[tuple[str, str, Any, int]] = [
    ("GET", "/app", None, 200),
    ("GET", "/app/installations", None, 200),
    ("GET", "/app/installations/{installation}", None, 200),
    ("POST", "/app/installations/{installation}/access_tokens", {"permissions": {"checks": "write"}}, 201),
    ("GET", R + "/installation", None, 200),
    ("GET", "/orgs/octo-org/installation", None, 200),
    ("GET", "/app/hook/config", None, 200),
    ("PATCH", "/app/hook/config", {"url": "http://127.0.0.1:9/hook"}, 200),
    ("GET", "/app/hook/deliveries?per_page=5", None, 200),
    ("GET", "/app/hook/deliveries/{delivery}", None, 200),
    ("POST", "/app/hook/deliveries/{delivery}/attempts", None, 202),
    ("POST", "/app-manifests/{code}/conversions", None, 201),
]


@pytest.fixture
def names(github: GitHub, repository: Repository, pull: PullRequest) -> dict[str, object]:
    """Records that the paths above name."""
    other = github.add_check_run(
        repository, pull.head_sha, "Checks", github.app, status="completed", conclusion="failure"
    )
    repository.required_checks.append({"context": "Submission checks", "app_id": github.app.id})
    github.deliver("ping", {"zen": "Design for failure."}, to="http://127.0.0.1:9/hook")
    return {
        "base": pull.base_sha,
        "head": pull.head_sha,
        "run": other.id,
        "suite": other.suite.id,
        "blob": repository.git.blob(b"content"),
        "comment": github.comment(pull, "/recheck", "octo-maintainer", send=False).id,
        "installation": github.installation_on("octo-org").id,
        "delivery": github.deliveries[0].id,
        "code": github.offer_manifest({"name": "My bot"}),
    }


def _send(client: Client, names: dict[str, object], method: str, path: str, body: object) -> int:
    if isinstance(body, dict):
        body = {key: value.format(**names) if isinstance(value, str) else value for key, value in body.items()}
    return client(method, path.format(**names), body).status_code


def test_every_operation_answers_as_described(
    github: GitHub, names: dict[str, object], as_installation: Client, as_app: Client
) -> None:
    found = [(*call, _send(as_installation, names, *call[:3])) for call in INSTALLATION_CALLS]
    found += [(*call, _send(as_app, names, *call[:3])) for call in APP_CALLS]
    github.check()
    assert [(call[:2], call[4]) for call in found] == [(call[:2], call[3]) for call in found]


def test_description_is_valid_openapi() -> None:
    OpenAPI.from_dict(judge.amended())


def test_no_operation_is_left_out() -> None:
    assert sorted(OPERATIONS) == sorted(judge.operations())
    assert len(judge.operations()) == 68


def test_every_operation_is_called_above(github: GitHub) -> None:
    rules = routes().bind("")
    called = {rules.match(path.partition("?")[0], method)[0] for method, path, _, _ in INSTALLATION_CALLS + APP_CALLS}
    assert called == set(judge.operations())


def test_conditional_requests_and_headers(repository: Repository, as_installation: Client) -> None:
    first = as_installation("GET", R)
    again = as_installation("GET", R, If_None_Match=first.headers["ETag"])
    assert (again.status_code, again.content) == (304, b"")
    assert first.headers["X-RateLimit-Limit"] == "5000"
    assert first.headers["X-GitHub-Media-Type"] == "github.v3; format=json"
    assert first.headers["X-GitHub-Request-Id"] != again.headers["X-GitHub-Request-Id"]
    made = as_installation("POST", R + "/check-runs", {"name": "c", "head_sha": repository.git.ref("refs/heads/main")})
    assert made.headers["Location"] == made.json()["url"]


def test_pages_link_to_each_other(github: GitHub, repository: Repository, as_installation: Client) -> None:
    base = repository.git.ref("refs/heads/main")
    for number in range(5):
        github.open_pull_request(repository, repository.git.commit({"n": b"%d" % number}, base=base), send=False)
    middle = as_installation("GET", R + "/pulls?per_page=2&page=2")
    assert [one["number"] for one in middle.json()] == [3, 2]
    assert set(middle.links) == {"first", "prev", "next", "last"}
    assert set(as_installation("GET", R + "/pulls?per_page=2&page=3").links) == {"first", "prev"}


def test_renamed_repository_redirects(github: GitHub, repository: Repository, as_installation: Client) -> None:
    github.rename(repository, "results", send=False)
    answer = as_installation("GET", R + "/pulls")
    assert answer.status_code == 200
    assert answer.history[0].status_code == 301
    assert answer.url.endswith("/repos/octo-org/results/pulls")


def test_eight_clients_at_once(github: GitHub, repository: Repository) -> None:
    base = repository.git.ref("refs/heads/main")
    heads = [repository.git.commit({"n": b"%d" % number}, base=base) for number in range(8)]
    token = github.token(repository)

    def post(head: str) -> list[str]:
        client = Client(github.api_url, f"Bearer {token}")
        with client.session:
            made = [client("POST", R + "/check-runs", {"name": f"c{n}", "head_sha": head}).json() for n in range(5)]
            return [client("GET", f"{R}/check-runs/{one['id']}").json()["head_sha"] for one in made]

    with ThreadPoolExecutor(8) as pool:
        seen = list(pool.map(post, heads))
    assert seen == [[head] * 5 for head in heads]
    github.check()
