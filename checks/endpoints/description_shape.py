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
_ENSEMBLE: Final = "system_node_ensemble_id"
_NAMES: Final = ("system_name", "shortened_system_name", "division", "system_size")
_PROCESSORS: Final = ("host_processor_core_count", "host_processor_vcpu_count")


def description_faults(description: Any, tables: EditionTables) -> Iterator[DocumentFault]:
    """Every fault of a parsed description, whatever a JSON parser returned."""
    if not quick(*SCHEMA)(description):
        for fault in faults(compiled(*SCHEMA), description, one_top_key=False):
            yield DocumentFault(fault.pointer, fault.message, fault.hint)
    if isinstance(description, dict):
        yield from _availability(description, tables.vocabulary["availability"])
        yield from _processors(description.get("node_types"))
        yield from _ensemble_ids(description.get("node_types"))
        yield from _blank(description)
        yield from _division(description.get("division"), tables.disclosure.divisions)


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


def _ensemble_ids(node_types: object) -> Iterator[DocumentFault]:
    """`nodes_used` names sets of nodes by these numbers, which descriptions also write as text."""
    for index, node in enumerate(node_types if isinstance(node_types, list) else ()):
        value = node.get(_ENSEMBLE) if isinstance(node, dict) else None
        if isinstance(value, str) and not value.isdecimal():
            message = f"`node_types[{index}].{_ENSEMBLE}` is {described(value)}; a whole number is required."
            hint = "Number the sets of nodes; points name them by this number."
            yield DocumentFault(f"/node_types/{index}/{_ENSEMBLE}", message, hint)


def _blank(description: Mapping[str, Any]) -> Iterator[DocumentFault]:
    """Names that hold nothing but blanks; the schema tells of empty ones."""
    for key in _NAMES:
        value = description.get(key)
        if isinstance(value, str) and value and not value.strip():
            yield DocumentFault(f"/{key}", f"`{key}` holds nothing but blanks.", "Fill it in.")


def _division(value: object, known: Collection[str]) -> Iterator[DocumentFault]:
    if not isinstance(value, str) or value in known or not value.strip():
        return
    if value.strip().casefold() not in map(str.casefold, known):
        message = f"`division` is {described(value)}; allowed are {listed(known)}."
        yield DocumentFault("/division", message, f"Use one of the words.{did_you_mean(value, known)}")
