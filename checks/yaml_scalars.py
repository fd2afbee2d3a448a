"""YAML's scalars as plain data: which words are numbers, true or false, or null, and what is refused.

Words mean what YAML 1.1 readers take them for, except where YAML 1.2 differs and people mean the latter: dates and
times of day stay text.
"""

from __future__ import annotations

import math
import re
from functools import lru_cache
from typing import Any

import yaml

from checks.json_text import MAX_DIGITS

_TAG = "tag:yaml.org,2002:"
TEXT, LIST, MAPPING, MERGE = (_TAG + kind for kind in ("str", "seq", "map", "merge"))
_RESOLVER = yaml.resolver.Resolver()
_BOOLEANS = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}
_NULLS = frozenset({"", "~", "null"})
_INTEGER = re.compile(r"[-+]?(0|[1-9][0-9_]*)\Z")
_BASED = re.compile(r"([-+]?)0(?:x(?P<hex>[0-9a-fA-F_]+)|b(?P<binary>[01_]+)|(?P<octal>[0-7_]+))\Z")
_BASES = {"hex": 16, "binary": 2, "octal": 8}


class Refused(ValueError):
    """A node that can't be plain data; carries the node, or the event that begins one, and the reason."""

    def __init__(self, node: yaml.Node | yaml.Event, reason: str) -> None:
        self.node, self.reason = node, reason
        super().__init__(reason)


@lru_cache(maxsize=4096)
def tag_of(kind: type[yaml.Node], value: str | None, implicit: Any) -> str:
    """The tag of a node without one of its own; the same words and figures come again in every file."""
    tag: str = _RESOLVER.resolve(kind, value, implicit)  # type: ignore[no-untyped-call]
    return tag


def key_of(node: yaml.Node) -> str:
    """Keys as text, as they stand in the file; anything but a scalar can't be a key."""
    if not isinstance(node, yaml.ScalarNode):
        raise Refused(node, "A mapping's key must be a plain word.")
    return str(node.value)


def scalar(node: yaml.ScalarNode) -> Any:
    """The value of a scalar. Raises Refused where its tag asks for more than plain data, or not for this text."""
    tag, text = node.tag.removeprefix(_TAG), node.value
    if tag in ("str", "timestamp", "value"):
        return text
    if tag == "null" and text.lower() in _NULLS:
        return None
    if tag == "bool" and text.lower() in _BOOLEANS:
        return _BOOLEANS[text.lower()]
    if tag == "int":
        return _integer(node, text)
    if tag == "float":
        return _float(node, text)
    if tag in ("null", "bool"):
        raise Refused(node, f"The tag {node.tag} does not go with this text.")
    raise Refused(node, f"The tag {node.tag} is not plain data.")


def _integer(node: yaml.ScalarNode, text: str) -> int | str:
    if len(text) > MAX_DIGITS:
        raise Refused(node, f"The number has {len(text):,} digits.")
    if _INTEGER.match(text):
        return int(text.replace("_", ""))
    if (based := _BASED.match(text)) and (kind := based.lastgroup) and (digits := based[kind].replace("_", "")):
        return int(based[1] + digits, _BASES[kind])
    return _no_number(node, text)


def _float(node: yaml.ScalarNode, text: str) -> float | str:
    try:
        found = float(text.replace("_", "").lower().replace(".inf", "inf").replace(".nan", "nan"))
    except ValueError:
        return _no_number(node, text)
    if not math.isfinite(found):
        raise Refused(node, f"{text} is not a finite number.")
    return found


def _no_number(node: yaml.ScalarNode, text: str) -> str:
    """Text that only looks like a number: base 60 (12:30:45), which YAML 1.2 no longer has, or ``0_``, which no reader
    takes. Anything else has a tag that says so.
    """
    if tag_of(yaml.ScalarNode, text, (True, False)) != node.tag:
        raise Refused(node, f"The tag {node.tag} does not go with this text.")
    return text
