"""GitHub's JSON shapes of pull requests and their conversation: comments, reviews, labels."""

from urllib.parse import quote

from tests.github import git_read
from tests.github.records import Comment, Json, PullRequest, Repository, Review, User
from tests.github.represent import Shapes, node_id

# What a pull request and its conversation have in common.
SHARED = (
    *("html_url", "id", "node_id", "number", "title", "user", "labels", "state", "locked", "assignee", "assignees"),
    *(
        "milestone",
        "created_at",
        "updated_at",
        "closed_at",
        "author_association",
        "active_lock_reason",
        "body",
        "draft",
    ),
)
LINKED = ("comments", "commits", "statuses", "html", "issue", "review_comments", "review_comment", "self")


def pull(shapes: Shapes, pull: PullRequest) -> Json:
    """`pull-request-simple`: as in lists."""
    url, page = shapes.repo_url(pull.repository), f"{shapes.web}/{pull.repository.full_name}/pull/{pull.number}"
    links = {
        "url": f"{url}/pulls/{pull.number}",
        "html_url": page,
        "diff_url": f"{page}.diff",
        "patch_url": f"{page}.patch",
        "issue_url": f"{url}/issues/{pull.number}",
        "commits_url": f"{url}/pulls/{pull.number}/commits",
        "review_comments_url": f"{url}/pulls/{pull.number}/comments",
        "review_comment_url": f"{url}/pulls/comments{{/number}}",
        "comments_url": f"{url}/issues/{pull.number}/comments",
        "statuses_url": f"{url}/statuses/{pull.head_sha}",
    }
    empty = ["assignee", "milestone", "auto_merge", "active_lock_reason"]
    return {
        **links,
        **dict.fromkeys(empty),
        "assignees": [],
        "requested_reviewers": [],
        "requested_teams": [],
        "locked": False,
        "id": pull.id,
        "node_id": node_id("PullRequest", pull.id),
        "number": pull.number,
        "state": pull.state,
        "title": pull.title,
        "body": pull.body,
        "draft": pull.draft,
        "user": shapes.user(pull.author),
        "labels": [label(shapes, pull.repository, name) for name in pull.labels],
        "created_at": pull.created_at,
        "updated_at": pull.updated_at,
        "closed_at": pull.closed_at,
        "merged_at": pull.merged_at,
        "merge_commit_sha": pull.merge_sha,
        "author_association": "CONTRIBUTOR",
        "head": _side(shapes, pull.head_owner, pull.head_ref, pull.head_sha, pull.head_repository),
        "base": _side(shapes, pull.repository.owner, pull.base_ref, pull.base_sha, pull.repository),
        "_links": {name: {"href": links.get(f"{name}_url") or links["url"]} for name in LINKED},
    }


def full_pull(shapes: Shapes, one: PullRequest) -> Json:
    """`pull-request`: with counts and mergeability."""
    start = git_read.merge_base(one.repository.git, one.base_sha, one.head_sha) or one.base_sha
    added, deleted = git_read.line_counts(one.repository.git, start, one.head_sha)
    counted = len(git_read.changes(one.repository.git, start, one.head_sha))
    return pull(shapes, one) | {
        "additions": added,
        "deletions": deleted,
        "changed_files": counted if one.changed_files is None else one.changed_files,
        "commits": len(git_read.commits_between(one.repository.git, one.base_sha, one.head_sha)),
        "comments": sum(
            comment.number == one.number and comment.repository is one.repository
            for comment in shapes.state.comments.values()
        ),
        "review_comments": 0,
        "mergeable": one.mergeable,
        "mergeable_state": {True: "clean", False: "dirty", None: "unknown"}[one.mergeable],
        "merged": one.merged_at is not None,
        "merged_by": None,
        "maintainer_can_modify": False,
        "rebaseable": one.mergeable,
    }


def comment(shapes: Shapes, one: Comment) -> Json:
    """`issue-comment`."""
    url, page = shapes.repo_url(one.repository), f"{shapes.web}/{one.repository.full_name}"
    return {
        "id": one.id,
        "node_id": node_id("IssueComment", one.id),
        "url": f"{url}/issues/comments/{one.id}",
        "html_url": f"{page}/pull/{one.number}#issuecomment-{one.id}",
        "issue_url": f"{url}/issues/{one.number}",
        "body": one.body,
        "user": shapes.user(one.author),
        "created_at": one.created_at,
        "updated_at": one.updated_at,
        "author_association": "MEMBER" if one.author.login in one.repository.permissions else "NONE",
        "performed_via_github_app": shapes.app(one.by_app) if one.by_app else None,
    }


def issue(shapes: Shapes, one: PullRequest) -> Json:
    """`issue`: the conversation side of a pull request."""
    url, base = shapes.repo_url(one.repository), pull(shapes, one)
    return {name: base[name] for name in SHARED} | {
        "url": f"{url}/issues/{one.number}",
        "repository_url": url,
        "labels_url": f"{url}/issues/{one.number}/labels{{/name}}",
        "comments_url": base["comments_url"],
        "events_url": f"{url}/issues/{one.number}/events",
        "comments": full_pull(shapes, one)["comments"],
        "pull_request": {name: base[name] for name in ("url", "html_url", "diff_url", "patch_url", "merged_at")},
    }


def review(shapes: Shapes, one: Review) -> Json:
    """`pull-request-review`."""
    base = pull(shapes, one.pull)
    page = f"{base['html_url']}#pullrequestreview-{one.id}"
    return {
        "id": one.id,
        "node_id": node_id("PullRequestReview", one.id),
        "user": shapes.user(one.author),
        "body": one.body,
        "state": one.state,
        "commit_id": one.commit_id,
        "submitted_at": one.submitted_at,
        "html_url": page,
        "pull_request_url": base["url"],
        "_links": {"html": {"href": page}, "pull_request": {"href": base["url"]}},
        "author_association": "NONE",
    }


def label(shapes: Shapes, repository: Repository, name: str) -> Json:
    """`label`."""
    known = repository.labels[name]
    return {"id": known["id"], "node_id": node_id("Label", known["id"]), "name": name, "default": False} | {
        "url": f"{shapes.repo_url(repository)}/labels/{quote(name)}",
        "color": known["color"],
        "description": known["description"],
    }


def _side(shapes: Shapes, owner: User, ref: str, sha: str, repository: Repository | None) -> Json:
    shown = shapes.repository(repository) if repository else None
    return {"label": f"{owner.login}:{ref}", "ref": ref, "sha": sha, "user": shapes.user(owner), "repo": shown}
