"""A quick reader for the plainest YAML: nested mappings and lists of scalars, as tools write them.

Thousands of measurement points come as such files, and a general reader takes most of a check's time for them. What is
read here means the same to every YAML reader; at the first line beyond it the whole text is left to
:mod:`checks.yaml_text` (quotes with escapes, flow style, values over several lines, anchors, tags, a key given twice).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, Final, NamedTuple

from checks import yaml_text
from checks.yaml_outline import EMPTY, OPEN, outline_of

_PLAIN: Final = (
    r"(?:[A-Za-z0-9_./+]|-(?=[A-Za-z0-9.]))"
    r"(?:[A-Za-z0-9_./+@%=(),;~$^-]|:(?=[A-Za-z0-9_/.])| +(?=[^ \n:]))*"
)
"""A scalar without quotes: no sign in it that means anything to YAML, a colon only inside a word."""

_LINE: Final = re.compile(
    r"( *)(?:(- )|([A-Za-z_][A-Za-z0-9_]{0,99}):(?: |\Z))"  # 1 indentation, 2 an item of a list, or 3 a key
    rf"({_PLAIN}|'[ -&(-~]*'|\"[ !#-\[\]-~]*\"|\[\]|{{}})?"  # 4 plain, in quotes, or an empty collection
    r"| *(?:#[ -~]*)?",  # nothing, or a comment
    re.ASCII,
)

LONGEST: Final = 1 << 20
"""Characters; longer texts are left to the general reader, which counts what it builds."""


class _Line(NamedTuple):
    """A line by itself: its ``form`` (:mod:`checks.yaml_outline`), and its value (None: not in this line)."""

    form: str
    value: Any


def read(text: str) -> dict[str, Any] | None:
    """The mapping that ``text`` spells; None where the text is not plain enough, faulty texts among them."""
    if len(text) > LONGEST:
        return None
    spelt = text.split("\n")
    lines = [line for line in map(_line, spelt) if line is not None]
    if len(lines) != len(spelt):
        return None
    outline = outline_of(tuple([form for form, _ in lines]))
    return None if outline is None else outline.filled([value for _, value in lines])


@lru_cache(maxsize=1 << 16)
def _line(line: str) -> _Line | None:
    """The line that ``line`` spells, None where it is beyond plain; files of one benchmark share most of theirs."""
    found = _LINE.fullmatch(line)
    if found is None:
        return None
    spaces, dash, key, token = found.groups()
    if not (dash or key):
        return _Line("", None)
    if dash and not token:
        return None
    form = f"{spaces}{dash or key}"
    if token in EMPTY:
        return _Line(f"{form}{token}", None)
    value, _, fault = _scalar(token or "")
    plain = fault is None and not isinstance(value, dict | list)
    return _Line(form if token else f"{form}{OPEN}", value) if plain else None


_WORDS: Final = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})
"""Words that YAML takes for something else than text."""

_WHOLE: Final = re.compile(r"-?[1-9][0-9]{0,17}|0")
_FRACTION: Final = re.compile(r"-?[0-9]{1,15}\.[0-9]{1,17}")


def _scalar(token: str) -> tuple[Any, Any, Any]:
    """The value of a scalar, as the general reader takes it, which is asked for all but the plainest."""
    if not token or token[0] in "'\"":
        return token[1:-1] if token else None, None, None
    if token[0].isalpha() and token.lower() not in _WORDS:
        return token, None, None
    if _WHOLE.fullmatch(token):
        return int(token), None, None
    if _FRACTION.fullmatch(token):
        return float(token), None, None
    return yaml_text.parse(token)
