"""Who is asking: App JWTs, installation tokens and what they may do.

https://docs.github.com/apps/creating-github-apps/authenticating-with-a-github-app
"""

import base64
import binascii
import secrets
import string
import time
from collections.abc import Mapping
from dataclasses import dataclass

import jwt

from tests.github.problem import ProblemError, forbidden, not_found
from tests.github.records import App, Installation, Repository, Token
from tests.github.state import State

# Longest life of an App's JWT, and how far its clock may be ahead, in seconds.
JWT_LIFE = 600
CLOCK_SKEW = 60
TOKEN_LIFE = 3600.0
# Since 2026 tokens are `ghs_<app id>_<JWT>`, about 520 characters; dots and underscores, no dashes.
TOKEN_PARTS = (36, 340, 120)
LEVELS = ("read", "write", "admin")
EXPIRED = "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires"  # noqa: E501
ISSUED_LATER = "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued"
ALPHABET = string.ascii_letters + string.digits


@dataclass(frozen=True)
class Caller:
    """Whoever sent a request: an App (JWT), an installation (token) or nobody."""

    app: App | None = None
    token: Token | None = None

    @property
    def kind(self) -> str:
        """`app`, `installation` or `nobody`."""
        return "installation" if self.token else "app" if self.app else "nobody"


def caller_of(state: State, header: str | None) -> Caller:
    """Read an `Authorization` header. Raises ProblemError 401 for credentials that do not hold."""
    if not header:
        return Caller()
    scheme, _, value = header.partition(" ")
    if scheme.lower() not in ("bearer", "token"):
        raise ProblemError(401, "Bad credentials")
    if value.startswith("ghs_"):
        return Caller(token=valid_token(state, value))
    return Caller(app=_app_of(state, value))


def valid_token(state: State, value: str) -> Token:
    """The token of that text. Raises ProblemError 401 when unknown, revoked or past its time."""
    token = state.tokens.get(value)
    if token is None or token.revoked or token.expires <= time.time() or token.installation.deleted:
        raise ProblemError(401, "Bad credentials")
    return token


def basic_password(header: str) -> str:
    """The password of a Basic `Authorization` header, as git sends the token. Raises ProblemError 401."""
    scheme, _, value = header.partition(" ")
    try:
        user, _, password = base64.b64decode(value, validate=True).decode().partition(":")
    except (binascii.Error, UnicodeDecodeError):
        raise ProblemError(401, "Bad credentials") from None
    if scheme.lower() != "basic" or user != "x-access-token":
        raise ProblemError(401, "Bad credentials")
    return password


def issue_token(
    state: State,
    installation: Installation,
    life: float,
    permissions: Mapping[str, str] | None = None,
    repositories: list[Repository] | None = None,
) -> Token:
    """Make a token. Raises ProblemError 403 for a suspended installation, 422 for more than was granted."""
    if installation.suspended_at:
        raise ProblemError(403, "This installation has been suspended")
    for name, level in (permissions or {}).items():
        if not _covers(installation.permissions, name, level):
            raise ProblemError(422, "The permissions requested are not granted to this installation.")
    if any(one not in installation.repositories for one in repositories or []):
        raise ProblemError(422, "There is at least one repository that does not exist or is not accessible")
    value = f"ghs_{installation.app.id}_" + ".".join(_random(length) for length in TOKEN_PARTS)
    granted = dict(permissions or installation.permissions) | {"metadata": "read"}
    token = Token(value, installation, granted, repositories, time.time() + life)
    state.tokens[value] = token
    return token


def demand_app(caller: Caller) -> App:
    """The App behind a JWT. Raises ProblemError 401 for anything else, as GitHub does."""
    if caller.app is None:
        raise ProblemError(401, "A JSON web token could not be decoded")
    return caller.app


def demand_token(caller: Caller) -> Token:
    """The installation token. Raises ProblemError 401 without one, 403 for an App's JWT or a suspended installation."""
    if caller.token is None:
        raise forbidden() if caller.app else ProblemError(401, "Requires authentication")
    if caller.token.installation.suspended_at:
        raise ProblemError(403, "This installation has been suspended")
    return caller.token


def demand(token: Token, repository: Repository, needed: Mapping[str, str]) -> None:
    """Any one of the needed permissions on the repository. Raises ProblemError 404 (not reached) or 403."""
    if not token.reaches(repository):
        raise not_found()
    if needed and not any(_covers(token.permissions, name, level) for name, level in needed.items()):
        raise forbidden()


def _covers(granted: Mapping[str, str], name: str, level: str) -> bool:
    return name in granted and LEVELS.index(granted[name]) >= LEVELS.index(level)


def _random(length: int) -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


def _app_of(state: State, value: str) -> App:
    try:
        issuer = str(jwt.decode(value, options={"verify_signature": False}).get("iss"))
        app = next(one for one in state.apps if issuer in (str(one.id), one.client_id))
        claims = jwt.decode(
            value,
            app.key.public_key(),
            algorithms=["RS256"],
            options={"require": ["iat", "exp", "iss"], "verify_iat": False},
        )
    except StopIteration:
        raise ProblemError(401, "Integration not found") from None
    except jwt.ExpiredSignatureError:
        raise ProblemError(401, EXPIRED) from None
    except jwt.PyJWTError:
        raise ProblemError(401, "A JSON web token could not be decoded") from None
    present = time.time()
    if claims["exp"] > present + JWT_LIFE or claims["exp"] - claims["iat"] > JWT_LIFE:
        raise ProblemError(401, "'Expiration time' claim ('exp') is too far in the future")
    if claims["iat"] > present + CLOCK_SKEW:
        raise ProblemError(401, ISSUED_LATER)
    return app
