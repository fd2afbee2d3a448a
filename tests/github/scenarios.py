"""What people do on GitHub: each method changes the state and the git references, then sends the event.

Every method takes `send=False` to lose the delivery. Nothing is sent while the App has no webhook address.
"""

from dataclasses import replace
from typing import Any

import pygit2

from tests.github import payloads
from tests.github.gitrepo import EPOCH
from tests.github.represent import Shapes
from tests.github.state import (
    CheckRun,
    CheckSuite,
    Comment,
    Delivery,
    Installation,
    Json,
    PullRequest,
    Repository,
    State,
    User,
    now,
)
from tests.github.webhooks import Webhooks

# Sent to every App, subscribed or not: https://docs.github.com/webhooks/webhook-events-and-payloads
ALWAYS_SENT = ("installation", "installation_repositories", "ping")
MAINTAINER = "octo-maintainer"


class Scenarios:
    """Mixed into `GitHub`."""

    state: State
    shapes: Shapes
    webhooks: Webhooks

    def open_pull_request(
        self,
        repository: Repository,
        head_sha: str,
        base: str = "main",
        *,
        number: int | None = None,
        fork: "Repository | bool" = False,
        fork_deleted: bool = False,
        head_ref: str | None = None,
        draft: bool = False,
        title: str = "Add a submission",
        author: str = "submitter",
        send: bool = True,
    ) -> PullRequest:
        """Open one, with `refs/pull/N/head` and, when it can be merged, `refs/pull/N/merge` as GitHub makes them.

        `fork` True makes a fork of the author's; `fork_deleted` leaves `head.repo` null. The number is the next free.
        """
        base_sha = repository.git.ref(f"refs/heads/{base}")
        if base_sha is None:
            raise ValueError(f"{repository.full_name} has no branch {base}")
        person, number = self.state.user(author), number or self._next_number(repository)
        head = self._head_repository(repository, person, fork)
        pull = PullRequest(
            id=self.state.next_id(),
            number=number,
            repository=repository,
            head_repository=None if fork_deleted else head,
            head_owner=head.owner,
            head_ref=head_ref or f"submission-{number}",
            head_sha=head_sha,
            base_ref=base,
            base_sha=base_sha,
            author=person,
            title=title,
            draft=draft,
        )
        self._bring(head, repository, head_sha)
        with self.state.lock:
            self.state.pulls[repository.id, number] = pull
        self._point(pull)
        self._pull_event("opened", pull, send)
        return pull

    def synchronize(self, pull: PullRequest, head_sha: str, *, stale: int = 0, send: bool = True) -> Delivery | None:
        """Push a new head. The API goes on to answer with the old one for the first `stale` calls."""
        before = pull.head_sha
        self._bring(pull.head_repository or pull.repository, pull.repository, head_sha)
        pull.base_sha = pull.repository.git.ref(f"refs/heads/{pull.base_ref}") or pull.base_sha
        pull.head_sha, pull.stale, pull.updated_at = head_sha, [before] * stale, now()
        self._point(pull)
        return self._pull_event("synchronize", pull, send, before=before, after=head_sha)

    def edit_base(self, pull: PullRequest, base: str, *, send: bool = True) -> Delivery | None:
        """Retarget to another branch; the head stays."""
        changes = {"base": {"ref": {"from": pull.base_ref}, "sha": {"from": pull.base_sha}}}
        base_sha = pull.repository.git.ref(f"refs/heads/{base}")
        if base_sha is None:
            raise ValueError(f"{pull.repository.full_name} has no branch {base}")
        pull.base_ref, pull.base_sha = base, base_sha
        self._point(pull)
        return self._pull_event("edited", pull, send, changes=changes)

    def edit_title(self, pull: PullRequest, title: str, *, send: bool = True) -> Delivery | None:
        """Change the title only."""
        changes = {"title": {"from": pull.title}}
        pull.title = title
        return self._pull_event("edited", pull, send, changes=changes)

    def close(self, pull: PullRequest, *, merge: bool = False, send: bool = True) -> Delivery | None:
        """Close; `merge` moves the base branch to the test merge commit."""
        pull.state, pull.closed_at = "closed", now()
        if merge:
            if pull.merge_sha is None:
                raise ValueError(f"pull request {pull.number} cannot be merged")
            pull.merged_at = pull.closed_at
            pull.repository.git.set_ref(f"refs/heads/{pull.base_ref}", pull.merge_sha)
        return self._pull_event("closed", pull, send)

    def reopen(self, pull: PullRequest, *, send: bool = True) -> Delivery | None:
        """Open again."""
        pull.state, pull.closed_at = "open", None
        return self._pull_event("reopened", pull, send)

    def ready_for_review(self, pull: PullRequest, *, send: bool = True) -> Delivery | None:
        """A draft no more."""
        pull.draft = False
        return self._pull_event("ready_for_review", pull, send)

    def convert_to_draft(self, pull: PullRequest, *, send: bool = True) -> Delivery | None:
        """A draft again."""
        pull.draft = True
        return self._pull_event("converted_to_draft", pull, send)

    def label(self, pull: PullRequest, name: str, *, send: bool = True) -> Delivery | None:
        """Put a label on."""
        pull.repository.labels.setdefault(name, {"id": self.state.next_id(), "color": "ededed", "description": None})
        pull.labels.append(name)
        return self._pull_event("labeled", pull, send, label={"name": name})

    def unlabel(self, pull: PullRequest, name: str, *, send: bool = True) -> Delivery | None:
        """Take a label off."""
        pull.labels.remove(name)
        return self._pull_event("unlabeled", pull, send, label={"name": name})

    def rerequest_run(self, run: CheckRun, *, sender: str = MAINTAINER, send: bool = True) -> Delivery | None:
        """Press Re-run at one check; the run stays as it is, its suite becomes queued."""
        run.suite.rerequested = True
        parts = payloads.run_parts(self.shapes, run, "check_run.rerequested")
        return self._event("check_run", "rerequested", run.suite.repository, sender, send, **parts)

    def request_action(
        self, run: CheckRun, identifier: str, *, sender: str = MAINTAINER, send: bool = True
    ) -> Delivery | None:
        """Press one of the run's own buttons."""
        if identifier not in [action["identifier"] for action in run.actions]:
            raise ValueError(f"check run {run.id} has no button {identifier}")
        parts = payloads.run_parts(self.shapes, run, "check_run.requested_action")
        parts["requested_action"] = {"identifier": identifier}
        return self._event("check_run", "requested_action", run.suite.repository, sender, send, **parts)

    def rerequest_suite(self, suite: CheckSuite, *, sender: str = MAINTAINER, send: bool = True) -> Delivery | None:
        """Press Re-run all checks."""
        suite.rerequested = True
        parts = payloads.suite_parts(self.shapes, suite, "check_suite.rerequested")
        return self._event("check_suite", "rerequested", suite.repository, sender, send, **parts)

    def request_suite(self, repository: Repository, head_sha: str, *, send: bool = True) -> Delivery | None:
        """What a push to the repository itself (never to a fork) sends to Apps with checks:write."""
        suite = self.state.suite(self.webhooks.app, repository, head_sha)
        parts = payloads.suite_parts(self.shapes, suite, "check_suite.requested")
        return self._event("check_suite", "requested", repository, MAINTAINER, send, **parts)

    def comment(self, pull: PullRequest, body: str, author: str, *, send: bool = True) -> Comment:
        """A person comments on a pull request."""
        comment = Comment(self.state.next_id(), pull.repository, pull.number, self.state.user(author), body)
        with self.state.lock:
            self.state.comments[comment.id] = comment
        parts = payloads.comment_parts(self.shapes, pull, comment)
        self._event("issue_comment", "created", pull.repository, author, send, **parts)
        return comment

    def queue(self, pulls: list[PullRequest], *, send: bool = True) -> str:
        """Put pull requests into the merge queue as one group; gives the group's head."""
        last = pulls[-1]
        repository, base_sha = last.repository, last.repository.git.ref(f"refs/heads/{last.base_ref}") or last.base_sha
        head = base_sha
        for pull in pulls:
            merged = _merge(repository, head, pull.head_sha)
            if merged is None:
                raise ValueError(f"pull request {pull.number} cannot be merged")
            head = merged
        ref = f"refs/heads/gh-readonly-queue/{last.base_ref}/pr-{last.number}-{base_sha}"
        repository.git.set_ref(ref, head)
        parts = payloads.group_parts(repository, head, ref, base_sha, f"refs/heads/{last.base_ref}")
        self._event("merge_group", "checks_requested", repository, MAINTAINER, send, **parts)
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
        return self._event("merge_group", "destroyed", repository, MAINTAINER, send, reason=reason, **parts)

    def push(self, repository: Repository, sha: str, branch: str = "main", *, send: bool = True) -> Delivery | None:
        """Move a branch (also by force)."""
        ref = f"refs/heads/{branch}"
        before = repository.git.ref(ref) or payloads.NO_COMMIT
        repository.git.set_ref(ref, sha)
        parts = payloads.push_parts(self.shapes, repository, ref, before, sha)
        return self._event("push", None, repository, MAINTAINER, send, **parts)

    def rename(self, repository: Repository, name: str, *, send: bool = True) -> Delivery | None:
        """Rename; the old name answers with redirects from then on."""
        old = repository.name
        self.state.renamed[repository.full_name.lower()] = repository
        repository.name = name
        changes = {"repository": {"name": {"from": old}}}
        return self._event("repository", "renamed", repository, MAINTAINER, send, changes=changes)

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

    def _pull_event(self, action: str, pull: PullRequest, send: bool, **more: Any) -> Delivery | None:
        # Whether it can be merged is not yet known when the event goes out.
        fresh = replace(pull, mergeable=None, merge_sha=None) if action in ("opened", "synchronize") else pull
        parts = payloads.pull_parts(self.shapes, fresh, f"pull_request.{action}") | more
        return self._event("pull_request", action, pull.repository, pull.author.login, send, **parts)

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

    def _event(
        self, event: str, action: str | None, repository: Repository, sender: str, send: bool, **parts: Any
    ) -> Delivery | None:
        installation = self.state.installation_of(repository, self.webhooks.app)
        if installation is None or installation.suspended_at or event not in installation.events:
            return None
        name = f"{event}.{action}" if action else event
        body = payloads.about(self.shapes, name, repository, installation, self.state.user(sender), **parts)
        return self._send(event, body, send)

    def _send(self, event: str, body: Json, send: bool) -> Delivery | None:
        if not send or not self.webhooks.app.webhook_url:
            return None
        return self.webhooks.deliver(event, body)

    def _person(self, login: str) -> Json:
        return self.shapes.user(self.state.user(login))

    def _next_number(self, repository: Repository) -> int:
        return max((pull.number for pull in self.state.pulls_of(repository)), default=0) + 1

    def _head_repository(self, repository: Repository, author: User, fork: "Repository | bool") -> Repository:
        if isinstance(fork, Repository):
            return fork
        return self.fork(repository, author.login) if fork else repository

    def fork(self, repository: Repository, owner: str) -> Repository:
        """A person's fork, made on first use; it borrows the parent's objects."""
        known = self.state.repository(f"{owner}/{repository.name}")
        if known is not None:
            return known
        number = self.state.next_id()
        git = repository.git.share(repository.git.path.parent / f"{number}.git")
        fork = Repository(number, self.state.user(owner), repository.name, git, repository.private, parent=repository)
        with self.state.lock:
            self.state.repositories[number] = fork
        return fork

    def _bring(self, source: Repository, target: Repository, sha: str) -> None:
        """Let a fork's commits be found in the base repository, as in GitHub's shared network."""
        if not target.git.has(sha):
            target.git.fetch(source.git, sha)

    def _point(self, pull: PullRequest) -> None:
        """Set the references that GitHub keeps for a pull request."""
        git, name = pull.repository.git, f"refs/pull/{pull.number}"
        git.set_ref(f"{name}/head", pull.head_sha)
        if pull.head_repository is not None:
            pull.head_repository.git.set_ref(f"refs/heads/{pull.head_ref}", pull.head_sha)
        pull.merge_sha = _merge(pull.repository, pull.base_sha, pull.head_sha)
        pull.mergeable = pull.merge_sha is not None
        if pull.merge_sha:
            git.set_ref(f"{name}/merge", pull.merge_sha)
        else:
            git.delete_ref(f"{name}/merge")
        if not pull.from_fork:
            self.state.suite(self.webhooks.app, pull.repository, pull.head_sha)


def _merge(repository: Repository, base: str, head: str) -> str | None:
    """The test merge commit, or None for conflicts and unrelated histories."""
    odb = repository.git.odb
    start = odb.merge_base(base, head)
    if start is None:
        return None
    if str(start) == base:
        tree = odb[head].peel(pygit2.Commit).tree_id
    else:
        index = odb.merge_commits(base, head)
        if index.conflicts is not None:
            return None
        tree = index.write_tree(odb)
    who = pygit2.Signature("GitHub", "noreply@github.com", EPOCH, 0)
    return str(odb.create_commit(None, who, who, f"Merge {head} into {base}", tree, [base, head]))
