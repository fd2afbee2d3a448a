"""Values of documents as numbers and as people read them in messages."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from checks import json_text, names

_NUMERIC = re.compile(r"\s*[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?\s*\Z", re.ASCII)


def is_finite(value: int | float) -> bool:
    """Neither infinite nor NaN nor, as YAML can spell it, a whole number that no float can hold."""
    return abs(value) <= sys.float_info.max


def number_in(text: str) -> float | int | None:
    """The number within a double's range that ``text`` spells, None when it spells none."""
    if len(text) > json_text.MAX_DIGITS or not _NUMERIC.match(text):
        return None
    found = float(text)
    if not math.isfinite(found):
        return None
    return int(text) if text.strip().lstrip("+-").isdecimal() else found


def described(value: Any) -> str:
    """A value as people read it in a message: kind and, when short, content."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return f"the number {shortened(str(value), 24)}"
    if isinstance(value, str):
        return f'the text "{shortened(value)}"'
    if isinstance(value, Mapping):
        return "an object"
    return "a list" if isinstance(value, Sequence) else type(value).__name__


def shortened(text: str, limit: int = 80) -> str:
    """``text`` safe to show, cut to ``limit`` characters."""
    safe = names.shown(text)
    return safe if len(safe) <= limit else safe[: limit - 1] + "…"
