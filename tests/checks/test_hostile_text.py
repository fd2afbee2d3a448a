"""Text that only a hostile document spells: lone surrogates, numbers beyond a double."""

from __future__ import annotations

import pytest

from checks.documents import number_in
from checks.names import shown


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("\ud800", r"\xed\xa0\x80"),
        ("a\udfffb", r"a\xed\xbf\xbfb"),
        ("\udc80", r"\x80"),
        ("\udcff", r"\xff"),
        ("ü", "ü"),
    ],
)
def test_lone_surrogates_can_be_shown(text: str, wanted: str) -> None:
    assert shown(text) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [("9" * 308, 10**308 - 1), ("9" * 309, None), ("-" + "9" * 400, None), ("1e308", 1e308), ("1e309", None)],
)
def test_numbers_as_text_stay_within_a_double(text: str, wanted: float | None) -> None:
    assert number_in(text) == wanted
