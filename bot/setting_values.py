"""Readers of single settings: text in, value out, ValueError with the reason when the text won't do."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

T = TypeVar("T")

DRIVERS = {"postgres": "postgresql+psycopg", "postgresql": "postgresql+psycopg", "sqlite": "sqlite"}
WORKER_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


class Reader:
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


def app_id(text: str) -> str:
    """The App's number, digits only."""
    if not text.isdigit():
        raise ValueError("must be the App's number, as its settings page shows it")
    return text


def secrets(text: str) -> tuple[str, ...]:
    """The comma-separated webhook secrets; several are accepted while one is being changed for another."""
    found = tuple(part.strip() for part in text.split(",") if part.strip())
    if not found:
        raise ValueError("holds no secret")
    return found


def url(text: str) -> str:
    """An http or https address, without a trailing slash."""
    parts = urlsplit(text)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError("must be an address that starts with https://")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise ValueError("must hold no user, password, query or fragment")
    return text.rstrip("/")


def database_url(text: str) -> str:
    """A SQLAlchemy address of SQLite or PostgreSQL, with the driver that the bot ships."""
    scheme, separator, rest = text.partition("://")
    driver = DRIVERS.get(scheme.partition("+")[0])
    if not separator or not driver:
        raise ValueError("must start with sqlite:/// or postgresql://")
    return f"{driver}://{rest}"


def whole(least: int, most: int) -> Callable[[str], int]:
    """Reads a whole number from ``least`` to ``most``."""

    def parse(text: str) -> int:
        if not re.fullmatch(r"[0-9]{1,9}", text) or not least <= int(text) <= most:
            raise ValueError(f"must be a whole number from {least} to {most}")
        return int(text)

    return parse


def one_of(names: tuple[str, ...], fold: Callable[[str], str]) -> Callable[[str], str]:
    """Reads one of ``names`` after ``fold`` made upper or lower case alike."""

    def parse(text: str) -> str:
        if fold(text) not in names:
            raise ValueError(f"must be one of {', '.join(names)}")
        return fold(text)

    return parse


def worker_name(text: str) -> str:
    """A name that can be a file's."""
    if not WORKER_NAME.fullmatch(text):
        raise ValueError("must be letters, digits, dots, underscores and hyphens")
    return text


def private_key(reader: Reader) -> str | None:
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
