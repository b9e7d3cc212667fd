"""Durations told by one word."""

from __future__ import annotations

import pytest

from cgs_rag.facts.extraction import extract
from cgs_rag.facts.whole_units import is_told_by_word


@pytest.mark.parametrize(
    ("claim", "text", "is_told"),
    [
        ("10 years", "It did well for a decade.", True),
        ("ten years", "It did well for the next decade.", True),
        ("12 months", "He was sought this past year, the past year.", True),
        ("30 days", "It came last month.", True),
        ("24 hours", "Do it once a day.", True),
        ("60 minutes", "It took an hour and a half.", False),
        ("9 years", "It did well for a decade.", False),
        ("12 months", "It was the year of change.", False),
        ("12 men", "It was a year of change.", False),
    ],
)
def test_one_whole_unit_stands_for_its_parts(claim, text, is_told):
    """With an article, and as long as it is."""
    assert is_told_by_word(extract(claim)[0], [text]) is is_told
