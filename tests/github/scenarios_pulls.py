"""What people do on GitHub with pull requests.

Each method changes the state and the git references, then sends the event.

Every method takes `send=False` to lose the delivery. Nothing is sent while the App has no webhook address.
"""

from dataclasses import replace
from typing import Any

from tests.github import represent_pulls
from tests.github.records import Comment, Delivery, PullRequest, Repository, User, now
from tests.github.sender import Sender


class PullScenarios(Sender):
    """Mixed into `GitHub`."""

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
        pull.base_ref, pull.base_sha, pull.updated_at = base, base_sha, now()
        self._point(pull)
        return self._pull_event("edited", pull, send, changes=changes)

    def edit_title(self, pull: PullRequest, title: str, *, send: bool = True) -> Delivery | None:
        """Change the title only."""
        changes = {"title": {"from": pull.title}}
        pull.title, pull.updated_at = title, now()
        return self._pull_event("edited", pull, send, changes=changes)

    def close(self, pull: PullRequest, *, merge: bool = False, send: bool = True) -> Delivery | None:
        """Close; `merge` moves the base branch to the test merge commit, and tells of that push first."""
        pull.state = "closed"
        pull.closed_at = pull.updated_at = now()
        if merge:
            if pull.merge_sha is None:
                raise ValueError(f"pull request {pull.number} cannot be merged")
            pull.merged_at = pull.closed_at
            self._push(pull.repository, pull.base_ref, pull.merge_sha, send)
        return self._pull_event("closed", pull, send)

    def reopen(self, pull: PullRequest, *, send: bool = True) -> Delivery | None:
        """Open again."""
        pull.state, pull.closed_at, pull.updated_at = "open", None, now()
        return self._pull_event("reopened", pull, send)

    def ready_for_review(self, pull: PullRequest, *, send: bool = True) -> Delivery | None:
        """A draft no more."""
        pull.draft, pull.updated_at = False, now()
        return self._pull_event("ready_for_review", pull, send)

    def convert_to_draft(self, pull: PullRequest, *, send: bool = True) -> Delivery | None:
        """A draft again."""
        pull.draft, pull.updated_at = True, now()
        return self._pull_event("converted_to_draft", pull, send)

    def label(self, pull: PullRequest, name: str, *, send: bool = True) -> Delivery | None:
        """Put a label on."""
        pull.repository.labels.setdefault(name, {"id": self.state.next_id(), "color": "ededed", "description": None})
        pull.labels.append(name)
        pull.updated_at = now()
        return self._pull_event("labeled", pull, send, label=represent_pulls.label(self.shapes, pull.repository, name))

    def unlabel(self, pull: PullRequest, name: str, *, send: bool = True) -> Delivery | None:
        """Take a label off."""
        pull.labels.remove(name)
        pull.updated_at = now()
        label = represent_pulls.label(self.shapes, pull.repository, name)
        return self._pull_event("unlabeled", pull, send, label=label)

    def comment(self, pull: PullRequest, body: str, author: str, *, send: bool = True) -> Comment:
        """A person comments on a pull request."""
        comment = Comment(self.state.next_id(), pull.repository, pull.number, self.state.user(author), body)
        with self.state.lock:
            self.state.comments[comment.id] = comment
        self._tell("issue_comment.created", comment, send, author)
        return comment

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

    def _pull_event(self, action: str, pull: PullRequest, send: bool, **more: Any) -> Delivery | None:
        # Whether it can be merged is not yet known when the event goes out.
        fresh = replace(pull, mergeable=None, merge_sha=None) if action in ("opened", "synchronize") else pull
        return self._tell(f"pull_request.{action}", fresh, send, pull.author.login, **more)

    def _next_number(self, repository: Repository) -> int:
        return max((pull.number for pull in self.state.pulls_of(repository)), default=0) + 1

    def _head_repository(self, repository: Repository, author: User, fork: "Repository | bool") -> Repository:
        if isinstance(fork, Repository):
            return fork
        return self.fork(repository, author.login) if fork else repository

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
        pull.merge_sha = pull.repository.git.merge(pull.base_sha, pull.head_sha)
        pull.mergeable = pull.merge_sha is not None
        if pull.merge_sha:
            git.set_ref(f"{name}/merge", pull.merge_sha)
        else:
            git.delete_ref(f"{name}/merge")
        if not pull.from_fork:
            self.state.suite(self.webhooks.app, pull.repository, pull.head_sha)
