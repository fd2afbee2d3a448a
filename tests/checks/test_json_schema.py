"""Schemas look nothing up elsewhere, and their faults are told in plain words."""

from __future__ import annotations

import socket

import pytest
from referencing.exceptions import Unresolvable

from checks import json_schema
from checks.json_schema import Departure, ShapeFault

COUNT = {"type": "integer", "minimum": 1}
SCHEMA = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "minLength": 1},
        "count": COUNT,
        "ratio": {"type": ["number", "null"]},
        "colour": {"enum": ["red", "green", None]},
        "items": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/item"}},
    },
    "required": ["name", "count"],
    "additionalProperties": False,
    "$defs": {"item": {"type": "object", "properties": {"a/b": COUNT}, "required": ["a/b"]}},
}
VALID = {"name": "x", "count": 2, "ratio": None, "colour": "red", "items": [{"a/b": 1}]}


def faults(**changes: object) -> list[ShapeFault]:
    value = {**VALID, **changes}
    return list(json_schema.faults(json_schema.validator(SCHEMA), value))


def test_a_valid_value_has_no_fault() -> None:
    assert faults() == []
    assert faults(count=2.0, colour=None, ratio=0.5) == []


@pytest.mark.parametrize(
    ("changes", "departure", "pointer", "words"),
    [
        ({"count": "2"}, Departure.TYPE, "/count", '`count` must be a whole number, but is the text "2".'),
        ({"count": True}, Departure.TYPE, "/count", "`count` must be a whole number, but is true."),
        ({"count": 1.5}, Departure.TYPE, "/count", "`count` must be a whole number, but is the number 1.5."),
        ({"count": 0}, Departure.VALUE, "/count", "`count` is 0; at least 1 is required."),
        ({"name": 24.04}, Departure.TYPE, "/name", "`name` must be text, but is the number 24.04."),
        ({"name": None}, Departure.MISSING, "/name", "`name` is empty (null); it takes text."),
        ({"name": ""}, Departure.MISSING, "/name", "`name` is empty."),
        ({"colour": "Red"}, Departure.VALUE, "/colour", '`colour` is the text "Red"; allowed are `red`, `green`.'),
        ({"items": []}, Departure.MISSING, "/items", "`items` is empty."),
        ({"items": [{}]}, Departure.MISSING, "/items/0", "`[0]` lacks `a/b`."),
        (
            {"items": [{"a/b": {}}]},
            Departure.TYPE,
            "/items/0/a~1b",
            "`[0].a/b` must be a whole number, but is an object.",
        ),
        ({"cuont": 1}, Departure.UNKNOWN, "/cuont", "The document has an unknown key: `cuont`."),
    ],
)
def test_each_departure(changes: dict[str, object], departure: Departure, pointer: str, words: str) -> None:
    (fault,) = faults(**changes)
    assert (fault.departure, fault.pointer, fault.message) == (departure, pointer, words)


def test_hints_say_what_to_write() -> None:
    assert faults(count="2")[0].hint == "Write the number without quotes."
    assert faults(name=24.04)[0].hint.startswith("Put the value in quotes")
    assert faults(colour="Red")[0].hint == "Use one of the allowed words. Did you mean `red`?"
    (fault,) = json_schema.faults(json_schema.validator(SCHEMA), {"name": "x", "cuont": 1, "count": 1})
    assert fault.hint == "Correct the spelling or take it out."


def test_what_lacks_several_names_lacks_them_once() -> None:
    (fault,) = json_schema.faults(json_schema.validator(SCHEMA), {})
    assert (fault.pointer, fault.message) == ("", "The document lacks `name`, `count`.")


def test_the_same_fault_in_several_items_has_one_cause() -> None:
    causes = {fault.cause for fault in faults(items=[{}, {}, {"a/b": 0}])}
    assert len(causes) == 2


def test_a_reference_to_elsewhere_is_never_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise AssertionError("something was looked up on the network")

    monkeypatch.setattr(socket.socket, "connect", refused)
    monkeypatch.setattr(socket, "getaddrinfo", refused)
    shape = json_schema.validator({"$ref": "http://example.com/schema.json"})
    with pytest.raises(Unresolvable):
        list(json_schema.faults(shape, {}))


@pytest.mark.parametrize("name", ["system_under_test", "shared_capabilities"])
def test_shipped_schemas_are_compiled_once(name: str) -> None:
    assert json_schema.compiled("checks.storage", name) is json_schema.compiled("checks.storage", name)


def test_no_library_text_reaches_people() -> None:
    for changes in ({"count": []}, {"colour": 3}, {"zz": 1}, {"items": "x"}):
        for fault in faults(**changes):
            assert "schema" not in fault.message
            assert "property" not in fault.message
            assert "instance" not in fault.message
