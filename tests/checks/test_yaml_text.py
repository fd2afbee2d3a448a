"""YAML is read strictly, whatever the text: plain data only, aliases within bounds, every value at its line."""

from __future__ import annotations

import time
import tracemalloc
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from checks import yaml_text

words = st.text(alphabet="abcxyzé /~-", min_size=1, max_size=6).map(str.strip).filter(bool)
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | words,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(words, inner, max_size=4),
    max_leaves=20,
)
near_yaml = st.text(alphabet="ab:- \n\t{}[]&*!|>'\"#%@?,0123.~<", max_size=60)


def lines_in(text: str) -> int:
    return text.count("\n") + 1


def texted(value: Any) -> Any:
    """Keys as text, as the reader gives them."""
    if isinstance(value, dict):
        return {str(key): texted(inner) for key, inner in value.items()}
    return [texted(inner) for inner in value] if isinstance(value, list) else value


@given(values)
def test_what_a_writer_writes_is_read_back(value: Any) -> None:
    read, _, fault = yaml_text.parse(yaml.safe_dump(value, allow_unicode=True))
    assert fault is None
    assert read == texted(value)


@given(near_yaml | st.text(max_size=50))
def test_any_text_is_a_value_or_a_fault_with_a_line_of_the_text(text: str) -> None:
    value, node, fault = yaml_text.parse(text)
    if fault is not None:
        assert value is None
        assert fault.rule == "input.yaml"
        assert fault.line is None or 1 <= fault.line <= lines_in(text) + 1
        return
    lines, repeated = yaml_text.locate(node)
    assert all(1 <= line <= lines_in(text) for line in lines.values())
    assert bool(repeated) == yaml_text.has_repeated_keys(node)


def test_every_value_is_found_at_the_line_of_its_key() -> None:
    text = "a:\n  b: 1\n  c:\n    - x\n    - y: 2\n'd/e': [1,\n 2]\n"
    _, node, fault = yaml_text.parse(text)
    assert fault is None
    assert yaml_text.locate(node)[0] == {
        "": 1,
        "/a": 1,
        "/a/b": 2,
        "/a/c": 3,
        "/a/c/0": 4,
        "/a/c/1": 5,
        "/a/c/1/y": 5,
        "/d~1e": 6,
        "/d~1e/0": 6,
        "/d~1e/1": 7,
    }


def bomb(levels: int) -> str:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * 10)}]" for level in range(1, levels)]
    return "\n".join(lines) + "\n"


def test_an_alias_bomb_is_refused_at_once_and_in_little_memory() -> None:
    text = bomb(8)
    tracemalloc.start()
    started = time.perf_counter()
    value, _, fault = yaml_text.parse(text)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert time.perf_counter() - started < 1
    assert peak < 200 * 1024 * 1024
    assert value is None
    assert fault is not None
    assert "the aliases make more than 200,000 values" in fault.message
    assert fault.line is not None


def test_aliases_within_bounds_are_read() -> None:
    assert yaml_text.parse("a: &x [1, 2]\nb: *x\n")[0] == {"a": [1, 2], "b": [1, 2]}
    assert yaml_text.parse("base: &b {x: 1, y: 2}\nown: {<<: *b, y: 3}\n")[0]["own"] == {"x": 1, "y": 3}
    assert yaml_text.parse(bomb(4))[2] is None


@pytest.mark.parametrize(
    ("text", "line", "words_told"),
    [
        ("a: !!python/object/apply:os.system ['touch x']\n", 1, "is not plain data"),
        ("a: 1\nb: !secret x\n", 2, "is not plain data"),
        ("a: !!binary aGVsbG8=\n", 1, "is not plain data"),
        ("a: &a [*a]\n", 1, "An alias points at a value that holds it."),
        ("a: *b\n", 1, "Not valid YAML"),
        ("a: 1\n b: 2\n", 2, "Not valid YAML"),
        ("a: 1\n---\nb: 2\n", 2, "Not valid YAML"),
        ("? [a]\n: 1\n", 1, "key must be a plain word"),
        ("a: .nan\n", 1, "not a finite number"),
        ("a: -.inf\n", 1, "not a finite number"),
        ("a: " + "9" * 5000 + "\n", 1, "5,000 digits"),
        ("a: \x00\n", None, "Not valid YAML"),
        ("\t- x\n", 1, "Not valid YAML"),
        ("[" * 100_000, None, ""),
        ("- " * 20_000, None, ""),
        ("a: {<<: 3}\n", 1, "merge key"),
        ("a: !!int x\n", 1, "does not go with this text"),
        ("a: !!float 1,5\n", 1, "does not go with this text"),
        ("a: 1\nb: !!bool maybe\n", 2, "does not go with this text"),
        ("a: !!null x\n", 1, "does not go with this text"),
        ("a:\n" + "- 1\n" * 300_000, 199_999, "more than 200,000 values"),
    ],
)
def test_what_is_not_plain_data_is_refused(text: str, line: int | None, words_told: str) -> None:
    value, _, fault = yaml_text.parse(text)
    assert value is None
    assert fault is not None
    assert fault.rule == "input.yaml"
    assert words_told in fault.message
    if line is not None:
        assert fault.line == line


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2026-07-01", "2026-07-01"),
        ("12:30:45", "12:30:45"),
        ("0x1F", 31),
        ("0o17", "0o17"),
        ("017", 15),
        ("1_000", 1000),
        ("0_", "0_"),
        ("-0x_", "-0x_"),
        ("0b_1", 1),
        ("yes", True),
        ("~", None),
        ("24.04", 24.04),
        ("'24.04'", "24.04"),
    ],
)
def test_scalars(text: str, value: Any) -> None:
    assert yaml_text.parse(f"a: {text}\n")[0] == {"a": value}


@pytest.mark.parametrize(
    ("text", "twice"),
    [
        ("a: 1\nb: 2\na: 3\n", [("/a", 1, 3)]),
        ("x:\n  a: 1\n  a: 1\n", [("/x/a", 2, 3)]),
        ("- {a: 1}\n- {a: 1}\n", []),
        ("1: x\n'1': y\n", [("/1", 1, 2)]),
        ("a: {b: 1}\na: {b: 2}\n", [("/a", 1, 2)]),
        ("a: {b: 1}\na: {b: 2,\n b: 3}\n", [("/a", 1, 2), ("/a/b", 2, 3)]),
        ("a: &b {c: 1}\nd: {<<: *b, c: 2}\n", []),
    ],
)
def test_keys_given_twice(text: str, twice: list[tuple[str, int, int]]) -> None:
    _, node, fault = yaml_text.parse(text)
    assert fault is None
    assert [(item.pointer, item.first_line, item.line) for item in yaml_text.locate(node)[1]] == twice
    assert yaml_text.has_repeated_keys(node) == bool(twice)
