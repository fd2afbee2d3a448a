"""File shapes as JSON Schemas (2020-12), and their faults in plain words.

Schemas come only with the product: the registry of references is empty, so that nothing is ever looked up elsewhere.
The library's own texts are never shown; they speak of schemas, people of their files.
"""

from __future__ import annotations

import enum
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any, NamedTuple

from checks.documents import described, number_in, shortened
from checks.json_text import escaped
from checks.quick_shape import acceptor
from checks.units import did_you_mean, listed

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator, ValidationError

_TYPES = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "a mapping of names to values",
}


class Departure(enum.StrEnum):
    """In what way a file departs from its shape; editions give each its level."""

    TYPE = "type"
    VALUE = "value"
    MISSING = "missing"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class ShapeFault:
    """One departure: where (JSON pointer of the key that offends, or of the object that lacks one), what, what to do.

    ``cause`` is the same for the same fault in several items of a list.
    """

    departure: Departure
    pointer: str
    message: str
    hint: str
    cause: str


def validator(schema: Mapping[str, Any]) -> Draft202012Validator:
    """A validator that resolves references inside ``schema`` only. Raises SchemaError for a faulty schema."""
    from jsonschema import Draft202012Validator  # loaded where a file departs from its shape, which few do
    from referencing import Registry

    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema, registry=Registry())


def shipped(package: str, name: str) -> dict[str, Any]:
    """The schema ``schemas/<name>.json`` of ``package``, as data of the caller's own."""
    text = (resources.files(package) / "schemas" / f"{name}.json").read_text(encoding="utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema


@cache
def compiled(package: str, name: str) -> Draft202012Validator:
    """The validator of the schema ``schemas/<name>.json`` of ``package``, made once."""
    return validator(shipped(package, name))


@cache
def quick(package: str, name: str) -> Callable[[Any], bool]:
    """What tells that a value plainly has the shape ``schemas/<name>.json`` of ``package``, far quicker than asking for
    its faults; where it does not, there need not be any.
    """
    return acceptor(shipped(package, name))


def faults(shape: Draft202012Validator, value: Any, *, one_top_key: bool = True) -> Iterator[ShapeFault]:
    """How ``value`` departs from ``shape``, in no particular order.

    ``one_top_key``: the document has one key at its top, which goes without saying in a message.
    """
    told: set[tuple[str, str]] = set()
    for error in shape.iter_errors(value):
        found = _fault(error, one_top_key)
        if (found.pointer, found.message) not in told:
            told.add((found.pointer, found.message))
            yield found


class _Error(NamedTuple):
    """What the library found, as far as it is needed: ``word`` of the schema that failed, and what it wanted."""

    word: str
    place: str
    value: Any
    wanted: Any
    properties: Mapping[str, Any]

    @property
    def absent(self) -> list[str]:
        """Required names that the object lacks."""
        return [name for name in self.wanted if name not in self.value]

    @property
    def extra(self) -> list[str]:
        """Names that the schema does not know."""
        return [str(name) for name in self.value if name not in self.properties]

    @property
    def essence(self) -> str:
        """What makes two faults at the same place of two list items the same fault."""
        names = {"required": "absent", "additionalProperties": "extra"}.get(self.word)
        return ", ".join(getattr(self, names)) if names else self.word


def _fault(error: ValidationError, one_top_key: bool) -> ShapeFault:
    path = list(error.absolute_path)
    properties = error.schema.get("properties", {}) if isinstance(error.schema, Mapping) else {}
    place = _place(path[1:] if one_top_key and len(path) > 1 else path)
    found = _Error(str(error.validator), place, error.instance, error.validator_value, properties)
    departure, below, message, hint = _WORDS.get(found.word, _other)(found)
    pointer = "".join(f"/{escaped(str(part))}" for part in [*path, *below])
    general = "/".join("*" if isinstance(part, int) else str(part) for part in path)
    return ShapeFault(departure, pointer, message, hint, f"{departure} {general} {found.essence}")


def _place(parts: list[str | int]) -> str:
    """``product_nodes[0].chassis``: the place as people write it."""
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in parts)
    return f"`{text.lstrip('.')}`" if text else "The document"


Words = tuple[Departure, list[str], str, str]
"""The kind of departure, what the pointer goes on by, the message and the hint."""


def _wrong_type(error: _Error) -> Words:
    wanted = error.wanted if isinstance(error.wanted, list) else [error.wanted]
    told = " or ".join(_TYPES[kind] for kind in wanted if kind != "null")
    if error.value is None:
        return Departure.MISSING, [], f"{error.place} is empty (null); it takes {told}.", "Fill it in."
    hint = f"Write {told} here."
    if isinstance(error.value, str) and {"integer", "number"} & set(wanted) and number_in(error.value) is not None:
        hint = "Write the number without quotes."
    elif "string" in wanted and isinstance(error.value, int | float):
        hint = "Put the value in quotes: without them YAML reads a number, or true and false."
    return Departure.TYPE, [], f"{error.place} must be {told}, but is {described(error.value)}.", hint


def _not_listed(error: _Error) -> Words:
    allowed = [str(item) for item in error.wanted if item is not None]
    if error.value is None:
        return Departure.MISSING, [], f"{error.place} is empty (null); it takes {listed(allowed, 12)}.", "Fill it in."
    message = f"{error.place} is {described(error.value)}; allowed are {listed(allowed, 12)}."
    meant = did_you_mean(error.value, allowed) if isinstance(error.value, str) else ""
    return Departure.VALUE, [], message, f"Use one of the allowed words.{meant}"


def _lacks(error: _Error) -> Words:
    hint = "Add what is missing; the benchmark tool's template shows every key with its meaning and unit."
    return Departure.MISSING, [], f"{error.place} lacks {listed(error.absent, 12)}.", hint


def _knows_not(error: _Error) -> Words:
    meant = did_you_mean(error.extra[0], [name for name in error.properties if name not in error.value])
    what = "an unknown key" if len(error.extra) == 1 else "unknown keys"
    message = f"{error.place} has {what}: {listed(error.extra)}."
    return Departure.UNKNOWN, error.extra[:1], message, f"Correct the spelling or take it out.{meant}"


def _too_small(error: _Error) -> Words:
    message = f"{error.place} is {shortened(str(error.value), 24)}; at least {error.wanted} is required."
    return Departure.VALUE, [], message, "Give the true figure."


def _too_large(error: _Error) -> Words:
    message = f"{error.place} is {shortened(str(error.value), 24)}; at most {error.wanted:,} is allowed."
    return Departure.VALUE, [], message, "Give the true figure."


def _not_above(error: _Error) -> Words:
    message = f"{error.place} is {shortened(str(error.value), 24)}; more than {error.wanted} is required."
    return Departure.VALUE, [], message, "Give the true figure."


def _too_long(error: _Error) -> Words:
    message = f"{error.place} has {len(error.value)} characters; at most {error.wanted} are allowed."
    return Departure.VALUE, [], message, "Shorten it."


def _too_short(error: _Error) -> Words:
    return Departure.MISSING, [], f"{error.place} is empty.", "Fill it in."


def _other(error: _Error) -> Words:
    message = f"{error.place} is {described(error.value)}, which is not allowed here."
    return Departure.VALUE, [], message, "Correct it."


_WORDS: dict[str, Callable[[_Error], Words]] = {
    "type": _wrong_type,
    "enum": _not_listed,
    "required": _lacks,
    "additionalProperties": _knows_not,
    "minimum": _too_small,
    "maximum": _too_large,
    "exclusiveMinimum": _not_above,
    "maxLength": _too_long,
    "minLength": _too_short,
    "minItems": _too_short,
}
