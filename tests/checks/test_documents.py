"""Documents: any bytes give a value or one fault; values are asked for by type and place."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checks.documents import (
    Document,
    JsonDocument,
    TextDocument,
    Unreadable,
    Unusable,
    YamlDocument,
    described,
    number_in,
    text_of,
)
from checks.memory_tree import MemoryTree
from checks.tree import Limits

POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"a" * 64 + b"\nsize 91234\n"
KINDS = [JsonDocument, YamlDocument]


def read(kind: type[Document], content: bytes, limits: Limits = Limits()) -> Document:  # noqa: B008 - frozen
    return kind(MemoryTree({"folder/file": content}, limits), "folder/file")


json_like = st.binary(max_size=80) | st.text(alphabet='{}[]",: \n0123eE+-.trufalsn&*!', max_size=60).map(str.encode)


@given(json_like, st.sampled_from(KINDS))
def test_any_bytes_are_a_value_or_a_fault(content: bytes, kind: type[Document]) -> None:
    document = read(kind, content)
    last = content.count(b"\n") + 2
    if document.fault is None:
        assert document.line_of("/no/such/value") is not None
        assert all(1 <= twice.line <= last for twice in document.repeated)
    else:
        assert document.fault.rule.startswith("input.")
        assert document.fault.line is None or 1 <= document.fault.line <= last
        with pytest.raises(Unreadable):
            _ = document.data
        assert document.repeated == []


@given(st.binary(max_size=200))
def test_a_log_of_any_bytes_is_text(content: bytes) -> None:
    document = read(TextDocument, content)
    assert document.fault is None
    assert sorted({number for number, _ in document.lines()}) == list(range(1, content.count(b"\n") + 2))  # type: ignore[attr-defined]


def test_lines_of_a_log_are_counted_as_git_and_editors_count_them() -> None:
    document = read(TextDocument, "10 %\r100 %\nb\x0cb\u2028b\r\nc".encode())
    assert list(document.lines()) == [(1, "10 %"), (1, "100 %"), (2, "b\x0cb\u2028b"), (3, "c")]  # type: ignore[attr-defined]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("content", "rule", "line"),
    [
        (b"", "input.empty", None),
        (b" \n\t\n", "input.empty", None),
        (b"\xef\xbb\xbf{}", "input.encoding", 1),
        ("{}".encode("utf-16"), "input.encoding", 1),
        (b'{"a":\n"\xff"}', "input.encoding", 2),
        (b'{"a":\n1}\0\0\0\0', "input.encoding", 2),
        ("{}".encode("utf-16-le"), "input.encoding", 1),
        (POINTER, "input.lfs-pointer", 1),
        (b"PRUNED BY STAFF\n", "input.pruned", 1),
        (b"PRUNED BY STAFF", "input.pruned", 1),
    ],
)
def test_what_is_no_document_at_all(kind: type[Document], content: bytes, rule: str, line: int | None) -> None:
    fault = read(kind, content).fault
    assert fault is not None
    assert (fault.rule, fault.line) == (rule, line)


@pytest.mark.parametrize("kind", KINDS)
def test_a_document_over_the_limit_names_both_sizes(kind: type[Document]) -> None:
    fault = read(kind, b"[" + b"1," * 100 + b"1]", Limits(file_bytes=50)).fault
    assert fault is not None
    assert fault.rule == "input.too-large"
    assert "203 bytes, at most 50 are read" in fault.message


def test_a_log_over_the_limit_is_read_up_to_it() -> None:
    document = read(TextDocument, b"0123456789", Limits(log_bytes=4))
    assert isinstance(document, TextDocument)
    assert (document.data, document.truncated) == ("0123", True)
    assert not TextDocument(MemoryTree({"a": b"0123"}, Limits(log_bytes=4)), "a").truncated


def test_control_characters_in_content_do_no_harm() -> None:
    assert read(JsonDocument, b'{"a": "\\u0000\\u202e"}').text("/a") == "\0\u202e"


CONTENT = (
    b'{\n"n": 5,\n"t": "148000",\n"f": 5.5,\n"w": 5.0,\n"b": true,\n"z": null,\n"l": [1,\n{"x": 2}],\n"s": "True"}'
)


@pytest.mark.parametrize(
    ("method", "pointer", "options", "value"),
    [
        ("number", "/n", {}, 5),
        ("number", "/t", {"text_ok": True}, 148000),
        ("number", "/absent", {"default": 7}, 7),
        ("number", "/z", {"default": 7}, 7),
        ("integer", "/w", {}, 5),
        ("text", "/t", {}, "148000"),
        ("boolean", "/b", {}, True),
        ("boolean", "/s", {"text_ok": True}, True),
        ("array", "/l", {}, [1, {"x": 2}]),
        ("mapping", "/l/1", {}, {"x": 2}),
        ("number", "/l/1/x", {}, 2),
    ],
)
def test_values_by_type(method: str, pointer: str, options: dict[str, Any], value: Any) -> None:
    found = getattr(read(JsonDocument, CONTENT), method)(pointer, **options)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("method", "pointer", "line"),
    [
        ("number", "/t", 3),
        ("number", "/b", 6),
        ("number", "/absent", 1),
        ("number", "/l/9", 8),
        ("integer", "/f", 4),
        ("text", "/n", 2),
        ("boolean", "/s", 10),
        ("array", "/n", 2),
        ("mapping", "/l", 8),
        ("mapping", "/z", 7),
    ],
)
def test_a_value_that_a_rule_can_not_use_is_a_finding_at_its_line(method: str, pointer: str, line: int) -> None:
    with pytest.raises(Unusable) as raised:
        getattr(read(JsonDocument, CONTENT), method)(pointer)
    assert (raised.value.finding.path, raised.value.finding.line) == ("folder/file", line)


@pytest.mark.parametrize(
    ("pointer", "message"),
    [
        ("/no/such/value", "`no` is missing; an object is required here."),
        ("/n/x", "`n` is the number 5; an object is required."),
        ("/l/1/y", "`l.1.y` is missing; a number is required here."),
        ("/t", '`t` is the text "x"; a number is required.'),
        ("/a~1b", "`a/b` is missing; a number is required here."),
        ("/z/x", "`z` is null; an object is required."),
    ],
)
def test_what_keeps_a_value_from_being_there_is_named(pointer: str, message: str) -> None:
    document = read(JsonDocument, b'{"n": 5, "t": "x", "l": [1, {"x": 2}], "z": null}')
    with pytest.raises(Unusable) as raised:
        document.number(pointer)
    assert raised.value.finding.message == message


@pytest.mark.parametrize(
    ("text", "number"),
    [("5", 5), (" 5 ", 5), ("-2.5", -2.5), ("1e3", 1000.0), ("0x5", None), ("nan", None), ("1e999", None), ("", None),
     ("five", None), ("9" * 1001, None), ("\u0665", None), ("5_0", None)],
)  # fmt: skip
def test_numbers_written_as_text(text: str, number: float | None) -> None:
    assert number_in(text) == number


@given(st.text(max_size=30))
def test_any_text_is_a_number_or_none(text: str) -> None:
    found = number_in(text)
    assert found is None or isinstance(found, int | float)


def test_values_in_messages_are_short_and_safe() -> None:
    assert described("a" * 500).endswith('…"')
    assert described(10**300) == "the number 10000000000000000000000…"
    assert described("\x1b[31m") == 'the text "\\x1b[31m"'
    assert [described(value) for value in (None, True, 3, {}, [])] == [
        "null",
        "true",
        "the number 3",
        "an object",
        "a list",
    ]


def test_text_of_gives_text_or_fault() -> None:
    assert text_of(b"{}") == ("{}", None)


class Handwritten(YamlDocument):
    """A file that people write."""

    remedy = "Write the description anew."


@pytest.mark.parametrize("content", [b"", b" \n", b"a: 1\0\n"])
def test_lost_content_is_mended_by_whoever_wrote_the_file(content: bytes) -> None:
    by_tool, by_hand = read(YamlDocument, content).fault, read(Handwritten, content).fault
    assert by_tool is not None and by_hand is not None
    assert by_tool.hint.startswith("Restore document as the benchmark tool wrote it.")
    assert by_hand.hint.startswith("Write the description anew.")
    assert "benchmark tool" not in by_hand.hint


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("content", [b"{", b"PRUNED BY STAFF\n", POINTER, b"\xff", "{}".encode("utf-16")])
def test_hints_that_know_no_writer_name_none(kind: type[Document], content: bytes) -> None:
    fault = read(kind, content).fault
    assert fault is not None and fault.hint
    assert "tool" not in fault.hint
