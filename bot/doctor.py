"""`doctor`: tests settings, App, database and folders, and says what to mend."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sqlalchemy.exc import SQLAlchemyError

from bot import __version__
from bot.diagnosis import Ailment, ailments_of_app
from bot.github import GitHub
from bot.mirror import folder_fault
from bot.settings import Settings
from bot.store import Store
from bot.workers import alive


def examine(settings: Settings, say: Callable[[str], None]) -> int:
    """Says what is well and what is not, a line each; returns how many things are not."""
    say(f"submission-bot {__version__}")
    found = 0
    examinations = {"mirror folder": _folder, "database": _database, "workers": _workers, "GitHub App": _app}
    for name, look in examinations.items():
        ailments = list(look(settings))
        found += len(ailments)
        if not ailments:
            say(f"ok    {name}")
        for ailment in ailments:
            say(f"FAULT {name}: {ailment.what}. {ailment.remedy}")
    return found


def _folder(settings: Settings) -> Iterator[Ailment]:
    if fault := folder_fault(settings):
        yield Ailment(fault, "")


def _database(settings: Settings) -> Iterator[Ailment]:
    try:
        store = Store(settings.database_url)
    except (SQLAlchemyError, OSError) as error:
        kind = str(error).splitlines()[0]
        yield Ailment(f"it can't be opened ({kind})", "Look at DATABASE_URL, or at DATA_DIR when that is not set.")
        return
    store.close()


def _workers(settings: Settings) -> Iterator[Ailment]:
    try:
        store = Store(settings.database_url)
        living = alive(store)
        store.close()
    except (SQLAlchemyError, OSError):
        return
    if not living:
        yield Ailment(
            "none lives", "Start `submission-bot serve`, or `submission-bot worker` beside `serve --no-workers`."
        )


def _app(settings: Settings) -> Iterator[Ailment]:
    github = GitHub(settings)
    try:
        yield from ailments_of_app(github)
    finally:
        github.close()
