"""Settings: the environment (and `.env` in development) becomes one frozen object, or one line per wrong setting."""

from __future__ import annotations

import enum
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

from dotenv import dotenv_values

T = TypeVar("T")

DATABASE_FILE = "submission-bot.sqlite3"
"""Name of the SQLite file under DATA_DIR that holds deliveries, jobs and reports when DATABASE_URL is not set."""

MAX_PORT = 65535
LOG_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")
DRIVERS = {"postgres": "postgresql+psycopg", "postgresql": "postgresql+psycopg", "sqlite": "sqlite"}
WORKER_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


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
        given = {name: value for name, value in dotenv_values(dotenv).items() if value is not None} | given
    reader = _Reader({name: value.strip() for name, value in given.items()})
    settings = _read(reader)
    if reader.faults or settings is None:
        raise SettingsError(tuple(reader.faults))
    return settings


def _read(reader: _Reader) -> Settings | None:
    data_dir = Path(reader.text("DATA_DIR", "./data")).absolute()
    client_id = reader.optional("GITHUB_CLIENT_ID")
    values = {
        "app_id": reader.read("APP_ID", _app_id),
        "private_key": _private_key(reader),
        "webhook_secrets": reader.read("WEBHOOK_SECRET", _secrets),
        "github_api_url": reader.read("GITHUB_API_URL", _url, "https://api.github.com"),
        "github_server_url": reader.read("GITHUB_SERVER_URL", _url, "https://github.com"),
        "github_client_id": client_id,
        "github_client_secret": reader.required("GITHUB_CLIENT_SECRET") if client_id else None,
        "database_url": reader.read("DATABASE_URL", _database_url, f"sqlite:///{data_dir / DATABASE_FILE}"),
        "data_dir": data_dir,
        "host": reader.text("HOST", "127.0.0.1"),
        "port": reader.read("PORT", _whole(0, MAX_PORT), "3000"),
        "public_url": reader.read("PUBLIC_URL", _url) if reader.optional("PUBLIC_URL") else None,
        "check_name": reader.text("CHECK_NAME", "Submission checks"),
        "workers": reader.read("WORKERS", _whole(1, 64), "4"),
        "worker_name": reader.read("WORKER_NAME", _worker_name) if reader.optional("WORKER_NAME") else None,
        "reconcile_seconds": reader.read("RECONCILE_SECONDS", _whole(1, 86_400), "300"),
        "log_level": reader.read("LOG_LEVEL", _one_of(LOG_LEVELS, str.upper), "INFO"),
        "log_format": reader.read("LOG_FORMAT", LogFormat, "text"),
        "pages": reader.read("PAGES", _pages(client_id), "login" if client_id else "off"),
    }
    return None if reader.faults else Settings(**values)  # type: ignore[arg-type]  # each value has passed its own reader


class _Reader:
    """Reads one setting at a time and remembers what was wrong, so that all faults are told at once."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment
        self.faults: list[str] = []

    def optional(self, name: str) -> str | None:
        """The setting, or None when absent or empty."""
        return self._environment.get(name) or None

    def text(self, name: str, default: str) -> str:
        """The setting, or its default when absent or empty."""
        return self.optional(name) or default

    def required(self, name: str) -> str | None:
        """The setting; absent or empty is a fault."""
        return self.read(name, str)

    def read(self, name: str, parse: Callable[[str], T], default: str | None = None) -> T | None:
        """The parsed setting; a ValueError of ``parse`` is a fault whose text follows the setting's name."""
        text = self.optional(name) or default
        if text is None:
            self.faults.append(f"{name} is not set")
            return None
        try:
            return parse(text)
        except ValueError as error:
            self.faults.append(f"{name}: {error}")
            return None


def _app_id(text: str) -> str:
    if not text.isdigit():
        raise ValueError("must be the App's number, as its settings page shows it")
    return text


def _secrets(text: str) -> tuple[str, ...]:
    secrets = tuple(part.strip() for part in text.split(",") if part.strip())
    if not secrets:
        raise ValueError("holds no secret")
    return secrets


def _url(text: str) -> str:
    parts = urlsplit(text)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError("must be an address that starts with https://")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise ValueError("must hold no user, password, query or fragment")
    return text.rstrip("/")


def _database_url(text: str) -> str:
    scheme, separator, rest = text.partition("://")
    driver = DRIVERS.get(scheme.partition("+")[0])
    if not separator or not driver:
        raise ValueError("must start with sqlite:/// or postgresql://")
    return f"{driver}://{rest}"


def _whole(least: int, most: int) -> Callable[[str], int]:
    def parse(text: str) -> int:
        if not re.fullmatch(r"[0-9]{1,9}", text) or not least <= int(text) <= most:
            raise ValueError(f"must be a whole number from {least} to {most}")
        return int(text)

    return parse


def _one_of(names: tuple[str, ...], fold: Callable[[str], str]) -> Callable[[str], str]:
    def parse(text: str) -> str:
        if fold(text) not in names:
            raise ValueError(f"must be one of {', '.join(names)}")
        return fold(text)

    return parse


def _worker_name(text: str) -> str:
    if not WORKER_NAME.fullmatch(text):
        raise ValueError("must be letters, digits, dots, underscores and hyphens")
    return text


def _pages(client_id: str | None) -> Callable[[str], Pages]:
    def parse(text: str) -> Pages:
        pages = Pages(_one_of(tuple(Pages), str.lower)(text))
        if pages is Pages.LOGIN and not client_id:
            raise ValueError("login needs GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET")
        return pages

    return parse


def _private_key(reader: _Reader) -> str | None:
    """The App's key as PEM, from PRIVATE_KEY (newlines may be written ``\\n``) or the file PRIVATE_KEY_PATH."""
    path = reader.optional("PRIVATE_KEY_PATH")
    if reader.optional("PRIVATE_KEY") or not path:
        return reader.read("PRIVATE_KEY", _pem)
    return reader.read("PRIVATE_KEY_PATH", lambda text: _pem(_key_file(Path(text))))


def _key_file(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise ValueError(f"cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise ValueError("is not a text file") from error


def _pem(text: str) -> str:
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    pem = text.replace("\\n", "\n")
    try:
        key = load_pem_private_key(pem.encode(), password=None)
    except (ValueError, TypeError) as error:
        raise ValueError("is no private key in PEM form (-----BEGIN RSA PRIVATE KEY-----)") from error
    if not isinstance(key, RSAPrivateKey):
        raise ValueError("must be the App's RSA key")
    return pem
