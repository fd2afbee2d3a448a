"""Strict reading of numbers from parsed JSON and YAML: quoted numbers, booleans, NaN and Infinity are not numbers."""

from __future__ import annotations

import math
import sys
from typing import Final, TypeGuard

_LARGEST_BITS: Final = sys.float_info.max_exp - 1
_SHOWN: Final = 40


def number_fault(value: object, *, whole: bool = False) -> str | None:
    """Why ``value`` is no finite number (with ``whole``: no whole one), to be read after "`key` is".

    None: it is one.
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        return _type_fault(value)
    if isinstance(value, int):
        return "larger than any number that can be computed with" if value.bit_length() > _LARGEST_BITS else None
    if not math.isfinite(value):
        return f"{value}, which is not a finite number"
    return f"{value}; a whole number is required" if whole and not value.is_integer() else None


def is_number(value: object) -> TypeGuard[int | float]:
    """Whether ``value`` is a finite number."""
    if type(value) is float:
        return math.isfinite(value)
    if type(value) is int:
        return value.bit_length() <= _LARGEST_BITS
    return number_fault(value) is None


def _type_fault(value: object) -> str:
    if isinstance(value, str):
        return f"text ({value[:_SHOWN]!r}); write the number without quotes and without a unit"
    if isinstance(value, bool):
        return f"{str(value).lower()}, not a number"
    kinds = {dict: "an object", list: "a list", type(None): "null"}
    return f"{kinds.get(type(value), type(value).__name__)}, not a number"
