"""The figures and patterns of ``hygiene.yaml``, read once."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache, lru_cache
from importlib import resources
from typing import Any

import yaml


@dataclass(frozen=True)
class FileSize:
    """Bytes beyond which GitHub refuses a file, and from which it warns."""

    refused: int
    large: int


@dataclass(frozen=True)
class Limits:
    """All of ``hygiene.yaml``; pairs of bytes are the least and the most."""

    file_size: FileSize
    lfs_bytes: tuple[int, int]
    pruned_bytes: tuple[int, int]
    reserved_names: frozenset[str]
    forbidden_characters: frozenset[str]
    junk_folders: frozenset[str]
    junk_files: tuple[str, ...]
    logs: tuple[str, ...]
    records: tuple[str, ...]
    detectors: dict[str, tuple[bytes, ...]]
    storage_keys: tuple[str, ...]
    password_keys: tuple[str, ...]
    harmless: frozenset[str]
    home_folders: tuple[str, ...]
    impersonal: frozenset[str]


@cache
def limits() -> Limits:
    """The data that the product ships."""
    text = (resources.files("checks.hygiene") / "hygiene.yaml").read_text(encoding="utf-8")
    data: dict[str, Any] = yaml.load(text, Loader=yaml.CSafeLoader)
    secrets = data["secrets"]
    return Limits(
        file_size=FileSize(**data["file_size"]),
        lfs_bytes=tuple(data["placeholder"]["lfs_bytes"]),
        pruned_bytes=tuple(data["placeholder"]["pruned_bytes"]),
        reserved_names=frozenset(name.casefold() for name in data["names"]["reserved"]),
        forbidden_characters=frozenset(data["names"]["forbidden"]),
        junk_folders=frozenset(data["junk"]["folders"]),
        junk_files=tuple(data["junk"]["files"]),
        logs=tuple(data["texts"]["logs"]),
        records=tuple(data["texts"]["records"]),
        detectors={name: tuple(mark.encode() for mark in marks) for name, marks in secrets["detectors"].items()},
        storage_keys=tuple(secrets["storage_keys"]),
        password_keys=tuple(secrets["password_keys"]),
        harmless=frozenset(secrets["harmless"]),
        home_folders=tuple(data["homes"]["folders"]),
        impersonal=frozenset(data["homes"]["impersonal"]),
    )


@lru_cache(maxsize=1 << 16)
def matches(name: str, patterns: tuple[str, ...]) -> bool:
    """Whether a name matches one of the fnmatch patterns, upper and lower case told apart."""
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def names_secret(name: str) -> bool:
    """Whether a parameter of that name holds a key, token or password, which no message may show."""
    bounds, plain = limits(), name.casefold()
    return any(key in plain for key in (*bounds.storage_keys, *bounds.password_keys))
