"""Who may do what: JWTs, tokens, permissions, suspension."""

import re
import time

import jwt
import pytest
import requests
from cryptography.hazmat.primitives.asymmetric import rsa

from tests.github import GitHub
from tests.github.conftest import Client, app_jwt
from tests.github.records import Repository

R = "/repos/octo-org/submissions"


def test_app_signs_with_its_id_or_client_id(github: GitHub) -> None:
    for issuer in (str(github.app.id), github.app.client_id):
        client = Client(github.api_url, f"Bearer {app_jwt(github, iss=issuer)}")
        with client.session:
            assert client("GET", "/app").json()["id"] == github.app.id


@pytest.mark.parametrize(
    ("claims", "text"),
    [
        ({"exp": -5}, "'Expiration time' claim"),
        ({"iat": 0, "exp": 900}, "too far in the future"),
        ({"iat": -400, "exp": 400}, "too far in the future"),
        ({"iat": 200, "exp": 300}, "'Issued at' claim"),
    ],
)
def test_times_out_of_bounds_are_refused(github: GitHub, claims: dict[str, int], text: str) -> None:
    """`claims` are in seconds from now."""
    moments = {name: int(time.time()) + offset for name, offset in claims.items()}
    client = Client(github.api_url, f"Bearer {app_jwt(github, **moments)}")
    with client.session:
        answer = client("GET", "/app")
    assert answer.status_code == 401
    assert text in answer.json()["message"]


def test_another_app_and_another_key_are_refused(github: GitHub) -> None:
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    present = int(time.time())
    forged = jwt.encode({"iss": str(github.app.id), "iat": present, "exp": present + 60}, key, algorithm="RS256")
    with requests.Session() as session:
        answers = [
            Client(github.api_url, f"Bearer {token}", session)("GET", "/app")
            for token in (forged, app_jwt(github, iss="1"))
        ]
    assert [one.status_code for one in answers] == [401, 401]
    assert answers[1].json()["message"] == "Integration not found"


def test_each_door_has_its_key(as_app: Client, as_installation: Client) -> None:
    assert as_app("GET", R).status_code == 403
    assert as_installation("GET", "/app").status_code == 401
    as_app.authorization = ""
    assert as_app("GET", R).status_code == 401


def test_tokens_have_githubs_long_form(github: GitHub, repository: Repository) -> None:
    token = github.token(repository)
    assert re.fullmatch(r"ghs_[A-Za-z0-9\._]{36,}", token)
    assert token.startswith(f"ghs_{github.app.id}_")
    assert 500 < len(token) < 540


def test_tokens_lapse(github: GitHub, as_installation: Client) -> None:
    github.expire_tokens()
    answer = as_installation("GET", R)
    assert (answer.status_code, answer.json()["message"]) == (401, "Bad credentials")


def test_tokens_live_as_long_as_told(github: GitHub, repository: Repository, as_app: Client) -> None:
    github.set_token_life(90)
    path = f"/app/installations/{github.installation_on('octo-org').id}/access_tokens"
    expires = as_app("POST", path).json()["expires_at"]
    left = time.mktime(time.strptime(expires, "%Y-%m-%dT%H:%M:%SZ")) - time.timezone - time.time()
    assert 85 < left < 92


def test_tokens_are_narrowed(github: GitHub, repository: Repository, as_app: Client) -> None:
    other = github.add_repository("octo-org/other")
    path = f"/app/installations/{github.installation_on('octo-org').id}/access_tokens"
    narrow = as_app("POST", path, {"repositories": ["submissions"], "permissions": {"checks": "read"}}).json()
    client = Client(github.api_url, f"token {narrow['token']}", as_app.session)
    assert client("GET", R).status_code == 200
    assert client("GET", f"/repos/{other.full_name}").status_code == 404
    body = {"name": "c", "head_sha": repository.git.ref("refs/heads/main")}
    refused = client("POST", R + "/check-runs", body)
    assert (refused.status_code, refused.json()["message"]) == (403, "Resource not accessible by integration")
    assert as_app("POST", path, {"permissions": {"actions": "write"}}).status_code == 422


@pytest.mark.parametrize(
    ("permission", "path"),
    [("checks", "/commits/main/check-runs"), ("contents", "/contents/closed"), ("pull_requests", "/pulls")],
)
def test_permissions_taken_away_are_missed(
    github: GitHub, repository: Repository, as_app: Client, permission: str, path: str
) -> None:
    del github.installation_on("octo-org").permissions[permission]
    client = Client(github.api_url, f"Bearer {github.token(repository)}", as_app.session)
    assert client("GET", R).status_code == 200
    assert client("GET", R + path).status_code == 403


def test_suspended_installation(
    github: GitHub, repository: Repository, as_app: Client, as_installation: Client
) -> None:
    installation = github.installation_on("octo-org")
    github.suspend(installation, send=False)
    path = f"/app/installations/{installation.id}/access_tokens"
    for answer in (as_app("POST", path), as_installation("GET", R)):
        assert (answer.status_code, answer.json()["message"]) == (403, "This installation has been suspended")
    github.unsuspend(installation, send=False)
    assert as_app("POST", path).status_code == 201


def test_hourly_limit_runs_out_and_comes_back(github: GitHub, as_installation: Client) -> None:
    installation = github.installation_on("octo-org")
    installation.remaining = 1
    assert as_installation("GET", R).headers["X-RateLimit-Remaining"] == "0"
    refused = as_installation("GET", R)
    assert refused.status_code == 403
    assert refused.json()["message"].startswith("API rate limit exceeded for installation ID")
    assert int(refused.headers["X-RateLimit-Reset"]) == installation.reset
    assert as_installation("GET", "/rate_limit").json()["rate"]["remaining"] == 0
    installation.reset = int(time.time()) - 1
    assert as_installation("GET", R).status_code == 200


def test_requests_are_recorded_with_who_sent_them(github: GitHub, repository: Repository, as_app: Client) -> None:
    as_app("GET", "/app")
    as_app.authorization = "Bearer ghs_nonsense"
    as_app("GET", R)
    assert [(one.method, one.path, one.status, one.auth) for one in github.requests] == [
        ("GET", "/app", 200, "app"),
        ("GET", R, 401, "nobody"),
    ]
    github.clear_requests()
    assert github.requests == []
