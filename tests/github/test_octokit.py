"""GitHub's own JavaScript clients as second judges of the stand-in and of its signatures."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.github import GitHub, webhooks
from tests.github.conftest import Receiver
from tests.github.records import PullRequest

FOLDER = Path(__file__).parent / "octokit"

pytestmark = pytest.mark.skipif(
    not (shutil.which("node") and (FOLDER / "node_modules").is_dir()),
    reason=f"Octokit is absent: needs node and `npm ci --prefix {FOLDER.relative_to(Path(__file__).parents[2])}`",
)


def ask(**request: Any) -> Any:
    """Let the JavaScript clients do one task."""
    done = subprocess.run(
        ["node", str(FOLDER / "client.mjs")],
        input=json.dumps(request),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_octokit_app_posts_a_check_run(github: GitHub, pull: PullRequest) -> None:
    seen = ask(
        task="checkRun",
        appId=github.app.id,
        privateKey=github.private_key,
        apiUrl=github.api_url,
        repository={"owner": "octo-org", "repo": "submissions"},
        headSha=pull.head_sha,
    )
    assert seen == {"status": "completed", "conclusion": "neutral", "repositories": ["octo-org/submissions"]}
    (run,) = github.check_runs(pull.repository, pull.head_sha)
    assert (run.name, run.title, run.statuses) == ("Second judge", "Seen", ["in_progress", "completed"])
    github.check()


def test_octokit_verifies_a_delivery(github: GitHub, pull: PullRequest, receiver: Receiver) -> None:
    github.ready_for_review(pull)
    headers, body = receiver.received[0]
    secret = github.app.webhook_secret
    seen = ask(task="signatures", secret=secret, body=body.decode(), signature=headers["X-Hub-Signature-256"])
    assert seen == {"signed": webhooks.signature(secret, body), "verified": True, "forged": False}
