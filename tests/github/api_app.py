"""Operations on the App, its installations, tokens and webhook deliveries."""

from datetime import UTC, datetime
from urllib.parse import urlencode

from cryptography.hazmat.primitives import serialization

from tests.github.api import Call, Reply, operation
from tests.github.auth import issue_token
from tests.github.problem import not_found
from tests.github.records import Delivery, Installation, Json, Repository


@operation("GET", "/app")
def get_app(call: Call) -> Reply:
    """The App itself."""
    return Reply(call.shapes.app(call.app) | {"installations_count": len(_installations(call))})


@operation("GET", "/apps/{app_slug}")
def get_app_by_slug(call: Call) -> Reply:
    """Any App by its slug."""
    found = next((app for app in call.state.apps if app.slug == call.parameters["app_slug"]), None)
    if found is None:
        raise not_found()
    return Reply(call.shapes.app(found))


@operation("GET", "/app/installations")
def list_installations(call: Call) -> Reply:
    """Where the App is installed."""
    page, links = call.page(_installations(call))
    return Reply([call.shapes.installation(one) for one in page], headers=links)


@operation("GET", "/app/installations/{installation_id}")
def get_installation(call: Call) -> Reply:
    """One installation."""
    return Reply(call.shapes.installation(_installation(call)))


@operation("POST", "/app/installations/{installation_id}/access_tokens")
def create_token(call: Call) -> Reply:
    """A new installation token, narrowed as asked."""
    installation, wanted = _installation(call), call.body or {}
    repositories = _narrowed(installation, wanted)
    token = issue_token(call.state, installation, call.context.token_life, wanted.get("permissions"), repositories)
    body: Json = {
        "token": token.value,
        "expires_at": datetime.fromtimestamp(token.expires, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "permissions": token.permissions,
        "repository_selection": "selected",
    }
    if repositories is not None:
        body["repositories"] = [call.shapes.repository(one) for one in repositories]
    return Reply(body, 201)


@operation("GET", "/repos/{owner}/{repo}/installation")
def get_repository_installation(call: Call) -> Reply:
    """The App's installation that reaches a repository."""
    found = call.state.installation_of(call.repository, call.app)
    if found is None:
        raise not_found()
    return Reply(call.shapes.installation(found))


@operation("GET", "/orgs/{org}/installation")
def get_organization_installation(call: Call) -> Reply:
    """The App's installation on an account."""
    login = call.parameters["org"].lower()
    found = next((one for one in _installations(call) if one.account.login.lower() == login), None)
    if found is None:
        raise not_found()
    return Reply(call.shapes.installation(found))


@operation("GET", "/installation/repositories")
def list_repositories(call: Call) -> Reply:
    """What the token reaches."""
    reached = [one for one in call.token.installation.repositories if call.token.reaches(one)]
    page, links = call.page(reached)
    body = {"total_count": len(reached), "repositories": [call.shapes.repository(one) for one in page]}
    return Reply(body, headers=links)


@operation("DELETE", "/installation/token")
def revoke_token(call: Call) -> Reply:
    """End the token that was used."""
    call.token.revoked = True
    return Reply(status=204)


@operation("GET", "/app/hook/config")
def get_hook(call: Call) -> Reply:
    """The App's webhook, the secret hidden."""
    return Reply({"content_type": "json", "insecure_ssl": "0", "secret": "********", "url": call.app.webhook_url})


@operation("PATCH", "/app/hook/config")
def update_hook(call: Call) -> Reply:
    """Change the webhook's address or secret."""
    call.app.webhook_url = call.body.get("url", call.app.webhook_url)
    call.app.webhook_secret = call.body.get("secret", call.app.webhook_secret)
    return get_hook(call)


@operation("GET", "/app/hook/deliveries")
def list_deliveries(call: Call) -> Reply:
    """Attempts to deliver, newest first; `cursor` is the id to go on from."""
    demanded, size = call.query("status"), int(call.query("per_page") or 30)
    newest = sorted(_deliveries(call), key=lambda one: -one.id)
    kept = [one for one in newest if demanded is None or (demanded == "success") == (one.status_code < 400)]
    rest = [one for one in kept if one.id <= int(call.query("cursor") or kept[0].id)] if kept else []
    following = {}
    if len(rest) > size:
        query = urlencode({**call.request.args.to_dict(), "cursor": rest[size].id})
        following = {"Link": f'<{call.request.base_url}?{query}>; rel="next"'}
    return Reply([call.shapes.delivery(one) for one in rest[:size]], headers=following)


@operation("GET", "/app/hook/deliveries/{delivery_id}")
def get_delivery(call: Call) -> Reply:
    """One attempt with what was sent and answered."""
    return Reply(call.shapes.delivery(_delivery(call), full=True))


@operation("POST", "/app/hook/deliveries/{delivery_id}/attempts")
def redeliver(call: Call) -> Reply:
    """Send the same delivery again, with the same GUID."""
    call.context.webhooks.redeliver_later(_delivery(call))
    return Reply({}, 202)


@operation("POST", "/app-manifests/{code}/conversions")
def convert_manifest(call: Call) -> Reply:
    """The App made from a manifest, its secrets shown once; a code works once."""
    manifest = call.state.manifests.pop(call.parameters["code"], None)
    if manifest is None:
        raise not_found()
    app = call.context.webhooks.app
    key = app.key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.TraditionalOpenSSL, serialization.NoEncryption()
    )
    secrets = {"client_id": app.client_id, "client_secret": app.client_secret, "webhook_secret": app.webhook_secret}
    return Reply(call.shapes.app(app) | {"name": manifest["name"]} | secrets | {"pem": key.decode()}, 201)


def _installations(call: Call) -> list[Installation]:
    return [one for one in call.state.installations.values() if one.app is call.app and not one.deleted]


def _installation(call: Call) -> Installation:
    wanted = call.parameters["installation_id"]
    found = next((one for one in _installations(call) if str(one.id) == wanted), None)
    if found is None:
        raise not_found()
    return found


def _narrowed(installation: Installation, wanted: Json) -> list[Repository] | None:
    names, ids = wanted.get("repositories"), wanted.get("repository_ids")
    if names is None and ids is None:
        return None
    found = [one for one in installation.repositories if one.name in (names or []) or one.id in (ids or [])]
    if len(found) != len(set(names or [])) + len(set(ids or [])):
        raise not_found()
    return found


def _deliveries(call: Call) -> list[Delivery]:
    return call.state.deliveries if call.app is call.context.webhooks.app else []


def _delivery(call: Call) -> Delivery:
    wanted = call.parameters["delivery_id"]
    found = next((one for one in _deliveries(call) if str(one.id) == wanted), None)
    if found is None:
        raise not_found()
    return found
