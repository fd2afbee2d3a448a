"""What is wrong with the shape of one system_desc.json (rules 8.2), beyond what its schema can say in plain words."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from datetime import date
from typing import Any, Final

from checks.documents import described
from checks.endpoints.document_faults import DocumentFault
from checks.endpoints.tables import EditionTables
from checks.endpoints.values import text
from checks.json_schema import compiled, faults, quick
from checks.units import did_you_mean, listed

SCHEMA: Final = ("checks.endpoints", "system_desc")

_STATUS: Final = "system_availability_status"
_LEGACY_STATUS: Final = ("publication_status", "availability_status")
_PROCESSORS: Final = ("host_processor_core_count", "host_processor_vcpu_count")


def description_faults(description: Any, tables: EditionTables) -> Iterator[DocumentFault]:
    """Every fault of a parsed description, whatever a JSON parser returned."""
    if not quick(*SCHEMA)(description):
        for fault in faults(compiled(*SCHEMA), description, one_top_key=False):
            yield DocumentFault(fault.pointer, fault.message, fault.hint)
    if isinstance(description, dict):
        yield from _availability(description, tables.vocabulary["availability"])
        yield from _processors(description.get("node_types"))


def _availability(description: Mapping[str, Any], words: Collection[str]) -> Iterator[DocumentFault]:
    stated = {key: description[key] for key in (_STATUS, *_LEGACY_STATUS) if description.get(key) is not None}
    if not stated:
        yield DocumentFault("", f"`{_STATUS}` is missing.", f"State it: {listed(sorted(words))}.")
        return
    key, status = next(iter(stated.items()))
    plain = {value.strip().casefold() if isinstance(value, str) else described(value) for value in stated.values()}
    if len(plain) > 1:
        message = f"{listed(stated)} say different things: {listed(map(described, stated.values()))}."
        yield DocumentFault(f"/{key}", message, f"Keep `{_STATUS}` only.")
        return
    known = {word.casefold(): word for word in words}
    word = known.get(status.strip().casefold()) if isinstance(status, str) else None
    if word is None:
        meant = did_you_mean(status, words) if isinstance(status, str) else ""
        message = f"`{key}` is {described(status)}; allowed are {listed(sorted(words))}."
        yield DocumentFault(f"/{key}", message, f"Use one of the words.{meant}")
    elif word == "Available" and text(description.get("availability_url")) is None:
        message = "The system is Available, but `availability_url` is missing."
        yield DocumentFault(f"/{key}", message, "Give the address at which it can be bought or used.")
    elif word == "Preview":
        yield from _target_date(description.get("target_availability_date"), key)


def _target_date(value: object, status_key: str) -> Iterator[DocumentFault]:
    hint = "Give the date as YYYY-MM-DD."
    if value is None:
        message = "The system is in Preview, but `target_availability_date` is missing."
        yield DocumentFault(f"/{status_key}", message, hint)
    elif not _is_date(value):
        message = f"`target_availability_date` is {described(value)}; a date is required."
        yield DocumentFault("/target_availability_date", message, hint)


def _is_date(value: object) -> bool:
    try:
        return isinstance(value, str) and date.fromisoformat(value).isoformat() == value
    except ValueError:
        return False


def _processors(node_types: object) -> Iterator[DocumentFault]:
    for index, node in enumerate(node_types if isinstance(node_types, list) else ()):
        if isinstance(node, dict) and all(node.get(key) is None for key in _PROCESSORS):
            message = f"`node_types[{index}]` states neither {' nor '.join(f'`{key}`' for key in _PROCESSORS)}."
            yield DocumentFault(f"/node_types/{index}", message, "State one of the two.")
