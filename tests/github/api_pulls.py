"""Operations on pull requests. https://docs.github.com/rest/pulls"""

from dataclasses import replace

from tests.github import git_read, represent_git, represent_pulls
from tests.github.api import Call, Reply, operation
from tests.github.problem import not_found
from tests.github.records import Json, PullRequest, Review

REPO = "/repos/{owner}/{repo}"
PULL = f"{REPO}/pulls/{{pull_number}}"
# https://docs.github.com/rest/pulls/pulls#list-pull-requests-files and #list-commits-on-a-pull-request
MOST_FILES, MOST_COMMITS = 3000, 250
REVIEW_STATES = {"APPROVE": "APPROVED", "REQUEST_CHANGES": "CHANGES_REQUESTED", "COMMENT": "COMMENTED"}


@operation("GET", f"{REPO}/pulls", pull_requests="read")
def list_pulls(call: Call) -> Reply:
    """Pull requests into a repository, newest first; open ones unless `state` says otherwise."""
    state, head, base = call.query("state") or "open", call.query("head"), call.query("base")
    found = [
        pull
        for pull in call.state.pulls_of(call.repository)
        if state in ("all", pull.state)
        and head in (None, f"{pull.head_owner.login}:{pull.head_ref}")
        and base in (None, pull.base_ref)
    ]
    page, links = call.page(found)
    return Reply([represent_pulls.pull(call.shapes, one) for one in page], headers=links)


@operation("GET", PULL, pull_requests="read")
def get_pull(call: Call) -> Reply:
    """One pull request; for the first calls after a push perhaps still with its older head."""
    pull = call.pull
    seen = replace(pull, head_sha=pull.stale.pop(0)) if pull.stale else pull
    return Reply(represent_pulls.full_pull(call.shapes, seen))


@operation("GET", f"{PULL}/files", pull_requests="read")
def list_files(call: Call) -> Reply:
    """Changed files, at most 3,000 however many there are."""
    pull, git = call.pull, call.repository.git
    start = _start(pull)
    changes = git_read.changes(git, start, pull.head_sha)[:MOST_FILES]
    page, links = call.page(changes)
    files = [represent_git.changed_file(call.shapes, call.repository, one, pull.head_sha) for one in page]
    return Reply(files, headers=links)


@operation("GET", f"{PULL}/commits", pull_requests="read")
def list_commits(call: Call) -> Reply:
    """Commits, oldest first, at most 250."""
    pull = call.pull
    commits = git_read.commits_between(call.repository.git, pull.base_sha, pull.head_sha)[:MOST_COMMITS]
    page, links = call.page(commits)
    return Reply([represent_git.commit(call.shapes, call.repository, sha) for sha in page], headers=links)


@operation("GET", f"{PULL}/merge", pull_requests="read")
def check_merged(call: Call) -> Reply:
    """204 when merged, 404 when not."""
    if call.pull.merged_at is None:
        raise not_found()
    return Reply(status=204)


@operation("GET", f"{PULL}/reviews", pull_requests="read")
def list_reviews(call: Call) -> Reply:
    """Reviews, oldest first."""
    page, links = call.page([review for review in call.state.reviews if review.pull is call.pull])
    return Reply([represent_pulls.review(call.shapes, review) for review in page], headers=links)


@operation("POST", f"{PULL}/reviews", pull_requests="write")
def create_review(call: Call) -> Reply:
    """A review by the App's bot account."""
    given: Json = call.body or {}
    author = call.state.user(f"{call.token.installation.app.slug}[bot]", "Bot")
    state = REVIEW_STATES.get(given.get("event", ""), "PENDING")
    head = given.get("commit_id", call.pull.head_sha)
    review = Review(call.state.next_id(), call.pull, author, given.get("body", ""), state, head)
    call.state.reviews.append(review)
    return Reply(represent_pulls.review(call.shapes, review))


@operation("GET", f"{REPO}/commits/{{commit_sha}}/pulls", pull_requests="read")
def list_pulls_of_commit(call: Call) -> Reply:
    """Pull requests that hold the commit: open ones with it as head or among their commits, and merged ones."""
    sha, git = call.parameters["commit_sha"], call.repository.git
    if not git_read.is_commit(git, sha):
        raise not_found()
    found = [
        pull
        for pull in call.state.pulls_of(call.repository)
        if sha == pull.head_sha or sha in git_read.commits_between(git, pull.base_sha, pull.head_sha)
    ]
    page, links = call.page(found)
    return Reply([represent_pulls.pull(call.shapes, one) for one in page], headers=links)


def _start(pull: PullRequest) -> str:
    return git_read.merge_base(pull.repository.git, pull.base_sha, pull.head_sha) or pull.base_sha
