"""YAML read strictly through libyaml, with the line of every value.

Plain data only: a tag that asks for anything else is refused, aliases are allowed as long as the document stays small
when they are written out, and a key given twice is reported (YAML 1.2, section 3.2.1.3: keys are unique). Dates stay
text.
"""

from __future__ import annotations

from typing import Any

import yaml

from checks.json_text import Repeated, TextFault, escaped
from checks.yaml_scalars import LIST, MAPPING, MERGE, TEXT, Refused, key_of, scalar, tag_of

MAX_NODES = 200_000
"""Values that a document may hold, its aliases written out; the largest real description has about 2,000."""

LARGE_TEXT = 1024 * 1024
"""Characters of a text whose scalars are not worth remembering."""


class _Loader(yaml.CSafeLoader):
    """libyaml's composer, with tags remembered: working them out takes it longer than the parsing."""

    resolve = staticmethod(tag_of)


def _composed(text: str) -> yaml.Node | None:
    try:
        return yaml.compose(text, Loader=_Loader)
    finally:
        if len(text) > LARGE_TEXT:
            tag_of.cache_clear()


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
        if len(text) > MAX_NODES:
            _counted(text)
        node = _composed(text)
        if node is None:
            return None, None, None
        if "*" in text:
            _bounded(node)
        builder = _Builder()
        value = builder.value(node)
        return value, Source(text, builder.has_repeated_keys), None
    except Refused as error:
        return None, None, TextFault("input.yaml", error.reason, hint, _line(error.node))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        message = f"Not valid YAML: {error.problem or error.context}."
        return None, None, TextFault("input.yaml", message, hint, mark.line + 1 if mark else None)
    except yaml.YAMLError as error:
        return None, None, TextFault("input.yaml", f"Not valid YAML: {str(error).splitlines()[0]}.", hint, 1)
    except RecursionError:
        return None, None, TextFault("input.yaml", "The values are nested too deeply to be read.", hint, 1)


def _counted(text: str) -> None:
    """Refuses a long text with too many values before nodes, a hundred times its size, are made of them."""
    values = 0
    for event in yaml.parse(text, Loader=yaml.CSafeLoader):
        values += isinstance(event, yaml.NodeEvent)
        if values > MAX_NODES:
            raise Refused(event, f"The document holds more than {MAX_NODES:,} values.")


def _line(node: yaml.Node | yaml.Event) -> int:
    mark = node.start_mark
    return int(mark.line) + 1 if mark is not None else 1


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
                raise Refused(node, f"Written out, the aliases make more than {MAX_NODES:,} values.")
        elif id(node) in open_nodes:
            raise Refused(node, "An alias points at a value that holds it.")
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
            return node.value if node.tag == TEXT else scalar(node)
        known = self._built.get(id(node))
        if known is None:
            known = self._mapping(node) if isinstance(node, yaml.MappingNode) else self._sequence(node)
            self._built[id(node)] = known
        return known

    def _sequence(self, node: yaml.Node) -> list[Any]:
        if node.tag != LIST:
            raise Refused(node, f"The tag {node.tag} is not plain data.")
        return [self.value(child) for child in node.value]

    def _mapping(self, node: yaml.MappingNode) -> dict[str, Any]:
        if node.tag != MAPPING:
            raise Refused(node, f"The tag {node.tag} is not plain data.")
        merged: dict[str, Any] = {}
        own: dict[str, Any] = {}
        for key, value in node.value:
            if key.tag == MERGE:
                merged = {**self._merge(value), **merged}
                continue
            name = key_of(key)
            if name in own:
                self.has_repeated_keys = True
            own[name] = self.value(value)
        return {**merged, **own} if merged else own

    def _merge(self, node: yaml.Node) -> dict[str, Any]:
        found = self.value(node)
        parts = found if isinstance(found, list) else [found]
        if not all(isinstance(part, dict) for part in parts):
            raise Refused(node, "The merge key << takes a mapping or a list of mappings.")
        return {key: value for part in reversed(parts) for key, value in part.items()}


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
            given: dict[str, int] = {}
            for key, child in node.value:
                inner = f"{pointer}/{escaped(str(key.value))}"
                line = found[inner] = _line(key)
                if inner in given and key.tag != MERGE:
                    repeated.append(Repeated(inner, given[inner], line))
                given[inner] = line
                stack.append((inner, child))
    return found, sorted(repeated, key=lambda item: item.line)


def has_repeated_keys(source: Source | None) -> bool:
    """Whether some mapping gives a key twice; cheaper than :func:`locate`."""
    return source is not None and source.has_repeated_keys
