"""What is accepted quickly is what the JSON Schema library finds valid, and nothing else."""

from __future__ import annotations

import copy
from functools import cache
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from checks import json_schema
from checks.quick_shape import acceptor
from tests.trees.endpoints import whole_tree

TREE = whole_tree().files
SHAPES = {"point": "point.yaml", "result_summary": "result_summary.json", "system_desc": "system_desc.json"}

scalars = st.none() | st.booleans() | st.integers(-2, 9) | st.floats() | st.text(max_size=25)
odd = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=2), inner, max_size=2),
    max_leaves=4,
)


@cache
def documents(name: str) -> list[Any]:
    """The files of a valid tree that have the shape ``name``."""
    return [yaml.safe_load(content) for path, content in TREE.items() if path.endswith("/" + SHAPES[name])]


def places(value: Any, above: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where each value in ``value`` stands."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [place for key, item in inner for place in [(*above, key), *places(item, (*above, key))]]


def changed(document: Any, place: tuple[Any, ...], replacement: Any) -> Any:
    """``document`` with another value at ``place``; without it where ``replacement`` is an Ellipsis."""
    found = inner = copy.deepcopy(document)
    for key in place[:-1]:
        inner = inner[key]
    if replacement is ...:
        del inner[place[-1]]
    else:
        inner[place[-1]] = replacement
    return found


@pytest.mark.parametrize("name", SHAPES)
def test_documents_of_a_valid_tree_are_accepted(name: str) -> None:
    accepts = json_schema.quick("checks.endpoints", name)
    assert documents(name)
    assert all(accepts(document) for document in documents(name))


@pytest.mark.parametrize("name", SHAPES)
@given(data=st.data())
def test_what_is_accepted_is_valid(name: str, data: st.DataObject) -> None:
    document = documents(name)[0]
    place = data.draw(st.sampled_from(places(document)))
    replaced = changed(document, place, data.draw(st.just(...) | odd))
    valid = json_schema.compiled("checks.endpoints", name).is_valid(replaced)
    accepted = json_schema.quick("checks.endpoints", name)(replaced)
    assert valid or not accepted


@pytest.mark.parametrize("name", SHAPES)
@given(value=odd)
def test_other_values_are_not_accepted(name: str, value: Any) -> None:
    assert not json_schema.quick("checks.endpoints", name)(value)


@pytest.mark.parametrize(
    ("schema", "accepted", "left"),
    [
        ({"type": "string", "minLength": 1, "maxLength": 2}, ["a", "ab"], ["", "abc", 1, None]),
        ({"type": "integer", "minimum": 1}, [1, 2**70], [0, True, 1.0, "1"]),
        ({"type": ["number", "null"], "minimum": 0}, [0, 0.5, None], [-1, float("nan"), False]),
        ({"minimum": 3}, ["text", None, [], 3], [2]),
        ({"type": "array", "minItems": 1, "items": {"type": "string"}}, [["a"]], [[], [1], "a"]),
        ({"type": "object", "additionalProperties": False, "properties": {"a": {}}}, [{}, {"a": []}], [{"b": 1}]),
        ({"type": "object", "additionalProperties": {"type": "null"}}, [{"x": None}], [{"x": 1}]),
        ({"required": ["a"]}, [{"a": 1}, {"a": 1, "b": 2}, 5], [{}]),
        ({"$ref": "#/$defs/yes", "$defs": {"yes": {"type": "boolean"}}}, [], [True]),
        (
            {"properties": {"a": {"$ref": "#/$defs/yes"}}, "$defs": {"yes": {"type": "boolean"}}},
            [{"a": True}],
            [{"a": 1}],
        ),
    ],
)
def test_each_keyword(schema: dict[str, Any], accepted: list[Any], left: list[Any]) -> None:
    accepts = acceptor(schema)
    assert [value for value in accepted if not accepts(value)] == []
    assert [value for value in left if accepts(value)] == []


@pytest.mark.parametrize("keyword", ["enum", "pattern", "maximum", "anyOf", "format", "not", "uniqueItems"])
def test_a_keyword_that_is_not_known_is_left_to_the_library(keyword: str) -> None:
    assert not acceptor({"type": "object", keyword: [1]})({})
