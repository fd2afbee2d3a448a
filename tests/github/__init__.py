"""A stand-in for GitHub's servers: REST API, git over smart HTTP and webhooks on a loopback socket.

It keeps state as GitHub does and lets GitHub's own OpenAPI description judge every request and every reply.
"""

from tests.github.github import GitHub
from tests.github.gitrepo import Entry, GitRepository

__all__ = ["Entry", "GitHub", "GitRepository"]
