"""Settings: the environment (and `.env` in development) becomes one frozen object, or one line per wrong setting."""

from __future__ import annotations

import enum
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from dotenv import dotenv_values

from bot.setting_values import (
    Reader,
    app_id,
    database_url,
    folder,
    host,
    name,
    one_of,
    private_key,
    secrets,
    url,
    whole,
    worker_name,
)

DATABASE_FILE = "submission-bot.sqlite3"
"""Name of the SQLite file under DATA_DIR that holds deliveries, jobs and reports when DATABASE_URL is not set."""

MAX_PORT = 65535
LOG_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")


class Pages(enum.StrEnum):
    """Who may read a repository's pages: people who can read the repository, nobody, or everybody."""

    LOGIN = "login"
    OFF = "off"
    OPEN = "open"


class LogFormat(enum.StrEnum):
    """How a line of the log is written."""

    TEXT = "text"
    JSON = "json"


class SettingsError(Exception):
    """Settings that are wrong or missing; ``faults`` holds one line for each, naming the setting."""

    def __init__(self, faults: tuple[str, ...]) -> None:
        super().__init__("; ".join(faults))
        self.faults = faults


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that an operator decides, named as in the environment; repr shows no secret."""

    app_id: str
    private_key: str = field(repr=False)
    webhook_secrets: tuple[str, ...] = field(repr=False)
    github_api_url: str
    github_server_url: str
    github_client_id: str | None
    github_client_secret: str | None = field(repr=False)
    database_url: str = field(repr=False)
    data_dir: Path
    host: str
    port: int
    public_url: str | None
    check_name: str
    workers: int
    worker_name: str | None
    reconcile_seconds: int
    log_level: str
    log_format: LogFormat
    pages: Pages

    @property
    def mirrors_dir(self) -> Path:
        """Where the bare partial clones lie, one folder per repository."""
        return self.data_dir / "mirrors"

    @property
    def base_url(self) -> str:
        """Address under which people reach the pages, without a trailing slash."""
        return self.public_url or f"http://{self.host}:{self.port}"


def load(environment: Mapping[str, str] | None = None, dotenv: Path | None = Path(".env")) -> Settings:
    """Reads ``environment`` (default: the process's), completed by the file ``dotenv`` where that exists.

    Raises SettingsError naming every wrong or missing setting.
    """
    given = dict(os.environ if environment is None else environment)
    if dotenv and dotenv.is_file():
        given = _of_file(dotenv) | given
    reader = Reader({key: value.strip() for key, value in given.items()})
    settings = _read(reader)
    if reader.faults or settings is None:
        raise SettingsError(tuple(reader.faults))
    return settings


def _of_file(dotenv: Path) -> dict[str, str]:
    try:
        return {key: value for key, value in dotenv_values(dotenv).items() if value is not None}
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError((f"{dotenv} can't be read as UTF-8 text",)) from error


def _read(reader: Reader) -> Settings | None:
    data_dir = reader.read("DATA_DIR", folder, "./data")
    client_id = reader.optional("GITHUB_CLIENT_ID")
    values = {
        "app_id": reader.read("APP_ID", app_id),
        "private_key": private_key(reader),
        "webhook_secrets": reader.read("WEBHOOK_SECRET", secrets),
        "github_api_url": reader.read("GITHUB_API_URL", url, "https://api.github.com"),
        "github_server_url": reader.read("GITHUB_SERVER_URL", url, "https://github.com"),
        "github_client_id": client_id,
        "github_client_secret": reader.required("GITHUB_CLIENT_SECRET") if client_id else None,
        "database_url": reader.read("DATABASE_URL", database_url, f"sqlite:///{data_dir}/{DATABASE_FILE}"),
        "data_dir": data_dir,
        "host": reader.read("HOST", host, "127.0.0.1"),
        "port": reader.read("PORT", whole(0, MAX_PORT), "3000"),
        "public_url": reader.read("PUBLIC_URL", url) if reader.optional("PUBLIC_URL") else None,
        "check_name": reader.read("CHECK_NAME", name, "Submission checks"),
        "workers": reader.read("WORKERS", whole(1, 64), "4"),
        "worker_name": reader.read("WORKER_NAME", worker_name) if reader.optional("WORKER_NAME") else None,
        "reconcile_seconds": reader.read("RECONCILE_SECONDS", whole(1, 86_400), "300"),
        "log_level": reader.read("LOG_LEVEL", one_of(LOG_LEVELS, str.upper), "INFO"),
        "log_format": reader.read("LOG_FORMAT", LogFormat, "text"),
        "pages": reader.read("PAGES", _pages(client_id), "login" if client_id else "off"),
    }
    return None if reader.faults else Settings(**values)  # type: ignore[arg-type]  # each value has passed its own reader


def _pages(client_id: str | None) -> Callable[[str], Pages]:
    def parse(text: str) -> Pages:
        pages = Pages(one_of(tuple(Pages), str.lower)(text))
        if pages is Pages.LOGIN and not client_id:
            raise ValueError("login needs GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET")
        return pages

    return parse
