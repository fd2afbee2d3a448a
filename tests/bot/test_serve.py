"""The program as an operator meets it: start, stop, faults, sockets, several processes, doctor and replay."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests

from bot.web.webhooks import MAX_BYTES, PATH, signature
from tests.bot.conftest import open_pull
from tests.bot.service import Service, until
from tests.github import GitHub
from tests.github.state import Repository

NEW_SYSTEM: dict[str, bytes | None] = {"closed/Acme/systems/B.yaml": b"name: B\n"}


def headers(service: Service, body: bytes, **more: str) -> dict[str, str]:
    named = {name.replace("_", "-"): value for name, value in more.items()}
    proper = {"Content-Type": "application/json", "X-GitHub-Event": "ping", "X-GitHub-Delivery": "d-1"}
    return proper | {"X-Hub-Signature-256": signature(service.github.app.webhook_secret, body)} | named


def post(service: Service, body: bytes, **more: str) -> requests.Response:
    return requests.post(service.url + PATH, data=body, headers=headers(service, body, **more), timeout=30)


def chunks(body: bytes) -> Iterator[bytes]:
    yield from (body[start : start + 65_536] for start in range(0, len(body), 65_536))


def test_every_refusal_is_answered_and_counted(github: GitHub, service: Service) -> None:
    service.start("serve", "--no-workers")
    too_large, far_too_large = b" " * (MAX_BYTES + 1), MAX_BYTES * 3
    answers = [
        post(service, b"{}"),
        post(service, b"{}", X_GitHub_Event="star"),
        post(service, b"{}", X_Hub_Signature_256="sha256=00"),
        post(service, b"{}", Content_Type="application/x-www-form-urlencoded"),
        post(service, b"[]"),
        post(service, b"no"),
        post(service, too_large),
        requests.post(service.url + PATH, data=chunks(too_large), headers=headers(service, too_large), timeout=30),
        requests.post(service.url + PATH, data=chunks(b"{}"), headers=headers(service, b"{}"), timeout=30),
    ]
    assert [answer.status_code for answer in answers] == [202, 202, 401, 400, 400, 400, 413, 413, 202]
    with socket.create_connection(("127.0.0.1", service.port)) as raw:
        raw.sendall(f"POST {PATH} HTTP/1.1\r\nHost: x\r\nContent-Length: {far_too_large}\r\n\r\n".encode())
        assert raw.recv(100).startswith(b"HTTP/1.1 413 ")
    counts = {"pong": 2, "ignored": 1, "bad_signature": 1, "wrong_content_type": 1, "not_an_object": 1, "not_json": 1}
    for result, count in {**counts, "too_large": 3, "accepted": 0}.items():
        assert service.webhooks(result) == count, result
    assert github.app.webhook_secret not in service.log


def test_wrong_settings_stop_the_start_with_a_line_each(service: Service) -> None:
    ended = service.run("serve", PORT="x", APP_ID="")
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.splitlines() == [
        "submission-bot: APP_ID is not set",
        "submission-bot: PORT: must be a whole number from 0 to 65535",
    ]


@pytest.mark.parametrize(
    ("name", "value", "line"),
    [
        ("HOST", "256.1.1.1", "submission-bot: HOST, PORT: "),
        ("DATABASE_URL", "postgresql://nobody@127.0.0.1:1/x", "submission-bot: DATABASE_URL: "),
        ("DATA_DIR", "/proc/none", "submission-bot: DATA_DIR: /proc/none"),
    ],
)
def test_what_an_operator_can_mend_is_one_line(service: Service, name: str, value: str, line: str) -> None:
    ended = service.run("serve", **{name: value})
    assert ended.returncode == 2
    (said,) = ended.stderr.splitlines()
    assert said.startswith(line)


def test_a_port_in_use_is_told(service: Service) -> None:
    with socket.create_server(("127.0.0.1", service.port)):
        ended = service.run("serve")
    assert ended.returncode == 2
    assert ended.stderr.startswith("submission-bot: HOST, PORT: Address already in use")


def test_ready_only_with_workers_and_credentials(service: Service) -> None:
    service.start("serve", "--no-workers")
    answer = requests.get(f"{service.url}/readyz", timeout=10)
    assert (answer.status_code, answer.json()["workers"]) == (503, "no worker lives")
    service.start("worker", wait=False)
    until(lambda: requests.get(f"{service.url}/readyz", timeout=10).status_code == 200, "the service is ready")


def test_ready_not_without_the_apps_key(github: GitHub, service: Service) -> None:
    service.start("serve", APP_ID="9999")
    answer = requests.get(f"{service.url}/readyz", timeout=10)
    assert (answer.status_code, answer.json()["app"]) == (503, "GitHub refuses the App's credentials")


def test_an_outage_of_github_is_a_warning_and_webhooks_are_still_taken(github: GitHub, service: Service) -> None:
    github.faults.add("GET", "^/app", status=502, times=1000)
    service.start()
    answer = requests.get(f"{service.url}/readyz", timeout=30)
    assert (answer.status_code, answer.json()["app"]) == (200, "ok")
    assert list(answer.json()["warnings"]) == ["github"]
    github.faults.clear()


def test_a14_a_missing_permission_or_event_is_a_warning(github: GitHub, service: Service) -> None:
    github.app.events.remove("merge_group")
    service.start()
    answer = requests.get(f"{service.url}/readyz", timeout=10)
    assert answer.status_code == 200
    assert answer.json()["warnings"] == {"permissions": "the App does not hear the event merge_group"}


def test_l13_a_worker_process_shows_that_it_lives(service: Service) -> None:
    service.start("worker", wait=False, WORKER_NAME="east")
    until((service.data / "workers" / "east.alive").exists, "the sign of life")


def test_web_and_worker_in_two_processes(github: GitHub, repository: Repository, service: Service) -> None:
    service.start("serve", "--no-workers")
    service.start("worker", wait=False)
    pull = open_pull(github, repository, NEW_SYSTEM)
    until(lambda: [run.status for run in github.check_runs(repository, pull.head_sha)] == ["completed"], "a verdict")


def test_web_and_worker_on_postgresql(
    github: GitHub, repository: Repository, service: Service, postgres_url: str
) -> None:
    service.more = {"DATABASE_URL": postgres_url}
    service.start("serve", "--no-workers")
    service.start("worker", wait=False)
    service.start("worker", wait=False)
    pull = open_pull(github, repository, NEW_SYSTEM)
    until(lambda: [run.status for run in github.check_runs(repository, pull.head_sha)] == ["completed"], "a verdict")
    until(lambda: service.metric("submission_bot_workers") == 2, "both workers live")


def test_sigterm_ends_it_in_order(service: Service) -> None:
    process = service.start()
    begun = time.monotonic()
    process.terminate()
    assert process.wait(30) == 0
    assert time.monotonic() - begun < 20
    assert "Traceback" not in service.log


def test_doctor(github: GitHub, repository: Repository, service: Service) -> None:
    service.start()
    well = service.run("doctor")
    assert (well.returncode, well.stderr) == (0, "")
    assert [line.split()[0] for line in well.stdout.splitlines()[1:]] == ["ok"] * 4
    github.installation_on("octo-org").permissions.pop("merge_queues")
    ill = service.run("doctor")
    assert ill.returncode == 1
    assert "FAULT GitHub App: the installation on octo-org lacks the permission merge_queues: read" in ill.stdout
    assert service.run("doctor", APP_ID="").returncode == 2


def test_replay_signs_and_sends(service: Service, tmp_path: Path) -> None:
    service.start("serve", "--no-workers")
    file = tmp_path / "ping.json"
    file.write_text(json.dumps({"zen": "Keep it logically awesome."}))
    sent = service.run("replay", "--url", service.url, str(file))
    assert (sent.returncode, service.webhooks("pong")) == (0, 1)
    refused = service.run("replay", "--url", service.url, str(file), WEBHOOK_SECRET="wrong")
    assert refused.returncode == 1
    assert "401" in refused.stdout
    unknown = tmp_path / "x.json"
    unknown.write_text("{}")
    assert service.run("replay", "--url", service.url, str(unknown)).returncode == 2
    nobody = service.run("replay", "--url", "http://127.0.0.1:1", str(file))
    assert (nobody.returncode, nobody.stderr.count("\n")) == (2, 1)
    assert "http://127.0.0.1:1: no answer" in nobody.stderr
    unknown.write_text("{")
    assert f"{unknown}: not JSON" in service.run("replay", "--url", service.url, str(unknown)).stderr


def test_pages(github: GitHub, repository: Repository, service: Service) -> None:
    service.start("serve", PAGES="open")
    pull = open_pull(github, repository, NEW_SYSTEM)
    until(lambda: [run.status for run in github.check_runs(repository, pull.head_sha)] == ["completed"], "a verdict")
    (run,) = github.check_runs(repository, pull.head_sha)
    assert run.details_url == f"{service.url}/checks/octo-org/submissions/{pull.head_sha}"
    page = requests.get(run.details_url, timeout=10)
    assert page.status_code == 200
    assert "closed/Acme" in page.text
    assert requests.get(f"{service.url}/checks/octo-org/other/{pull.head_sha}", timeout=10).status_code == 404
    service.stop()
    service.start("serve", PAGES="off")
    assert requests.get(run.details_url, timeout=10).status_code == 404
