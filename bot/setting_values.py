"""Readers of single settings: text in, value out, ValueError with the reason when the text won't do."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar
from urllib.parse import SplitResult, urlsplit

from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

T = TypeVar("T")

DRIVERS = {"postgres": "postgresql+psycopg", "postgresql": "postgresql+psycopg", "sqlite": "sqlite"}
LONGEST_NAME = 255
"""Bytes of a check's name; GitHub states no limit for it, this is the one of an annotation's title."""

WORKER_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


class Reader:
    """Reads one setting at a time and remembers what was wrong, so that all faults are told at once."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment
        self.faults: list[str] = []

    def optional(self, name: str) -> str | None:
        """The setting, or None when absent or empty."""
        return self._environment.get(name) or None

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
    """The App's number as GitHub writes it: ASCII digits, no leading zero, so that it compares with the payloads'."""
    if not re.fullmatch(r"[1-9][0-9]{0,17}", text):
        raise ValueError("must be the App's number, as its settings page shows it")
    return text


def name(text: str) -> str:
    """A name that people read and JSON carries: one line of at most LONGEST_NAME bytes, without control characters."""
    if not text.isprintable():
        raise ValueError("must be one line of readable UTF-8 text")
    if len(text.encode()) > LONGEST_NAME:
        raise ValueError(f"must be at most {LONGEST_NAME} bytes")
    return text


def host(text: str) -> str:
    """A name or number of this machine, as far as its form can tell."""
    try:
        text.encode("idna")
    except UnicodeError as error:
        raise ValueError("must be an address or host name of this machine") from error
    return text


def folder(text: str) -> Path:
    """A folder, as an absolute path; it need not be there yet."""
    path = Path(text).absolute()
    if path.exists() and not path.is_dir():
        raise ValueError("must be a folder")
    return path


def secrets(text: str) -> tuple[str, ...]:
    """The comma-separated webhook secrets; several are accepted while one is being changed for another."""
    found = tuple(part.strip() for part in text.split(",") if part.strip())
    if not found:
        raise ValueError("holds no secret")
    if not text.isprintable():
        raise ValueError("must be readable UTF-8 text")
    return found


def url(text: str) -> str:
    """An http or https address, without a trailing slash."""
    parts = urlsplit(text)
    if parts.scheme not in {"http", "https"} or not parts.hostname or re.search(r"[^!-~]", text):
        raise ValueError("must be an address that starts with https://")
    if _port(parts) == 0:
        raise ValueError("must hold no port, or one from 1 to 65535")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise ValueError("must hold no user, password, query or fragment")
    return text.rstrip("/")


def _port(parts: SplitResult) -> int | None:
    """The port of an address; 0 for one that no address can have."""
    try:
        return parts.port
    except ValueError:
        return 0


def database_url(text: str) -> str:
    """A SQLAlchemy address of SQLite or PostgreSQL, with the driver that the bot ships. Its text holds a password, so
    no fault repeats any of it.
    """
    scheme, separator, rest = text.partition("://")
    driver = DRIVERS.get(scheme.partition("+")[0])
    if not separator or not driver:
        raise ValueError("must start with sqlite:/// or postgresql://")
    try:
        database = make_url(f"{driver}://{rest}").database
    except (ArgumentError, ValueError) as error:
        raise ValueError("must have the form postgresql://USER:PASSWORD@HOST:PORT/NAME") from error
    if driver == DRIVERS["sqlite"] and database in (None, "", ":memory:"):
        raise ValueError("must name a file, since what is stored has to outlast a restart")
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
    if reader.optional("PRIVATE_KEY"):
        return reader.read("PRIVATE_KEY", _pem)
    if reader.optional("PRIVATE_KEY_PATH"):
        return reader.read("PRIVATE_KEY_PATH", lambda text: _pem(_key_file(Path(text))))
    reader.faults.append("PRIVATE_KEY is not set, and PRIVATE_KEY_PATH neither")
    return None


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
