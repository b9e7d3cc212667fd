"""Numbers that a text writes in words and in digits."""

from __future__ import annotations

import pytest

from cgs_rag.facts.extraction import extract
from cgs_rag.facts.values import Amount


def told(text: str) -> list[tuple[str, float, str]]:
    found = [(one.text, one.value) for one in extract(text, with_names=False)]
    return [
        (written, value.readings[0].value, value.readings[0].dimension)
        for written, value in found
        if isinstance(value, Amount)
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ninety (90) days", [("ninety (90) days", 90 * 86400, "time")]),
        ("30 (thirty) days", [("30 (thirty) days", 30 * 86400, "time")]),
        ("twelve (12) euros", [("twelve (12) euros", 12, "EUR")]),
        ("three (3) copies", [("three (3)", 3, "")]),
        ("two thousand (2,000) kg", [("two thousand (2,000) kg", 2000, "mass")]),
    ],
)
def test_a_number_and_itself_in_brackets_are_one_value(text, expected):
    """With the unit behind the brackets."""
    assert told(text) == expected


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("ninety (60) days", 2),
        ("12 (12) copies", 2),
        ("the third (3) copy", 2),
        ("five thousand dollars ($5,000)", 2),
        ("ninety (90", 2),
    ],
)
def test_other_numbers_in_brackets_stay_values_of_their_own(text, count):
    """Other values, marks of sources, and what has a unit itself."""
    assert len(told(text)) == count
