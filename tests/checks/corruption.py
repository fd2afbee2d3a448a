"""Ways to spoil one file of a tree, drawn by hypothesis: cut, flipped, replaced, wrong in one place, gone, a folder."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import yaml
from hypothesis import strategies as st

Files = dict[str, bytes]

WHOLE = [
    b"", b"\n", b"[]", b"{}", b"null", b'"x"', b"0", b"-1", b"true", b"NaN", b"[NaN]", b'{"a": 1, "a": 2}',
    b"\xff\xfe{}", b"\xef\xbb\xbf{}", b"\x00" * 50, b"[" * 5000, b'{"a":' * 5000, b"9" * 5000, b"1e999", b"a: &a [*a]",
    b"- - - x: [",
    b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"a" * 64 + b"\nsize 9\n", b"PRUNED BY STAFF\n",
]  # fmt: skip
"""Contents that no file of a submission has."""

VALUES: list[Any] = [
    None, True, False, 0, -1, 1, 0.5, -1e308, 1e308, 10**400, "", "x", "7", "nan", "1e999", "\x00\u202e", "x" * 5000,
    [], {}, [[]], [None], [{}], {"": None}, ["x"], [0, -1], {"a": [1]}, "2026-13-45T99:00:00", "20260230_000000",
]  # fmt: skip
"""Values for one place of a document."""


def groups(files: Mapping[str, bytes]) -> dict[str, list[str]]:
    """Paths by the kind of file: the last two parts of the path without digits and systems' names."""
    found: dict[str, list[str]] = {}
    for path in sorted(files):
        found.setdefault(re.sub(r"\d+", "#", "/".join(path.split("/")[-2:])), []).append(path)
    return found


def places(value: Any, above: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place of a document, as keys and indices from the top."""
    yield above
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, below in inner:
        yield from places(below, (*above, key))


def put(document: Any, place: tuple[Any, ...], value: Any) -> Any:
    """``document`` with ``value`` at ``place``."""
    if not place:
        return value
    holder = document
    for key in place[:-1]:
        holder = holder[key]
    holder[place[-1]] = value
    return document


@st.composite
def spoiled(draw: st.DrawFn, files: Files) -> tuple[str, Files]:
    """The path of a file and the tree in which that file is spoilt."""
    kinds = groups(files)
    path = draw(st.sampled_from(kinds[draw(st.sampled_from(sorted(kinds)))]))
    way = draw(st.sampled_from([_cut, _flipped, _whole, _placed, _placed, _placed, _gone, _folder]))
    content = way(draw, path, files[path])
    others = {name: data for name, data in files.items() if name != path}
    if isinstance(content, dict):
        return path, others | content
    return path, others if content is None else others | {path: content}


def _cut(draw: st.DrawFn, path: str, content: bytes) -> bytes:
    return content[: draw(st.integers(0, max(0, len(content) - 1)))]


def _flipped(draw: st.DrawFn, path: str, content: bytes) -> bytes:
    data = bytearray(content)
    for _ in range(draw(st.integers(1, 4)) if data else 0):
        data[draw(st.integers(0, len(data) - 1))] = draw(st.integers(0, 255))
    return bytes(data)


def _whole(draw: st.DrawFn, path: str, content: bytes) -> bytes:
    return draw(st.sampled_from(WHOLE))


def _placed(draw: st.DrawFn, path: str, content: bytes) -> bytes:
    """Another value at one place of a document; of a text, one line taken out."""
    if path.endswith(".json") and content:
        document = json.loads(content)
        place = draw(st.sampled_from(list(places(document))))
        return json.dumps(put(document, place, draw(st.sampled_from(VALUES)))).encode()
    if path.endswith(".yaml"):
        document = yaml.safe_load(content)
        place = draw(st.sampled_from(list(places(document))))
        return yaml.safe_dump(put(document, place, draw(st.sampled_from(VALUES)))).encode()
    lines = content.splitlines(keepends=True)
    if lines:
        del lines[draw(st.integers(0, len(lines) - 1))]
    return b"".join(lines)


def _gone(draw: st.DrawFn, path: str, content: bytes) -> None:
    return None


def _folder(draw: st.DrawFn, path: str, content: bytes) -> Files:
    return {f"{path}/inner": content}
