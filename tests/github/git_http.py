"""Git over smart HTTP: `git http-backend` as a CGI program, with GitHub's refusals in front of it.

https://git-scm.com/docs/git-http-backend, https://git-scm.com/docs/http-protocol
"""

import os
import re
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO

from werkzeug import Request, Response

from tests.github.auth import basic_password, demand, demand_token, valid_token

from tests.github.auth import Caller  # isort: skip
from tests.github.problem import ProblemError
from tests.github.records import Repository
from tests.github.state import State

PATH = re.compile(r"/(?P<owner>[^/]+)/(?P<name>[^/]+?)(\.git)?/(?P<rest>info/refs|git-upload-pack|git-receive-pack)")
CHUNK = 65_536
# Partial clone and fetches by any object id, as github.com allows.
SERVER_CONFIG = {
    "uploadpack.allowFilter": "true",
    "uploadpack.allowAnySHA1InWant": "true",
    "uploadpack.allowReachableSHA1InWant": "true",
    "http.receivepack": "false",
}


@dataclass
class GitRequest:
    """One git request as it was answered; `bytes_in` and `bytes_out` count the bodies as they went over the wire.

    `encoding` is how the request's body came: `gzip`, `chunked` or nothing.
    """

    method: str
    path: str
    service: str
    protocol: str
    encoding: str = ""
    auth: str = "nobody"
    status: int = 0
    bytes_in: int = 0
    bytes_out: int = 0
    fault: bool = False


class GitHttp:
    """Answers clones and fetches; pushes are refused."""

    def __init__(self, state: State) -> None:
        self.state = state

    def answer(self, request: Request, record: GitRequest) -> Response:
        """Run the backend for one request and stream what it gives."""
        found = PATH.fullmatch(request.path)
        assert found is not None
        try:
            repository = self._allowed(request, found["owner"], found["name"], record)
        except ProblemError as problem:
            return _refusal(problem)
        if "receive-pack" in record.service:
            return _refusal(ProblemError(403, "Write access to repository not granted."))
        renamed = repository.full_name.lower() != f"{found['owner']}/{found['name']}".lower()
        if renamed:
            target = f"{request.host_url}{repository.full_name}.git/{found['rest']}?{request.query_string.decode()}"
            return Response(status=301, headers={"Location": target})
        return _run(request, repository, found["rest"], record)

    def _allowed(self, request: Request, owner: str, name: str, record: GitRequest) -> Repository:
        full_name = f"{owner}/{name}"
        repository = self.state.repository(full_name) or self.state.renamed.get(full_name.lower())
        header = request.headers.get("Authorization")
        record.auth = "installation" if header else "nobody"
        if header is None:
            if repository is None or repository.private:
                raise ProblemError(401, "Repository not found.")
            return repository
        token = demand_token(Caller(token=valid_token(self.state, basic_password(header))))
        if repository is None:
            raise ProblemError(404, "Repository not found.")
        demand(token, repository, {"contents": "read"})
        return repository


def record_of(request: Request) -> GitRequest | None:
    """The record of a git request; None when the path is none of git's."""
    found = PATH.fullmatch(request.path)
    if found is None:
        return None
    service = request.args.get("service", "") if found["rest"] == "info/refs" else found["rest"]
    encoding = request.headers.get("Content-Encoding") or request.headers.get("Transfer-Encoding", "")
    return GitRequest(request.method, request.path, service, request.headers.get("Git-Protocol", ""), encoding)


def _refusal(problem: ProblemError) -> Response:
    headers = {"WWW-Authenticate": 'Basic realm="GitHub"'} if problem.status == 401 else {}
    return Response(f"{problem}\n", problem.status, headers, mimetype="text/plain")


def _run(request: Request, repository: Repository, rest: str, record: GitRequest) -> Response:
    with tempfile.TemporaryFile() as body:
        while chunk := request.stream.read(CHUNK):
            body.write(chunk)
        record.bytes_in = body.tell()
        body.seek(0)
        process = subprocess.Popen(
            ["git", "http-backend"], stdin=body, stdout=subprocess.PIPE, env=_environment(request, repository, rest)
        )
    assert process.stdout is not None
    status, headers = _cgi_headers(process.stdout)
    return Response(_stream(process, process.stdout, record), status, headers)


def _environment(request: Request, repository: Repository, rest: str) -> dict[str, str]:
    root = repository.git.path.resolve()
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(root.parent),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_PROJECT_ROOT": str(root),
        "GIT_HTTP_EXPORT_ALL": "1",
        "PATH_INFO": f"/{rest}",
        "REQUEST_METHOD": request.method,
        "QUERY_STRING": request.query_string.decode(),
        "CONTENT_TYPE": request.content_type or "",
        "REMOTE_ADDR": request.remote_addr or "",
        "HTTP_CONTENT_ENCODING": request.headers.get("Content-Encoding", ""),
        "GIT_PROTOCOL": request.headers.get("Git-Protocol", ""),
        "GIT_CONFIG_COUNT": str(len(SERVER_CONFIG)),
    }
    for number, (key, value) in enumerate(SERVER_CONFIG.items()):
        environment |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    return environment


def _cgi_headers(output: IO[bytes]) -> tuple[int, list[tuple[str, str]]]:
    status, headers = 200, []
    while line := output.readline().strip():
        name, _, value = line.decode("latin-1").partition(": ")
        if name == "Status":
            status = int(value.split()[0])
        else:
            headers.append((name, value))
    return status, headers


def _stream(process: subprocess.Popen[bytes], output: IO[bytes], record: GitRequest) -> Iterator[bytes]:
    try:
        while chunk := output.read1(CHUNK):  # type: ignore[attr-defined]
            record.bytes_out += len(chunk)
            yield chunk
    finally:
        process.kill()
        output.close()
        process.wait()
