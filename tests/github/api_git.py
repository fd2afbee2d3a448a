"""Operations on commits, comparisons, references and branches. https://docs.github.com/rest/commits, /rest/git"""

import pygit2

from tests.github import git_read, represent_git
from tests.github.api import Call, Reply, operation
from tests.github.problem import ProblemError, invalid, not_found
from tests.github.records import Json
from tests.github.represent import node_id

REPO = "/repos/{owner}/{repo}"
# https://docs.github.com/rest/commits/commits#compare-two-commits
MOST_COMPARED_FILES, MOST_COMPARED_COMMITS = 300, 250


@operation("GET", f"{REPO}/commits/{{ref}}", contents="read")
def get_commit(call: Call) -> Reply:
    """A commit by id, branch or tag."""
    sha = _resolve(call, call.parameters["ref"])
    return Reply(represent_git.commit(call.shapes, call.repository, sha))


@operation("GET", f"{REPO}/compare/{{basehead}}", contents="read")
def compare(call: Call) -> Reply:
    """`base...head`: from their merge base; at most 300 files (on the first page) and 250 commits."""
    repository, git = call.repository, call.repository.git
    base, head, start = _compared(call)
    ahead, behind = git_read.ahead_behind(git, base, head)
    commits = git_read.commits_between(git, base, head)
    page, links = call.page(commits[:MOST_COMPARED_COMMITS] if call.query("page") is None else commits)
    first = int(call.query("page") or 1) == 1
    changed = git_read.changes(git, start, head)[:MOST_COMPARED_FILES] if first else ()
    body: Json = {
        "base_commit": represent_git.commit(call.shapes, repository, base),
        "merge_base_commit": represent_git.commit(call.shapes, repository, start),
        "status": _relation(ahead, behind),
        "ahead_by": ahead,
        "behind_by": behind,
        "total_commits": len(commits),
        "commits": [represent_git.commit(call.shapes, repository, sha) for sha in page],
        "files": [represent_git.changed_file(call.shapes, repository, one, head) for one in changed],
    }
    return Reply(_compare_links(call) | body, headers=links)


@operation("GET", f"{REPO}/git/ref/{{ref}}", contents="read")
def get_ref(call: Call) -> Reply:
    """One reference, named in full (`heads/main`, `pull/7/head`)."""
    name = f"refs/{call.parameters['ref']}"
    sha = call.repository.git.ref(name) if pygit2.reference_is_valid_name(name) else None
    if sha is None:
        raise not_found()
    url = call.shapes.repo_url(call.repository)
    target = {"type": "commit", "sha": sha, "url": f"{url}/git/commits/{sha}"}
    return Reply({"ref": name, "node_id": node_id("Ref", name), "url": f"{url}/git/{name}", "object": target})


@operation("GET", f"{REPO}/git/commits/{{commit_sha}}", contents="read")
def get_git_commit(call: Call) -> Reply:
    """A commit as git has it."""
    sha = call.parameters["commit_sha"]
    if not git_read.is_commit(call.repository.git, sha):
        raise not_found()
    return Reply(represent_git.git_commit(call.shapes, call.repository, sha))


@operation("GET", f"{REPO}/branches/{{branch}}", contents="read")
def get_branch(call: Call) -> Reply:
    """A branch with its newest commit."""
    name, repository = call.parameters["branch"], call.repository
    sha = git_read.resolve(repository.git, f"heads/{name}")
    if sha is None:
        raise ProblemError(404, "Branch not found")
    url, page = f"{call.shapes.repo_url(repository)}/branches/{name}", f"{call.shapes.web}/{repository.full_name}"
    body = {"name": name, "commit": represent_git.commit(call.shapes, repository, sha)} | {
        "_links": {"self": url, "html": f"{page}/tree/{name}"},
        "protected": bool(repository.required_checks),
        "protection": {"enabled": bool(repository.required_checks)},
        "protection_url": f"{url}/protection",
    }
    return Reply(body)


def _resolve(call: Call, revision: str) -> str:
    found = git_read.resolve(call.repository.git, revision)
    if found is None:
        raise invalid(f"No commit found for SHA: {revision}")
    return found


def _compared(call: Call) -> tuple[str, str, str]:
    """Base, head and their merge base. Raises ProblemError 404 when one is unknown or they share nothing."""
    base, _, head = call.parameters["basehead"].partition("...")
    git = call.repository.git
    shas = [git_read.resolve(git, one) for one in (base, head)]
    if shas[0] is None or shas[1] is None:
        raise not_found()
    start = git_read.merge_base(git, shas[0], shas[1])
    if start is None:
        raise ProblemError(404, f"No common ancestor between {base} and {head}.")
    return shas[0], shas[1], start


def _compare_links(call: Call) -> Json:
    place = f"compare/{call.parameters['basehead']}"
    page = f"{call.shapes.web}/{call.repository.full_name}/{place}"
    links = {"html_url": page, "permalink_url": page, "diff_url": f"{page}.diff", "patch_url": f"{page}.patch"}
    return {"url": f"{call.shapes.repo_url(call.repository)}/{place}"} | links


def _relation(ahead: int, behind: int) -> str:
    if ahead and behind:
        return "diverged"
    return "ahead" if ahead else "behind" if behind else "identical"
