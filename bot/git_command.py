"""Runs git for the mirrors: no configuration but ours, no prompt, no hook, no helper left behind, all within bounds.

What a pull request holds never becomes an option, an address or a name here; callers pass tested object ids only. The
token travels in the environment of the one command, so neither the process list nor the disk ever shows it.
https://git-scm.com/docs/git-config (GIT_CONFIG_COUNT), https://git-scm.com/docs/git (environment variables)
"""

from __future__ import annotations

import base64
import os
import signal
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from git import Git

from bot.logs import redacted

BLOCK_BYTES = 512  # of ulimit -f, https://pubs.opengroup.org/onlinepubs/9799919799/utilities/ulimit.html
ERROR_CHARACTERS = 2000

LAUNCHER = (
    'ulimit -f "$1" && shift && '
    "unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_COMMON_DIR GIT_NAMESPACE GIT_OBJECT_DIRECTORY "
    "GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_CONFIG_PARAMETERS GIT_SSL_NO_VERIFY GIT_SSH_COMMAND GIT_PROXY_COMMAND "
    "GIT_ASKPASS SSH_ASKPASS GIT_TRACE_CURL GIT_TRACE_CURL_NO_DATA GIT_TRACE_REDACT "
    "PRIVATE_KEY WEBHOOK_SECRET GITHUB_CLIENT_SECRET DATABASE_URL && "
    'exec git "$@"'
)
"""A fixed shell script: bounds the size of any file that git writes and drops what git must not inherit."""

OLD_COMMIT_FAULTS = (
    "badDate",
    "badDateOverflow",
    "badTimezone",
    "missingEmail",
    "missingSpaceBeforeDate",
    "zeroPaddedDate",
)
"""Faults of a commit's header that old histories really have, and that do no harm (git-fsck, "FSCK MESSAGES")."""

CONFIG: Mapping[str, str] = {
    "core.hooksPath": "/dev/null",
    "core.symlinks": "false",
    "transfer.fsckObjects": "true",
    "fetch.fsckObjects": "true",
    "fetch.recurseSubmodules": "false",
    "gc.auto": "0",
    "maintenance.auto": "false",
    "protocol.version": "2",
    "http.followRedirects": "false",
    "http.lowSpeedLimit": "1000",  # bytes a second, below which for lowSpeedTime seconds a transfer ends
    "http.lowSpeedTime": "20",
    "credential.helper": "",
    **{f"fetch.fsck.{fault}": "warn" for fault in OLD_COMMIT_FAULTS},
}
"""In force for every command, whatever the mirror's own file says."""


class GitError(Exception):
    """git ended with ``status`` (None: it was killed after its time) and said ``text``, without secrets."""

    def __init__(self, status: int | None, text: str) -> None:
        super().__init__(text)
        self.status = status
        self.text = text


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What is the same for all commands on one server: its address, an empty folder as HOME, the protocol allowed."""

    server_url: str
    home: Path

    def environment(self, token: str | None) -> dict[str, str]:
        """The variables that make git safe, with the credentials for this server alone when there is a ``token``."""
        config = dict(CONFIG)
        if token is not None:
            basic = base64.b64encode(f"x-access-token:{token}".encode()).decode()
            config[f"http.{self.server_url}/.extraHeader"] = f"AUTHORIZATION: basic {basic}"
        variables = {
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_TERMINAL_PROMPT": "0",
            "GIT_NO_LAZY_FETCH": "1",
            "GIT_NO_REPLACE_OBJECTS": "1",
            "GIT_OPTIONAL_LOCKS": "0",
            "GIT_ALLOW_PROTOCOL": self.server_url.partition(":")[0],
            "HOME": str(self.home),
            "XDG_CONFIG_HOME": str(self.home),
            "GIT_CONFIG_COUNT": str(len(config)),
        }
        for number, (key, value) in enumerate(config.items()):
            variables |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
        return variables


def run(
    surroundings: Surroundings,
    arguments: Sequence[str],
    *,
    timeout: float,
    largest_file: int,
    token: str | None = None,
    stdin: bytes = b"",
) -> str:
    """Runs ``git`` with ``arguments``, gives its stderr. Raises GitError; then no process of it is left.

    ``timeout`` in seconds; ``largest_file`` in bytes bounds every file that git writes.
    """
    surroundings.home.mkdir(parents=True, exist_ok=True)
    command = ["sh", "-c", LAUNCHER, "sh", str(max(1, largest_file // BLOCK_BYTES)), *arguments]
    git = Git(str(surroundings.home))
    git.update_environment(**surroundings.environment(token))
    with tempfile.TemporaryFile() as given:
        given.write(stdin)
        given.seek(0)
        # GitPython kills the process when the last reference to it goes, hence the name.
        running = git.execute(command, istream=given, as_process=True, start_new_session=True)
        assert running.proc is not None
        status, text = _finished(running.proc, timeout)
    if status != 0:
        raise GitError(status, redacted(text)[-ERROR_CHARACTERS:].strip())
    return text


def _finished(process: subprocess.Popen[bytes], timeout: float) -> tuple[int | None, str]:
    """Waits for the end; beyond ``timeout`` kills git and all its helpers, which share a process group of their own."""
    try:
        errors = process.communicate(timeout=timeout)[1]
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return None, f"git was stopped after {timeout:.0f} seconds"
    except BaseException:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        raise
    return process.returncode, errors.decode("utf-8", "replace")
