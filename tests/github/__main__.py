"""Runs the stand-in as a process of its own, for demos and other languages' clients.

    python -m tests.github --data DIR --base FOLDER --webhook-url URL

prints one JSON object (url, api_url, app_id, private_key_path, webhook_secret, repository, base_sha), then reads folder
names from standard input, one a line. Each opens a pull request whose head holds exactly that folder's files, sends the
webhook and prints one JSON object (number, head_sha, delivery's status_code). The end of input ends the server.
"""

import argparse
import json
import sys
from pathlib import Path

from tests.github.folders import read_folder
from tests.github.github import GitHub
from tests.github.records import Json, Repository

SECRET = "development-secret"


def main(arguments: list[str] | None = None) -> int:
    """Serve until standard input ends."""
    options = _parser().parse_args(arguments)
    if (options.data / "repositories").exists():
        print(f"{options.data} holds an earlier run's repositories; give an empty folder", file=sys.stderr)
        return 2
    with GitHub(
        options.data, port=options.port, webhook_url=options.webhook_url, webhook_secret=options.webhook_secret
    ) as github:
        files = read_folder(options.base) if options.base else None
        repository = github.add_repository(options.repository, files, private=not options.public)
        _say(_about(github, repository))
        for line in sys.stdin:
            if line.strip():
                _say(_open(github, repository, Path(line.strip())))
        github.check()
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.github", description="A stand-in for GitHub's servers.")
    parser.add_argument("--port", type=int, default=0, help="loopback port (default: any free one)")
    parser.add_argument("--data", type=Path, required=True, help="empty folder for repositories and the App's key")
    parser.add_argument("--repository", default="octo-org/submissions", help="owner/name of the repository to make")
    parser.add_argument("--base", type=Path, help="folder whose files are its first commit")
    parser.add_argument("--public", action="store_true", help="make the repository public")
    parser.add_argument("--webhook-url", default="", help="where the App's webhooks go")
    parser.add_argument("--webhook-secret", default=SECRET, help="what they are signed with")
    return parser


def _about(github: GitHub, repository: Repository) -> Json:
    return {
        "url": github.url,
        "api_url": github.api_url,
        "app_id": github.app.id,
        "private_key_path": str(github.private_key_path.resolve()),
        "webhook_secret": github.app.webhook_secret,
        "repository": repository.full_name,
        "base_sha": repository.git.ref("refs/heads/main"),
    }


def _open(github: GitHub, repository: Repository, folder: Path) -> Json:
    base = repository.git.ref("refs/heads/main")
    head = repository.git.commit(read_folder(folder), parents=[base] if base else [])
    pull = github.open_pull_request(repository, head, fork=True)
    sent = github.deliveries[-1].status_code if github.deliveries else None
    return {"number": pull.number, "head_sha": head, "status_code": sent}


def _say(answer: Json) -> None:
    print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    sys.exit(main())
