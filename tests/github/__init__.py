"""A stand-in for GitHub's servers: REST API, git over smart HTTP and webhooks on a loopback socket.

It keeps state as GitHub does and lets GitHub's own OpenAPI description judge every request and every reply:

    with GitHub(tmp_path, webhook_url=bot_url, webhook_secret=secret) as github:
        repository = github.add_repository("octo-org/submissions", files)
        head = repository.git.commit({"closed/Acme/systems/B.yaml": b"..."}, base=repository.git.ref("refs/heads/main"))
        pull = github.open_pull_request(repository, head, fork=True)  # sends pull_request.opened
        ...
        (run,) = github.check_runs(repository, head)
        github.check()  # no request was against GitHub's description or limits
"""

from tests.github.github import GitHub
from tests.github.gitrepo import Entry, GitRepository
from tests.github.records import CheckRun, Delivery, Installation, PullRequest, Repository

__all__ = ["CheckRun", "Delivery", "Entry", "GitHub", "GitRepository", "Installation", "PullRequest", "Repository"]
