"""The App's list of deliveries, and sending again."""

from tests.github import GitHub
from tests.github.conftest import Client, Receiver
from tests.github.records import PullRequest


def test_failed_deliveries_are_listed_and_sent_again(
    github: GitHub, pull: PullRequest, receiver: Receiver, as_app: Client
) -> None:
    receiver.status = 500
    github.synchronize(pull, pull.base_sha)
    failed = as_app("GET", "/app/hook/deliveries?status=failure").json()
    assert [(one["status_code"], one["event"], one["action"]) for one in failed] == [
        (500, "pull_request", "synchronize")
    ]
    full = as_app("GET", f"/app/hook/deliveries/{failed[0]['id']}").json()
    assert full["request"]["payload"] == receiver.last
    receiver.status = 202
    assert as_app("POST", f"/app/hook/deliveries/{failed[0]['id']}/attempts").status_code == 202
    github.webhooks.settle()
    again = as_app("GET", "/app/hook/deliveries").json()
    assert [(one["status_code"], one["redelivery"]) for one in again] == [(202, True), (500, False)]
    assert len({one["guid"] for one in again}) == 1
    assert receiver.received[0] == receiver.received[1]
    github.check()


def test_deliveries_are_paged_by_cursor(github: GitHub, receiver: Receiver, as_app: Client) -> None:
    for _ in range(5):
        github.ping()
    first = as_app("GET", "/app/hook/deliveries?per_page=3")
    second = as_app.session.get(first.links["next"]["url"], headers={"Authorization": as_app.authorization}, timeout=10)
    ids = [one["id"] for one in first.json() + second.json()]
    assert ids == sorted((one.id for one in github.deliveries), reverse=True)
    assert "next" not in second.links


def test_dead_and_slow_receivers_count_as_failures(github: GitHub) -> None:
    dead = github.deliver("ping", {}, to="http://127.0.0.1:9/hook")
    assert (dead.status, dead.status_code) == ("failed to connect", 502)
    github.faults.add(path="/slow", delay=5)
    github.webhooks.patience = 0.2
    slow = github.deliver("ping", {}, to=f"{github.api_url}/slow")
    assert (slow.status, slow.status_code) == ("timed out", 504)


def test_suspended_or_unsubscribed_hears_nothing(github: GitHub, pull: PullRequest, receiver: Receiver) -> None:
    installation = github.installation_on("octo-org")
    installation.events.remove("merge_group")
    github.queue([pull])
    github.suspend(installation, send=False)
    github.synchronize(pull, pull.base_sha)
    assert receiver.received == []
