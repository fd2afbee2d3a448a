"""GitHub's JSON shapes of accounts, Apps, installations and repositories.

Address templates are taken from the examples inside GitHub's own description, so no property is forgotten.
"""

import base64
import functools
from typing import Any

from tests.github.judge import description
from tests.github.records import App, Delivery, Installation, Json, Repository, User
from tests.github.state import State

ORGANIZATION = "Organization"
EXAMPLE_REPOSITORY = "/repos/octocat/Hello-World"
EXAMPLE_USER = "/users/octocat"


class Shapes:
    """Builds what goes over the wire for one server: `api` and `web` are its two addresses without a final slash."""

    def __init__(self, state: State, api: str, web: str) -> None:
        self.state = state
        self.api = api
        self.web = web

    def user(self, user: User) -> Json:
        """`simple-user`."""
        links = {name: f"{self.api}/users/{user.login}{rest}" for name, rest in _links("simple-user", EXAMPLE_USER)}
        return {
            **links,
            "login": user.login,
            "id": user.id,
            "node_id": node_id(user.type, user.id),
            "avatar_url": f"{self.web}/avatars/u/{user.id}",
            "gravatar_id": "",
            "html_url": f"{self.web}/{user.login}",
            "type": user.type,
            "site_admin": False,
        }

    def app(self, app: App) -> Json:
        """`integration`."""
        return {
            "id": app.id,
            "slug": app.slug,
            "client_id": app.client_id,
            "node_id": node_id("App", app.id),
            "owner": self.user(app.owner),
            "name": app.slug.replace("-", " ").title(),
            "description": "",
            "external_url": "https://example.org",
            "html_url": f"{self.web}/apps/{app.slug}",
            "created_at": app.created_at,
            "updated_at": app.created_at,
            "permissions": app.permissions,
            "events": app.events,
        }

    def installation(self, installation: Installation) -> Json:
        """`installation`."""
        account = installation.account
        return {
            "id": installation.id,
            "account": {**self.user(account), "name": account.login, "slug": account.login.lower()}
            | {"created_at": installation.created_at, "updated_at": installation.created_at},
            "repository_selection": "selected",
            "access_tokens_url": f"{self.api}/app/installations/{installation.id}/access_tokens",
            "repositories_url": f"{self.api}/installation/repositories",
            "html_url": f"{self.web}/organizations/{account.login}/settings/installations/{installation.id}",
            "app_id": installation.app.id,
            "app_slug": installation.app.slug,
            "client_id": installation.app.client_id,
            "target_id": account.id,
            "target_type": account.type,
            "permissions": installation.permissions,
            "events": installation.events,
            "created_at": installation.created_at,
            "updated_at": installation.created_at,
            "single_file_name": None,
            "suspended_at": installation.suspended_at,
            "suspended_by": self.user(account) if installation.suspended_at else None,
        }

    def repo_url(self, repository: Repository) -> str:
        """The API address of a repository."""
        return f"{self.api}/repos/{repository.full_name}"

    def repository(self, repository: Repository) -> Json:
        """`full-repository`, which is also a valid `repository` and `minimal-repository`."""
        url, page = self.repo_url(repository), f"{self.web}/{repository.full_name}"
        return {
            **{name: f"{url}{rest}" for name, rest in _links("full-repository", EXAMPLE_REPOSITORY)},
            **_figures(),
            "id": repository.id,
            "node_id": node_id("Repository", repository.id),
            "name": repository.name,
            "full_name": repository.full_name,
            "owner": self.user(repository.owner),
            "private": repository.private,
            "archived": repository.archived,
            "visibility": "private" if repository.private else "public",
            "html_url": page,
            "clone_url": f"{page}.git",
            "git_url": f"git:{repository.full_name}.git",
            "ssh_url": f"git@localhost:{repository.full_name}.git",
            "svn_url": page,
            "fork": repository.parent is not None,
            "default_branch": repository.default_branch,
            "created_at": repository.created_at,
            "updated_at": repository.created_at,
            "pushed_at": repository.created_at,
        }

    def delivery(self, delivery: Delivery, full: bool = False) -> Json:
        """`hook-delivery`, or `hook-delivery-item` without what was sent and answered."""
        payload = delivery.payload
        item = {
            "id": delivery.id,
            "guid": delivery.guid,
            "delivered_at": delivery.delivered_at,
            "redelivery": delivery.redelivery,
            "duration": delivery.duration,
            "status": delivery.status,
            "status_code": delivery.status_code,
            "event": delivery.event,
            "action": payload.get("action"),
            "installation_id": payload.get("installation", {}).get("id"),
            "repository_id": payload.get("repository", {}).get("id"),
        }
        if not full:
            return item
        request = {"headers": delivery.request_headers, "payload": payload}
        return item | {
            "request": request,
            "response": {"headers": delivery.response_headers, "payload": delivery.response_body},
        }


def node_id(kind: str, number: int | str) -> str:
    """An opaque id of GraphQL's kind."""
    return base64.b64encode(f"0{len(kind)}:{kind}{number}".encode()).decode()


@functools.cache
def _links(schema: str, example: str) -> tuple[tuple[str, str], ...]:
    """(property, rest of the address) of a schema's properties whose example lies under `example`."""
    properties: dict[str, dict[str, Any]] = description()["components"]["schemas"][schema]["properties"]
    examples = {name: str(one.get("example", "")) for name, one in properties.items()}
    inside = f"api.github.com{example}"
    return tuple((name, text.partition(example)[2]) for name, text in examples.items() if inside in text)


def _figures() -> Json:
    """Counters and switches of a repository that nothing here depends on."""
    counters = "forks forks_count open_issues open_issues_count watchers watchers_count size stargazers_count"
    switches = "has_issues has_projects has_wiki has_pages has_discussions has_downloads disabled"
    return {
        **dict.fromkeys(f"{counters} network_count subscribers_count".split(), 0),
        **dict.fromkeys(switches.split(), False),
        **dict.fromkeys(["description", "homepage", "language", "license", "mirror_url"]),
    }
