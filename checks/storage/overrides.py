"""Which parameters a run changed, by everything that it recorded of that."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from checks.documents import Document
from checks.storage.dlio_inputs import DlioOverrides
from checks.storage.inputs import Metadata

_PARAMS, _COMMAND = "/args/params", "/executed_command"
_WORKLOAD = "workload."
_MARKS = "+~"
"""How Hydra marks an assignment that adds a setting or takes one away."""
_IN_COMMAND = re.compile(r"(?<=\s)[+~]{0,2}workload\.([^\s=]+)(?:=(\S*))?")


class Change(NamedTuple):
    """A parameter that a run changed: where that is recorded, and the new value."""

    document: Document
    pointer: str
    value: Any


def asked_for(record: Metadata) -> dict[str, Change]:
    """The parameters that the submitter gave the tool, by dotted name. Raises Unusable."""
    params = record.get(_PARAMS)
    if isinstance(params, str):
        return dict(_assigned(record, _PARAMS, word) for word in params.split())
    pointers = [f"{_PARAMS}/{place}" for place in range(len(record.array(_PARAMS, [])))]
    return dict(_assigned(record, pointer, record.text(pointer)) for pointer in pointers)


def _assigned(document: Document, pointer: str, assignment: str) -> tuple[str, Change]:
    name, _, value = assignment.partition("=")
    return name.lstrip(_MARKS).removeprefix(_WORKLOAD), Change(document, pointer, value)


def _configured(overrides: DlioOverrides | None) -> dict[str, Change]:
    """What the benchmark's own list of overrides changes. Raises Unusable."""
    if overrides is None:
        return {}
    items = [(pointer, overrides.text(pointer)) for pointer in map("/{}".format, range(len(overrides.array(""))))]
    changing = [item for item in items if item[1].lstrip(_MARKS).startswith(_WORKLOAD)]
    return dict(_assigned(overrides, *item) for item in changing)


def overridden(record: Metadata, overrides: DlioOverrides | None = None) -> dict[str, Change]:
    """Every parameter that a run changed, by dotted name. Raises Unusable.

    By the tool's own list, by what the submitter asked for, by the benchmark's list, and by the command.
    """
    command = _IN_COMMAND.findall(record.text(_COMMAND, None) or "")
    listed_keys = {
        key: Change(record, "/override_parameters/" + key.replace("~", "~0").replace("/", "~1"), value)
        for key, value in record.overrides.items()
    }
    by_command = {name: Change(record, _COMMAND, value) for name, value in command}
    return {**by_command, **_configured(overrides), **asked_for(record), **listed_keys}
