"""How commands write and end: exit code 2, never 0 or 1, where their work or their output got lost."""

from __future__ import annotations

import os
import shutil
import sys
from typing import NoReturn

import click

from checks import names

UNABLE = 2
"""Exit code: the command could not do its work."""


def unable(message: str) -> NoReturn:
    """Ends the command with exit code 2 and one line on standard error."""
    click.echo(f"submission-bot: {names.shown(message)}", err=True)
    sys.exit(UNABLE)


def need_git() -> None:
    """Ends the command where there is no git: the library that runs it can't even be imported then."""
    if shutil.which("git") is None:
        unable("git is needed and not found on PATH; install it")


def write(text: str) -> None:
    """Writes ``text`` to standard output as UTF-8; where that can't take it all, the command ends."""
    if sys.stdout is None:
        unable("standard output is closed; nothing was written")
    try:
        sys.stdout.buffer.write(text.encode("utf-8"))
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        # The reader has seen enough (`| head`) and needs no message.
        _drop_the_rest()
        sys.exit(UNABLE)
    except OSError as error:
        _drop_the_rest()
        unable(f"standard output can't be written: {error.strerror}")


def _drop_the_rest() -> None:
    """Lets Python throw away at its end what is still buffered, instead of failing once more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
