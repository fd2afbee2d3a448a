"""Webhook payload -> what to do. Pure, and it asks a payload for nothing but the fields that it uses.

Fields of the events: https://docs.github.com/webhooks/webhook-events-and-payloads. Real payloads hold nulls where the
documentation promises objects (a deleted fork), and lists that are empty for forks (`pull_requests`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bot.check_events import button, rerequested, suite_requested
from bot.conversation.commands import first_line
from bot.payload import Payload, field, login_of, optional, place_of, places_of, sha_of
from bot.work import (
    Access,
    BaseMoved,
    CheckGroup,
    CheckPull,
    ClosePull,
    DropGroup,
    Ignored,
    Installed,
    Pong,
    Said,
    Work,
)

BRANCH = "refs/heads/"
BOT = "Bot"
"""GitHub's type of the accounts of Apps."""

LONGEST_COMMAND = 2_000
"""Characters of a comment's first line that may be a command with its reason."""

NO_COMMIT = "0" * 40
"""What a push event says instead of a commit when a branch was made or deleted."""


def route(event: str, payload: Payload, app_id: str) -> Work | Pong | Ignored:
    """What the delivery ``payload`` of ``event`` asks for. Raises UnusableError when a needed field is missing."""
    if event == "ping":
        return Pong()
    action = payload.get("action")
    handler = TABLE.get((event, action if isinstance(action, str) else ""))
    if handler is None:
        return Ignored("this event or action asks for nothing")
    return handler(payload, app_id)


def _pull_request(cause: str) -> Callable[[Payload, str], CheckPull]:
    def read(payload: Payload, _app_id: str) -> CheckPull:
        pull = field(payload, dict, "pull_request")
        return CheckPull(
            place=place_of(payload),
            number=field(pull, int, "number"),
            head_sha=sha_of(field(pull, str, "head", "sha")),
            cause=f"pull_request.{cause}",
            updated_at=optional(pull, str, "updated_at"),
        )

    return read


def _pull_request_edited(payload: Payload, app_id: str) -> Work | Ignored:
    # Only a change of base changes what is compared; titles and descriptions are edited all the time.
    if optional(payload, dict, "changes", "base") is None:
        return Ignored("an edit that does not change the base")
    return _pull_request("edited")(payload, app_id)


def _closed(payload: Payload, _app_id: str) -> ClosePull:
    pull = field(payload, dict, "pull_request")
    return ClosePull(
        place=place_of(payload),
        number=field(pull, int, "number"),
        head_sha=sha_of(field(pull, str, "head", "sha")),
        updated_at=optional(pull, str, "updated_at"),
        cause="pull_request.closed",
    )


def _commented(payload: Payload, _app_id: str) -> Said | Ignored:
    if optional(payload, dict, "issue", "pull_request") is None:
        return Ignored("a comment on something else than a pull request")
    comment = field(payload, dict, "comment")
    app = optional(comment, dict, "performed_via_github_app")
    if app is not None or optional(comment, str, "user", "type") == BOT:
        return Ignored("a comment by a program")
    line = first_line(optional(comment, str, "body") or "")
    if line is None or len(line) > LONGEST_COMMAND:
        return Ignored("no command")
    return Said(
        place=place_of(payload),
        number=field(payload, int, "issue", "number"),
        comment_id=field(comment, int, "id"),
        author=login_of(field(comment, str, "user", "login")),
        pull_author=optional(payload, str, "issue", "user", "login"),
        text=line,
        cause="issue_comment.created",
    )


def _merge_group(payload: Payload, _app_id: str) -> CheckGroup:
    group = field(payload, dict, "merge_group")
    return CheckGroup(
        place=place_of(payload),
        head_sha=sha_of(field(group, str, "head_sha")),
        base_sha=sha_of(field(group, str, "base_sha")),
        base_ref=(optional(group, str, "base_ref") or "").removeprefix(BRANCH),
        cause="merge_group.checks_requested",
    )


def _group_destroyed(payload: Payload, _app_id: str) -> DropGroup:
    head_sha = sha_of(field(payload, str, "merge_group", "head_sha"))
    return DropGroup(place_of(payload), head_sha, "merge_group.destroyed")


def _push(payload: Payload, _app_id: str) -> BaseMoved | Ignored:
    ref, after = field(payload, str, "ref"), sha_of(field(payload, str, "after"))
    if not ref.startswith(BRANCH) or after == NO_COMMIT:
        return Ignored("no branch points to a new commit")
    return BaseMoved(place_of(payload), ref.removeprefix(BRANCH), sha_of(field(payload, str, "before")), after, "push")


def _installation(access: Access, cause: str) -> Callable[[Payload, str], Installed]:
    def read(payload: Payload, _app_id: str) -> Installed:
        installation = field(payload, int, "installation", "id")
        listed = optional(payload, list, "repositories") or []
        return Installed(installation, places_of(listed, installation), access, f"installation.{cause}")

    return read


def _installation_repositories(access: Access, cause: str) -> Callable[[Payload, str], Work | Ignored]:
    def read(payload: Payload, _app_id: str) -> Work | Ignored:
        installation = field(payload, int, "installation", "id")
        places = places_of(optional(payload, list, f"repositories_{cause}") or [], installation)
        if not places:
            return Ignored("no repository was named")
        return Installed(installation, places, access, f"installation_repositories.{cause}")

    return read


def _repository(cause: str) -> Callable[[Payload, str], Installed]:
    def read(payload: Payload, _app_id: str) -> Installed:
        place = place_of(payload)
        return Installed(place.installation_id, (place,), Access.ACTIVE, f"repository.{cause}")

    return read


TABLE: Mapping[tuple[str, str], Callable[[Payload, str], Work | Ignored]] = {
    ("pull_request", "opened"): _pull_request("opened"),
    ("pull_request", "synchronize"): _pull_request("synchronize"),
    ("pull_request", "reopened"): _pull_request("reopened"),
    ("pull_request", "ready_for_review"): _pull_request("ready_for_review"),
    ("pull_request", "converted_to_draft"): _pull_request("converted_to_draft"),
    ("pull_request", "edited"): _pull_request_edited,
    ("pull_request", "closed"): _closed,
    ("check_run", "rerequested"): rerequested("check_run"),
    ("check_run", "requested_action"): button,
    ("issue_comment", "created"): _commented,
    ("check_suite", "rerequested"): rerequested("check_suite"),
    ("check_suite", "requested"): suite_requested,
    ("merge_group", "checks_requested"): _merge_group,
    ("merge_group", "destroyed"): _group_destroyed,
    ("push", ""): _push,
    ("installation", "created"): _installation(Access.ACTIVE, "created"),
    ("installation", "unsuspend"): _installation(Access.ACTIVE, "unsuspend"),
    ("installation", "suspend"): _installation(Access.SUSPENDED, "suspend"),
    ("installation", "deleted"): _installation(Access.REMOVED, "deleted"),
    ("installation_repositories", "added"): _installation_repositories(Access.ACTIVE, "added"),
    ("installation_repositories", "removed"): _installation_repositories(Access.REMOVED, "removed"),
    ("repository", "renamed"): _repository("renamed"),
    ("repository", "transferred"): _repository("transferred"),
}
"""Every event and action that asks for work; events without actions stand with an empty one."""
