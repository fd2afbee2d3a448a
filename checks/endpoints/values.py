"""Soft reading of values of any type: None where a value is not of the kind asked for.

For rules beside a schema that reports the type: one cause is told once.
"""

from __future__ import annotations

from typing import Final

from checks.documents import shortened
from checks.endpoints.numbers import is_number

_DIGITS: Final = 24
"""Characters in which a message shows a figure, which a document may write with any number of digits."""


def whole(value: object) -> int | None:
    """A whole number (also 256.0), of arbitrary size; never a boolean or a text."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    return int(value) if isinstance(value, float) and value.is_integer() else None


def figure(value: int) -> str:
    """A whole number as messages show it: with commas, one of very many digits in part."""
    shown = f"{value:,}"
    return shown if len(shown) <= _DIGITS else shortened(str(value), _DIGITS)


def number(value: object) -> int | float | None:
    """A finite number."""
    return value if is_number(value) else None


def text(value: object) -> str | None:
    """A text that holds more than blanks, without those around it."""
    return value.strip() or None if isinstance(value, str) else None


def is_blank(value: object) -> bool:
    """Whether a disclosed value discloses nothing: absent, null, or a text of blanks."""
    return value is None or (isinstance(value, str) and not value.strip())
