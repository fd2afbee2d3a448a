"""The frame of the REST API: operations by (method, path template), what they are given, how they answer."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from werkzeug import Request
from werkzeug.routing import Map, Rule

from tests.github.auth import Caller, demand, demand_app, demand_token
from tests.github.judge import operations
from tests.github.problem import ProblemError, invalid, not_found
from tests.github.records import App, PullRequest, Repository, Token
from tests.github.represent import Shapes
from tests.github.state import State
from tests.github.webhooks import Webhooks

Item = TypeVar("Item")
# Parameters whose values may hold slashes; all others are one path segment.
WITH_SLASHES = ("path", "ref", "basehead", "branch", "name")
PER_PAGE, MOST_PER_PAGE = 30, 100


@dataclass
class Reply:
    """What an operation answers. `body` None sends nothing."""

    body: Any = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)


@dataclass
class Context:
    """What every operation may need. `token_life` in seconds; `violations` collects what a client did wrong."""

    state: State
    shapes: Shapes
    webhooks: Webhooks
    token_life: float
    violations: list[str] = field(default_factory=list)


@dataclass
class Call:
    """One request on its way through an operation."""

    context: Context
    request: Request
    caller: Caller
    parameters: dict[str, str]
    body: Any

    @property
    def state(self) -> State:
        """All records."""
        return self.context.state

    @property
    def shapes(self) -> Shapes:
        """Builder of replies."""
        return self.context.shapes

    @property
    def app(self) -> App:
        """The App that signed this request. Raises ProblemError 401 without one."""
        return demand_app(self.caller)

    @property
    def token(self) -> Token:
        """The installation token. Raises ProblemError 401 or 403 without one."""
        return demand_token(self.caller)

    @property
    def repository(self) -> Repository:
        """The repository of the path. Raises ProblemError 404."""
        found = self.state.repository(f"{self.parameters['owner']}/{self.parameters['repo']}")
        if found is None:
            raise not_found()
        return found

    @property
    def pull(self) -> PullRequest:
        """The pull request of the path, by `pull_number` or `issue_number`. Raises ProblemError 404."""
        number = self.parameters.get("pull_number") or self.parameters["issue_number"]
        found = self.state.pulls.get((self.repository.id, int(number)))
        if found is None:
            raise not_found()
        return found

    def query(self, name: str) -> str | None:
        """A query parameter."""
        return self.request.args.get(name)

    def page(self, items: Sequence[Item]) -> tuple[list[Item], dict[str, str]]:
        """The wanted page of a list, and the `Link` header."""
        size = min(int(self.query("per_page") or PER_PAGE), MOST_PER_PAGE)
        number = max(int(self.query("page") or 1), 1)
        last = max(-(-len(items) // size), 1)
        before = {"first": 1, "prev": number - 1} if number > 1 else {}
        after = {"next": number + 1, "last": last} if number < last else {}
        links = [self._link(name, target) for name, target in (before | after).items()]
        return list(items[(number - 1) * size : number * size]), {"Link": ", ".join(links)} if links else {}

    def refuse(self, faults: Sequence[str]) -> None:
        """Record faults against limits that are only prose, and refuse the request, if there are any."""
        if faults:
            self.context.violations.extend(f"{self.request.method} {self.request.path}: {fault}" for fault in faults)
            raise invalid(faults[0])

    def _link(self, name: str, number: int) -> str:
        arguments = {**self.request.args.to_dict(), "page": str(number)}
        query = "&".join(f"{key}={value}" for key, value in arguments.items())
        return f'<{self.request.base_url}?{query}>; rel="{name}"'


Handler = Callable[[Call], Reply]


@dataclass(frozen=True)
class Operation:
    """An operation of the description with its code and the permissions of which a token needs one."""

    template: str
    handler: Handler
    needed: Mapping[str, str]

    def authorize(self, call: Call) -> None:
        """Raises ProblemError 401, 403 or 404 unless the caller may do this."""
        if self.template.startswith("/repos/") and not self.template.endswith("/installation"):
            demand(call.token, call.repository, self.needed)


OPERATIONS: dict[tuple[str, str], Operation] = {}


def operation(method: str, template: str, **needed: str) -> Callable[[Handler], Handler]:
    """Register the code of an operation; `needed` are permissions, of which one is enough (`checks="write"`)."""
    if (method, template) not in operations():
        raise ValueError(f"{method} {template} is not in GitHub's description")

    def register(handler: Handler) -> Handler:
        OPERATIONS[method, template] = Operation(template, handler, needed)
        return handler

    return register


def routes() -> Map:
    """Rules for all registered operations, by path template."""
    return Map([_rule(method, template) for method, template in OPERATIONS], strict_slashes=False, merge_slashes=False)


def read_body(request: Request) -> Any:
    """The JSON body, or None. Raises ProblemError 400 for what is not JSON (NaN and Infinity are not)."""
    raw = request.get_data()
    if not raw:
        return None
    try:
        return json.loads(raw, parse_constant=_refuse_constant)
    except ValueError:
        raise ProblemError(400, "Problems parsing JSON") from None


def _refuse_constant(name: str) -> None:
    raise ValueError(name)


def _rule(method: str, template: str) -> Rule:
    parts = [_part(part) for part in template.split("/")]
    return Rule("/".join(parts), endpoint=(method, template), methods=[method])


def _part(part: str) -> str:
    if not part.startswith("{"):
        return part
    name = part.strip("{}")
    return f"<path:{name}>" if name in WITH_SLASHES else f"<{name}>"
