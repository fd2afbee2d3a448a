"""What people do on GitHub with checks, the merge queue, branches and the App itself.

Each method changes the state and the git references, then sends the event.

Every method takes `send=False` to lose the delivery. Nothing is sent while the App has no webhook address.
"""

from typing import Any

from tests.github import payloads
from tests.github.records import CheckRun, CheckSuite, Delivery, Installation, Json, PullRequest, Repository, now
from tests.github.sender import MAINTAINER, Sender


class AppScenarios(Sender):
    """Mixed into `GitHub`."""

    def rerequest_run(self, run: CheckRun, *, sender: str = MAINTAINER, send: bool = True) -> Delivery | None:
        """Press Re-run at one check; the run stays as it is, its suite becomes queued."""
        run.suite.rerequested = True
        return self._tell("check_run.rerequested", run, send, sender)

    def request_action(
        self, run: CheckRun, identifier: str, *, sender: str = MAINTAINER, send: bool = True
    ) -> Delivery | None:
        """Press one of the run's own buttons."""
        if identifier not in [action["identifier"] for action in run.actions]:
            raise ValueError(f"check run {run.id} has no button {identifier}")
        pressed = {"identifier": identifier}
        return self._tell("check_run.requested_action", run, send, sender, requested_action=pressed)

    def rerequest_suite(self, suite: CheckSuite, *, sender: str = MAINTAINER, send: bool = True) -> Delivery | None:
        """Press Re-run all checks."""
        suite.rerequested = True
        return self._tell("check_suite.rerequested", suite, send, sender)

    def request_suite(self, repository: Repository, head_sha: str, *, send: bool = True) -> Delivery | None:
        """What a push to the repository itself (never to a fork) sends to Apps with checks:write."""
        suite = self.state.suite(self.webhooks.app, repository, head_sha)
        return self._tell("check_suite.requested", suite, send)

    def queue(self, pulls: list[PullRequest], *, send: bool = True) -> str:
        """Put pull requests into the merge queue as one group; gives the group's head."""
        last = pulls[-1]
        repository, base_sha = last.repository, last.repository.git.ref(f"refs/heads/{last.base_ref}") or last.base_sha
        head = base_sha
        for pull in pulls:
            merged = repository.git.merge(head, pull.head_sha)
            if merged is None:
                raise ValueError(f"pull request {pull.number} cannot be merged")
            head = merged
        ref = f"refs/heads/gh-readonly-queue/{last.base_ref}/pr-{last.number}-{base_sha}"
        repository.git.set_ref(ref, head)
        parts = payloads.group_parts(repository, head, ref, base_sha, f"refs/heads/{last.base_ref}")
        self._announce("merge_group.checks_requested", repository, send, **parts)
        return head

    def destroy_group(
        self, repository: Repository, head_sha: str, *, reason: str = "dequeued", send: bool = True
    ) -> Delivery | None:
        """Take a group out of the queue; its reference goes."""
        names = [name for name in repository.git.odb.references if "gh-readonly-queue" in name]
        ref = next(name for name in names if repository.git.ref(name) == head_sha)
        base_ref, _, rest = ref.removeprefix("refs/heads/gh-readonly-queue/").rpartition("/pr-")
        parts = payloads.group_parts(repository, head_sha, ref, rest.partition("-")[2], f"refs/heads/{base_ref}")
        repository.git.delete_ref(ref)
        return self._announce("merge_group.destroyed", repository, send, reason=reason, **parts)

    def push(self, repository: Repository, sha: str, branch: str = "main", *, send: bool = True) -> Delivery | None:
        """Move a branch (also by force)."""
        return self._push(repository, branch, sha, send)

    def rename(self, repository: Repository, name: str, *, send: bool = True) -> Delivery | None:
        """Rename; the old name answers with redirects from then on."""
        old = repository.name
        self.state.renamed[repository.full_name.lower()] = repository
        repository.name = name
        changes = {"repository": {"name": {"from": old}}}
        return self._announce("repository.renamed", repository, send, changes=changes)

    def suspend(self, installation: Installation, *, send: bool = True) -> Delivery | None:
        """Suspend: no new tokens, the old ones are refused."""
        installation.suspended_at = now()
        return self._installation_event("suspend", installation, send)

    def unsuspend(self, installation: Installation, *, send: bool = True) -> Delivery | None:
        """Lift the suspension."""
        installation.suspended_at = None
        return self._installation_event("unsuspend", installation, send)

    def install(self, installation: Installation, *, send: bool = True) -> Delivery | None:
        """Tell of a new installation (made by `add_installation`)."""
        listed = [payloads.short(one) for one in installation.repositories]
        return self._installation_event("created", installation, send, repositories=listed)

    def uninstall(self, installation: Installation, *, send: bool = True) -> Delivery | None:
        """Remove the App from an account."""
        installation.deleted = True
        listed = [payloads.short(one) for one in installation.repositories]
        return self._installation_event("deleted", installation, send, repositories=listed)

    def add_to_installation(
        self, installation: Installation, repository: Repository, *, send: bool = True
    ) -> Delivery | None:
        """Give the App one more repository."""
        installation.repositories.append(repository)
        return self._repositories_event("added", installation, repository, send)

    def remove_from_installation(
        self, installation: Installation, repository: Repository, *, send: bool = True
    ) -> Delivery | None:
        """Take a repository from the App."""
        installation.repositories.remove(repository)
        return self._repositories_event("removed", installation, repository, send)

    def ping(self, *, send: bool = True) -> Delivery | None:
        """What GitHub sends when a webhook is set up."""
        app, body = self.webhooks.app, payloads.example("ping")
        body["hook"] |= {"app_id": app.id, "events": app.events}
        body["hook"]["config"] |= {"url": app.webhook_url}
        return self._send("ping", body, send)

    def _installation_event(self, action: str, installation: Installation, send: bool, **more: Any) -> Delivery | None:
        body = payloads.example(f"installation.{action}")
        body |= {"installation": self.shapes.installation(installation), "sender": self._person(MAINTAINER), **more}
        return self._send("installation", body, send)

    def _repositories_event(
        self, action: str, installation: Installation, repository: Repository, send: bool
    ) -> Delivery | None:
        body = payloads.example(f"installation_repositories.{action}")
        changed: Json = {"repositories_added": [], "repositories_removed": []}
        changed[f"repositories_{action}"] = [payloads.short(repository)]
        body |= {"installation": self.shapes.installation(installation), "sender": self._person(MAINTAINER), **changed}
        return self._send("installation_repositories", body, send)
