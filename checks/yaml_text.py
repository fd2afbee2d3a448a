"""YAML read strictly through libyaml, with the line of every value.

Plain data only: a tag that asks for anything else is refused, aliases are allowed as long as the document stays small
when they are written out, and a key given twice is reported (YAML 1.2, section 3.2.1.3: keys are unique). Dates stay
text.
"""

from __future__ import annotations

import math
import re
from functools import lru_cache
from typing import Any

import yaml

from checks.json_text import MAX_DIGITS, Repeated, TextFault, escaped

MAX_NODES = 200_000
"""Values that a document may hold once its aliases are written out; the largest real description has about 2,000.
"""

LARGE_TEXT = 1024 * 1024
"""Characters of a text whose scalars are not worth remembering."""

_TAG = "tag:yaml.org,2002:"
_TEXT, _LIST, _MAPPING, _MERGE = (_TAG + kind for kind in ("str", "seq", "map", "merge"))
_RESOLVER = yaml.resolver.Resolver()
_TRUE = frozenset({"yes", "true", "on"})
_INTEGER = re.compile(r"[-+]?(0|[1-9][0-9_]*)\Z")
_BASED = re.compile(r"([-+]?)0([xbo]?)([0-9a-fA-F_]+)\Z")
_BASES = {"x": 16, "b": 2, "o": 8, "": 8}


class _Refused(ValueError):
    """A node that can't be plain data; carries the node and the reason."""

    def __init__(self, node: yaml.Node, reason: str) -> None:
        self.node, self.reason = node, reason
        super().__init__(reason)


@lru_cache(maxsize=4096)
def _tag_of(kind: type[yaml.Node], value: str | None, implicit: Any) -> str:
    """The tag of a node without one of its own; the same words and figures come again in every file."""
    tag: str = _RESOLVER.resolve(kind, value, implicit)  # type: ignore[no-untyped-call]
    return tag


class _Loader(yaml.CSafeLoader):
    """libyaml's composer, with tags remembered: working them out takes it longer than the parsing."""

    resolve = staticmethod(_tag_of)


def _composed(text: str) -> yaml.Node | None:
    try:
        return yaml.compose(text, Loader=_Loader)
    finally:
        if len(text) > LARGE_TEXT:
            _tag_of.cache_clear()


class Source:
    """A text that was read, to find its values again. Its node graph, far larger, is made when a line is asked for."""

    def __init__(self, text: str, repeated: bool) -> None:
        self._text = text
        self.has_repeated_keys = repeated

    @property
    def node(self) -> yaml.Node | None:
        """The node graph."""
        return _composed(self._text)


def parse(text: str) -> tuple[Any, Source | None, TextFault | None]:
    """The value, its source (for :func:`locate`), and the fault if there is one."""
    hint = "Mend the YAML at this line; indent with blanks, quote text that holds ': ' or begins with a special sign."
    try:
        node = _composed(text)
        if node is None:
            return None, None, None
        if "*" in text or len(text) > MAX_NODES:
            _bounded(node)
        builder = _Builder()
        value = builder.value(node)
        return value, Source(text, builder.has_repeated_keys), None
    except _Refused as error:
        return None, None, TextFault("input.yaml", error.reason, hint, _line(error.node))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        message = f"Not valid YAML: {error.problem or error.context}."
        return None, None, TextFault("input.yaml", message, hint, mark.line + 1 if mark else None)
    except yaml.YAMLError as error:
        return None, None, TextFault("input.yaml", f"Not valid YAML: {str(error).splitlines()[0]}.", hint, 1)
    except RecursionError:
        return None, None, TextFault("input.yaml", "The values are nested too deeply to be read.", hint, 1)


def _line(node: yaml.Node) -> int:
    return int(node.start_mark.line) + 1


def _children(node: yaml.Node) -> list[yaml.Node]:
    if isinstance(node, yaml.MappingNode):
        return [child for pair in node.value for child in pair]
    return list(node.value) if isinstance(node, yaml.SequenceNode) else []


def _bounded(root: yaml.Node) -> None:
    """Refuses a document that is huge once aliases are written out, or that holds itself."""
    sizes: dict[int, int] = {}
    open_nodes: set[int] = set()
    stack: list[tuple[yaml.Node, bool]] = [(root, False)]
    while stack:
        node, done = stack.pop()
        if done:
            open_nodes.discard(id(node))
            sizes[id(node)] = total = 1 + sum(sizes[id(child)] for child in _children(node))
            if total > MAX_NODES:
                raise _Refused(node, f"Written out, the aliases make more than {MAX_NODES:,} values.")
        elif id(node) in open_nodes:
            raise _Refused(node, "An alias points at a value that holds it.")
        elif id(node) not in sizes:
            open_nodes.add(id(node))
            stack.append((node, True))
            stack.extend((child, False) for child in _children(node))


