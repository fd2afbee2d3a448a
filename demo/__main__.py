"""`make demo`: a pull request, a signed webhook, a fetch without a checkout, a check run with annotations."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from checks.rule_sets import RulesUnclear
from checks.tree import TreeError
from demo import report
from demo.service import running
from demo.story import NothingToBringError, Story, of_folder, own_tree
from tests.github.github import GitHub
from tests.github.records import CheckRun, PullRequest, Repository

REPOSITORY = "mlperf-demo/submissions"
VERDICT_SECONDS = 300
POLL_SECONDS = 0.05


def main() -> int:
    """Shows the story; 0 when every push got its verdict."""
    parser = argparse.ArgumentParser(prog="python -m demo", description=__doc__)
    parser.add_argument("--tree", type=Path, help="a real tree: one of its systems arrives by pull request")
    given = parser.parse_args()
    if given.tree and not given.tree.is_dir():
        parser.error(f"{given.tree} is not a folder")
    try:
        story = of_folder(given.tree) if given.tree else own_tree()
    except (RulesUnclear, TreeError, NothingToBringError) as error:
        parser.error(f"{given.tree}: {error}")
    with tempfile.TemporaryDirectory(prefix="submission-bot-demo-") as folder:
        show(story, Path(folder))
    return 0


def show(story: Story, folder: Path) -> None:
    """Serves the story's repository, runs the service, and prints what it posts for every push."""
    report.say(story.says)
    with GitHub(folder / "github") as github:
        repository = github.add_repository(REPOSITORY, dict(story.base))
        with running(github, folder) as address:
            report.say(f"GitHub's stand-in serves {github.url}/{REPOSITORY}.git; the service listens on {address}.")
            github.app.webhook_url = f"{address}/api/github/webhooks"
            pull: PullRequest | None = None
            before: Mapping[str, bytes] = story.base
            for step in story.steps:
                report.say(step.says)
                github.clear_requests()
                started = time.monotonic()
                pull = push(github, repository, pull, before, step.files)
                run = verdict(github, repository, pull.head_sha)
                report.show(github, run, time.monotonic() - started)
                before = step.files
        github.check()


def push(
    github: GitHub,
    repository: Repository,
    pull: PullRequest | None,
    before: Mapping[str, bytes],
    after: Mapping[str, bytes],
) -> PullRequest:
    """Commits the difference; opens the pull request with it, or pushes to it. GitHub sends the webhook."""
    changed = {path: content for path, content in after.items() if before.get(path) != content}
    gone = [path for path in before if path not in after]
    parent = pull.head_sha if pull else repository.git.ref("refs/heads/main")
    sha = repository.git.commit(dict(changed), base=parent, remove=gone)
    if pull is None:
        return github.open_pull_request(repository, sha)
    github.synchronize(pull, sha)
    return pull


def verdict(github: GitHub, repository: Repository, sha: str) -> CheckRun:
    """The completed check run of a head. Raises TimeoutError when none comes."""
    deadline = time.monotonic() + VERDICT_SECONDS
    while time.monotonic() < deadline:
        for run in github.check_runs(repository, sha):
            if run.status == "completed":
                return run
        time.sleep(POLL_SECONDS)
    raise TimeoutError(f"no verdict for {sha} within {VERDICT_SECONDS} seconds")


if __name__ == "__main__":
    sys.exit(main())
