"""Shares told by counts."""

from __future__ import annotations

import pytest

from cgs_rag.facts.odds import odds


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("1 in 5 people", 0.2),
        ("One in five people", 0.2),
        ("one out of five people", 0.2),
        ("one in every 30 people", 1 / 30),
        ("1 in 10,000 people", 1e-4),
        ("3 out of 10 people", 0.3),
        ("seven in ten people", 0.7),
    ],
)
def test_one_of_several_is_a_share(text, share):
    """And several of ten."""
    (fact,) = odds(f"So {text} left.")

    assert fact.value.readings[0].value == pytest.approx(share)


@pytest.mark.parametrize(
    "text",
    [
        "60 out of 80 people",
        "number 1 in 12 countries",
        "the one in five",
        "one in ten days",
        "1 in 2019",
        "5 out of 5 stars",
        "$1 in 5 cases",
        "1 in 5.5 cases",
    ],
)
def test_other_counts_are_numbers_by_themselves(text):
    """Places, times and years, too."""
    assert list(odds(f"So {text} left.")) == []