class _Builder:
    """Plain Python data from nodes; a node met twice through an alias gives one shared object."""

    def __init__(self) -> None:
        self.has_repeated_keys = False
        self._built: dict[int, Any] = {}

    def value(self, node: yaml.Node) -> Any:
        if isinstance(node, yaml.ScalarNode):
            return node.value if node.tag == _TEXT else _scalar(node)
        known = self._built.get(id(node))
        if known is None:
            known = self._mapping(node) if isinstance(node, yaml.MappingNode) else self._sequence(node)
            self._built[id(node)] = known
        return known

    def _sequence(self, node: yaml.Node) -> list[Any]:
        if node.tag != _LIST:
            raise _Refused(node, f"The tag {node.tag} is not plain data.")
        return [self.value(child) for child in node.value]

    def _mapping(self, node: yaml.MappingNode) -> dict[str, Any]:
        if node.tag != _MAPPING:
            raise _Refused(node, f"The tag {node.tag} is not plain data.")
        merged: dict[str, Any] = {}
        own: dict[str, Any] = {}
        for key, value in node.value:
            if key.tag == _MERGE:
                merged = {**self._merge(value), **merged}
                continue
            name = _key(key)
            if name in own:
                self.has_repeated_keys = True
            own[name] = self.value(value)
        return {**merged, **own} if merged else own

    def _merge(self, node: yaml.Node) -> dict[str, Any]:
        found = self.value(node)
        parts = found if isinstance(found, list) else [found]
        if not all(isinstance(part, dict) for part in parts):
            raise _Refused(node, "The merge key << takes a mapping or a list of mappings.")
        return {key: value for part in reversed(parts) for key, value in part.items()}


def _key(node: yaml.Node) -> str:
    """Keys as text, as they stand in the file; anything but a scalar can't be a key."""
    if not isinstance(node, yaml.ScalarNode):
        raise _Refused(node, "A mapping's key must be a plain word.")
    return str(node.value)


def _scalar(node: yaml.ScalarNode) -> Any:
    tag, text = node.tag.removeprefix(_TAG), node.value
    if tag in ("str", "timestamp", "value"):
        return text
    if tag == "null":
        return None
    if tag == "bool":
        return text.lower() in _TRUE
    if tag == "int":
        return _integer(node, text)
    if tag == "float":
        return _float(node, text)
    raise _Refused(node, f"The tag {node.tag} is not plain data.")


def _integer(node: yaml.ScalarNode, text: str) -> int | str:
    if len(text) > MAX_DIGITS:
        raise _Refused(node, f"The number has {len(text):,} digits.")
    if _INTEGER.match(text):
        return int(text.replace("_", ""))
    if based := _BASED.match(text):
        sign, kind, digits = based.groups()
        return int(sign + digits.replace("_", ""), _BASES[kind])
    return text  # base 60 (12:30:45), which YAML 1.2 no longer has: a time of day


def _float(node: yaml.ScalarNode, text: str) -> float | str:
    try:
        found = float(text.replace("_", "").lower().replace(".inf", "inf").replace(".nan", "nan"))
    except ValueError:
        return text
    if not math.isfinite(found):
        raise _Refused(node, f"{text} is not a finite number.")
    return found


def locate(source: Source | None) -> tuple[dict[str, int], list[Repeated]]:
    """The line of every value by JSON pointer (of its key, where it has one), and the keys given twice."""
    found: dict[str, int] = {"": 1}
    repeated: list[Repeated] = []
    root = source.node if source is not None else None
    stack: list[tuple[str, yaml.Node]] = [("", root)] if root is not None else []
    while stack:
        pointer, node = stack.pop()
        if isinstance(node, yaml.SequenceNode):
            for index, child in enumerate(node.value):
                found[f"{pointer}/{index}"] = _line(child)
                stack.append((f"{pointer}/{index}", child))
        elif isinstance(node, yaml.MappingNode):
            for key, child in node.value:
                inner = f"{pointer}/{escaped(str(key.value))}"
                if inner in found and key.tag != _MERGE:
                    repeated.append(Repeated(inner, found[inner], _line(key)))
                found[inner] = _line(key)
                stack.append((inner, child))
    return found, sorted(repeated, key=lambda item: item.line)


def has_repeated_keys(source: Source | None) -> bool:
    """Whether some mapping gives a key twice; cheaper than :func:`locate`."""
    return source is not None and source.has_repeated_keys
