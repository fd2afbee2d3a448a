"""Operations on a pull request's conversation: comments, reactions, labels. https://docs.github.com/rest/issues"""

from typing import Any

from tests.github import represent_pulls
from tests.github.api import Call, Reply, operation
from tests.github.limits import faults_of_comment
from tests.github.problem import invalid, not_found
from tests.github.records import Comment, Json, Repository, User, now
from tests.github.represent import node_id

REPO = "/repos/{owner}/{repo}"
ISSUE = f"{REPO}/issues/{{issue_number}}"
COMMENT = f"{REPO}/issues/comments/{{comment_id}}"
READ = {"issues": "read", "pull_requests": "read"}
GREY = "ededed"
WRITE = {"issues": "write", "pull_requests": "write"}


@operation("GET", ISSUE, **READ)
def get_issue(call: Call) -> Reply:
    """The conversation side of a pull request."""
    return Reply(represent_pulls.issue(call.shapes, call.pull))


@operation("GET", f"{ISSUE}/comments", **READ)
def list_comments(call: Call) -> Reply:
    """Comments, oldest first."""
    number, repository, since = call.pull.number, call.repository, call.query("since") or ""
    found = [
        one
        for one in call.state.comments.values()
        if one.repository is repository and one.number == number and one.updated_at >= since
    ]
    page, links = call.page(found)
    return Reply([represent_pulls.comment(call.shapes, one) for one in page], headers=links)


@operation("POST", f"{ISSUE}/comments", **WRITE)
def create_comment(call: Call) -> Reply:
    """A comment by the App's bot account."""
    call.refuse(faults_of_comment(call.body))
    app = call.token.installation.app
    one = Comment(call.state.next_id(), call.repository, call.pull.number, _bot(call), call.body["body"], app)
    call.state.comments[one.id] = one
    body = represent_pulls.comment(call.shapes, one)
    return Reply(body, 201, {"Location": body["url"]})


@operation("GET", COMMENT, **READ)
def get_comment(call: Call) -> Reply:
    """One comment."""
    return Reply(represent_pulls.comment(call.shapes, _comment(call)))


@operation("PATCH", COMMENT, **WRITE)
def update_comment(call: Call) -> Reply:
    """Change a comment's text."""
    call.refuse(faults_of_comment(call.body))
    one = _comment(call)
    one.body, one.updated_at = call.body["body"], now()
    return Reply(represent_pulls.comment(call.shapes, one))


@operation("DELETE", COMMENT, **WRITE)
def delete_comment(call: Call) -> Reply:
    """Delete a comment."""
    del call.state.comments[_comment(call).id]
    return Reply(status=204)


@operation("POST", f"{COMMENT}/reactions", **WRITE)
def react_to_comment(call: Call) -> Reply:
    """A reaction to a comment."""
    return _react(call, _comment(call).reactions)


@operation("POST", f"{ISSUE}/reactions", **WRITE)
def react_to_issue(call: Call) -> Reply:
    """A reaction to the pull request itself."""
    return _react(call, call.state.reactions.setdefault((call.repository.id, call.pull.number), []))


@operation("GET", f"{ISSUE}/labels", **READ)
def list_issue_labels(call: Call) -> Reply:
    """Labels of a pull request."""
    page, links = call.page(call.pull.labels)
    return Reply([represent_pulls.label(call.shapes, call.repository, name) for name in page], headers=links)


@operation("POST", f"{ISSUE}/labels", **WRITE)
def add_labels(call: Call) -> Reply:
    """Add labels; unknown ones are made."""
    for name in _names(call.body):
        if name not in call.pull.labels:
            _known(call, call.repository, name)
            call.pull.labels.append(name)
    return list_issue_labels(call)


@operation("PUT", f"{ISSUE}/labels", **WRITE)
def set_labels(call: Call) -> Reply:
    """Replace all labels."""
    call.pull.labels.clear()
    return add_labels(call)


@operation("DELETE", f"{ISSUE}/labels/{{name}}", **WRITE)
def remove_label(call: Call) -> Reply:
    """Take one label off."""
    if call.parameters["name"] not in call.pull.labels:
        raise not_found()
    call.pull.labels.remove(call.parameters["name"])
    return list_issue_labels(call)


@operation("GET", f"{REPO}/labels", **READ)
def list_labels(call: Call) -> Reply:
    """Labels of a repository."""
    page, links = call.page(list(call.repository.labels))
    return Reply([represent_pulls.label(call.shapes, call.repository, name) for name in page], headers=links)


@operation("POST", f"{REPO}/labels", **WRITE)
def create_label(call: Call) -> Reply:
    """A new label of a repository."""
    name = call.body["name"]
    if name in call.repository.labels:
        raise invalid("Validation Failed")
    _known(call, call.repository, name, call.body.get("color", GREY), call.body.get("description"))
    body = represent_pulls.label(call.shapes, call.repository, name)
    return Reply(body, 201, {"Location": body["url"]})


def _bot(call: Call) -> User:
    return call.state.user(f"{call.token.installation.app.slug}[bot]", "Bot")


def _comment(call: Call) -> Comment:
    found = call.state.comments.get(int(call.parameters["comment_id"]))
    if found is None or found.repository is not call.repository:
        raise not_found()
    return found


def _react(call: Call, reactions: list[Json]) -> Reply:
    """201 for a new reaction, 200 for one that the account had given before."""
    user, content = call.shapes.user(_bot(call)), call.body["content"]
    for known in reactions:
        if known["content"] == content and known["user"] == user:
            return Reply(known)
    number = call.state.next_id()
    reaction = {"id": number, "node_id": node_id("Reaction", number), "user": user, "content": content}
    reactions.append(reaction | {"created_at": now()})
    return Reply(reactions[-1], 201)


def _names(body: Any) -> list[str]:
    """Label names from any of the three forms that GitHub takes."""
    given = body.get("labels", []) if isinstance(body, dict) else body or []
    return [one["name"] if isinstance(one, dict) else one for one in given]


def _known(
    call: Call, repository: Repository, name: str, color: str = "ededed", description: str | None = None
) -> None:
    if name not in repository.labels:
        repository.labels[name] = {"id": call.state.next_id(), "color": color, "description": description}
