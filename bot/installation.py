"""What the bot does on GitHub as one installation of its App: pull requests, check runs, comments."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar
from urllib.parse import quote

from bot import identifiers
from bot.api import PAGE, Api
from bot.pace import Pace
from bot.resources import CheckRunState, Comment, Json, PullRequest, RepositoryInfo
from bot.retries import SERVER_ERROR_WAIT, Limited, NotFound, Refused, RetryLater, Unauthorized
from bot.tokens import TokenCache

Read = TypeVar("Read")

MAX_PAGES = 100
"""Pages of one list; 10,000 open pull requests or repositories are beyond any submissions repository."""


class Installation:
    """The App on one account. Any thread may use it; all share the tokens and the pace of the installation."""

    def __init__(self, api: Api, app_id: int, installation_id: int, tokens: TokenCache, pace: Pace) -> None:
        self.id = installation_id
        self._api = api
        self._app_id = app_id
        self._tokens = tokens
        self._pace = pace

    def token(self) -> str:
        """A token that lasts for a stage of work, for git."""
        self._pace.check()
        return self._tokens.get(self.id)

    def drop_token(self, value: str) -> None:
        """Forgets a token that git was refused with; the next :meth:`token` is a fresh one."""
        self._tokens.drop(self.id, value)

    def pull_request(self, repo: str, number: int) -> PullRequest:
        """The pull request, ``changed_files`` included."""
        return self._get(PullRequest.read, f"{_repo(repo)}/pulls/{identifiers.number(number)}")

    def open_pull_requests(self, repo: str) -> list[PullRequest]:
        """All open pull requests, the last changed first."""
        query = {"state": "open", "sort": "updated", "direction": "desc"}
        return self._list(PullRequest.read, f"{_repo(repo)}/pulls", query)

    def pulls_of_commit(self, repo: str, sha: str) -> list[PullRequest]:
        """Open pull requests into ``repo`` whose head is ``sha``; GitHub's list also has closed and foreign ones."""
        found = self._list(lambda data: data, f"{_repo(repo)}/commits/{identifiers.sha(sha)}/pulls")
        pulls = [PullRequest.read(data) for data in found if _is_into(data, repo)]
        return [pull for pull in pulls if pull.state == "open" and pull.head_sha == sha]

    def check_runs(self, repo: str, sha: str, name: str) -> list[CheckRunState]:
        """This App's newest check runs of that name on the commit, newest first."""
        query = {"check_name": name, "filter": "latest", "app_id": self._app_id}
        path = f"{_repo(repo)}/commits/{identifiers.sha(sha)}/check-runs"
        runs = self._list(CheckRunState.read, path, query, key="check_runs")
        own = [run for run in runs if run.app_id in (self._app_id, None)]
        return sorted(own, key=lambda run: run.id, reverse=True)

    def check_run(self, repo: str, id: int) -> CheckRunState:
        """One check run as it stands."""
        return self._get(CheckRunState.read, f"{_repo(repo)}/check-runs/{identifiers.number(id)}")

    def annotations(self, repo: str, id: int) -> list[Json]:
        """All annotations that GitHub holds for a check run, in the order in which they were sent."""
        return self._list(dict, f"{_repo(repo)}/check-runs/{identifiers.number(id)}/annotations")

    def create_check_run(self, repo: str, payload: Json) -> CheckRunState:
        """Creates a check run. Sent once: after RetryLater, look with :meth:`check_runs` whether it was made."""
        return self._read(CheckRunState.read, self._write("POST", f"{_repo(repo)}/check-runs", payload))

    def update_check_run(self, repo: str, id: int, payload: Json, annotations_before: int = 0) -> CheckRunState:
        """Updates a check run. Annotations add up at GitHub, so an update that has some is not blindly sent again:
        when its outcome is unknown, the run's own count tells, ``annotations_before`` being the count before it.
        """
        path = f"{_repo(repo)}/check-runs/{identifiers.number(id)}"
        sent = len(payload.get("output", {}).get("annotations", ()))
        try:
            return self._read(CheckRunState.read, self._write("PATCH", path, payload, repeat=not sent))
        except Limited:
            raise
        except RetryLater:
            if not sent:
                raise
            run = self.check_run(repo, id)
            if run.annotations_count > annotations_before:
                return run
            return self._read(CheckRunState.read, self._write("PATCH", path, payload, repeat=False))

    def file(self, repo: str, path: str, ref: str) -> bytes | None:
        """A file's content at commit ``ref``; None when it is not there. Raises Refused for what is no small file."""
        address = f"{_repo(repo)}/contents/{quote(path, safe='/')}"
        try:
            data = self._call("GET", address, parameters={"ref": identifiers.sha(ref)})
        except NotFound:
            return None
        if not isinstance(data, dict) or data.get("type") != "file" or data.get("encoding") != "base64":
            raise Refused(200, f"{path} is not a file of at most 1 MB")
        return base64.b64decode(data["content"])

    def branch_head(self, repo: str, branch: str) -> str:
        """The commit that ``branch`` points to."""
        path = f"{_repo(repo)}/git/ref/heads/{quote(branch, safe='/')}"
        return self._get(lambda data: identifiers.sha(data["object"]["sha"]), path)

    def repositories(self) -> list[RepositoryInfo]:
        """All repositories that this installation may reach."""
        return self._list(
            lambda data: RepositoryInfo.read(data, self.id), "/installation/repositories", key="repositories"
        )

    def comments(self, repo: str, number: int) -> list[Comment]:
        """All comments in the conversation of a pull request, oldest first."""
        return self._list(Comment.read, f"{_repo(repo)}/issues/{identifiers.number(number)}/comments")

    def create_comment(self, repo: str, number: int, body: str) -> Comment:
        """Comments on a pull request. Sent once."""
        path = f"{_repo(repo)}/issues/{identifiers.number(number)}/comments"
        return self._read(Comment.read, self._write("POST", path, {"body": body}))

    def update_comment(self, repo: str, id: int, body: str) -> Comment:
        """Replaces the text of one of the App's own comments."""
        path = f"{_repo(repo)}/issues/comments/{identifiers.number(id)}"
        return self._read(Comment.read, self._write("PATCH", path, {"body": body}))

    def permission(self, repo: str, login: str) -> str:
        """What a person may do: ``admin``, ``write``, ``read`` or ``none`` (maintain is write, triage is read)."""
        path = f"{_repo(repo)}/collaborators/{identifiers.login(login)}/permission"
        try:
            return self._get(lambda data: str(data["permission"]), path)
        except NotFound:
            return "none"

    def _get(self, read: Callable[[Any], Read], path: str) -> Read:
        return self._read(read, self._call("GET", path))

    def _list(
        self, read: Callable[[Any], Read], path: str, query: Mapping[str, Any] | None = None, key: str | None = None
    ) -> list[Read]:
        return [self._read(read, item) for page in self._pages(path, query or {}, key) for item in page]

    def _pages(self, path: str, query: Mapping[str, Any], key: str | None) -> Iterator[list[Any]]:
        """Pages of a list until one that is not full. Raises RetryLater rather than give a part of the list."""
        for number in range(1, MAX_PAGES + 1):
            data = self._call("GET", path, parameters={**query, "per_page": PAGE, "page": number})
            page = self._read(lambda found: list(found[key] if key else found), data)
            yield page
            if len(page) < PAGE:
                return
        raise RetryLater(SERVER_ERROR_WAIT, f"more than {MAX_PAGES} pages in {path}")

    def _read(self, read: Callable[[Any], Read], data: Any) -> Read:
        """``data`` read; an answer without what is needed (an id, a SHA) is as good as none."""
        try:
            return read(data)
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            raise RetryLater(SERVER_ERROR_WAIT, f"GitHub's answer lacks {error}") from error

    def _write(self, verb: str, path: str, body: Json, repeat: bool | None = None) -> Any:
        with self._pace.write():
            return self._call(verb, path, body=body, repeat=repeat)

    def _call(self, verb: str, path: str, **arguments: Any) -> Any:
        """One call with the installation's token; a token that is refused is renewed once."""
        token = self.token()
        try:
            return self._sent(verb, path, token, arguments)
        except Unauthorized:
            self._tokens.drop(self.id, token)
            return self._sent(verb, path, self.token(), arguments)

    def _sent(self, verb: str, path: str, token: str, arguments: Mapping[str, Any]) -> Any:
        try:
            return self._api.call(verb, path, token, limits_in_a_row=self._pace.limits_in_a_row, **arguments)[1]
        except Limited as limit:
            self._pace.limited(limit.delay_seconds)
            raise


def _repo(full_name: str) -> str:
    return f"/repos/{identifiers.full_name(full_name)}"


def _is_into(data: Any, repo: str) -> bool:
    """Whether a listed pull request is one into ``repo``; the list may hold those of forks, with parts missing."""
    base = (data.get("base") or {}).get("repo") or {}
    return str(base.get("full_name", "")).lower() == repo.lower()
