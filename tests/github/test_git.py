"""Git itself as the client: clones, fetches by id, credentials, faults on the way."""

import base64
import os
import subprocess
from pathlib import Path

import pytest

from tests.github import GitHub, effects
from tests.github.records import PullRequest, Repository


class Git:
    """Runs git in a folder with a token given by environment, as the bot gives it."""

    def __init__(self, github: GitHub, folder: Path, token: str | None) -> None:
        self.folder = folder
        self.environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "GIT_TERMINAL_PROMPT": "0"}
        self.environment |= {"GIT_CONFIG_NOSYSTEM": "1", "NO_PROXY": "127.0.0.1", "GIT_NO_LAZY_FETCH": "1"}
        if token:
            basic = base64.b64encode(f"x-access-token:{token}".encode()).decode()
            self.environment |= {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": f"http.{github.url}/.extraHeader"}
            self.environment["GIT_CONFIG_VALUE_0"] = f"AUTHORIZATION: basic {basic}"

    def __call__(self, *arguments: str, stdin: str = "", fails: bool = False) -> str:
        done = subprocess.run(
            ["git", *arguments], cwd=self.folder, env=self.environment, input=stdin, capture_output=True, text=True,
            timeout=30, check=False,
        )  # fmt: skip
        assert (done.returncode != 0) == fails, done.stderr
        return done.stderr if fails else done.stdout


@pytest.fixture
def git(github: GitHub, repository: Repository, tmp_path: Path) -> Git:
    return Git(github, tmp_path, github.token(repository))


@pytest.fixture
def address(github: GitHub, repository: Repository) -> str:
    return f"{github.url}/{repository.full_name}.git"


@pytest.fixture
def mirror(git: Git, address: str) -> Git:
    git("clone", "-q", "--bare", "--single-branch", "--filter=blob:none", address, "mirror")
    git.folder /= "mirror"
    return git


def test_partial_clone_leaves_blobs_out(mirror: Git) -> None:
    missing = mirror("rev-list", "--objects", "--all", "--missing=print")
    assert sum(line.startswith("?") for line in missing.splitlines()) == 1


def test_fetch_by_id_and_missing_blobs_in_one_go(github: GitHub, mirror: Git, pull: PullRequest) -> None:
    github.clear_requests()
    mirror("fetch", "-q", "--no-tags", "--filter=blob:limit=5m", "origin", f"+{pull.head_sha}:refs/prs/1")
    assert mirror("show", "refs/prs/1:closed/Acme/systems/B.yaml") == "name: B\n"
    old = mirror("rev-parse", f"{pull.base_sha}:closed/Acme/systems/A.yaml")
    options = ["-c", "fetch.negotiationAlgorithm=noop"]
    mirror(*options, "fetch", "-q", "--no-tags", "--filter=blob:none", "origin", "--stdin", stdin=old)
    assert mirror("cat-file", "blob", old.strip()) == "name: A\n"
    assert {one.service for one in github.git_requests} == {"git-upload-pack"}
    assert all(one.status == 200 and one.protocol == "version=2" for one in github.git_requests)
    posts = [one for one in github.git_requests if one.method == "POST"]
    assert all(one.bytes_in and one.bytes_out for one in posts)


def test_pull_references_are_as_githubs(github: GitHub, mirror: Git, pull: PullRequest) -> None:
    listed = {line.split()[1]: line.split()[0] for line in mirror("ls-remote", "origin").splitlines()}
    assert listed["refs/pull/1/head"] == pull.head_sha
    assert listed["refs/pull/1/merge"] == pull.merge_sha
    mirror("fetch", "-q", "origin", "refs/pull/1/merge:refs/m")
    assert mirror("rev-parse", "refs/m^1", "refs/m^2").split() == [pull.base_sha, pull.head_sha]


def test_conflicts_and_unrelated_histories_have_no_merge_reference(github: GitHub, repository: Repository) -> None:
    name, base = "closed/Acme/systems/A.yaml", repository.git.ref("refs/heads/main")
    conflicting = repository.git.commit({name: b"theirs\n"}, base=base)
    repository.git.commit({name: b"ours\n"}, base=base, branch="main")
    unrelated = repository.git.commit({"a": b"1"})
    for head in (conflicting, unrelated):
        pull = github.open_pull_request(repository, head, send=False)
        assert (pull.mergeable, pull.merge_sha) == (False, None)
        assert repository.git.ref(f"refs/pull/{pull.number}/merge") is None


@pytest.mark.parametrize(("buffer", "encoding"), [("1048576", "gzip"), ("70000", "chunked")])
def test_big_requests_come_compressed_or_in_chunks(
    github: GitHub, mirror: Git, repository: Repository, buffer: str, encoding: str
) -> None:
    blobs = {f"many/{number}": b"%d" % number for number in range(3000)}
    head = repository.git.commit(blobs, base=repository.git.ref("refs/heads/main"))
    mirror("fetch", "-q", "--no-tags", "--filter=blob:none", "origin", f"+{head}:refs/prs/9")
    wanted = mirror("ls-tree", "-r", "--format=%(objectname)", head, "many/")
    github.clear_requests()
    options = ["-c", "fetch.negotiationAlgorithm=noop", "-c", f"http.postBuffer={buffer}"]
    mirror(*options, "fetch", "-q", "--no-tags", "--filter=blob:none", "origin", "--stdin", stdin=wanted)
    assert mirror("cat-file", "-p", f"{head}:many/2999") == "2999"
    assert encoding in {one.encoding for one in github.git_requests if one.bytes_in > 50_000}


def test_private_repositories_ask_for_credentials(
    github: GitHub, repository: Repository, address: str, tmp_path: Path
) -> None:
    refused = Git(github, tmp_path, None)("ls-remote", address, fails=True)
    assert "could not read Username" in refused
    assert [(one.status, one.auth) for one in github.git_requests] == [(401, "nobody")]
    github.expire_tokens()
    lapsed = Git(github, tmp_path, "ghs_lapsed")("ls-remote", address, fails=True)
    assert "Authentication failed" in lapsed or "could not read Username" in lapsed


def test_public_repositories_do_not(github: GitHub, tmp_path: Path) -> None:
    github.add_repository("octo-org/open", private=False)
    assert "refs/heads/main" in Git(github, tmp_path, None)("ls-remote", f"{github.url}/octo-org/open.git")


def test_tokens_open_only_their_repositories(github: GitHub, git: Git) -> None:
    github.add_repository("octo-org/closed", install=False)
    assert "not found" in git("ls-remote", f"{github.url}/octo-org/closed.git", fails=True)
    del github.installation_on("octo-org").permissions["contents"]
    repository = github.state.repository("octo-org/submissions")
    assert repository is not None
    narrow = Git(github, git.folder, github.token(repository))
    assert "403" in narrow("ls-remote", f"{github.url}/octo-org/submissions.git", fails=True)


def test_pushes_are_refused(mirror: Git) -> None:
    assert "403" in mirror("push", "origin", "main:refs/heads/other", fails=True)


def test_renamed_repository_redirects(github: GitHub, git: Git, repository: Repository, address: str) -> None:
    github.rename(repository, "results", send=False)
    assert "refs/heads/main" in git("ls-remote", address)
    assert github.git_requests[0].status == 301


@pytest.mark.parametrize(
    ("effect", "text"),
    [
        (effects.unavailable(), "503"),
        (effects.dropped(), "Empty reply|disconnected|Recv failure|reset"),
        (effects.truncated(30), "early EOF|unexpected disconnect|RPC failed|expected"),
        (effects.wrong_content(), "protocol error|bad line length|expected|fatal"),
    ],
)
def test_faults_reach_git(github: GitHub, mirror: Git, pull: PullRequest, effect: effects.Effect, text: str) -> None:
    github.faults.add("POST", r"/git-upload-pack$", effect)
    refspec = f"+{pull.head_sha}:refs/prs/1"
    failed = mirror("fetch", "-q", "origin", refspec, fails=True)
    assert any(word in failed for word in text.split("|")), failed
    mirror("fetch", "-q", "origin", refspec)
    assert github.faults.pending == 0


def test_hanging_server_is_given_up(github: GitHub, mirror: Git, pull: PullRequest) -> None:
    github.faults.add(path="/info/refs$", delay=60)
    options = ["-c", "http.lowSpeedLimit=1000", "-c", "http.lowSpeedTime=1"]
    failed = mirror(*options, "fetch", "-q", "origin", pull.head_sha, fails=True)
    assert "Operation too slow" in failed
