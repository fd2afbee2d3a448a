"""The way of a request through injected faults, credentials, the judge and its operation; every request is recorded."""

import hashlib
import json
import secrets
import threading
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from werkzeug import Request, Response
from werkzeug.exceptions import HTTPException

from tests.github import judge
from tests.github.accounts import RATE_LIMIT
from tests.github.api import OPERATIONS, Call, Context, Reply, read_body, routes
from tests.github.api_repo import rate
from tests.github.auth import Caller, caller_of
from tests.github.effects import Effect
from tests.github.faults import Faults
from tests.github.git_http import GitHttp, GitRequest, record_of
from tests.github.problem import ProblemError, invalid
from tests.github.records import Installation, Repository
from tests.github.spoil import replacement, shortened

# The prefix of an enterprise server's API: one port then serves both API and git.
API_PREFIX = "/api/v3"


@dataclass
class ApiRequest:
    """One API request as it was answered. `body` is the parsed JSON, or raw bytes where it is none."""

    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: Any
    auth: str = "nobody"
    status: int = 0
    fault: bool = False
    at: float = field(default_factory=time.monotonic)


class Application:
    """The WSGI application of the stand-in: REST API below `/api/v3`, git everywhere else."""

    def __init__(self, context: Context, faults: Faults) -> None:
        self.context = context
        self.faults = faults
        self.git = GitHttp(context.state)
        self.requests: list[ApiRequest] = []
        self.git_requests: list[GitRequest] = []
        self.stopping = threading.Event()
        self._routes = routes()

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        """Answer one request."""
        request = Request(environ)
        git = record_of(request)
        response = self._git(request, git) if git else self._api(request)
        return response(environ, start_response)

    def _git(self, request: Request, record: GitRequest) -> Response:
        self.git_requests.append(record)
        effect = self.faults.take(request.method, request.path, git=True)
        record.fault = effect is not None
        response = replacement(request, effect, self.stopping) or self.git.answer(request, record)
        record.status = response.status_code
        return shortened(request, response, effect)

    def _api(self, request: Request) -> Response:
        path = request.path.removeprefix(API_PREFIX)
        record = ApiRequest(request.method, path, request.args.to_dict(), dict(request.headers), None)
        self.requests.append(record)
        effect = self.faults.take(request.method, path)
        record.fault = effect is not None
        response = replacement(request, effect, self.stopping) if effect and not effect.after else None
        if response is None:
            response = self._answer(request, path, record, effect or Effect())
            if effect and effect.after:
                response = replacement(request, effect, self.stopping) or response
        else:
            record.body = _recorded_body(request)
        record.status = response.status_code
        return shortened(request, response, effect)

    def _answer(self, request: Request, path: str, record: ApiRequest, effect: Effect) -> Response:
        record.body = _recorded_body(request)
        caller = Caller()
        try:
            with self.context.state.lock:
                caller = caller_of(self.context.state, request.headers.get("Authorization"))
                record.auth = caller.kind
                response = self._operate(request, path, caller, effect)
        except ProblemError as problem:
            response = Response(json.dumps(problem.body), problem.status, problem.headers, mimetype="application/json")
        return _dress(request, response, caller)

    def _operate(self, request: Request, path: str, caller: Caller, effect: Effect) -> Response:
        installation = caller.token.installation if caller.token else None
        if installation and path != "/rate_limit":
            _count(installation)
        try:
            endpoint, parameters = self._routes.bind("").match(path, request.method)
        except HTTPException:
            raise ProblemError(404, "Not Found") from None
        operation = OPERATIONS[endpoint]
        moved = self._moved(request, path, parameters)
        if moved is not None:
            return moved
        described = judge.DescribedRequest(request, operation.template, dict(parameters))
        body = read_body(request)
        if effect.edit_request:
            body = effect.edit_request(body)
        call = Call(self.context, request, caller, dict(parameters), body)
        operation.authorize(call)
        self._judge_request(request, described)
        reply = operation.handler(call)
        response = _response(reply)
        self._judge_reply(request, described, response)
        if effect.edit_reply:
            response.set_data(json.dumps(effect.edit_reply(reply.body)))
        return response

    def _judge_request(self, request: Request, described: judge.DescribedRequest) -> None:
        fault = judge.fault_of_request(described)
        if fault:
            self.context.violations.append(f"{request.method} {request.path}: {fault}")
            raise invalid(f"Invalid request.\n\n{fault}")

    def _judge_reply(self, request: Request, described: judge.DescribedRequest, response: Response) -> None:
        fault = judge.fault_of_reply(described, response)
        if fault:
            self.context.violations.append(f"reply to {request.method} {request.path}: {fault}")
            raise ProblemError(500, f"the stand-in's own reply is not as GitHub describes it: {fault}")

    def _moved(self, request: Request, path: str, parameters: Mapping[str, str]) -> Response | None:
        """Renamed repositories answer with a redirect, as GitHub's do."""
        old = f"{parameters.get('owner', '')}/{parameters.get('repo', '')}"
        repository: Repository | None = self.context.state.renamed.get(old.lower())
        if repository is None:
            return None
        target = f"{self.context.shapes.repo_url(repository)}{path.partition(old)[2]}"
        status = 301 if request.method == "GET" else 307
        text = "Moved Permanently" if status == 301 else "Temporary Redirect"
        body = {"message": text, "url": target, "documentation_url": "https://docs.github.com/rest"}
        return Response(json.dumps(body), status, {"Location": target}, mimetype="application/json")


def _recorded_body(request: Request) -> Any:
    raw = request.get_data()
    try:
        return json.loads(raw) if raw else None
    except ValueError:
        return raw


def _count(installation: Installation) -> None:
    """Take one request from the hour's. Raises ProblemError 403 when none is left."""
    if time.time() >= installation.reset:
        installation.remaining, installation.reset = RATE_LIMIT, int(time.time()) + 3600
    if installation.remaining <= 0:
        raise ProblemError(403, f"API rate limit exceeded for installation ID {installation.id}.")
    installation.remaining -= 1


def _response(reply: Reply) -> Response:
    if reply.body is None:
        return Response(b"", reply.status, reply.headers)
    return Response(json.dumps(reply.body), reply.status, reply.headers, mimetype="application/json")


def _dress(request: Request, response: Response, caller: Caller) -> Response:
    """The headers of every reply, and 304 for what the client already has."""
    limits = rate(caller.token.installation if caller.token else None)
    for name in ("limit", "remaining", "used", "reset"):
        response.headers[f"X-RateLimit-{name.title()}"] = str(limits[name])
    response.headers["X-RateLimit-Resource"] = "core"
    response.headers["X-GitHub-Request-Id"] = ":".join(secrets.token_hex(2).upper() for _ in range(5))
    response.headers["X-GitHub-Media-Type"] = "github.v3; format=json"
    if response.status_code == 200:
        response.headers["ETag"] = f'W/"{hashlib.sha256(response.get_data()).hexdigest()}"'
        if request.method == "GET" and request.headers.get("If-None-Match") == response.headers["ETag"]:
            if caller.token:
                caller.token.installation.remaining += 1  # an answer that the client has already is free
            return Response(status=304, headers=response.headers)
    return response
