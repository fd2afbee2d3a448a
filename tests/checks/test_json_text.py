"""JSON is read strictly, whatever the text, and every value is found again at its line."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checks import json_text
from checks.json_text import escaped

plain = st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False, allow_infinity=False)
values = st.recursive(
    plain | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=25,
)
near_json = st.text(alphabet='{}[]",:\\ \n\t0123456789eE+-.truefalsnINty\u2028é', max_size=60)


def lines_in(text: str) -> int:
    return text.count("\n") + 1


@given(values, st.sampled_from([None, 0, 2]))
def test_what_a_writer_writes_is_read_back(value: Any, indent: int | None) -> None:
    read, fault, repeated = json_text.parse(json.dumps(value, indent=indent, ensure_ascii=False))
    assert (fault, repeated) == (None, False)
    assert read == value


@given(near_json | st.text(max_size=60))
def test_any_text_is_a_value_or_a_fault_with_a_line_of_the_text(text: str) -> None:
    value, fault, _ = json_text.parse(text)
    if fault is None:
        assert json.loads(text) == value
        lines, repeated = json_text.locate(text)
        assert all(1 <= line <= lines_in(text) for line in lines.values())
        assert all(item.first_line <= item.line <= lines_in(text) for item in repeated)
    else:
        assert fault.rule == "input.json"
        assert fault.line is None or 1 <= fault.line <= lines_in(text)
        assert fault.message.endswith(".")


@given(near_json)
def test_what_is_accepted_is_json_by_the_letter(text: str) -> None:
    """Independent judge: the library without its extensions."""

    def refuse(constant: str) -> None:
        raise ValueError(constant)

    try:
        json.loads(text, parse_constant=refuse)
        accepted = True
    except ValueError:
        accepted = False
    assert not (json_text.parse(text)[1] is None and not accepted)


def written(value: Any, pointer: str = "", depth: int = 0) -> Iterator[tuple[str, str]]:
    """The value written one name and one value a line, with the pointer that starts on each line: a walk of its own."""
    if isinstance(value, dict) and value:
        yield "{", ""
        for number, (name, inner) in enumerate(value.items()):
            below = f"{pointer}/{escaped(name)}"
            first, *rest = written(inner, below, depth + 1)
            yield f"{json.dumps(name)}: {first[0]}", below
            yield from rest
            if number < len(value) - 1:
                yield ",", ""
        yield "}", ""
    elif isinstance(value, list) and value:
        yield "[", ""
        for number, inner in enumerate(value):
            first, *rest = written(inner, f"{pointer}/{number}", depth + 1)
            yield first[0], f"{pointer}/{number}"
            yield from rest
            if number < len(value) - 1:
                yield ",", ""
        yield "]", ""
    else:
        yield json.dumps(value), ""


@given(values)
def test_locate_agrees_with_an_independent_walk(value: Any) -> None:
    pieces = list(written(value))
    expected = {pointer: number for number, (_, pointer) in enumerate(pieces, 1) if pointer}
    lines, repeated = json_text.locate("\n".join(piece for piece, _ in pieces))
    assert lines == {"": 1, **expected}
    assert repeated == []


@pytest.mark.parametrize(
    ("text", "pointers"),
    [
        ('{"a": 1,\n"a": 2}', [("/a", 1, 2)]),
        ('{"x": {"a": 1,\n\n"b": 1, "a": 2}}', [("/x/a", 1, 3)]),
        ('[{"a": 1}, {"a": 1}]', []),
        ('{"a/b": 1,\n"a~b": 2,\n"a/b": 3}', [("/a~1b", 1, 3)]),
        ('{"\\u0061": 1,\n"a": 2}', [("/a", 1, 2)]),
        ('{"a": {"b": 1},\n"a": {"b": 2}}', [("/a", 1, 2)]),
        ('{"a": {"b": 1},\n"a": {"b": 2,\n"b": 3}}', [("/a", 1, 2), ("/a/b", 2, 3)]),
    ],
)
def test_names_given_twice(text: str, pointers: list[tuple[str, int, int]]) -> None:
    _, fault, repeated = json_text.parse(text)
    assert fault is None
    assert repeated == bool(pointers)
    assert [(item.pointer, item.first_line, item.line) for item in json_text.locate(text)[1]] == pointers


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ('{"a": 1,\n"b": NaN}', 2, "NaN is not a JSON value"),
        ('{"a": "NaN",\n"b":\n-Infinity}', 3, "-Infinity is not a JSON value"),
        ("[1,\nInfinity]", 2, "Infinity is not a JSON value"),
        ("[1,\n1e999]", 2, "The number 1e999 is beyond what a 64-bit"),
        ("[1,\n" + "9" * 5000 + "]", 2, "(5,000 characters) is longer than"),
        ("[1" + "0" * 290 + "e99]", 1, "(294 characters) is beyond what a 64-bit"),
        ("[0." + "0" * 2000 + "1]", 1, "(2,003 characters) is longer than"),
        ("[" * 100_000, 1, "nested too deeply"),
        ('{"a":' * 100_000, 1, "nested too deeply"),
        ('{"a": 1,\n', 2, "Not valid JSON"),
        ("{'a': 1}", 1, "Not valid JSON"),
        ('{"a": 1,}', 1, "Not valid JSON"),
        ("{} {}", 1, "Not valid JSON"),
        ('"\x01"', 1, "Not valid JSON"),
    ],
)
def test_what_other_tools_read_differently_is_refused(text: str, line: int, words: str) -> None:
    value, fault, _ = json_text.parse(text)
    assert value is None
    assert fault is not None
    assert (fault.rule, fault.line) == ("input.json", line)
    assert words in fault.message


def test_large_numbers_that_fit_are_read() -> None:
    assert json_text.parse("[1e308, 1E-400, 12345678901234567890]")[0] == [1e308, 0.0, 12345678901234567890]
    assert json_text.parse(f'"{"9" * 5000}"')[1] is None


def test_a_bomb_of_brackets_costs_little_time() -> None:
    started = time.perf_counter()
    json_text.parse("[" * 5_000_000)
    assert time.perf_counter() - started < 5


@given(st.integers(0, 250), st.integers(190, 420), st.sampled_from(["", "-"]))
def test_a_number_beyond_a_double_is_seen_wherever_it_begins(blanks: int, digits: int, sign: str) -> None:
    number = f"{sign}1{'0' * digits}"
    _, fault, _ = json_text.parse(f"{' ' * blanks}[{number}]")
    assert (fault is not None) is math.isinf(float(number))


@given(st.from_regex(r"-?[1-9][0-9]{0,3}(\.[0-9]{1,3})?[eE][+-]?0{0,3}[1-9][0-9]{0,3}", fullmatch=True))
def test_an_exponent_beyond_a_double_is_seen(number: str) -> None:
    _, fault, _ = json_text.parse(f'{{"a": {number}}}')
    assert (fault is not None) is math.isinf(float(number))
