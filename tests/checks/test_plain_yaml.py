"""The quick reader of plain YAML agrees with the general one wherever it reads at all."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from checks import plain_yaml, yaml_outline, yaml_text
from checks.documents import YamlDocument
from checks.memory_tree import MemoryTree
from tests.trees.endpoints import whole_tree

keys = st.from_regex(r"[a-z_]{1,3}", fullmatch=True)
scalars = (
    st.text(max_size=8)
    | st.from_regex(r"[-+0-9.eE_:xob ]{1,9}", fullmatch=True)
    | st.sampled_from(["yes", "No", "null", "~", "2026-10-01", "12:30", "0o17", "a: b", "a #b", "- a", "https://x.y/z"])
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.booleans()
    | st.none()
)
documents = st.dictionaries(
    keys, st.recursive(scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3))
)
lines = st.sampled_from(
    [
        "a:",
        "b:",
        "a: 1",
        "b: x y",
        "c: 'x'",
        'd: "x"',
        "- 1",
        "- a: 1",
        "-",
        "# c",
        "",
        "e: []",
        "f: {}",
        "g: x: y",
        "x",
        "---",
    ]
)
near_plain = st.lists(st.tuples(st.integers(0, 3), lines), max_size=8).map(
    lambda found: "".join(" " * indent + line + "\n" for indent, line in found)
)


def agrees(text: str) -> bool:
    """Whether the quick reader read the text; then the general one must give the same, without any complaint."""
    read = plain_yaml.read(text)
    if read is None:
        return False
    value, node, fault = yaml_text.parse(text)
    assert fault is None, text
    assert not yaml_text.has_repeated_keys(node), text
    assert repr(value) == repr(read), text
    return True


@given(near_plain)
def test_near_plain_lines_are_read_alike_or_not_at_all(text: str) -> None:
    agrees(text)


@given(st.text(alphabet="ab:- \n'\"#[]{}1.,&*!|>?%@\t~=", max_size=30))
def test_any_text_is_read_alike_or_not_at_all(text: str) -> None:
    agrees(text)
    agrees(f"a: {text}\n")
    agrees(f"a:\n  - {text}\n  - b\n")


@given(documents)
def test_what_tools_write_is_read_alike(document: dict[str, Any]) -> None:
    agrees(yaml.dump(document, Dumper=yaml.CSafeDumper, sort_keys=False))
    agrees(yaml.safe_dump(document, allow_unicode=True))


def test_the_files_of_measurement_points_are_plain() -> None:
    tree = whole_tree()
    found = [path for path in tree.find("*.yaml") if not agrees(tree.files[path].decode())]
    with_lists_of_mappings = [path for path in tree.find("*/point.yaml") if b"nodes_used" in tree.files[path]]
    assert found == with_lists_of_mappings


@pytest.mark.parametrize(
    "text",
    [
        "a: 1\na: 2\n",
        "a: 1\n  b: 2\n",
        "a: x\n  y\n",
        "a: x #c\n",
        "a: 'it''s'\n",
        'a: "\\n"\n',
        "a: [1]\n",
        "a: &x 1\nb: *x\n",
        "a: |\n  x\n",
        "a: .nan\n",
        "a: " + "9" * 2000 + "\n",
        "- a\n",
        " a: 1\n",
        "a:\tb\n",
        "a: é\n",
        "",
        "".join(f"{' ' * depth}a:\n" for depth in range(yaml_outline.DEEPEST + 2)),
        "a: " + "b" * plain_yaml.LONGEST,
    ],
)
def test_what_is_not_plain_is_left_to_the_general_reader(text: str) -> None:
    assert plain_yaml.read(text) is None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: 1\nb:\n  c: x y\n  d:\n  - 1\n  - z\ne: 2.5\n", {"a": 1, "b": {"c": "x y", "d": [1, "z"]}, "e": 2.5}),
        ("a:\nb:\n  - 'x: y'\n", {"a": None, "b": ["x: y"]}),
        ("# c\na: yes\n\n  # d\nb: 12:30\n", {"a": True, "b": "12:30"}),
        ("a: 10487924139932647040", {"a": 10487924139932647040}),
    ],
)
def test_plain_texts_are_read(text: str, value: dict[str, Any]) -> None:
    assert plain_yaml.read(text) == value
    assert agrees(text)


def test_a_document_tells_lines_whoever_read_it() -> None:
    document = YamlDocument(MemoryTree({"a.yaml": b"a: 1\nb:\n  c: 2\n"}), "a.yaml")
    assert document.get("/b/c") == 2
    assert document.repeated == []
    assert (document.line_of("/b"), document.line_of("/b/c")) == (2, 3)
