"""Figures out of documents, exactly, and figures as people read them."""

from __future__ import annotations

from fractions import Fraction

from checks.documents import Document

GIB = 2**30
"""Bytes in what the rules document and the tool call a GB of memory (3.1.2)."""

MOST_DIGITS = 10
"""Decimals at most in a message."""


def exact(value: int | float) -> Fraction:
    """The number as it is written in decimal: 114660.07 is that, not the nearest binary fraction."""
    return Fraction(str(value))


LEAST, MOST = Fraction(1, 10**9), 10**18
"""Every figure that rules compute with lies between these: a nanosecond, an exabyte; others are slips or tricks."""


def positive(document: Document, pointer: str, default: int | None = None) -> Fraction:
    """The number above 0 at ``pointer``, also when written as text. Raises Unusable, also when it is beyond reason."""
    value = document.number(pointer, *([] if default is None else [default]), text_ok=True)
    if not LEAST <= value <= MOST:
        raise document.unusable(pointer, "a number above 0" if value <= 0 else f"a number of at most {MOST:,}")
    return exact(value)


def zero_or_more(document: Document, pointer: str) -> Fraction:
    """The number at ``pointer``, 0 or more. Raises Unusable, also when it is beyond reason."""
    value = document.number(pointer, text_ok=True)
    if not 0 <= value <= MOST:
        raise document.unusable(pointer, f"a number from 0 to {MOST:,}")
    return exact(value)


def positive_integer(document: Document, pointer: str, default: int | None = None) -> int:
    """The whole number above 0 at ``pointer``, also when written as text. Raises Unusable."""
    value = positive(document, pointer, default)
    if value.denominator != 1:
        raise document.unusable(pointer, "a whole number above 0")
    return int(value)


def grouped(value: Fraction | float, digits: int = 1) -> str:
    """A number with thousands grouped and at most ``digits`` decimals: ``6,769.9``, ``14,000``."""
    text = f"{float(value):,.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def apart(found: float, limit: float, digits: int = 1) -> str:
    """``found`` with as many decimals as it takes to see that it is not ``limit``: ``89.996`` beside ``90``."""
    if found == limit:
        return grouped(found)
    texts = (grouped(found, count) for count in range(digits, MOST_DIGITS))
    return next((text for text in texts if text != grouped(limit, MOST_DIGITS)), str(found))
