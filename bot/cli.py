"""The program `submission-bot`. Commands import what they need when they run, so that each starts quickly."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from bot import __version__
from bot.commands.check import check
from bot.commands.config import config
from bot.commands.output import need_git
from bot.commands.rules import rules

if TYPE_CHECKING:
    from bot.settings import Settings

FAILED = 1
CANNOT_WORK = 2
"""Exit codes beside 0: something was found that has to be mended; the command itself could not do its work."""

HTTP_REFUSED = 400


class Program(click.Group):
    """Ends with exit code 2 when a command is stopped or breaks: 1 would say that it found something."""

    def invoke(self, ctx: click.Context) -> Any:
        """Runs the command."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            _stop("interrupted")
        except (click.ClickException, click.Abort, click.exceptions.Exit):
            raise
        except Exception:
            traceback.print_exc()
            _stop("the program itself failed, through no fault of what was checked; please report the lines above")


@click.group(cls=Program, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="submission-bot")
def main() -> None:
    """Checks MLPerf Storage and Endpoints submissions, on the command line and as a GitHub App."""


main.add_command(check)
main.add_command(rules)
main.add_command(config)


@main.command(short_help="Run the service: webhooks, pages and workers.")
@click.option("--no-workers", is_flag=True, help="Only take webhooks and show pages; run `worker` for the jobs.")
def serve(no_workers: bool) -> None:
    """Run the service: webhooks, pages and, unless told otherwise, the workers."""
    settings = _ready()
    from bot.serve import serve as run

    with _stopping_on_faults(settings):
        run(settings, with_workers=not no_workers)


@main.command()
def worker() -> None:
    """Run workers only: on several machines with one shared database."""
    settings = _ready()
    from bot.serve import work

    with _stopping_on_faults(settings):
        work(settings)


@main.command()
def doctor() -> None:
    """Test settings, App, database and folders, and say what to mend."""
    settings = _settings()
    from bot.doctor import examine

    if examine(settings, click.echo):
        sys.exit(FAILED)


@main.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--url", default="http://127.0.0.1:3000", show_default=True, help="Address of the service.")
@click.option("--event", help="Event of the payloads; by default known from their names or content.")
@click.option("--secret", envvar="WEBHOOK_SECRET", required=True, help="Secret to sign with (WEBHOOK_SECRET).")
def replay(files: tuple[Path, ...], url: str, event: str | None, secret: str) -> None:
    """Sign stored webhook payloads and send them to a running service."""
    import requests

    from bot.replay import event_of, read, send

    refused = False
    for path in files:
        try:
            body, payload = read(path)
            name = event or event_of(path, payload)
            status, text = send(url, secret.split(",", maxsplit=1)[0].strip(), name, body)
        except requests.RequestException as error:
            _stop(f"{url}: no answer ({type(error).__name__}); start the service there, or name another one with --url")
        except (OSError, ValueError) as error:
            _stop(str(error))
        click.echo(f"{path}: {name}: {status} {text}")
        refused = refused or status >= HTTP_REFUSED
    if refused:
        sys.exit(FAILED)


def _settings() -> Settings:
    """The settings; wrong or missing ones stop the program with a line for each."""
    from bot.settings import SettingsError, load

    need_git()
    try:
        return load()
    except SettingsError as error:
        _stop(*error.faults)


def _ready() -> Settings:
    """The settings, with the log set up by them."""
    from bot import logs

    settings = _settings()
    logs.configure(settings)
    return settings


@contextmanager
def _stopping_on_faults(settings: Settings) -> Iterator[None]:
    """Turns what an operator can mend into one line and exit code 2, without a traceback."""
    from sqlalchemy.exc import SQLAlchemyError

    from bot.workers import NameTakenError

    try:
        yield
    except NameTakenError as error:
        _stop(f"WORKER_NAME: {error}")
    except SQLAlchemyError as error:
        _stop(f"DATABASE_URL: the database can't be used: {str(error).splitlines()[0]}")
    except OSError as error:
        if error.filename is None:
            _stop(f"HOST, PORT: {error.strerror or error}")
        path, folder = Path(error.filename), settings.data_dir
        named = "DATA_DIR: " if path.is_relative_to(folder) or folder.is_relative_to(path) else ""
        _stop(f"{named}{path}: {error.strerror}")


def _stop(*lines: str) -> NoReturn:
    for line in lines:
        click.echo(f"submission-bot: {line}", err=True)
    sys.exit(CANNOT_WORK)


if __name__ == "__main__":
    main()
