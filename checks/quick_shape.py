"""Accepts values that plainly have the shape of a JSON Schema, far quicker than a library that can say what is wrong.

Measurement points come by the thousand, and nearly all of them fit. What is accepted here is valid (2020-12); anything
else, be it invalid, a whole number written as 5.0 or a schema with a keyword that is not known here, is for the library
to judge (:mod:`checks.json_schema`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

Check = Callable[[Any], bool]
Shape = Mapping[type, Check | None]
"""What is asked of a value by its class: a check, or nothing more (None); values of other classes are not accepted."""

_CLASSES: Final[Mapping[str, tuple[type, ...]]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
    "object": (dict,),
    "array": (list,),
}

_SILENT: Final = frozenset({"$schema", "$defs", "title", "description"})
"""Keywords that ask nothing of a value."""

_KNOWN: Final[Mapping[type, frozenset[str]]] = {
    str: frozenset({"minLength", "maxLength"}),
    int: frozenset({"minimum"}),
    float: frozenset({"minimum"}),
    dict: frozenset({"required", "properties", "additionalProperties"}),
    list: frozenset({"minItems", "items"}),
}
"""Keywords by the class of the values that they are about; they ask nothing of others."""


def acceptor(schema: Mapping[str, Any]) -> Check:
    """What tells whether a value plainly has the shape ``schema``, whose references lead into its ``$defs``."""
    return _check_of(_shape(schema, schema.get("$defs", {})))


def _shape(schema: Mapping[str, Any], shared: Mapping[str, Any]) -> Shape:
    if set(schema) == {"$ref"}:
        return _shape(shared[schema["$ref"].removeprefix("#/$defs/")], shared)
    if not set(schema) <= _SILENT.union({"type"}, *_KNOWN.values()):
        return {}
    named = schema.get("type", list(_CLASSES))
    classes = (kind for name in ([named] if isinstance(named, str) else named) for kind in _CLASSES[name])
    return {kind: _further(kind, schema, shared) for kind in classes}


def _further(kind: type, schema: Mapping[str, Any], shared: Mapping[str, Any]) -> Check | None:
    """What ``schema`` asks of a value beyond its class."""
    if not _KNOWN.get(kind, frozenset()) & schema.keys():
        return None
    if kind is str:
        return _text(schema.get("minLength", 0), schema.get("maxLength"))
    if kind is dict:
        return _object(schema, shared)
    if kind is list:
        return _list(schema, shared)
    return _from(schema["minimum"])


def _from(least: float) -> Check:
    return lambda value: bool(value >= least)  # which a NaN is not


def _text(least: int, most: int | None) -> Check:
    return lambda value: least <= len(value) and (most is None or len(value) <= most)


def _object(schema: Mapping[str, Any], shared: Mapping[str, Any]) -> Check:
    required = frozenset(schema.get("required", ()))
    shapes = {key: _shape(inner, shared) for key, inner in schema.get("properties", {}).items()}
    more = schema.get("additionalProperties", True)
    others: Shape | None = None if more is True else {} if more is False else _shape(more, shared)

    def check(value: Mapping[str, Any]) -> bool:
        if not required <= value.keys():
            return False
        for key, item in value.items():
            shape = shapes.get(key, others)
            if shape is not None:
                further = shape.get(type(item), _refuse)
                if further is not None and not further(item):
                    return False
        return True

    return check


def _list(schema: Mapping[str, Any], shared: Mapping[str, Any]) -> Check:
    least, accepted = schema.get("minItems", 0), _check_of(_shape(schema.get("items", {}), shared))
    return lambda value: len(value) >= least and all(map(accepted, value))


def _check_of(shape: Shape) -> Check:
    def check(value: Any) -> bool:
        further = shape.get(type(value), _refuse)
        return further is None or further(value)

    return check


def _refuse(value: Any) -> bool:
    del value
    return False
